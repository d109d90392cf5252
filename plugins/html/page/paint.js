// SPDX-License-Identifier: BSD-3-Clause
// What all pictures need: a sharp canvas, colours, a note at the pointer.

// The browser computes styles and the layout of the page anew if it is asked after
// a change, so it is asked once, until forget().
const styles = new Map(), widths = new Map();
function style(name) {
  if (!styles.has(name))
    styles.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return styles.get(name);
}
function widthOf(element) {
  if (!widths.has(element)) widths.set(element, element.clientWidth || 800);
  return widths.get(element);
}
function forget() {
  styles.clear();
  widths.clear();
}
const font = "12px system-ui, 'DejaVu Sans', sans-serif";

// A context of the canvas's own width, and of that height, in CSS pixels.
function prepare(canvas, height) {
  const scale = window.devicePixelRatio || 1;
  const width = widthOf(canvas);
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = font;
  g.textBaseline = "middle";
  return [g, width];
}

const isDark = () => document.documentElement.dataset.theme === "dark";
// The same region has the same colour everywhere.
const colourOf = region => kinds.colourOf(region);

// Red, green and blue of a colour of the style.
function rgbOf(name) {
  const hex = style(name).slice(1);
  return [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16));
}

// Red, green and blue from low to high by way of the middle; half and one and a
// half are the ends.
function mixer() {
  const low = rgbOf("--low"), middle = rgbOf("--middle"), high = rgbOf("--high");
  return ratio => {
    const t = Math.max(-1, Math.min(1, 2 * (ratio - 1)));
    const end = t < 0 ? low : high;
    return middle.map((m, i) => Math.round(m + (end[i] - m) * Math.abs(t)));
  };
}

// Black or white, whichever is easier to read on red, green and blue.
const inkOn = ([r, g, b]) => 0.299 * r + 0.587 * g + 0.114 * b > 125 ? "#000000" : "#ffffff";

// As much of the text as fits.
function fit(g, text, width) {
  if (width < 18) return "";
  if (g.measureText(text).width <= width) return text;
  let n = Math.min(text.length, Math.floor(width / 5));
  while (n > 0 && g.measureText(text.slice(0, n) + "\u2026").width > width) n--;
  return n > 0 ? text.slice(0, n) + "\u2026" : "";
}

const tip = document.getElementById("tip");
function note(event, text) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
  const y = event.clientY + 16 + tip.offsetHeight > window.innerHeight
    ? event.clientY - tip.offsetHeight - 10 : event.clientY + 16;
  tip.style.left = Math.max(4, x) + "px";
  tip.style.top = Math.max(4, y) + "px";
}

// Keys of a picture; with Alt or Ctrl they are the browser's: back, print, zoom.
function onKey(canvas, use) {
  canvas.addEventListener("keydown", event => {
    if (!event.altKey && !event.ctrlKey && !event.metaKey) use(event);
  });
}

// Where the pointer is in the canvas.  Some events have parts of pixels, others not.
function pointIn(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return [Math.floor(event.clientX) - box.left, Math.floor(event.clientY) - box.top];
}
