// SPDX-License-Identifier: MIT
// The picture of functions by depth.
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
// A bin of a few pixels shows, at each depth, the function that took most of it: the less, the paler.
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
    for (const [node, cost] of f) {
      all += cost;
      if (cost > most) {
        most = cost;
        best = node;
      }
    }
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
  const open = [];         // by depth: a call that is named when it ends
  const runs = [];         // by depth: calls of one function side by side, with one name if none has room for its own
  const named = new Set(); // depths
  const name = (r, depth) => {
    named.add(depth);
    label(
        g, functions[r.f].name, r.x + 4, depth * ROW + ROW / 2 + 0.5, r.end - r.x - 8,
        r.pale ? css("--fore") : inkOn(functionColour(r.f)));
  };
  const endRun = depth => {
    const r = runs[depth];
    runs[depth] = null;
    if (r && !r.named && r.end - r.x > 24) name(r, depth);
  };
  const close = depth => {
    const b = open[depth];
    open[depth] = null;
    if (!b) return;
    const x = Math.max(MARGIN, xOf(p, b.from)), end = Math.min(width, xOf(p, b.to));
    if (end - x > 2) p.boxes.push({x, end, depth, ...b});
    const one = {f: nodes[b.node].function, pale: b.pale, x, end, named: end - x > 24}, run = runs[depth];
    if (run && run.f === one.f && run.pale === one.pale && x - run.end < 4) {
      run.end = end;
      run.named = run.named || one.named;
    } else {
      endRun(depth);
      runs[depth] = one;
    }
    if (!one.named) return;
    g.fillStyle = css("--panel");
    if (x > MARGIN + 1) g.fillRect(x - 0.5, depth * ROW + 1, 0.8, ROW - 2);
    name(one, depth);
  };
  g.font = ROW < 15 ? SMALL : FONT;
  const first = Math.max(0, Math.floor(view.from / level.width)),
        last = Math.min(level.bins.length - 1, Math.floor(view.to / level.width));
  const narrow = level.width < 4 * perPixel, spans = exactSpans(perPixel);
  p.box.dataset.exact = spans ? "yes" : "no";
  for (let i = first; i <= (spans ? first : last); i++) {
    for (const [from, to, chain, shades] of spans ? spans.map(([a, b, node]) => [a, b, chainOf(node)]) :
             narrow                               ? [mostOf(level, i)] :
                                                    spansOf(level, i).map(([a, b, node]) => [a, b, chainOf(node)])) {
      const snap = narrow || spans; // so that there are no seams between parts of one call
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
  for (let d = 0; d < open.length; d++) {
    close(d);
    endRun(d);
  }
  p.box.dataset.named = [...named].sort().join();
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
