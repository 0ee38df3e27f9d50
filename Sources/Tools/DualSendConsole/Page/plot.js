// A plot over time: axes with ticks and units, a cursor for the pointer and the arrow keys, and the same numbers as a table.
// Drawn here because a plotting library draws on a canvas, which neither a screen reader nor a test can read.
import { h, replace, scroller, svg, visible } from "./dom.js";

const HEIGHT = 200, LEFT = 56, RIGHT = 14, TOP = 22, BOTTOM = 26;
const SECOND = 1_000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY];

/** What a person chose in a plot, which is kept when it is drawn again. */
export const view = (id) => ({ id: `plot-${id}`, index: null, isOpen: false });

/**
 * `name` says in words what the picture shows. `points` have a `time`, and the `cells` of a table with the given `heading`, the
 * first one the time. `draw(x, y, { left, right })` gives the lines, and `y` clips at `top`. `marks`, `{time, text}`, get a labelled line.
 */
export function plot({ name, points, heading, top, format, width, draw, legend, marks = [], utc = false, last: end }, view) {
  const first = Math.min(...points.map(({ time }) => time)), last = Math.max(end ?? 0, ...points.map(({ time }) => time), first + 1);
  const x = (time) => LEFT + ((time - first) / (last - first)) * (width - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (Math.min(value, top) / top) * (HEIGHT - TOP - BOTTOM);
  const label = (text, props) => svg("text", { class: "axis", ...props }, [text]);
  const cursor = svg("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM, visibility: "hidden" });
  let labelled = -Infinity;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": name }, [
    ...ticks(top).flatMap((value) => [
      svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      label(format(value), { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end", class: "axis tick" }),
    ]),
    ...timeTicks(first, last, Math.max(2, Math.floor((width - LEFT - RIGHT) / 110)), utc).flatMap(({ time, text }) => [
      svg("line", { class: "grid", x1: x(time), x2: x(time), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 4 }),
      label(text, { x: x(time), y: HEIGHT - 8, "text-anchor": x(time) > width - 40 ? "end" : x(time) < LEFT + 20 ? "start" : "middle" }),
    ]),
    ...marks.flatMap(({ time, text }) => {
      const line = svg("line", { class: "revision", x1: x(time), x2: x(time), y1: TOP, y2: HEIGHT - BOTTOM }, [svg("title", {}, [text])]);
      if (x(time) - labelled < 6.2 * text.length) return [line];
      labelled = x(time);
      const isLate = x(time) > width - 6.2 * text.length;
      return [line, label(text, { x: x(time), y: TOP - 8, "text-anchor": isLate ? "end" : "start" })];
    }),
    ...draw(x, y, { left: LEFT, right: width - RIGHT }), cursor,
  ]);
  const readout = h("p", { class: "readout" });
  const reader = h("div", {
    id: view.id, class: "plot", tabindex: "0", role: "slider", "aria-label": `${name}. The arrow keys read its points`, "aria-valuemin": "0", "aria-valuemax": String(points.length - 1),
    onpointermove: ({ clientX }) => {
      const box = picture.getBoundingClientRect(), at = ((clientX - box.left) / box.width) * width;
      choose(points.reduce((best, point, index) => (Math.abs(x(point.time) - at) < Math.abs(x(points[best].time) - at) ? index : best), 0));
    },
    onpointerleave: () => choose(null),
    onkeydown: (event) => {
      const from = view.index ?? points.length - 1;
      const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: points.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(Math.max(0, Math.min(to, points.length - 1)));
    },
  }, picture);

  function choose(index) {
    view.index = index != null && index < points.length ? index : null;
    const point = points[view.index ?? points.length - 1];
    const words = point.cells.map((cell, column) => (column ? `${heading[column]} ${cell}` : cell)).join(" · ");
    replace(readout, visible(words, 300));
    reader.setAttribute("aria-valuenow", String(view.index ?? points.length - 1));
    reader.setAttribute("aria-valuetext", words);
    cursor.setAttribute("visibility", view.index == null ? "hidden" : "visible");
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, x(point.time).toFixed(1));
  }

  choose(view.index);
  const zone = utc ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const number = (column) => (column ? "number" : "");
  return h("figure", { class: "chart-figure" }, [
    reader, readout, h("figcaption", { class: "legend" }, [...legend, h("span", { class: "muted" }, `times: ${zone}`)]),
    h("details", { open: view.isOpen, ontoggle: ({ target }) => (view.isOpen = target.open) }, [
      h("summary", {}, "The numbers"),
      scroller("The numbers", h("table", { class: "plain numbers" }, [
        h("thead", {}, h("tr", {}, heading.map((text, column) => h("th", { scope: "col", class: number(column) }, text)))),
        h("tbody", {}, points.toReversed().map(({ cells }) => h("tr", {}, cells.map((cell, column) => h("td", { class: number(column) }, cell))))),
      ])),
    ]),
  ]);
}

/** A round number of at least `value`, of which the ticks are round parts. */
export function niceTop(value) {
  const step = niceStep(value / 4);
  return step * Math.ceil(value / step - 1e-9);
}

function niceStep(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value - 1e-12);
}

function ticks(top) {
  const step = niceStep(top / 4);
  return Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
}

/** Round times: seconds to weeks, else the first days of months or years. */
function timeTicks(first, last, most, utc) {
  const zone = utc ? { timeZone: "UTC" } : {};
  const written = (time, parts) => new Intl.DateTimeFormat("en-GB", { ...zone, ...parts, hour12: false }).format(time);
  const step = STEPS.find((step) => (last - first) / step <= most);
  const year = (time) => written(time, { year: "numeric" });
  const isLong = year(first) !== year(last) || year(last) !== year(Date.now());
  if (step) {
    const shift = utc ? 0 : new Date(first).getTimezoneOffset() * MINUTE;
    const isMidnight = (time) => (time - shift) % DAY === 0;
    const times = [];
    for (let time = Math.ceil((first - shift) / step) * step + shift; time <= last; time += step) times.push(time);
    const clock = { hour: "2-digit", minute: "2-digit", ...(step < MINUTE ? { second: "2-digit" } : {}) };
    const day = { day: "numeric", month: "short", ...(isLong ? { year: "numeric" } : {}) };
    return times.map((time) => ({ time, text: written(time, step >= DAY || isMidnight(time) ? day : clock) }));
  }
  const months = [1, 3, 6, 12, 24, 60, 120].find((months) => (last - first) / (months * 30 * DAY) <= most) ?? 240;
  const start = new Date(first), found = [];
  for (let month = Math.ceil(start.getUTCMonth() / months) * months; found.length <= most; month += months) {
    const time = utc ? Date.UTC(start.getUTCFullYear(), month) : new Date(start.getFullYear(), month).getTime();
    if (time > last) break;
    if (time >= first) found.push({ time, text: written(time, months < 12 ? { month: "short", year: "numeric" } : { year: "numeric" }) });
  }
  return found;
}
