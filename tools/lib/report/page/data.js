// SPDX-License-Identifier: MIT
// What the data hold: rows of counts, the tree of calls, the run as a grammar.
// ---- rows of counts, see matrix.h ----

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const DIGIT = Object.fromEntries([...DIGITS].map((c, i) => [c, i]));
function unpack(row) {
  const out = [];
  for (let i = 0; i < row.length; i++) {
    const value = DIGIT[row[i]];
    out.push(value);
    if (row[i + 1] === "!") {
      const end = row.indexOf("!", i + 2);
      for (let n = Number(row.slice(i + 2, end)); n > 0; n--) out.push(value);
      i = end;
    }
  }
  return Uint8Array.from(out);
}
const countOf = (part, level) => (level ? Math.round(2 ** ((level - 1) / part.scale)) : 0);
for (const part of [data.activity, data.heat, data.losses])
  for (const level of part.levels) level.rows = level.rows.map(unpack);

// The finest level whose bins are not narrower than a pixel, else the coarsest.
function levelFor(levels, perPixel) {
  return levels.find(level => level.width >= perPixel) || levels[levels.length - 1];
}

// ---- the tree of calls ----

const functions = data.functions.map(f => ({
                                       name: f[0],
                                       file: f[1],
                                       line: f[2],
                                       calls: f[3],
                                       self: f[4],
                                       inclusive: f[5],
                                       min: f[6],
                                       mean: f[7],
                                       max: f[8]
                                     }));
const nodes = data.nodes.map(n => ({parent: n[0], function: n[1], context: n[2]}));
for (const node of nodes) { // parents come first
  const above = nodes[node.parent];
  node.depth = above ? above.depth + 1 : 0;
  node.context = above ? above.context : node.context;
}
const chains = new Map();
function chainOf(node) { // functions from the outermost on, as nodes
  if (!chains.has(node)) {
    const chain = [];
    for (let n = node; n >= 0 && nodes[n].function >= 0; n = nodes[n].parent) chain.unshift(n);
    chains.set(node, chain);
  }
  return chains.get(node);
}
const contextOf = number => data.contexts.find(c => c.number === number);
const contextIndex = number => data.contexts.findIndex(c => c.number === number);
let deepest = 1;
for (const level of data.mixes)
  for (const bin of level.bins)
    for (let i = 0; i < bin.length; i += 3) deepest = Math.max(deepest, nodes[bin[i]].depth);
deepest = Math.min(deepest, 24);

// ---- the run itself, as a grammar (zoom.h): any part of it, exactly ----

const exact = data.zoom && (() => {
                const {terminals, rules} = data.zoom, length = new Array(rules.length).fill(-1);
                const costOf = symbol => (symbol >= 0 ? terminals[3 * symbol + 2] : length[-1 - symbol]);
                const todo = [0]; // a rule's length needs those of the rules in it
                while (todo.length) {
                  const r = todo[todo.length - 1], rule = rules[r];
                  let sum = 0, ready = true;
                  for (let i = 0; i < rule.length; i += 2) {
                    const cost = costOf(rule[i]);
                    if (cost < 0) {
                      todo.push(-1 - rule[i]);
                      ready = false;
                      break;
                    }
                    sum += cost * rule[i + 1];
                  }
                  if (ready) {
                    length[r] = sum;
                    todo.pop();
                  }
                }
                // [from, to, node, path] of all that begins before `to` and ends after `from`; null: more than `most`.
                return (from, to, most) => {
                  const out = [], stack = [{rule: rules[0], i: 0, n: 0, at: 0}];
                  while (stack.length) {
                    const top = stack[stack.length - 1];
                    if (top.i >= top.rule.length || top.at >= to) {
                      stack.pop();
                      continue;
                    }
                    const symbol = top.rule[top.i], count = top.rule[top.i + 1], cost = costOf(symbol);
                    if (top.n < count && top.at + cost <= from) { // pass over all repetitions before the window at once
                      const skip = Math.min(count - top.n, Math.max(1, Math.floor((from - top.at) / cost)));
                      top.n += skip;
                      top.at += skip * cost;
                    }
                    if (top.n >= count) {
                      top.i += 2;
                      top.n = 0;
                      continue;
                    }
                    if (top.at >= to || top.at + cost <= from) continue;
                    const at = top.at;
                    top.n++;
                    top.at += cost;
                    if (symbol >= 0) {
                      if (out.length >= most) return null;
                      out.push([at, at + cost, terminals[3 * symbol], terminals[3 * symbol + 1]]);
                    } else {
                      stack.push({rule: rules[-1 - symbol], i: 0, n: 0, at});
                    }
                  }
                  return out;
                };
              })();
// The exact run is drawn where bins are wider than EXACT_PIXELS, and where it has at most EXACT_MOST parts.
const EXACT_PIXELS = 3, EXACT_MOST = 12000;
function exactSpans(perPixel) {
  if (!exact || data.mixes[0].width < EXACT_PIXELS * perPixel) return null;
  return exact(view.from, view.to, EXACT_MOST);
}
