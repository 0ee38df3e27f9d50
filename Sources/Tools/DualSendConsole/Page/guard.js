// The panel about `dualsend guard`: its last decision, the course of the share with the policy's plan, and the bounds.
import { count, dateAndTime, h, percent, plural, since, svg, visible } from "./dom.js";
import { plot, view } from "./plot.js";

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

function picture(guard, now, width, view) {
  const { past, plan } = course(guard, now);
  const end = plan.at(-1)?.time;
  const planned = plan.slice(1).filter(({ share }, index, all) => index === 0 || share !== all[index - 1].share);
  return plot({
    name: `Units with the new tracker: now ${percent(past.at(-1).share)}${end ? `; all steps by ${dateAndTime(end)} at the earliest` : ""}`,
    points: [...past.map((point) => ({ ...point, is: "so far" })), ...planned.map((point) => ({ ...point, is: "planned" }))]
      .map(({ time, share, is }) => ({ time, cells: [dateAndTime(time), percent(share), is] })),
    heading: ["time", "units", ""],
    top: 100, format: percent, width, last: end,
    draw: (x, y) => {
      const at = ({ time, share }) => `${x(time).toFixed(1)} ${y(share).toFixed(1)}`;
      const stairs = past.map((point, index) => (index ? `H${x(point.time).toFixed(1)}V${y(point.share).toFixed(1)}` : `M${at(point)}`)).join("");
      return [
        plan.length > 0 && svg("path", { class: "limit", fill: "none", d: `M${plan.map(at).join("L")}` }),
        svg("path", { class: "rate", d: stairs }),
        svg("circle", { class: "rate-end", cx: x(past.at(-1).time), cy: y(past.at(-1).share), r: 3.5 }),
      ];
    },
    legend: [
      h("span", { class: "key rate" }, "units with the new tracker"), plan.length > 0 && h("span", { class: "key limit" }, "the policy's steps, at the earliest"),
    ],
  }, view);
}

const chosen = view("guard");

/** The panel's content. */
export function guardView(guard, width) {
  const word = guard.stopped ? "stopped" : guard.isDone ? "done" : guard.action;
  const series = guard.series ?? [];
  return [
    h("p", { id: "guard", class: guard.stopped ? "lost" : undefined }, visible(`${word} at ${percent(guard.to / 1000)}: ${guard.stopped ?? guard.why}`, 400)),
    h("p", { class: "muted" }, `decided at ${dateAndTime(Date.parse(guard.time))}, ${since(Date.parse(guard.time))}`),
    guard.policy && picture(guard, Date.now(), width, chosen),
    guard.policy && h("p", { class: "muted" }, visible(`A broken bound: ${guard.policy.onBreach}. ${plural(guard.policy.bounds.length, "bound")}: ${guard.policy.bounds.join("; ")}`, 600)),
    series.length > 0 && h("table", { class: "plain" }, [
      h("thead", {}, h("tr", {}, ["events", "bound", "failures", "of"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, series.slice(0, 10).map((one) => h("tr", {}, [
        h("td", {}, visible(one.events, 120)), h("td", {}, `${one.of} ≤ ${one.limit}`), h("td", { class: "number" }, count(one.failures)), h("td", { class: "number" }, count(one.trials)),
      ]))),
    ]),
  ];
}
