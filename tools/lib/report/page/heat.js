// SPDX-License-Identifier: MIT
// The picture of addresses.
// ---- addresses ----

const heatRows =
    data.heat.rows.map(r => ({name: r[0], kind: r[1], low: r[2], size: r[3], offset: r[4], loads: r[5], stores: r[6]}));
// One group per name; the rows of a group stand together. Constants of functions are one group, with unnamed memory
// among them. If there are too many names for the picture, the neighbours that are accessed least become one group.
const GROUPS_MOST = 18;
let groups = [];
heatRows.forEach((row, i) => {
  const last = groups[groups.length - 1], code = row.kind === "code";
  const name = code ? "constants" : row.name || (row.kind === "memory" ? "unnamed" : row.kind),
        accesses = row.loads + row.stores;
  const joins = last &&
      (last.name === name && last.kind === row.kind ||
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
    if (together < least) {
      least = together;
      best = i;
    }
  }
  const [a, b] = groups.splice(best, 2), names = a.names + b.names;
  groups.splice(
      best, 0, {name: plural(names, "object"), kind: a.kind, rows: a.rows.concat(b.rows), accesses: least, names});
}
// All three pictures fit the first screen. Rows share HEAT_ROOM; they are as high as names if there is room for all.
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
for (const level of data.heat.levels)
  level.most = level.rows.reduce((most, row) => row.reduce((a, b) => Math.max(a, b), most), 1);
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
  const darkest = isDark() ? 14 : 0; // the first colours of viridis cannot be seen on a dark ground
  for (const group of groups) {
    g.fillStyle = css("--empty");
    g.fillRect(MARGIN, group.top, width - MARGIN, group.height);
    group.rows.forEach((r, k) => {
      const row = level.rows[r], y = group.top + k * group.row;
      for (let i = first, end; i <= last && i < row.length; i = end) {
        for (end = i + 1; end <= last && end < row.length && row[end] === row[i];) end++;
        if (!row[i]) continue;
        const from = Math.max(MARGIN, Math.round(xOf(p, i * level.width))),
              to = Math.min(width, Math.round(xOf(p, Math.min(total, end * level.width))));
        g.fillStyle = text(RAMP[Math.min(63, darkest + Math.round(row[i] / level.most * (63 - darkest)))]);
        g.fillRect(from, y, Math.max(1, to - from), group.row + 0.3);
      }
    });
    if (group.height >= 10)
      label(g, group.name, 8, group.top + Math.min(group.height / 2, 60), MARGIN - 14, css("--fore"));
  }
  if (!groups.length)
    label(
        g,
        width < 620 ? "None recorded: build with PROBES=mem" :
                      "No accesses are recorded: build with memory probes (PROBES=mem) to see them.",
        MARGIN + 8, 16, width - MARGIN - 16, css("--dim"));
  paintGaps(g, p, height);
}
