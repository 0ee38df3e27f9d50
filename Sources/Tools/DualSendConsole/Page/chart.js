// The rate of failing events among the judged ones, its upper bound, and the limit. Where nothing was judged, the lines have a
// gap. Points of few events do not set the scale: what is above it is drawn at its edge, with a sign.
import { count, dateAndTime, h, plural, rate, svg } from "./dom.js";
import { niceTop, plot } from "./plot.js";

/** Points with less than this part of the median of judged events are thin. */
const THIN = 0.1;

export function chart(series, limit, width, view, { label = dateAndTime, marks = [], utc = false } = {}) {
  const counted = series.map(({ judged }) => judged).filter((judged) => judged > 0).sort((a, b) => a - b);
  const thick = series.filter(({ judged }) => judged > 0 && judged >= THIN * counted[Math.floor(counted.length / 2)]);
  const values = thick.flatMap((point) => [point.bound, share(point)]).filter(Number.isFinite);
  const top = Math.min(1, niceTop(Math.max(...values, (limit ?? 0) * 1.25, 0.001)));
  const now = series.findLast(({ judged }) => judged > 0);
  const above = series.filter((point) => Math.max(share(point) || 0, point.bound ?? 0) > top);

  const draw = (x, y, { left, right }) => {
    const line = (of) => series.map((point, index) => {
      if (!Number.isFinite(of(point))) return "";
      const isContinued = index > 0 && Number.isFinite(of(series[index - 1]));
      // A point between two gaps is a dot: a line without length, with round ends.
      return `${isContinued ? "L" : "M"}${x(point.time).toFixed(1)} ${y(of(point)).toFixed(1)}${isContinued ? "" : "h0"}`;
    }).join("");
    const area = runs(series).map((points) => `M${[
      ...points.map((point) => [point.time, point.bound]), ...points.toReversed().map((point) => [point.time, share(point)]),
    ].map(([time, value]) => `${x(time).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}Z`).join("");
    return [
      svg("path", { class: "band", d: area }),
      limit != null && svg("line", { class: "limit", x1: left, x2: right, y1: y(limit), y2: y(limit) }),
      svg("path", { class: "bound", d: line(({ bound }) => bound) }),
      svg("path", { class: "rate", d: line(share) }),
      ...above.map(({ time }) => svg("path", { class: "above", d: `M${x(time) - 4} ${y(top) - 3}h8l-4 -6z` })),
      Number.isFinite(now.bound) && svg("circle", { class: "bound-end", cx: x(now.time), cy: y(now.bound), r: 3 }),
      svg("circle", { class: "rate-end", cx: x(now.time), cy: y(share(now)), r: 3.5 }),
    ];
  };

  return plot({
    name: `Failing events over time: now ${rate(share(now))}, bound ${rate(now.bound)}${limit == null ? "" : `, limit ${rate(limit)}`}`,
    points: series.map((point) => ({ time: point.time, cells: [label(point.time), count(point.judged), count(point.failing), rate(point.judged ? share(point) : null), rate(point.bound)] })),
    heading: ["time", "judged", "failing", "rate", "95 % bound"],
    top, format: rate, width, marks, utc, draw,
    legend: [
      h("span", { class: "key rate" }, "failing of judged"), h("span", { class: "key bound" }, "95 % upper bound"),
      limit != null && h("span", { class: "key limit" }, `limit ${rate(limit)}`),
      marks.length > 0 && h("span", { class: "key revision" }, `the beginning of ${marks.map(({ text }) => text).join(", ")}`),
      above.length > 0 && h("span", {}, `▲ ${plural(above.length, "point")} above the scale`),
    ],
  }, view);
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
