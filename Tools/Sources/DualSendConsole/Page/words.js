// The product's words, once for all rooms.
import { svg } from "./dom.js";

export const STATES = {
  matched: { label: "matched", hint: "both streams say what the table says" },
  differs: { label: "differs", hint: "new is not what the table makes of old" },
  waiting: { label: "waiting", hint: "the other side has not come yet" },
  lost: { label: "lost", hint: "a selected sink never got it" },
  unexpected: { label: "unexpected", hint: "a sink has it that was not selected" },
  alone: { label: "alone", hint: "one side only, as the rollout says" },
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

export const outcomeWord = (outcome) => (outcome == null ? "undecided" : OUTCOMES[outcome] ?? outcome);
