// SPDX-License-Identifier: MIT
// The mark, the pointer and the keys.
// ---- the mark ----

function partAt(time) {
  const there = exact && exact(time, time + 0.5, 1);
  if (there && there.length) return there[0];
  const level = data.mixes[0], index = Math.min(level.bins.length - 1, Math.floor(time / level.width));
  let found = null;
  for (const span of spansOf(level, index))
    if (!found || span[0] <= time) found = span;
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
    if (view.at === null)
      delete p.box.dataset.mark;
    else
      p.box.dataset.mark = Math.round(view.at);
  }
  const out = $("readout");
  out.textContent = "";
  if (view.at === null) {
    out.append(el(
        "span", {class: "dim"},
        "Move the pointer over a picture, or press an arrow key: function, line, object and context of that moment."));
    return;
  }
  const part = partAt(view.at), level = data.heat.levels[0], column = Math.floor(view.at / level.width);
  const chain = part ? chainOf(part[2]) : [], names = chain.map(n => functions[nodes[n].function].name);
  const context = part && contextOf(nodes[part[2]].context);
  let row = view.row;
  if (row === null || row < 0) { // the object that is accessed most at this moment
    row = -1;
    level.rows.forEach((r, i) => {
      if (r[column] > (row < 0 ? 0 : level.rows[row][column])) row = i;
    });
  }
  const first = el(
      "div", {},
      el("b", {}, "instruction " + number(Math.round(view.at)) + (data.clock ? ", " + duration(clockAt(view.at)) : "")),
      "  ", el("b", {}, names.length ? names[names.length - 1] : "nothing recorded"), "  ",
      part && part[3] >= 0 ? el("code", {}, lineText(part[3])) : null, "  ",
      context ? el("span", {class: "dim"}, "in " + context.name + priorityText(context)) : null);
  const second =
      el("div", {class: "dim second"},
         row < 0 ? "" :
                   `${rowName(row)}: about ${
                       plural(rounded(countOf(data.heat, level.rows[row][column] || 0)), "access", "accesses")} in ` +
                 plural(Math.min(level.width, data.total), "instruction") + (names.length > 1 ? "   |   " : ""),
         names.length > 1 ? joined(names) : "");
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
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
    pan((e.deltaX || e.deltaY) / 800);
  else if (x >= MARGIN)
    zoom(1.0018 ** e.deltaY, timeAt(p, x));
  else
    return;
  e.preventDefault();
}
function onDouble(p, e) {
  const r = p.canvas.getBoundingClientRect(), x = e.clientX - r.left, depth = Math.floor((e.clientY - r.top) / ROW);
  const b = p.id === "flame" && p.boxes.find(c => c.depth === depth && c.x <= x && x < c.end);
  if (b)
    setView(b.from - (b.to - b.from) * 0.02, b.to + (b.to - b.from) * 0.02);
  else
    zoom(0.4, timeAt(p, x));
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
    "+": () => zoom(0.5, view.at),
    "=": () => zoom(0.5, view.at),
    "-": () => zoom(2, view.at),
    "0": () => setView(0, total),
    "Escape": () => setMark(null),
    "ArrowLeft": () => move(-1),
    "ArrowRight": () => move(1),
  };
  if (!keys[e.key] || (onButton && e.key.startsWith("Enter"))) return;
  keys[e.key]();
  e.preventDefault();
}
