// The product's words, once for all rooms.
import { svg } from "./dom.js";

export const STATES = {
  matched: { label: "matched", hint: "both streams say what the table says" },
  differs: { label: "differs", hint: "new is not what the table makes of old" },
  waiting: { label: "waiting", hint: "the other side has not come yet" },
  lost: { label: "lost", hint: "the other sink should have it too, and has not got it" },
  unexpected: { label: "unexpected", hint: "a sink has it that should not" },
  alone: { label: "alone", hint: "one side only, as it was decided" },
  undecided: { label: "undecided", hint: "the other side has not come, and the revisions that the app can have had disagree about it" },
  withoutUnit: { label: "unit unknown", hint: "the other side has not come, and nothing says whose event it is" },
};

export const OUTCOMES = {
  oldOnly: "old only",
  both: "both",
  newOnly: "new only",
  neither: "neither",
};

export const FIELDS = {
  equal: "equal",
  missing: "missing",
  extra: "extra",
  typeChanged: "type changed",
  valueChanged: "value changed",
  ignored: "ignored",
  pending: "not there yet",
  dropped: "dropped",
  uncompared: "not compared",
};

/** What is said of a field: a new side that never comes is not waited for. */
export function fieldWord(outcome, state) {
  if (outcome === "pending" && state === "alone") return "not sent, as the rollout says";
  if (outcome === "pending" && state === "lost") return "has not come";
  if (outcome === "uncompared" && state === "alone") return "new only, as the rollout says";
  return FIELDS[outcome] ?? outcome;
}

const SHAPES = {
  matched: ["circle", { cx: 6, cy: 6, r: 4.5 }],
  differs: ["path", { d: "M6 .8 11.2 6 6 11.2.8 6z" }],
  waiting: ["circle", { cx: 6, cy: 6, r: 4, class: "hollow" }],
  lost: ["path", { d: "M2 2l8 8M10 2l-8 8", class: "stroke" }],
  unexpected: ["path", { d: "M6 1l5.3 9.6H.7z" }],
  undecided: ["path", { d: "M3.2 4.2a2.8 2.8 0 1 1 4 2.5c-.9.4-1.2.8-1.2 1.6M6 10.6v.6", class: "stroke" }],
  withoutUnit: ["path", { d: "M1.5 6h2M5 6h2M8.5 6h2", class: "stroke" }],
  alone: ["path", { d: "M6 1a5 5 0 0 0 0 10A5 5 0 0 0 6 1zM6 2.6a3.4 3.4 0 0 1 0 6.8z", "fill-rule": "evenodd" }],
};

/** The state's shape: a state is never told by its colour alone. */
export function stateMark(state) {
  const [tag, attributes] = SHAPES[state] ?? SHAPES.waiting;
  return svg("svg", { viewBox: "0 0 12 12", class: `mark-state ${state in SHAPES ? state : "waiting"}`, "aria-hidden": "true" }, [
    svg(tag, attributes),
  ]);
}

/** What decided, without the arithmetic: `rule 2 "home screen first" sets 25 %`. */
export function shortReason(reason) {
  const lines = (reason ?? "").split("\n");
  const deciders = lines.map((line) => line.match(/: (.*), which asks for /)?.[1] ?? line);
  const rules = deciders.filter((text) => !text.startsWith("the top level"));
  return [...new Set(rules.length ? rules : deciders.slice(-1))].join("; ");
}

export const outcomeWord = (outcome) => (outcome == null ? "not known" : OUTCOMES[outcome] ?? outcome);
