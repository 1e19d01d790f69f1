// SPDX-License-Identifier: MIT
// Draws a run that `weft report` reduced. Plain JavaScript: the data stand in the element #data (tools/lib/report/data.c
// says what they are). Text of the program is only ever put into text nodes and canvases.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const total = Math.max(1, data.total);

// ---- small helpers ----

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "class") e.className = value;
    else if (key.startsWith("--")) e.style.setProperty(key, value);
    else e.setAttribute(key, value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}
const number = n => Number(n).toLocaleString("en-US", {maximumFractionDigits: n < 100 ? 1 : 0});
const rounded = n => Number(Number(n).toPrecision(2));
const percent = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(1) + " %";
const hex = n => "0x" + n.toString(16).padStart(8, "0");
const short = file => file.slice(file.lastIndexOf("/") + 1);
const plural = (n, one, many) => number(n) + " " + (n === 1 ? one : many || one + "s");

// ---- colours: Okabe and Ito for functions and contexts, viridis for heat ----

const HUES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c96a0"];
const VIRIDIS = ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6dcd59", "#b4de2c", "#fde725"];
function rgb(colour) {
  return [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));
}
function mixed(a, b, share) {
  return a.map((v, i) => Math.round(v + (b[i] - v) * share));
}
const text = c => `rgb(${c[0]},${c[1]},${c[2]})`;
// Each round through the hues is a shade lighter.
function functionColour(f) {
  if (f < 0) return [140, 150, 160];
  const base = rgb(HUES[f % 7]), round = Math.floor(f / 7) % 4;
  return mixed(base, [255, 255, 255], [0, 0.35, 0.55, 0.2][round]);
}
const inkOn = c => (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] > 140 ? "#111" : "#fff");
const RAMP = Array.from({length: 64}, (_, i) => {
  const at = i / 63 * (VIRIDIS.length - 1), k = Math.min(VIRIDIS.length - 2, Math.floor(at));
  return mixed(rgb(VIRIDIS[k]), rgb(VIRIDIS[k + 1]), at - k);
});
const isDark = () => {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

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

const functions = data.functions.map(f => ({name: f[0], file: f[1], line: f[2], calls: f[3], self: f[4], inclusive: f[5],
  min: f[6], mean: f[7], max: f[8]}));
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
  const todo = [0]; // a rule's length follows those of the rules in it
  while (todo.length) {
    const r = todo[todo.length - 1], rule = rules[r];
    let sum = 0, ready = true;
    for (let i = 0; i < rule.length; i += 2) {
      const cost = costOf(rule[i]);
      if (cost < 0) { todo.push(-1 - rule[i]); ready = false; break; }
      sum += cost * rule[i + 1];
    }
    if (ready) { length[r] = sum; todo.pop(); }
  }
  // [from, to, node, path] of all that begins before `to` and ends after `from`; null: more than `most`.
  return (from, to, most) => {
    const out = [], stack = [{rule: rules[0], i: 0, n: 0, at: 0}];
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (top.i >= top.rule.length || top.at >= to) { stack.pop(); continue; }
      const symbol = top.rule[top.i], count = top.rule[top.i + 1], cost = costOf(symbol);
      if (top.n < count && top.at + cost <= from) { // repetitions before the window are passed over at once
        const skip = Math.min(count - top.n, Math.max(1, Math.floor((from - top.at) / cost)));
        top.n += skip;
        top.at += skip * cost;
      }
      if (top.n >= count) { top.i += 2; top.n = 0; continue; }
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
// Worth it where bins are wider than that many pixels.
const EXACT_PIXELS = 3, EXACT_MOST = 12000;
function exactSpans(perPixel) {
  if (!exact || data.mixes[0].width < EXACT_PIXELS * perPixel) return null;
  return exact(view.from, view.to, EXACT_MOST);
}

// ---- the view: one part of time for all pictures ----

const view = {from: 0, to: total, at: null, row: null};
const LEAST_SPAN = Math.min(total, 16);
let MARGIN = 150; // labels stand left of the time axis, in pixels; less on a narrow screen
const pictures = [];
function setView(from, to) {
  let span = Math.min(total, Math.max(LEAST_SPAN, to - from));
  from = Math.max(0, Math.min(total - span, from));
  view.from = from;
  view.to = from + span;
  draw();
}
function zoom(factor, around) {
  const at = around === undefined || around === null ? (view.from + view.to) / 2 : around;
  const span = Math.min(total, Math.max(LEAST_SPAN, (view.to - view.from) * factor));
  const share = (at - view.from) / (view.to - view.from);
  setView(at - share * span, at - share * span + span);
}
const pan = share => setView(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));

const FONT = "12px system-ui, 'DejaVu Sans', sans-serif", SMALL = "10px system-ui, 'DejaVu Sans', sans-serif";

// A canvas with a mark over it. paint(g, width, height) draws in CSS pixels.
function picture(id, height, paint) {
  const box = $(id), canvas = el("canvas"), mark = el("div", {class: "mark"});
  mark.hidden = true;
  box.append(canvas, mark);
  const p = {box, canvas, mark, height, paint, id};
  pictures.push(p);
  if (id === "overview") return p;
  box.addEventListener("pointermove", e => onMove(p, e));
  box.addEventListener("pointerdown", e => onDown(p, e));
  box.addEventListener("pointerup", onUp);
  box.addEventListener("pointercancel", onUp);
  box.addEventListener("wheel", e => onWheel(p, e), {passive: false});
  box.addEventListener("dblclick", e => onDouble(p, e));
  return p;
}
const plotWidth = p => Math.max(1, p.width - MARGIN);
const timeAt = (p, x) => view.from + (x - MARGIN) / plotWidth(p) * (view.to - view.from);
const xOf = (p, time) => MARGIN + (time - view.from) / (view.to - view.from) * plotWidth(p);

function drawOne(p) {
  const ratio = window.devicePixelRatio || 1, height = typeof p.height === "function" ? p.height() : p.height;
  p.width = p.box.clientWidth;
  if (!p.width) return;
  p.canvas.style.height = height + "px";
  p.canvas.width = Math.round(p.width * ratio);
  p.canvas.height = Math.round(height * ratio);
  const g = p.canvas.getContext("2d");
  g.scale(ratio, ratio);
  g.fillStyle = css("--panel");
  g.fillRect(0, 0, p.width, height);
  g.font = FONT;
  g.textBaseline = "middle";
  p.paint(g, p.width, height, p);
  p.box.dataset.from = Math.round(view.from);
  p.box.dataset.to = Math.round(view.to);
}
let waiting = false;
function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    MARGIN = window.innerWidth < 700 ? 92 : 150;
    pictures.forEach(drawOne);
    $("span").textContent = `instructions ${number(Math.round(view.from))} to ${number(Math.round(view.to))} of ` +
      `${number(data.total)}` + (view.to - view.from < total * 0.999 ? `, ${plural(Math.round(view.to - view.from), "instruction")}` : "");
    drawMark();
  });
}

// Text that fits, or none.
function label(g, string, x, y, width, colour) {
  if (width < 16) return;
  let shown = string;
  if (g.measureText(shown).width > width) {
    const fits = Math.floor(string.length * width / g.measureText(string).width) - 1;
    if (fits < 2) return;
    shown = string.slice(0, fits) + "\u2026";
  }
  g.fillStyle = colour;
  g.fillText(shown, x, y);
}
function ticks(g, p, height) {
  const span = view.to - view.from, width = plotWidth(p);
  let step = 10 ** Math.floor(Math.log10(span / Math.max(2, width / 110)));
  while (span / step > width / 100) step *= step.toString().startsWith("2") ? 2.5 : 2;
  step = Math.max(1, Math.round(step));
  g.textAlign = "center";
  for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
    const x = xOf(p, t);
    g.fillStyle = css("--line");
    g.fillRect(Math.round(x), 0, 1, height);
    if (x > MARGIN + 20 && x < p.width - 30) {
      g.fillStyle = css("--dim");
      g.fillText(compact(t, step), x, height - 8);
    }
  }
  g.textAlign = "left";
}
function compact(n, step) {
  for (const [unit, name] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]])
    if (step >= unit / 100 && n >= unit) return +(n / unit).toFixed(step >= unit ? 0 : 2) + name;
  return number(n);
}

// ---- functions by depth ----

const ROW = Math.max(11, Math.min(19, Math.floor(210 / deepest)));
const flameHeight = () => deepest * ROW + 22;
// The parts of a bin as [from, to, node, path], in the order in which they came.
function spansOf(level, index) {
  if (level.exact) return level.bins[index];
  const bin = level.bins[index], out = [], begin = index * level.width;
  const end = Math.min(begin + level.width, data.total || total);
  let at = begin, known = 0;
  for (let i = 0; i < bin.length; i += 3) known += bin[i + 2];
  const scale = known ? (end - begin) / Math.max(known, end - begin) : 0;
  for (let i = 0; i < bin.length; i += 3) {
    out.push([at, at + bin[i + 2] * scale, bin[i], bin[i + 1]]);
    at += bin[i + 2] * scale;
  }
  return out;
}
// Of a bin that is a few pixels wide: what took most at each depth, paler the less of the bin it took.
function mostOf(level, index) {
  const bin = level.bins[index], from = index * level.width, width = Math.min(level.width, total - from), byDepth = [];
  let known = 0;
  for (let i = 0; i < bin.length; i += 3) known += bin[i + 2];
  for (let i = 0; i < bin.length; i += 3)
    chainOf(bin[i]).forEach((node, d) => {
      const f = byDepth[d] || (byDepth[d] = new Map());
      f.set(node, (f.get(node) || 0) + bin[i + 2]);
    });
  const chain = [], shades = [];
  for (const f of byDepth) {
    let best = -1, most = 0, all = 0;
    for (const [node, cost] of f) { all += cost; if (cost > most) { most = cost; best = node; } }
    chain.push(best);
    shades.push(Math.max(0.25, Math.min(1, Math.round(4 * all / known) / 4)));
  }
  return [from, from + width, chain, shades];
}
function paintFlame(g, width, height, p) {
  const perPixel = (view.to - view.from) / plotWidth(p), level = levelFor(data.mixes, perPixel);
  p.box.dataset.level = level.width;
  ticks(g, p, height);
  g.fillStyle = css("--dim");
  g.fillText("depth 1", 8, ROW / 2);
  if (deepest > 1) g.fillText("depth " + deepest, 8, (deepest - 0.5) * ROW);
  p.boxes = [];
  const open = []; // by depth: a call that is named when it ends
  const close = depth => {
    const b = open[depth];
    open[depth] = null;
    if (!b) return;
    const x = Math.max(MARGIN, xOf(p, b.from)), end = Math.min(width, xOf(p, b.to));
    if (end - x > 2) p.boxes.push({x, end, depth, ...b});
    if (end - x <= 24) return;
    const colour = functionColour(nodes[b.node].function);
    g.fillStyle = css("--panel");
    if (x > MARGIN + 1) g.fillRect(x - 0.5, depth * ROW + 1, 0.8, ROW - 2);
    label(g, functions[nodes[b.node].function].name, x + 4, depth * ROW + ROW / 2 + 0.5, end - x - 8, b.pale ? css("--fore") : inkOn(colour));
  };
  g.font = ROW < 15 ? SMALL : FONT;
  const first = Math.max(0, Math.floor(view.from / level.width)), last = Math.min(level.bins.length - 1, Math.floor(view.to / level.width));
  const narrow = level.width < 4 * perPixel, spans = exactSpans(perPixel);
  p.box.dataset.exact = spans ? "yes" : "no";
  for (let i = first; i <= (spans ? first : last); i++) {
    for (const [from, to, chain, shades] of spans ? spans.map(([a, b, node]) => [a, b, chainOf(node)]) : narrow ? [mostOf(level, i)] : spansOf(level, i).map(([a, b, node]) => [a, b, chainOf(node)])) {
      const snap = narrow || spans; // no seams between what belongs together
      const x = Math.max(MARGIN, snap ? Math.round(xOf(p, from)) : xOf(p, from));
      const end = Math.min(width, snap ? Math.round(xOf(p, to)) : xOf(p, to));
      for (let d = 0; d < Math.max(chain.length, open.length) && d < deepest; d++) {
        const b = open[d];
        if (d < chain.length && end > x) {
          g.fillStyle = text(functionColour(nodes[chain[d]].function));
          g.globalAlpha = shades ? shades[d] : 1;
          g.fillRect(x, d * ROW + 1, Math.max(0.6, end - x), ROW - 2);
          g.globalAlpha = 1;
        }
        const pale = shades ? shades[d] < 0.6 : false;
        if (b && chain[d] === b.node && pale === b.pale && Math.abs(b.to - from) < perPixel) {
          b.to = to;
        } else {
          close(d);
          if (d < chain.length) open[d] = {node: chain[d], from, to, pale};
        }
      }
    }
  }
  for (let d = 0; d < open.length; d++) close(d);
  paintGaps(g, p, height);
}
// Where events are missing: a line through the picture.
function paintGaps(g, p, height) {
  const level = levelFor(data.losses.levels, (view.to - view.from) / plotWidth(p)), row = level.rows[0];
  if (!data.losses.gaps) return;
  g.fillStyle = css("--mark");
  for (let i = 0; i < row.length; i++) {
    if (!row[i]) continue;
    const x = xOf(p, i * level.width);
    if (x < MARGIN || x > p.width) continue;
    for (let y = 0; y < height; y += 6) g.fillRect(x, y, 1.5, 3);
  }
}

// ---- addresses ----

const heatRows = data.heat.rows.map(r => ({name: r[0], kind: r[1], low: r[2], size: r[3], offset: r[4], loads: r[5], stores: r[6]}));
// One group per name; the rows of a group stand together. Constants of functions are one group, with what has no name
// among them; and where there are too many names for the picture, neighbours that are accessed least are one.
const GROUPS_MOST = 18;
let groups = [];
heatRows.forEach((row, i) => {
  const last = groups[groups.length - 1], code = row.kind === "code";
  const name = code ? "constants" : row.name || (row.kind === "memory" ? "unnamed" : row.kind), accesses = row.loads + row.stores;
  const joins = last && (last.name === name && last.kind === row.kind ||
    last.name === "constants" && name === "unnamed" && heatRows.slice(i + 1).some(r => r.kind === "code") ||
    last.name === "unnamed" && code && groups.length === 1);
  if (joins) {
    last.rows.push(i);
    last.accesses += accesses;
    if (code) last.name = name;
  } else {
    groups.push({name, kind: row.kind, rows: [i], accesses, names: 1});
  }
});
const objects = groups.map(g => ({...g, rows: g.rows.slice()}));
while (groups.length > GROUPS_MOST) {
  let best = -1, least = Infinity;
  for (let i = 0; i + 1 < groups.length; i++) {
    const together = groups[i].accesses + groups[i + 1].accesses;
    if (together < least) { least = together; best = i; }
  }
  const [a, b] = groups.splice(best, 2), names = a.names + b.names;
  groups.splice(best, 0, {name: plural(names, "object"), kind: a.kind, rows: a.rows.concat(b.rows), accesses: least, names});
}
// All three pictures fit the first screen: rows share HEAT_ROOM, names get their height if there is room for all.
const HEAT_ROOM = 270;
const groupPixels = groups.length * 14 > HEAT_ROOM ? 0 : 13;
let heatPixels = 15;
const heightWith = pixels => groups.reduce((sum, g) => sum + Math.max(groupPixels, pixels * g.rows.length) + 1, 0);
while (heatPixels > 1.5 && heightWith(heatPixels) > HEAT_ROOM) heatPixels -= 0.5;
let heatTop = 0;
for (const group of groups) {
  group.top = heatTop;
  group.row = Math.max(heatPixels, groupPixels / group.rows.length);
  heatTop += group.row * group.rows.length + 1;
  group.height = heatTop - 1 - group.top;
}
const heatHeight = () => Math.max(40, heatTop + 20);
for (const level of data.heat.levels) level.most = level.rows.reduce((most, row) => row.reduce((a, b) => Math.max(a, b), most), 1);
const hottest = data.heat.levels[0].most;
function rowAt(y) {
  for (const group of groups)
    if (y >= group.top && y < group.top + group.height + 1)
      return group.rows[Math.min(group.rows.length - 1, Math.floor((y - group.top) / group.row))];
  return -1;
}
function rowName(i) {
  const row = heatRows[i];
  if (row.kind === "rest") return "everything else";
  if (row.kind === "stack") return "stack at " + hex(row.low);
  if (!row.name) return "memory at " + hex(row.low);
  return row.offset || row.size > 64 ? `${row.name}[${row.offset}..${row.offset + row.size - 1}]` : row.name;
}
function paintHeat(g, width, height, p) {
  const perPixel = (view.to - view.from) / plotWidth(p), level = levelFor(data.heat.levels, perPixel);
  p.box.dataset.level = level.width;
  ticks(g, p, height);
  const first = Math.max(0, Math.floor(view.from / level.width)), last = Math.floor(view.to / level.width);
  const darkest = isDark() ? 14 : 0; // what viridis begins with cannot be told from a dark ground
  for (const group of groups) {
    g.fillStyle = css("--empty");
    g.fillRect(MARGIN, group.top, width - MARGIN, group.height);
    group.rows.forEach((r, k) => {
      const row = level.rows[r], y = group.top + k * group.row;
      for (let i = first, end; i <= last && i < row.length; i = end) {
        for (end = i + 1; end <= last && end < row.length && row[end] === row[i];) end++;
        if (!row[i]) continue;
        const from = Math.max(MARGIN, Math.round(xOf(p, i * level.width))), to = Math.min(width, Math.round(xOf(p, Math.min(total, end * level.width))));
        g.fillStyle = text(RAMP[Math.min(63, darkest + Math.round(row[i] / level.most * (63 - darkest)))]);
        g.fillRect(from, y, Math.max(1, to - from), group.row + 0.3);
      }
    });
    if (group.height >= 10) label(g, group.name, 8, group.top + Math.min(group.height / 2, 60), MARGIN - 14, css("--fore"));
  }
  if (!groups.length) label(g, "No accesses are recorded: build with memory probes to see them.", MARGIN + 8, 16, width, css("--dim"));
  paintGaps(g, p, height);
}

// ---- contexts ----

const CONTEXT_ROW = 28;
function paintContexts(g, width, height, p) {
  const perPixel = (view.to - view.from) / plotWidth(p), level = levelFor(data.activity.levels, perPixel);
  p.box.dataset.level = level.width;
  ticks(g, p, height);
  const spans = exactSpans(perPixel);
  const full = 1 + data.activity.scale * Math.log2(level.width);
  data.contexts.forEach((c, r) => {
    const row = level.rows[r], y = r * CONTEXT_ROW, colour = rgb(HUES[r % 7]);
    const first = Math.max(0, Math.floor(view.from / level.width)), last = Math.floor(view.to / level.width);
    g.fillStyle = css("--empty");
    g.fillRect(MARGIN, y + 2, width - MARGIN, CONTEXT_ROW - 4);
    const priority = priorityText(c).slice(2);
    label(g, c.name, 8, y + CONTEXT_ROW / 2 - (priority ? 5.5 : 0), MARGIN - 14, css("--fore"));
    if (priority) {
      g.font = SMALL;
      label(g, priority, 8, y + CONTEXT_ROW / 2 + 7, MARGIN - 14, css("--dim"));
      g.font = FONT;
    }
    g.fillStyle = text(colour);
    for (const [a, b, node] of spans || []) {
      if (nodes[node].context !== c.number) continue;
      const from = Math.max(MARGIN, Math.round(xOf(p, a)));
      g.fillRect(from, y + 2, Math.max(0.7, Math.round(xOf(p, b)) - from), CONTEXT_ROW - 4);
    }
    for (let i = first; !spans && i <= last && i < row.length; i++) {
      if (!row[i]) continue;
      const share = Math.min(1, 2 ** ((row[i] - full) / data.activity.scale)), tall = Math.max(3, (CONTEXT_ROW - 4) * share);
      const from = Math.max(MARGIN, Math.round(xOf(p, i * level.width))), to = Math.round(xOf(p, Math.min(total, (i + 1) * level.width)));
      g.fillRect(from, y + CONTEXT_ROW - 2 - tall, Math.max(1, to - from), tall);
    }
  });
  paintGaps(g, p, height);
}
function priorityText(c) {
  if (c.number === 1) return ", priority -3";
  if (c.number === 2) return ", priority -2";
  if (c.number === 3) return ", priority -1";
  return c.priority === undefined ? "" : ", priority " + c.priority;
}

// ---- the overview: how much of each bin is the busiest function; and which part is shown ----

function paintOverview(g, width, height) {
  const level = levelFor(data.mixes, total / width);
  level.bins.forEach((bin, i) => {
    let best = -1, cost = 0;
    for (let k = 0; k < bin.length; k += 3) if (bin[k + 2] > cost) { cost = bin[k + 2]; best = bin[k]; }
    if (best < 0) return;
    g.fillStyle = text(functionColour(nodes[best].function));
    const from = Math.round(i * level.width / total * width), to = Math.round(Math.min(total, (i + 1) * level.width) / total * width);
    g.fillRect(from, 0, to - from, height);
  });
  const from = view.from / total * width, to = view.to / total * width;
  g.fillStyle = isDark() ? "rgba(0,0,0,.65)" : "rgba(255,255,255,.75)";
  g.fillRect(0, 0, from, height);
  g.fillRect(to, 0, width - to, height);
  g.strokeStyle = css("--fore");
  g.lineWidth = 2;
  g.strokeRect(from + 1, 1, Math.max(2, to - from - 2), height - 2);
}

// ---- the mark ----

function partAt(time) {
  const there = exact && exact(time, time + 0.5, 1);
  if (there && there.length) return there[0];
  const level = data.mixes[0], index = Math.min(level.bins.length - 1, Math.floor(time / level.width));
  let found = null;
  for (const span of spansOf(level, index)) if (!found || span[0] <= time) found = span;
  return found;
}
function lineText(path) {
  const p = data.paths[path];
  return p && p[1] ? `${short(p[1])}:${p[2]}` : "";
}
function drawMark() {
  for (const p of pictures) {
    if (p.id === "overview") continue;
    const x = view.at === null ? -1 : xOf(p, view.at), hidden = view.at === null || x < MARGIN || x > p.width;
    p.mark.hidden = hidden;
    p.mark.style.left = x - 1 + "px";
    if (view.at === null) delete p.box.dataset.mark;
    else p.box.dataset.mark = Math.round(view.at);
  }
  const out = $("readout");
  out.textContent = "";
  if (view.at === null) {
    out.append(el("span", {class: "dim"}, "Move the pointer over a picture, or press an arrow key: function, line, object and context of that moment."));
    return;
  }
  const part = partAt(view.at), level = data.heat.levels[0], column = Math.floor(view.at / level.width);
  const chain = part ? chainOf(part[2]) : [], names = chain.map(n => functions[nodes[n].function].name);
  const context = part && contextOf(nodes[part[2]].context);
  let row = view.row;
  if (row === null || row < 0) { // the object that is accessed most at this moment
    row = -1;
    level.rows.forEach((r, i) => { if (r[column] > (row < 0 ? 0 : level.rows[row][column])) row = i; });
  }
  const first = el("div", {}, el("b", {}, "instruction " + number(Math.round(view.at))), "  ",
    el("b", {}, names.length ? names[names.length - 1] : "nothing recorded"), "  ",
    part && part[3] >= 0 ? el("code", {}, lineText(part[3])) : null, "  ",
    context ? el("span", {class: "dim"}, "in " + context.name + priorityText(context)) : null);
  const second = el("div", {class: "dim second"}, row < 0 ? "" : `${rowName(row)}: about ${plural(rounded(countOf(data.heat, level.rows[row][column] || 0)), "access", "accesses")} in ` +
    plural(Math.min(level.width, data.total), "instruction") + (names.length > 1 ? "   |   " : ""), names.length > 1 ? names.join(" \u203a ") : "");
  out.append(first, second);
}
function setMark(time, row) {
  view.at = time === null ? null : Math.max(0, Math.min(total - 1, time));
  view.row = row === undefined ? null : row;
  drawMark();
}

// ---- pointer and keys ----

let drag = null;
function onMove(p, e) {
  const x = e.clientX - p.box.getBoundingClientRect().left;
  if (drag) {
    const moved = (drag.x - e.clientX) / plotWidth(p) * drag.span;
    if (Math.abs(drag.x - e.clientX) > 3) drag.moved = true;
    if (drag.moved) setView(drag.from + moved, drag.from + moved + drag.span);
    return;
  }
  if (x < MARGIN) return;
  const y = e.clientY - p.canvas.getBoundingClientRect().top;
  setMark(timeAt(p, x), p.id === "heat" ? rowAt(y) : null);
}
function onDown(p, e) {
  if (e.button !== 0) return;
  drag = {x: e.clientX, from: view.from, span: view.to - view.from, moved: false};
  p.box.setPointerCapture(e.pointerId);
}
function onUp() { drag = null; }
function onWheel(p, e) {
  const x = e.clientX - p.box.getBoundingClientRect().left;
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan((e.deltaX || e.deltaY) / 800);
  else if (x >= MARGIN) zoom(1.0018 ** e.deltaY, timeAt(p, x));
  else return;
  e.preventDefault();
}
function onDouble(p, e) {
  const r = p.canvas.getBoundingClientRect(), x = e.clientX - r.left, depth = Math.floor((e.clientY - r.top) / ROW);
  const b = p.id === "flame" && p.boxes.find(c => c.depth === depth && c.x <= x && x < c.end);
  if (b) setView(b.from - (b.to - b.from) * 0.02, b.to + (b.to - b.from) * 0.02);
  else zoom(0.4, timeAt(p, x));
}
function onKey(e) {
  if (e.target.closest("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
  const step = (view.to - view.from) / 100, from = view.at === null ? (view.from + view.to) / 2 : view.at;
  const onButton = e.target.closest("button, summary, a");
  const move = sign => {
    if (e.shiftKey) return pan(sign * 0.2);
    setMark(from + sign * step);
    if (view.at < view.from) pan(-0.3);
    if (view.at > view.to) pan(0.3);
  };
  const keys = {
    "+": () => zoom(0.5, view.at), "=": () => zoom(0.5, view.at), "-": () => zoom(2, view.at),
    "0": () => setView(0, total), "Escape": () => setMark(null),
    "ArrowLeft": () => move(-1), "ArrowRight": () => move(1),
  };
  if (!keys[e.key] || (onButton && e.key.startsWith("Enter"))) return;
  keys[e.key]();
  e.preventDefault();
}

// ---- tables ----

// columns: [title, text-of(row), value-of(row) to sort by, is it a name?]
function table(columns, rows, caption, sorted) {
  const body = el("tbody"), head = el("tr");
  let by = sorted, down = true;
  function fill() {
    const order = rows.slice();
    if (by !== undefined) {
      const value = columns[by][2];
      order.sort((a, b) => {
        const x = value(a), y = value(b);
        return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
      });
    }
    body.replaceChildren(...order.map(row => el("tr", {}, ...columns.map(c => el("td", {class: c[3] ? "name" : ""}, c[1](row))))));
  }
  columns.forEach((c, i) => {
    const button = c[2] ? el("button", {type: "button", title: "Sort"}, c[0]) : c[0];
    const th = el("th", {scope: "col", class: c[3] ? "name" : ""}, button);
    if (c[2]) button.addEventListener("click", () => {
      down = by === i ? !down : !c[3];
      by = i;
      [...head.children].forEach(h => h.removeAttribute("aria-sort"));
      th.setAttribute("aria-sort", down ? "descending" : "ascending");
      fill();
    });
    head.append(th);
  });
  fill();
  return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el("table", {class: "wide"}, el("caption", {hidden: ""}, caption), el("thead", {}, head), body));
}
function part(id, title, note, ...content) {
  const section = el("section", {class: "part", id}, el("h2", {}, title), note ? el("p", {}, note) : null, ...content);
  $("details").append(section);
  return section;
}
const bar = share => el("span", {class: "share", style: `width:${Math.max(1, Math.round(70 * share))}px`});
const swatch = colour => el("span", {class: "swatch", style: "background:" + colour});

function showFunctions() {
  const t = table([
    ["function", f => el("span", {}, swatch(text(functionColour(f.index))), f.name), f => f.name, true],
    ["self", f => number(f.self), f => f.self],
    ["share", f => el("span", {}, bar(f.self / total), percent(f.self, data.total)), f => f.self],
    ["inclusive", f => number(f.inclusive), f => f.inclusive],
    ["calls", f => number(f.calls), f => f.calls],
    ["shortest", f => f.min === undefined ? "" : number(f.min), f => f.min || 0],
    ["mean", f => f.mean === undefined ? "" : number(f.mean), f => f.mean || 0],
    ["longest", f => f.max === undefined ? "" : number(f.max), f => f.max || 0],
    ["place", f => f.file ? el("code", {title: f.file}, short(f.file) + (f.line ? ":" + f.line : "")) : "", f => f.file + f.line, true],
  ], functions.map((f, index) => ({...f, index})), "Functions", 1);
  t.querySelectorAll("tbody tr").forEach((row, i) => { row.dataset.function = functions[i].name; });
  part("functions", "Functions", "Instructions that each executed itself, and with what it called. " +
    (data.more ? `Where the recording does not say which way the machine went, the least is counted: up to ${number(data.more)} more in all.` : ""), t);
}

function places(step) {
  const [times, [name, file, lines], source] = step, rows = [];
  for (let i = 0; i < source.length; i += 2)
    if (source[i + 1]) rows.push(el("span", {}, String(source[i])), el("span", {}, source[i + 1]));
  return el("li", {}, el("b", {}, name), " ", el("code", {class: "dim"}, `${short(file)}:${lines}`),
    times > 1 ? el("b", {}, `  \u00d7 ${number(times)}`) : null,
    rows.length ? el("div", {class: "code source"}, ...rows) : null);
}
function showHot() {
  const hot = data.hot;
  if (!hot.subpaths.length) return;
  const most = hot.subpaths[0].share || 1;
  part("hot", "Hot subpaths", "The shortest sequences of paths that cost at least one percent of the run, as weft hot finds them. " +
    (hot.read < hot.paths ? `Found in the first ${number(hot.read)} of ${plural(hot.paths, "path")}: the run has too little structure to keep all. ` : "") +
    (hot.found > hot.subpaths.length ? `The ${hot.subpaths.length} costliest of ${number(hot.found)}.` : ""),
    ...hot.subpaths.map((h, i) => {
      const names = [...new Set(h.steps.map(s => s[1][0]))].join(", ");
      const d = el("details", {class: "hot"}, el("summary", {}, bar(h.share / most), el("b", {}, percent(h.share, 1)), " ", names,
        el("span", {class: "dim"}, `  ${number(h.count)} times, ${number(h.cost)} instructions`)), el("ol", {}, ...h.steps.map(places)));
      d.open = i < 2;
      return d;
    }));
}

function showLoops() {
  const loops = data.loops, tree = loops.tree || [];
  if (!tree.length) return;
  const top = el("div"), stack = [{depth: 0, box: top}];
  for (const loop of tree) {
    while (stack[stack.length - 1].depth >= loop.depth) stack.pop();
    const trips = loop.iterations === loop.iterations_max ? number(loop.iterations) : `${number(loop.iterations)} to ${number(loop.iterations_max)}`;
    const where = (loop.lines || []).map(l => `${l.function} ${short(l.file)}:${l.first}${l.last > l.first ? "-" + l.last : ""}`).join(", ");
    const box = el("div", {class: "loop", "--loop": HUES[(loop.depth - 1) % 7]},
      el("div", {}, el("span", {class: "trip"}, `${trips} \u00d7 `), el("span", {class: "where"}, where || plural(loop.body, "path")),
        el("span", {class: "dim"}, `  ${percent(loop.share, 1)} of the paths` + (loop.places > 1 ? `, at ${number(loop.places)} places` : ""))));
    stack[stack.length - 1].box.append(box);
    stack.push({depth: loop.depth, box});
  }
  part("loops", "Loops", "A bracket is a loop of the run; before the \u00d7 stands how often it went round. What repeats is a sequence of paths, so a loop can run through several functions. " +
    (loops.read < loops.paths ? `Found in the first ${number(loops.read)} of ${plural(loops.paths, "path")}.` : ""), top);
}

// The addresses of a site in their order: the way over the array.
function drawWalk(canvas, w) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || 380, height = 130;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = height + "px";
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  let low = Infinity, high = -Infinity;
  for (const a of w.points) { low = Math.min(low, a); high = Math.max(high, a); }
  const x = i => 6 + i / Math.max(1, w.points.length - 1) * (width - 12);
  const y = a => height - 8 - (high > low ? (a - low) / (high - low) : 0.5) * (height - 16);
  g.strokeStyle = css("--dim");
  g.globalAlpha = 0.35;
  g.lineWidth = 1;
  g.beginPath();
  w.points.forEach((a, i) => (i ? g.lineTo(x(i), y(a)) : g.moveTo(x(i), y(a))));
  g.stroke();
  g.globalAlpha = 1;
  const radius = w.points.length > 200 ? 1.3 : 2.2;
  w.points.forEach((a, i) => {
    g.fillStyle = w.store ? "#d55e00" : css("--accent");
    g.beginPath();
    g.arc(x(i), y(a), radius, 0, 7);
    g.fill();
  });
}
const walkDrawings = [];
function showWalks() {
  const walks = data.walks.shown;
  if (!walks.length) return;
  part("walks", "Walks over memory", "The sites with most accesses: address upwards, order of accesses to the right. Blue: loads, orange: stores. The loops below are the affine model, which generates exactly these addresses.",
    el("div", {class: "walks"}, ...walks.map(w => {
      const canvas = el("canvas", {role: "img", "aria-label": `Addresses of ${w.text || "site " + w.site}, first ${w.points.length} accesses, from ${hex(w.low)} to ${hex(w.high)}`});
      walkDrawings.push(() => drawWalk(canvas, w));
      const regular = w.affine ? `${percent(w.affine, w.kept)} in ${plural(w.nests, "nest")}` : "irregular";
      return el("div", {class: "walk"}, el("h3", {}, el("code", {}, w.text || "site " + w.site), " ", w.object ? el("span", {class: "dim"}, "in " + w.object) : null),
        el("p", {}, `${w.function} ${w.file ? short(w.file) + ":" + w.line : ""}, ${number(w.accesses)} ${w.store ? "stores" : "loads"}` +
          (w.kept < w.accesses ? `; the first ${number(w.kept)}: ` : ": ") + regular), canvas, w.nest ? el("pre", {class: "code"}, w.nest) : null);
    })));
}

const chainText = c => (c.deepest_node < 0 ? "" : chainOf(c.deepest_node).map(n => functions[nodes[n].function].name).join(" \u203a "));
function showStacks() {
  part("calls", "Depth of calls", "The deepest chain of calls of each context.",
    table([["context", c => c.name, c => c.name, true], ["deepest", c => number(c.deepest), c => c.deepest],
      ["at instruction", c => number(c.deepest_at), c => c.deepest_at], ["chain", chainText, null, true]], data.contexts, "Depth of calls", 1));
  if (!data.stacks || !data.stacks.length) return;
  const link = l => `${l[0] || "?"}${l[1] ? " " + short(l[1]) + ":" + l[2] : ""} ${l[3] < 0 ? "(unknown)" : number(l[3])}`;
  const links = u => {
    const left = u.links - u.chain.length, texts = u.chain.map(link);
    if (left > 0) texts.splice(8, 0, `... ${plural(left, "more call")} ...`);
    return texts.join(" \u203a ");
  };
  part("stack", "Stack", data.stacks_exact ? "Bytes of each context's stack when it was deepest, and who held them." :
    "At most these bytes of stack were in use, as far as functions with probes tell: frames are those of the image's call frame information.",
    table([["context", u => u.name, u => u.name, true], ["bytes", u => number(u.bytes), u => u.bytes], ["own", u => number(u.own), u => u.own],
      ["at instruction", u => number(u.at), u => u.at], ["chain, each with its bytes", links, null, true]], data.stacks, "Stack", 1));
}
const range = r => (r ? `${number(r[0])} / ${number(r[1])} / ${number(r[2])}` : "");
function showInterrupts() {
  const all = data.interrupts;
  if (!all || !all.length) return;
  const over = q => { const out = []; for (let i = 0; i < q.over.length; i += 2) out.push(`${q.over[i]} ${number(q.over[i + 1])}`); return out.join(", "); };
  part("interrupts", "Interrupts", "In instructions: shortest / mean / longest. Time: from a handler's first instruction to its last, with what interrupted it. " +
    "Interval: from one beginning to the next; jitter is the longest less the shortest. Latency: from the program's request to the handler; when a device asks, no recording says.",
    table([["interrupt", q => q.name, q => q.number, true], ["priority", q => q.priority === undefined ? "not recorded" : String(q.priority), null],
      ["count", q => number(q.count), q => q.count], ["time", q => range(q.time), q => (q.time ? q.time[2] : 0)], ["own time", q => range(q.own), q => (q.own ? q.own[2] : 0)],
      ["interval", q => range(q.interval), q => (q.interval ? q.interval[1] : 0)],
      ["jitter", q => (q.interval ? number(q.interval[2] - q.interval[0]) : ""), q => (q.interval ? q.interval[2] - q.interval[0] : 0)],
      ["latency", q => range(q.latency) || "not known", q => (q.latency ? q.latency[2] : 0)], ["interrupted", over, null, true]], all, "Interrupts", 2));
}
function showRegisters() {
  const all = data.registers;
  if (!all || !all.length) return;
  const value = v => v === undefined ? "" : "0x" + v.toString(16);
  const fields = r => r.fields.map(f => `${f[0]} = ${f[2] || f[1]}`).join(", ");
  part("registers", "Device registers", "Accesses by register; the last values as far as they are recorded." +
    (data.registers_all > all.length ? ` The first ${all.length} of ${number(data.registers_all)}.` : ""),
    table([["register", r => r.name, r => r.name, true], ["address", r => hex(r.address), r => r.address], ["loads", r => number(r.loads), r => r.loads],
      ["stores", r => number(r.stores), r => r.stores], ["last loaded", r => value(r.loaded)], ["last stored", r => value(r.stored)], ["fields", fields, null, true]], all, "Device registers", 1));
}
function showLosses() {
  const l = data.losses, nothing = !l.gaps && !l.unknown && !l.cut;
  part("losses", "Losses", l.cut ? "The end of the recording is missing. Nobody knows how much that is." : nothing ? "Nothing was lost: every event of the recording is here." :
    `${plural(l.gaps, "gap")}; ${plural(l.lost, "path")} lost, as far as they are counted; ${plural(l.unknown, "access", "accesses")} with unknown address or site. ` +
    "In the pictures a dashed line stands where events are missing.",
    l.texts.length ? el("ul", {}, ...l.texts.map(t => el("li", {}, t))) : null,
    l.gaps > l.texts.length ? el("p", {}, `The first ${l.texts.length} of ${number(l.gaps)}.`) : null);
}

// The trees of `weft wet why`. A line unfolds what made its value, and marks its moment in the pictures.
function showWhy() {
  if (!data.why) return;
  const trees = data.why.map((tree, index) => {
    const top = el("ul", {class: "tree"}), stack = [{depth: -1, list: top}];
    for (const [depth, kind, at, value, name, file, line, code, source] of tree.lines) {
      const place = el("span", {class: "dim"}, ` ${name || "?"}${file ? ` (${short(file)}:${line})` : ""}`);
      const mark = el("button", {type: "button", title: "Mark this moment in the pictures"}, number(at));
      mark.addEventListener("click", () => {
        if (at < view.from || at >= view.to) setView(at - (view.to - view.from) / 2, at + (view.to - view.from) / 2);
        setMark(at);
      });
      const what = kind === 0 ? el("span", {class: "value code"}, value) : el("span", {}, kind === 1 ? "called from" : "and so on, round the same loop");
      const head = el("span", {}, mark, " ", what, place, kind === 0 ? el("code", {class: "dim"}, "  " + code) : null,
        source ? el("div", {class: "code source"}, el("span", {}, String(line)), el("span", {}, source)) : null);
      while (stack[stack.length - 1].depth >= depth) stack.pop();
      const above = stack[stack.length - 1];
      if (kind !== 0) { // it stands below the operation told before
        (above.last || above).list.append(el("li", {}, head));
        continue;
      }
      const list = el("ul"), box = el("details", {}, el("summary", {}, head), list);
      box.open = depth < 3;
      above.list.append(el("li", {}, box));
      stack.push({depth, list});
    }
    for (const box of top.querySelectorAll("details")) // nothing to unfold
      if (!box.querySelector(":scope > ul").children.length) box.classList.add("leaf");
    const d = el("details", {class: "hot"}, el("summary", {}, el("b", {}, tree.place), `, instance ${number(tree.nth)} of ${number(tree.of)}: `,
      el("span", {class: "code"}, tree.lines.length ? tree.lines[0][3] : "")), top, tree.cut ? el("p", {class: "dim"}, "There is more: weft wet why --lines N.") : null);
    d.open = index === 0;
    return d;
  });
  part("why", "Why", "How the last values of the places that were asked for came about. Below each operation stands what made its inputs. The number is the instruction of the run: press it to mark that moment above.", ...trees);
}

// ---- texts of the pictures ----

function alternatives() {
  const PARTS = 10, rows = [];
  for (let i = 0; i < PARTS; i++) {
    const from = total * i / PARTS, to = total * (i + 1) / PARTS, level = data.mixes[0], cost = new Map();
    for (let b = Math.floor(from / level.width); b * level.width < to && b < level.bins.length; b++)
      for (let k = 0; k < level.bins[b].length; k += 3) {
        const f = nodes[level.bins[b][k]].function;
        cost.set(f, (cost.get(f) || 0) + level.bins[b][k + 2]);
      }
    const sum = [...cost.values()].reduce((a, b) => a + b, 0);
    rows.push({i, from, to, top: [...cost.entries()].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([f, c]) => `${f < 0 ? "?" : functions[f].name} ${percent(c, sum)}`).join(", ")});
  }
  $("flame-text").append(table([["instructions", r => `${number(Math.floor(r.from))} to ${number(Math.floor(r.to))}`, null, true],
    ["what ran most", r => r.top, null, true]], rows, "What ran in each tenth of the run"));
  const rows2 = objects.map(g => ({name: g.name, kind: g.kind, low: heatRows[g.rows[0]].low,
    loads: g.rows.reduce((s, r) => s + heatRows[r].loads, 0), stores: g.rows.reduce((s, r) => s + heatRows[r].stores, 0)}));
  $("heat-text").append(table([["object", o => o.name, o => o.name, true], ["kind", o => o.kind, o => o.kind, true], ["first address", o => o.kind === "rest" ? "" : hex(o.low), o => o.low],
    ["loads", o => number(o.loads), o => o.loads], ["stores", o => number(o.stores), o => o.stores]], rows2, "Accesses of each object"));
  $("contexts-text").append(table([["context", c => c.name + priorityText(c), c => c.number, true], ["instructions", c => number(c.self), c => c.self], ["share", c => percent(c.self, data.total), c => c.self]], data.contexts, "Contexts"));
  $("flame").setAttribute("aria-label", "Functions by depth over time. " + data.sentence);
  $("heat").setAttribute("aria-label", `Accesses by address and time: ${number(data.heat.loads)} loads, ${number(data.heat.stores)} stores, ${plural(objects.length, "object or block", "objects and blocks")}.`);
  $("contexts").setAttribute("aria-label", "Contexts over time: " + data.contexts.map(c => `${c.name} ${percent(c.self, data.total)}`).join(", "));
}

// ---- all of it ----

function figure(value, name, id) {
  return el("li", {}, el("b", {id}, value), " " + name);
}
function begin() {
  document.title = data.program + " - Weft report";
  $("program").textContent = data.program;
  $("recording").textContent = data.recording;
  $("sentence").textContent = data.sentence;
  $("figures").append(figure(number(data.total), "instructions", "figure-total"), figure(number(functions.length), functions.length === 1 ? "function" : "functions", "figure-functions"),
    figure(number(data.contexts.length), data.contexts.length === 1 ? "context" : "contexts", "figure-contexts"),
    figure(number(data.heat.loads + data.heat.stores), "accesses", "figure-accesses"), figure(number(data.lost), "paths lost", "figure-lost"));
  $("heat-note").textContent = heatRows.length ? "each row is a part of an object; its accesses per bin of time" : "";
  if (heatRows.length) $("heat-scale").append("1", el("i", {style: `background:linear-gradient(90deg,${VIRIDIS.join(",")})`}),
    `about ${number(rounded(countOf(data.heat, hottest)))} in ${plural(Math.min(total, data.heat.levels[0].width), "instruction")}`);
  picture("overview", 22, paintOverview);
  picture("flame", flameHeight, paintFlame);
  picture("heat", heatHeight, paintHeat);
  picture("contexts", data.contexts.length * CONTEXT_ROW + 20, paintContexts);
  showWhy();
  showFunctions();
  showHot();
  showLoops();
  showWalks();
  showStacks();
  showInterrupts();
  showRegisters();
  showLosses();
  alternatives();
  $("zoom-in").onclick = () => zoom(0.5, view.at);
  $("zoom-out").onclick = () => zoom(2, view.at);
  $("left").onclick = () => pan(-0.25);
  $("right").onclick = () => pan(0.25);
  $("all").onclick = () => setView(0, total);
  const overview = $("overview");
  overview.addEventListener("pointerdown", e => {
    const r = overview.getBoundingClientRect(), at = (e.clientX - r.left) / r.width * total, half = (view.to - view.from) / 2;
    setView(at - half, at + half);
  });
  const themes = ["system", "light", "dark"];
  $("theme").onclick = () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "system") + 1) % 3];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    $("theme").textContent = "Theme: " + next;
    draw();
    walkDrawings.forEach(d => d());
  };
  document.addEventListener("keydown", onKey);
  window.addEventListener("resize", () => { draw(); walkDrawings.forEach(d => d()); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { draw(); walkDrawings.forEach(d => d()); });
  draw();
  requestAnimationFrame(() => {
    walkDrawings.forEach(d => d());
    document.documentElement.dataset.ready = "yes";
  });
}
begin();
})();
