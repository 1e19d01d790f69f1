// SPDX-License-Identifier: MIT
// Texts of the pictures, and the start of it all.
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
    rows.push({
      i,
      from,
      to,
      top: [...cost.entries()]
               .sort((a, b) => b[1] - a[1])
               .slice(0, 3)
               .map(([f, c]) => `${f < 0 ? "?" : functions[f].name} ${percent(c, sum)}`)
               .join(", ")
    });
  }
  $("flame-text")
      .append(table(
          [
            ["instructions", r => `${number(Math.floor(r.from))} to ${number(Math.floor(r.to))}`, null, true],
            ...(data.clock ? [["time", r => `${duration(clockAt(r.from))} to ${duration(clockAt(r.to))}`, null, true]] :
                             []),
            ["what ran most", r => r.top, null, true]
          ],
          rows, "What ran in each tenth of the run"));
  const rows2 = objects.map(g => ({
                              name: g.name,
                              kind: g.kind,
                              low: heatRows[g.rows[0]].low,
                              loads: g.rows.reduce((s, r) => s + heatRows[r].loads, 0),
                              stores: g.rows.reduce((s, r) => s + heatRows[r].stores, 0)
                            }));
  $("heat-text")
      .append(table(
          [
            ["object", o => o.name, o => o.name, true], ["kind", o => o.kind, o => o.kind, true],
            ["first address", o => o.kind === "rest" ? "" : hex(o.low), o => o.low],
            ["loads", o => number(o.loads), o => o.loads], ["stores", o => number(o.stores), o => o.stores]
          ],
          rows2, "Accesses of each object"));
  $("contexts-text")
      .append(table(
          [
            ["context", c => c.name + priorityText(c), c => c.number, true],
            ["instructions", c => number(c.self), c => c.self], ["share", c => percent(c.self, data.total), c => c.self]
          ],
          data.contexts, "Contexts"));
  $("flame").setAttribute("aria-label", "Functions by depth over time. " + data.sentence);
  $("heat").setAttribute(
      "aria-label",
      `Accesses by address and time: ${number(data.heat.loads)} loads, ${number(data.heat.stores)} stores, ${
          plural(objects.length, "object or block", "objects and blocks")}.`);
  $("contexts")
      .setAttribute(
          "aria-label",
          "Contexts over time: " + data.contexts.map(c => `${c.name} ${percent(c.self, data.total)}`).join(", "));
}

// ---- all of it ----

function figure(value, name, id) { return el("li", {}, el("b", {id}, value), " " + name); }
// No path is known to be lost where the number is missing: then 0 would say that all is there.
function figureLost() {
  if (data.lost || !(data.losses.gaps || data.losses.cut)) {
    const least = data.losses.at_least || data.losses.cut ? "at least " : "";
    return el("li", {}, data.lost ? least : "", el("b", {id: "figure-lost"}, number(data.lost)), " paths lost");
  }
  return figure("An unknown part", "of the run is lost", "figure-lost");
}
function begin() {
  document.title = data.program + " - Weft report";
  $("program").textContent = data.program;
  $("recording").textContent = data.recording;
  $("sentence").textContent = data.sentence;
  $("figures").append(
      figure(number(data.total), "instructions", "figure-total"),
      data.clock ? figure(duration(data.clock.total), "by the clock", "figure-time") : "",
      figure(number(functions.length), functions.length === 1 ? "function" : "functions", "figure-functions"),
      figure(number(data.context_count), data.context_count === 1 ? "context" : "contexts", "figure-contexts"),
      figure(number(data.heat.loads + data.heat.stores), "accesses", "figure-accesses"), figureLost());
  $("heat-note").textContent = heatRows.length ? "each row is a part of an object; its accesses per bin of time" : "";
  if (heatRows.length)
    $("heat-scale")
        .append(
            "1", el("i", {style: `background:linear-gradient(90deg,${VIRIDIS.join(",")})`}),
            `about ${number(rounded(countOf(data.heat, hottest)))} in ${
                plural(Math.min(total, data.heat.levels[0].width), "instruction")}`);
  picture("overview", 22, paintOverview);
  picture("flame", flameHeight, paintFlame);
  picture("heat", heatHeight, paintHeat);
  picture("contexts", data.contexts.length * CONTEXT_ROW + 20, paintContexts);
  showWhy();
  showFunctions();
  if (data.clock) showTimes();
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
    const r = overview.getBoundingClientRect(), at = (e.clientX - r.left) / r.width * total,
          half = (view.to - view.from) / 2;
    setView(at - half, at + half);
  });
  const themes = ["system", "light", "dark"];
  $("theme").onclick = () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "system") + 1) % 3];
    if (next === "system")
      delete document.documentElement.dataset.theme;
    else
      document.documentElement.dataset.theme = next;
    $("theme").textContent = "Theme: " + next;
    draw();
    walkDrawings.forEach(d => d());
  };
  document.addEventListener("keydown", onKey);
  window.addEventListener("resize", () => {
    draw();
    walkDrawings.forEach(d => d());
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    draw();
    walkDrawings.forEach(d => d());
  });
  draw();
  requestAnimationFrame(() => {
    walkDrawings.forEach(d => d());
    document.documentElement.dataset.ready = "yes";
  });
}
begin();
