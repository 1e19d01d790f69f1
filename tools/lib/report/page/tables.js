// SPDX-License-Identifier: MIT
// Tables and drawings below the pictures.
// ---- tables ----

// columns: [title, text-of(row), value-of(row) to sort by, is it a name?]; "text" for a long last one: the rows are
// cards on a narrow screen.
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
    if (!order.length) {
      body.replaceChildren(
          el("tr", {}, el("td", {class: "name dim", colspan: String(columns.length)}, "nothing is recorded")));
      return;
    }
    body.replaceChildren(...order.map(
        row =>
            el("tr", {}, ...columns.map(c => el("td", {class: c[3] ? "name" : "", "data-label": c[0]}, c[1](row))))));
  }
  columns.forEach((c, i) => {
    const button = c[2] ? el("button", {type: "button", title: "Sort"}, c[0]) : c[0];
    const th = el("th", {scope: "col", class: c[3] ? "name" : ""}, button);
    if (c[2])
      button.addEventListener("click", () => {
        down = by === i ? !down : !c[3];
        by = i;
        [...head.children].forEach(h => h.removeAttribute("aria-sort"));
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        fill();
      });
    head.append(th);
  });
  fill();
  return el(
      "div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
      el("table", {class: columns[columns.length - 1][3] === "text" ? "wide chained" : "wide"},
         el("caption", {hidden: ""}, caption), el("thead", {}, head), body));
}
function part(id, title, note, ...content) {
  const section = el("section", {class: "part", id}, el("h2", {}, title), note ? el("p", {}, note) : null, ...content);
  $("details").append(section);
  return section;
}
const bar = share => el("span", {class: "share", style: `width:${Math.max(1, Math.round(70 * share))}px`});
const swatch = colour => el("span", {class: "swatch", style: "background:" + colour});

// By the clock: self, inclusive, shortest, mean, longest.
function showTimes() {
  const at = k => [f => f.us[k] === undefined ? "" : duration(f.us[k]), f => f.us[k] || 0];
  const rows = functions.map((f, index) => ({...f, index, us: data.clock.functions[index]})),
        all = rows.reduce((s, f) => s + f.us[0], 0);
  part(
      "times", "Functions by time",
      `Time by the recording's clock, with what the probes took: ${
          data.clock.text}. The pictures are drawn over instructions.`,
      table(
          [
            ["function", f => el("span", {}, swatch(text(functionColour(f.index))), f.name), f => f.name, true],
            ["self", ...at(0)],
            ["share", f => el("span", {}, bar(f.us[0] / Math.max(1e-9, all)), percent(f.us[0], all)), f => f.us[0]],
            ["inclusive", ...at(1)], ["calls", f => number(f.calls), f => f.calls], ["shortest", ...at(2)],
            ["mean", ...at(3)], ["longest", ...at(4)]
          ],
          rows, "Functions by time", 1));
}
function showFunctions() {
  const t = table(
      [
        ["function", f => el("span", {}, swatch(text(functionColour(f.index))), f.name), f => f.name, true],
        ["self", f => number(f.self), f => f.self],
        ["share", f => el("span", {}, bar(f.self / total), percent(f.self, data.total)), f => f.self],
        ["inclusive", f => number(f.inclusive), f => f.inclusive],
        ["calls", f => number(f.calls), f => f.calls],
        ["shortest", f => f.min === undefined ? "" : number(f.min), f => f.min || 0],
        ["mean", f => f.mean === undefined ? "" : number(f.mean), f => f.mean || 0],
        ["longest", f => f.max === undefined ? "" : number(f.max), f => f.max || 0],
        [
          "place", f => f.file ? el("code", {title: f.file}, short(f.file) + (f.line ? ":" + f.line : "")) : "",
          f => f.file + f.line, true
        ],
      ],
      functions.map((f, index) => ({...f, index})), "Functions", 1);
  const body = t.querySelectorAll("tbody tr");
  functions.forEach((f, i) => {
    body[i].dataset.function = f.name;
  });
  part(
      "functions", "Functions",
      "Instructions that each executed itself, and with what it called. " +
          (data.more ? `Where the recording does not say which way the machine went, the least is counted: up to ${
                           number(data.more)} more in all.` :
                       ""),
      t);
}

function places(step) {
  const [times, [name, file, lines], source] = step, rows = [];
  for (let i = 0; i < source.length; i += 2)
    if (source[i + 1]) rows.push(el("span", {}, String(source[i])), el("span", {}, source[i + 1]));
  return el(
      "li", {}, el("b", {}, brief(name)), " ", el("code", {class: "dim"}, `${short(file)}:${lines}`),
      times > 1 ? el("b", {}, `  \u00d7 ${number(times)}`) : null,
      rows.length ? el("div", {class: "code source"}, ...rows) : null);
}
function showHot() {
  const hot = data.hot;
  if (!hot.subpaths.length) return;
  const most = Math.max(...hot.subpaths.map(h => h.share)) || 1;
  part(
      "hot", "Hot subpaths",
      `The shortest sequences of ${hot.what}s that cost at least one percent of the run, as weft hot finds them. ` +
          (hot.read < hot.paths ? `Found in the first ${number(hot.read)} of ${
                                      plural(hot.paths, hot.what)}: the run has too little structure to keep all. ` :
                                  "") +
          (hot.found > hot.subpaths.length ? `The ${hot.subpaths.length} costliest of ${number(hot.found)}. ` : "") +
          "Two of them may share instructions; one that overlaps itself counts them once.",
      ...hot.subpaths.map((h, i) => {
        const names = [...new Set(h.steps.map(s => s[1][0]))].join(", ");
        const d =
            el("details", {class: "hot"},
               el("summary", {}, bar(h.share / most), el("b", {}, percent(h.share, 1)), " ", brief(names),
                  el("span", {class: "dim"}, `  ${plural(h.count, "time")}, ${plural(h.covered, "instruction")}`)),
               el("ol", {}, ...h.steps.map(places)));
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
    const trips = loop.iterations === loop.iterations_max ?
        number(loop.iterations) :
        `${number(loop.iterations)} to ${number(loop.iterations_max)}`;
    const where = (loop.lines || [])
                      .map(l => `${l.function} ${short(l.file)}:${l.first}${l.last > l.first ? "-" + l.last : ""}`)
                      .join(", ");
    const box =
        el("div", {class: "loop", "--loop": HUES[(loop.depth - 1) % HUES.length]},
           el("div", {}, el("span", {class: "trip"}, `${trips} \u00d7 `),
              el("span", {class: "where"}, where ? brief(where) : plural(loop.body, loops.what)),
              el("span", {class: "dim"},
                 `, ${percent(loop.share, 1)} of the ${loops.what}s` +
                     (loop.places > 1 ? `, at ${number(loop.places)} places` : ""))));
    stack[stack.length - 1].box.append(box);
    stack.push({depth: loop.depth, box});
  }
  part(
      "loops", "Loops",
      "A bracket is a loop of the run; before the \u00d7 stands how often it went round. " +
          `What repeats is a sequence of ${loops.what}s, so a loop can run through several functions. ` +
          (loops.read < loops.paths ?
               `Found in the first ${number(loops.read)} of ${plural(loops.paths, loops.what)}.` :
               ""),
      top);
}

// The addresses of a site, in order: its walk over the array.
function drawWalk(canvas, w) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || 380, height = 130;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.height = height + "px";
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  let low = Infinity, high = -Infinity;
  for (const a of w.points) {
    low = Math.min(low, a);
    high = Math.max(high, a);
  }
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
/* The machine code has no name for what it accesses: its object names the walk, else what accesses it. */
function titleOf(w) {
  const where = whereOf(w), text = w.text || "site " + w.site;
  if (!/^at 0x/.test(text)) return [text, where];
  return [where || (w.store ? "stores" : "loads") + " of " + w.function, text];
}
/* A walk over several objects is in none of them. */
const whereOf = w => w.within ? (w.object === w.text ? "" : "in " + w.object) :
    w.object || w.last        ? `from ${w.object || hex(w.low)} to ${w.last || hex(w.high)}` :
                                "";
function showWalks() {
  const walks = data.walks.shown;
  if (!walks.length) return;
  part(
      "walks", "Walks over memory",
      "The sites with most accesses: address upwards, order of accesses to the right. " +
          "Blue: loads, orange: stores. " +
          "The loops below are the affine model, which generates exactly these addresses.",
      el("div", {class: "walks"}, ...walks.map(w => {
        const canvas = el("canvas", {
          role: "img",
          "aria-label": `Addresses of ${w.text || "site " + w.site}, first ${w.points.length} accesses, from ${
              hex(w.low)} to ${hex(w.high)}`
        });
        const [title, aside] = titleOf(w);
        walkDrawings.push(() => drawWalk(canvas, w));
        const regular = w.affine ? `${percent(w.affine, w.kept)} in ${plural(w.nests, "nest")}` : "irregular";
        return el(
            "div", {class: "walk"}, el("h3", {}, el("code", {}, title), " ", el("span", {class: "dim"}, aside)),
            el("p", {},
               `${w.function}${w.file ? " " + short(w.file) + ":" + w.line : ""}, ${
                   plural(w.accesses, w.store ? "store" : "load")}` +
                   (w.kept < w.accesses ? `; the first ${number(w.kept)}: ` : ": ") + regular),
            canvas, w.nest ? el("pre", {class: "code"}, w.nest) : null);
      })));
}

const chainText = c =>
    (c.deepest_node < 0 ? "" : joined(chainOf(c.deepest_node).map(n => functions[nodes[n].function].name)));
function showStacks() {
  part(
      "calls", "Depth of calls", "The deepest chain of calls of each context.",
      table(
          [
            ["context", c => c.name, c => c.name, true], ["deepest", c => number(c.deepest), c => c.deepest],
            ["at instruction", c => number(c.deepest_at), c => c.deepest_at], ["chain", chainText, null, "text"]
          ],
          data.contexts, "Depth of calls", 1));
  if (!data.stacks || !data.stacks.length) return;
  const link = l =>
      `${l[0] || "?"}${l[1] ? " " + short(l[1]) + ":" + l[2] : ""} ${l[3] < 0 ? "(unknown)" : number(l[3])}`;
  const links = u => {
    const left = u.links - u.chain.length, texts = u.chain.map(link);
    if (left > 0) texts.splice(8, 0, `... ${plural(left, "more call")} ...`);
    return joined(texts);
  };
  part(
      "stack", "Stack",
      data.stacks_exact ? "Bytes of each context's stack when it was deepest, and who held them." :
                          "At most these bytes of stack were in use, as far as functions with probes tell: " +
              "frames are those of the image's call frame information.",
      table(
          [
            ["context", u => u.name, u => u.name, true], ["bytes", u => number(u.bytes), u => u.bytes],
            ["own", u => number(u.own), u => u.own], ["at instruction", u => number(u.at), u => u.at],
            ["chain, each with its bytes", links, null, "text"]
          ],
          data.stacks, "Stack", 1));
}
const range = r => !r ? "" :
    data.clock        ? `${duration(r[0])} / ${duration(r[1])} / ${duration(r[2])}` :
                        (r ? `${number(r[0])} / ${number(r[1])} / ${number(r[2])}` : "");
function showInterrupts() {
  const all = data.interrupts;
  if (!all || !all.length) return;
  const over = q => {
    const out = [];
    for (let i = 0; i < q.over.length; i += 2) out.push(`${q.over[i]} ${number(q.over[i + 1])}`);
    return out.join(", ");
  };
  part(
      "interrupts", "Interrupts",
      (data.clock ? "By the clock" : "In instructions") +
          ": shortest / mean / longest. Time: from a handler's first instruction to its last, " +
          "with what interrupted it. " +
          "Interval: from one beginning to the next; jitter is the longest less the shortest. " +
          "Latency: from the program's request to the handler; when a device asks, no recording says.",
      table(
          [
            ["interrupt", q => q.name, q => q.number, true],
            ["priority", q => q.priority === undefined ? "not recorded" : String(q.priority), null],
            ["count", q => number(q.count), q => q.count], ["time", q => range(q.time), q => (q.time ? q.time[2] : 0)],
            ["own time", q => range(q.own), q => (q.own ? q.own[2] : 0)],
            ["interval", q => range(q.interval), q => (q.interval ? q.interval[1] : 0)],
            [
              "jitter", q => (q.interval ? (data.clock ? duration : number)(q.interval[2] - q.interval[0]) : ""),
              q => (q.interval ? q.interval[2] - q.interval[0] : 0)
            ],
            ["latency", q => range(q.latency) || "not known", q => (q.latency ? q.latency[2] : 0)],
            ["interrupted", over, null, "text"]
          ],
          all, "Interrupts", 2));
}
function showRegisters() {
  const all = data.registers;
  if (!all || !all.length) return;
  const value = v => v === undefined ? "" : "0x" + v.toString(16);
  const fields = r => r.fields.map(f => `${f[0]} = ${f[2] || f[1]}`).join(", ");
  part(
      "registers", "Device registers",
      "Accesses by register; the last values as far as they are recorded." +
          (data.registers_all > all.length ? ` The first ${all.length} of ${number(data.registers_all)}.` : ""),
      table(
          [
            ["register", r => r.name, r => r.name, true], ["address", r => hex(r.address), r => r.address],
            ["loads", r => number(r.loads), r => r.loads], ["stores", r => number(r.stores), r => r.stores],
            ["last loaded", r => value(r.loaded)], ["last stored", r => value(r.stored)],
            ["fields", fields, null, "text"]
          ],
          all, "Device registers", 1));
}
function showLosses() {
  const l = data.losses, nothing = !l.gaps && !l.unknown && !l.cut && !l.mixed;
  part(
      "losses", "Losses",
      l.cut ? "The end of the recording is missing. How much that is, is not known." :
          nothing ?
              "Nothing was lost: every event of the recording is here." :
          !l.gaps && !l.unknown ?
              "There is no gap." :
          !l.gaps ?
              `There is no gap, but the address or site of ${plural(l.unknown, "access", "accesses")} is not known.` :
              `${plural(l.gaps, "gap")}; ${plural(l.lost, "path")} lost, as far as they are counted; ${
                  plural(l.unknown, "access", "accesses")} with unknown address or site. ` +
              "In the pictures a dashed line stands where events are missing.",
      l.mixed ? el("p", {}, "The accesses of some functions were not recorded: they were built with other probes.") :
                null,
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
      const what = kind === 0 ? el("span", {class: "value code"}, value) :
                                el("span", {}, kind === 1 ? "called from" : "and so on, round the same loop");
      const head =
          el("span", {}, mark, " ", what, place, kind === 0 ? el("code", {class: "dim"}, "  " + code) : null,
             source ? el("div", {class: "code source"}, el("span", {}, String(line)), el("span", {}, source)) : null);
      while (stack[stack.length - 1].depth >= depth) stack.pop();
      const above = stack[stack.length - 1];
      if (kind !== 0) { // it stands below the operation shown before
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
    const d =
        el("details", {class: "hot"},
           el("summary", {}, el("b", {}, tree.place), `, instance ${number(tree.nth)} of ${number(tree.of)}: `,
              el("span", {class: "code"}, tree.lines.length ? tree.lines[0][3] : "")),
           top, tree.cut ? el("p", {class: "dim"}, "There is more: weft wet why --lines N.") : null);
    d.open = index === 0;
    return d;
  });
  part(
      "why", "Why",
      "How the last values of the places that were asked for came about. " +
          "Below each operation stands what made its inputs. " +
          "The number is the instruction of the run: press it to mark that moment above.",
      ...trees);
}
