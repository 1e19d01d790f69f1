// SPDX-License-Identifier: MIT
// The part of time that all pictures show, and what they share.
// ---- the view: one part of time for all pictures ----

const view = {
  from: 0,
  to: total,
  at: null,
  row: null
};
const LEAST_SPAN = Math.min(total, 16);
let MARGIN = 150; // pixels for the labels, left of the time axis; less on a narrow screen
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
        `${number(data.total)}` +
        (view.to - view.from < total * 0.999 ? `, ${plural(Math.round(view.to - view.from), "instruction")}` : "") +
        (data.clock ?
             `; ${duration(clockAt(view.from))} to ${duration(clockAt(view.to))} of ${duration(data.clock.total)}` :
             "");
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
