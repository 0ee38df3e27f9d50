// Inserts all content as text. No function here accepts markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element; `props` are attributes, `on…` listeners, `text`, `value`, or `style` (set by CSSOM). */
export function h(tag, props = {}, children = []) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, children = []) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props)) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.append(visible(value));
    else if (key === "style") for (const [name, to] of Object.entries(value)) element.style.setProperty(name, to);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of [children].flat(Infinity)) {
    if (child == null || child === false) continue;
    element.append(typeof child === "object" ? child : visible(child));
  }
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

// Control, bidirectional and invisible characters, and lone surrogates. They are shown by their code, so that a name
// cannot hide or reorder the text beside it.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function visibleText(value) {
  return String(value).replace(UNSEEN, code);
}

function code(character) {
  return SHORT[character] ?? `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Text as nodes, with a mark for each invisible character. */
export function visible(value, limit = Infinity) {
  let text = String(value);
  const left = text.length - limit;
  if (left > 0) text = text.slice(0, limit);
  if (left <= 0 && text.search(UNSEEN) < 0) return document.createTextNode(text);
  const nodes = document.createDocumentFragment();
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    nodes.append(text.slice(from, match.index));
    const mark = document.createElement("span");
    mark.className = "unseen";
    mark.textContent = code(match[0]);
    nodes.append(mark);
    from = match.index + match[0].length;
  }
  nodes.append(text.slice(from));
  if (left > 0) nodes.append(h("span", { class: "cut" }, ` … ${count(left)} more characters`));
  return nodes;
}

/** A name, which may be empty or blank. */
export const named = (name, limit) => (name.trim() === "" ? h("span", { class: "none" }, name === "" ? "(empty name)" : `(${plural(name.length, "space")})`) : visible(name, limit));

/** A sentence from the server as nodes, with code between backticks. */
export function prose(sentence, limit = Infinity) {
  const parts = String(sentence).slice(0, limit).split(/`([^`]*)`/);
  return parts.map((part, index) => (index % 2 ? h("code", {}, visible(part)) : visible(part)));
}

/** The first items, and the rest in a `details` element; `draw` renders a part of the list. */
export function folded(list, shown, draw, word = "more") {
  if (list.length <= shown + 1) return [draw(list)];
  return [draw(list.slice(0, shown)), h("details", {}, [h("summary", {}, `and ${count(list.length - shown)} ${word}`), draw(list.slice(shown))])];
}

const grouped = new Intl.NumberFormat("en-US");
export const count = (number) => (number == null ? "–" : grouped.format(number));
export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
export const percent = (number) => (number == null ? "–" : `${Number(number.toFixed(3))} %`);
export const rate = (fraction) => (fraction == null ? "–" : `${(fraction * 100).toFixed(fraction < 0.0995 ? 2 : 1)} %`);

const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false };
const clock = new Intl.DateTimeFormat("en-GB", time), zoned = new Intl.DateTimeFormat("en-GB", { ...time, timeZoneName: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
export const timeOfDay = (time) => (Number.isFinite(time) ? clock.format(time) : "–");
export const dateAndTime = (time) => (Number.isFinite(time) ? `${day.format(time)}, ${zoned.format(time)}` : "–");

const ago = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
/** Such as `3 minutes ago`. */
export function since(time, now = Date.now()) {
  const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000], ["second", 1_000]];
  const [unit, size] = units.find(([, size]) => Math.abs(now - time) >= size) ?? ["second", 1_000];
  return Number.isFinite(time) ? ago.format(Math.round((time - now) / size), unit) : "";
}

const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
export const dayOf = (time) => (Number.isFinite(time) ? day.format(time) : "");
/** The day of a time, without the current year; "" for today. */
export function dayBeside(time, today) {
  const said = dayOf(time);
  if (said === today) return "";
  return said.slice(-4) === today.slice(-4) ? dayOfYear.format(time) : said;
}

export function debounce(milliseconds, action) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}

/** Redraws, and restores the focus to the element with the same id. */
export function keepingFocus(draw) {
  const id = document.activeElement?.id;
  draw();
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus({ preventScroll: true });
}

/** Reads or stores a choice in `localStorage`, if the browser allows it. */
export function remembered(key, value) {
  try {
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** A section with a heading and its actions. */
export function panel(title, children, { actions, id, level = "h2", note } = {}) {
  const head = h("div", { class: "panel-head" }, [h(level, { id }, title), note && h("span", { class: "note" }, note), h("span", { class: "spring" }), actions].flat());
  return h("section", { class: "panel", "aria-labelledby": id }, [head, children].flat());
}

/** A box that scrolls, and that the keyboard reaches. */
export const scroller = (label, content, kind = "scroll") => h("div", { class: kind, tabindex: "0", role: "group", "aria-label": label }, content);

export const loading = () => h("p", { class: "muted loading", role: "status" }, "Loading …");

export function empty(text, help) {
  return h("div", { class: "empty" }, [h("p", {}, text), help && h("p", { class: "muted" }, help)]);
}
