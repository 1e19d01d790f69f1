// SPDX-License-Identifier: MIT
// The pictures of contexts, and the overview.
// ---- contexts ----

const CONTEXT_ROW = 28;
function paintContexts(g, width, height, p) {
  const perPixel = (view.to - view.from) / plotWidth(p), level = levelFor(data.activity.levels, perPixel);
  p.box.dataset.level = level.width;
  ticks(g, p, height);
  const spans = exactSpans(perPixel);
  const full = 1 + data.activity.scale * Math.log2(level.width);
  data.contexts.forEach((c, r) => {
    const row = level.rows[r], y = r * CONTEXT_ROW, colour = rgb(HUES[r % HUES.length]);
    const first = Math.max(0, Math.floor(view.from / level.width)), last = Math.floor(view.to / level.width);
    g.fillStyle = css("--empty");
    g.fillRect(MARGIN, y + 2, width - MARGIN, CONTEXT_ROW - 4);
    const [name, below] = contextLabel(c);
    label(g, name, 8, y + CONTEXT_ROW / 2 - (below ? 5.5 : 0), MARGIN - 14, css("--fore"));
    if (below) {
      g.font = SMALL;
      label(g, below, 8, y + CONTEXT_ROW / 2 + 7, MARGIN - 14, css("--dim"));
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
      const share = Math.min(1, 2 ** ((row[i] - full) / data.activity.scale)),
            tall = Math.max(3, (CONTEXT_ROW - 4) * share);
      const from = Math.max(MARGIN, Math.round(xOf(p, i * level.width))),
            to = Math.round(xOf(p, Math.min(total, (i + 1) * level.width)));
      g.fillRect(from, y + CONTEXT_ROW - 2 - tall, Math.max(1, to - from), tall);
    }
  });
  paintGaps(g, p, height);
}
// "thread 513 (sampler)": the function says most, so it comes first.
function contextLabel(c) {
  const thread = /^(thread \d+) \((.*)\)$/.exec(c.name);
  return thread ? [thread[2], thread[1]] : [c.name, priorityText(c).slice(2)];
}
function priorityText(c) {
  if (c.number === 1) return ", priority -3";
  if (c.number === 2) return ", priority -2";
  if (c.number === 3) return ", priority -1";
  return c.priority === undefined ? "" : ", priority " + c.priority;
}

// ---- the overview: the share of the busiest function in each bin, and the part that is shown ----

function paintOverview(g, width, height) {
  const level = levelFor(data.mixes, total / width);
  level.bins.forEach((bin, i) => {
    let best = -1, cost = 0;
    for (let k = 0; k < bin.length; k += 3)
      if (bin[k + 2] > cost) {
        cost = bin[k + 2];
        best = bin[k];
      }
    if (best < 0) return;
    g.fillStyle = text(functionColour(nodes[best].function));
    const from = Math.round(i * level.width / total * width),
          to = Math.round(Math.min(total, (i + 1) * level.width) / total * width);
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
