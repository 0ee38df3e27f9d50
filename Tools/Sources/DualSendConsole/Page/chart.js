// An SVG chart over time: the rate of failing events among the judged ones, its upper bound, and the limit. Where nothing
// was judged, the lines have a gap.
import { h, rate, svg, timeOfDay } from "./dom.js";

const HEIGHT = 180, LEFT = 52, RIGHT = 12, TOP = 10, BOTTOM = 24;

/**
 * `width` is that of the container, so that the chart's text has the page's font size. `label` writes a time, and each of
 * `marks`, `{time, text}`, gets a vertical line.
 */
export function chart(series, limit, width, { label: timeText = timeOfDay, marks = [] } = {}) {
  const times = series.map(({ time }) => time);
  const first = Math.min(...times), last = Math.max(...times, first + 1);
  const values = series.flatMap((point) => [point.bound, share(point)]).filter(Number.isFinite);
  const top = nice(Math.max(...values, (limit ?? 0) * 1.25, 0.001));
  const x = (time) => LEFT + ((time - first) / (last - first)) * (width - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (Math.min(value, top) / top) * (HEIGHT - TOP - BOTTOM);
  const line = (of) => series.map((point, index) => {
    if (!Number.isFinite(of(point))) return "";
    const isContinued = index > 0 && Number.isFinite(of(series[index - 1]));
    // A point between two gaps is a dot: a line without length, with round ends.
    return `${isContinued ? "L" : "M"}${x(point.time).toFixed(1)} ${y(of(point)).toFixed(1)}${isContinued ? "" : "h0"}`;
  }).join("");
  const area = () => runs(series).map((points) => `M${[
    ...points.map((point) => [point.time, point.bound]), ...points.toReversed().map((point) => [point.time, share(point)]),
  ].map(([time, value]) => `${x(time).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}Z`).join("");
  const label = (text, props) => svg("text", { class: "axis", ...props }, [text]);
  const now = series.findLast(({ judged }) => judged > 0);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `Failing events over time: now ${rate(share(now))}, bound ${rate(now.bound)}${limit == null ? "" : `, limit ${rate(limit)}`}` }, [
    ...[0, 0.5, 1].flatMap((part) => [
      svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(part * top), y2: y(part * top) }),
      label(rate(part * top), { x: LEFT - 8, y: y(part * top) + 4, "text-anchor": "end" }),
    ]),
    svg("path", { class: "band", d: area() }),
    ...marks.map(({ time, text }) => svg("line", { class: "revision", x1: x(time), x2: x(time), y1: TOP, y2: HEIGHT - BOTTOM }, [svg("title", {}, [text])])),
    limit != null && limit <= top && svg("line", { class: "limit", x1: LEFT, x2: width - RIGHT, y1: y(limit), y2: y(limit) }),
    svg("path", { class: "bound", d: line(({ bound }) => bound) }),
    svg("path", { class: "rate", d: line(share) }),
    Number.isFinite(now.bound) && svg("circle", { class: "bound-end", cx: x(now.time), cy: y(now.bound), r: 3 }),
    svg("circle", { class: "rate-end", cx: x(now.time), cy: y(share(now)), r: 3.5 }),
    label(timeText(first), { x: LEFT, y: HEIGHT - 6 }),
    label(timeText(last), { x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }),
  ]);
  return h("figure", { class: "chart-figure" }, [
    picture,
    h("figcaption", { class: "legend" }, [
      h("span", { class: "key rate" }, "failing of judged"), h("span", { class: "key bound" }, "95 % upper bound"), limit != null && h("span", { class: "key limit" }, `limit ${rate(limit)}`), marks.length > 0 && h("span", { class: "key revision" }, `the beginning of ${marks.map(({ text }) => text).join(", ")}`),
    ]),
  ]);
}

const share = ({ judged, failing }) => (judged ? failing / judged : NaN);

/** The series without gaps, in the parts between them. */
function runs(series) {
  const parts = [];
  let isOpen = false;
  for (const point of series) {
    const isJudged = point.judged > 0 && Number.isFinite(point.bound);
    if (isJudged && !isOpen) parts.push([]);
    if (isJudged) parts.at(-1).push(point);
    isOpen = isJudged;
  }
  return parts.filter((points) => points.length > 1);
}

function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value - 1e-12) ?? 1;
}
