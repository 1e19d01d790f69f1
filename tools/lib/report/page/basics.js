// SPDX-License-Identifier: MIT
// Small helpers, and colours.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const total = Math.max(1, data.total);

// ---- small helpers ----

function el(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "class")
      e.className = value;
    else if (key.startsWith("--"))
      e.style.setProperty(key, value);
    else
      e.setAttribute(key, value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}
const number = n => Number(n).toLocaleString("en-US", {maximumFractionDigits: n < 100 ? 1 : 0});
const rounded = n => Number(Number(n).toPrecision(2));
const percent = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(1) + " %";
const hex = n => "0x" + n.toString(16).padStart(8, "0");
const short = file => file.slice(file.lastIndexOf("/") + 1);
// Names can have thousands of characters; of a brief one the pointer shows the whole.
const MOST = 300;
const cut = name => name.length > MOST ? name.slice(0, MOST) + " \u2026" : name;
const brief = name => el("span", name.length > MOST ? {title: name} : {}, cut(name));
// "a \u203a b \u203a b \u203a b" is "a \u203a b \u00d7 3".
function joined(texts) {
  const out = [];
  texts.forEach((t, i) => {
    if (i && t === texts[i - 1])
      out[out.length - 1][1]++;
    else
      out.push([t, 1]);
  });
  return out.map(([t, times]) => cut(t) + (times > 1 ? " \u00d7 " + number(times) : "")).join(" \u203a ");
}
// Microseconds, in the unit that suits.
const duration = us => us < 1000 ? `${us.toFixed(us < 100 ? 2 : 1)} \u00b5s` :
    us < 1e7 ? `${(us / 1000).toFixed(3)} ms` :
               `${(us / 1e6).toFixed(3)} s`;
// The clock's time at an instruction of the run.
function clockAt(instruction) {
  const clock = data.clock, bin = Math.min(clock.at.length - 1, Math.max(0, Math.floor(instruction / clock.width)));
  const from = bin ? clock.at[bin - 1] : 0, begin = bin * clock.width, end = Math.min(total, begin + clock.width);
  return from + (clock.at[bin] - from) * Math.min(1, Math.max(0, (instruction - begin) / Math.max(1, end - begin)));
}
const plural = (n, one, many) => number(n) + " " + (n === 1 ? one : many || one + "s");

// ---- colours: Okabe and Ito for functions and contexts, viridis for heat ----

const HUES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"];
const VIRIDIS =
    ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6dcd59", "#b4de2c", "#fde725"];
function rgb(colour) { return [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16)); }
function mixed(a, b, share) { return a.map((v, i) => Math.round(v + (b[i] - v) * share)); }
const text = c => `rgb(${c[0]},${c[1]},${c[2]})`;
// Each round through the hues is a shade lighter.
function functionColour(f) {
  if (f < 0) return [92, 98, 106]; // every reader can tell it from the seven hues; some see a lighter grey as the pink
  const base = rgb(HUES[f % HUES.length]), round = Math.floor(f / HUES.length) % 4;
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
