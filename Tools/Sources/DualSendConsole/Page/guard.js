// The panel about `dualsend guard`: its last decision, the course of the share with the policy's plan, and the bounds.
import { count, dateAndTime, h, percent, plural, svg, visible } from "./dom.js";

const HEIGHT = 180, LEFT = 52, RIGHT = 12, TOP = 10, BOTTOM = 24;

/** The points of the share so far, and those of the policy's steps at the earliest possible times. */
export function course(guard, now) {
  const past = (guard.course ?? []).map(({ time, to }) => ({ time, share: to / 1000 }));
  const share = past.at(-1)?.share ?? 0;
  past.push({ time: Math.max(now, past.at(-1)?.time ?? now), share });
  const plan = [];
  if (guard.stopped || guard.isDone) return { past, plan };
  const steps = guard.policy?.steps ?? [];
  const hold = steps.find((step) => step.percentage / 1000 === share)?.hold ?? 0;
  let time = Math.max(now, guard.since + hold);
  plan.push(past.at(-1), { time, share });
  for (const step of steps.filter((step) => step.percentage / 1000 > share)) {
    plan.push({ time, share: step.percentage / 1000 }, { time: (time += step.hold), share: step.percentage / 1000 });
  }
  return { past, plan };
}

function plot(guard, now, width) {
  const { past, plan } = course(guard, now);
  const times = [...past, ...plan].map(({ time }) => time);
  const first = Math.min(...times), last = Math.max(...times, first + 1);
  const x = (time) => LEFT + ((time - first) / (last - first)) * (width - LEFT - RIGHT);
  const y = (share) => HEIGHT - BOTTOM - (share / 100) * (HEIGHT - TOP - BOTTOM);
  const at = ({ time, share }) => `${x(time).toFixed(1)} ${y(share).toFixed(1)}`;
  const stairs = past.map((point, index) => (index ? `H${x(point.time).toFixed(1)}V${y(point.share).toFixed(1)}` : `M${at(point)}`)).join("");
  const label = (text, props) => svg("text", { class: "axis", ...props }, [text]);
  const end = plan.at(-1)?.time;
  return h("figure", { class: "chart-figure" }, [
    svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `Units with the new tracker: now ${percent(past.at(-1).share)}${end ? `; all steps by ${dateAndTime(end)} at the earliest` : ""}` }, [
      ...[0, 50, 100].flatMap((share) => [
        svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share) }),
        label(percent(share), { x: LEFT - 8, y: y(share) + 4, "text-anchor": "end" }),
      ]),
      plan.length > 0 && svg("path", { class: "limit", fill: "none", d: `M${plan.map(at).join("L")}` }),
      svg("path", { class: "rate", d: stairs }),
      svg("circle", { class: "rate-end", cx: x(past.at(-1).time), cy: y(past.at(-1).share), r: 3.5 }),
      label(dateAndTime(first), { x: LEFT, y: HEIGHT - 6 }),
      label(dateAndTime(last), { x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }),
    ]),
    h("figcaption", { class: "legend" }, [
      h("span", { class: "key rate" }, "units with the new tracker"), plan.length > 0 && h("span", { class: "key limit" }, "the policy's steps, at the earliest"),
    ]),
  ]);
}

/** The panel's content. */
export function guardView(guard, width) {
  const word = guard.stopped ? "stopped" : guard.isDone ? "done" : guard.action;
  const series = guard.series ?? [];
  return [
    h("p", { id: "guard", class: guard.stopped ? "lost" : undefined }, visible(`${word} at ${percent(guard.to / 1000)}: ${guard.stopped ?? guard.why}`, 400)),
    h("p", { class: "muted" }, `decided at ${dateAndTime(Date.parse(guard.time))}`),
    guard.policy && plot(guard, Date.now(), width),
    guard.policy && h("p", { class: "muted" }, visible(`A broken bound: ${guard.policy.onBreach}. ${plural(guard.policy.bounds.length, "bound")}: ${guard.policy.bounds.join("; ")}`, 600)),
    series.length > 0 && h("table", { class: "plain" }, [
      h("thead", {}, h("tr", {}, ["events", "bound", "failures", "of"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, series.slice(0, 10).map((one) => h("tr", {}, [
        h("td", {}, visible(one.events, 120)), h("td", {}, `${one.of} ≤ ${one.limit}`), h("td", { class: "number" }, count(one.failures)), h("td", { class: "number" }, count(one.trials)),
      ]))),
    ]),
  ];
}
