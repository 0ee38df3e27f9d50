// Lines over time, written as SVG by hand: the rate of differing and lost pairs, its upper bound, the limit.
import { h, rate, svg, timeOfDay } from "./dom.js";

const HEIGHT = 180, LEFT = 52, RIGHT = 12, TOP = 10, BOTTOM = 24;

/** As wide as its place, so that its words have the page's own size. */
export function chart(series, limit, width) {
  const times = series.map(({ time }) => time);
  const first = Math.min(...times), last = Math.max(...times, first + 1);
  const values = series.flatMap((point) => [point.bound, share(point)]).filter(Number.isFinite);
  const top = nice(Math.max(...values, (limit ?? 0) * 1.25, 0.001));
  const x = (time) => LEFT + ((time - first) / (last - first)) * (width - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (Math.min(value, top) / top) * (HEIGHT - TOP - BOTTOM);
  const line = (of) => series.filter((point) => Number.isFinite(of(point))).map((point, index) => `${index ? "L" : "M"}${x(point.time).toFixed(1)} ${y(of(point)).toFixed(1)}`).join("");
  const area = () => {
    const points = series.filter((point) => Number.isFinite(point.bound));
    return points.length < 2 ? "" : `${line(({ bound }) => bound)}L${points.toReversed().map((point) => `${x(point.time).toFixed(1)} ${y(share(point)).toFixed(1)}`).join("L")}Z`;
  };
  const label = (text, props) => svg("text", { class: "axis", ...props }, [text]);
  const now = series.at(-1);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `Differing and lost over time: now ${rate(share(now))}, bound ${rate(now.bound)}${limit == null ? "" : `, limit ${rate(limit)}`}` }, [
    ...[0, 0.5, 1].flatMap((part) => [
      svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(part * top), y2: y(part * top) }),
      label(rate(part * top), { x: LEFT - 8, y: y(part * top) + 4, "text-anchor": "end" }),
    ]),
    svg("path", { class: "band", d: area() }),
    limit != null && limit <= top && svg("line", { class: "limit", x1: LEFT, x2: width - RIGHT, y1: y(limit), y2: y(limit) }),
    svg("path", { class: "bound", d: line(({ bound }) => bound) }),
    svg("path", { class: "rate", d: line(share) }),
    Number.isFinite(now.bound) && svg("circle", { class: "bound-end", cx: x(now.time), cy: y(now.bound), r: 3 }),
    svg("circle", { class: "rate-end", cx: x(now.time), cy: y(share(now)), r: 3.5 }),
    label(timeOfDay(first), { x: LEFT, y: HEIGHT - 6 }),
    label(timeOfDay(last), { x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }),
  ]);
  return h("figure", { class: "chart-figure" }, [
    picture,
    h("figcaption", { class: "legend" }, [
      h("span", { class: "key rate" }, "differing and lost"), h("span", { class: "key bound" }, "95 % upper bound"), limit != null && h("span", { class: "key limit" }, `limit ${rate(limit)}`),
    ]),
  ]);
}

const share = ({ pairs, failing }) => (pairs ? failing / pairs : 0);

function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value - 1e-12) ?? 1;
}
