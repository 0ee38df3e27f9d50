// The labels that all rooms share.
import { svg } from "./dom.js";

/** The glossary has each label. */
export const STATES = {
  matched: { label: "matched", hint: "the new event equals the remapped old one" },
  differs: { label: "differs", hint: "the new event differs from the remapped old one" },
  uncompared: { label: "not compared", hint: "both sides arrived; there is no table, or a payload is not kept, so nothing is known of it" },
  waiting: { label: "waiting", hint: "the other side has not arrived yet" },
  lost: { label: "lost", hint: "the other side is expected, and did not arrive in time" },
  unexpected: { label: "unexpected", hint: "a sink received it that should not" },
  alone: { label: "alone", hint: "only one side, as decided by the rollout" },
  undecided: { label: "undecided", hint: "the other side did not arrive, and the revisions that the app may have had disagree about it" },
  withoutUnit: { label: "unit unknown", hint: "the other side did not arrive, and the event's unit is unknown" },
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
  pending: "not arrived yet",
  dropped: "dropped",
  uncompared: "not compared",
};

/** The label of a field's outcome, in an entry with this state. */
export function fieldWord(outcome, state) {
  if (outcome === "pending" && state === "alone") return "not sent, by the rollout";
  if (outcome === "pending" && state === "lost") return "did not arrive";
  if (outcome === "uncompared" && state === "alone") return "new only, by the rollout";
  return FIELDS[outcome] ?? outcome;
}

const SHAPES = {
  matched: ["circle", { cx: 6, cy: 6, r: 4.5 }],
  differs: ["path", { d: "M6 .8 11.2 6 6 11.2.8 6z" }],
  uncompared: ["path", { d: "M2.2 2.2h7.6v7.6H2.2z", class: "stroke", "stroke-dasharray": "2 2.4" }],
  waiting: ["circle", { cx: 6, cy: 6, r: 4, class: "hollow" }],
  lost: ["path", { d: "M2 2l8 8M10 2l-8 8", class: "stroke" }],
  unexpected: ["path", { d: "M6 1l5.3 9.6H.7z" }],
  undecided: ["path", { d: "M3.2 4.2a2.8 2.8 0 1 1 4 2.5c-.9.4-1.2.8-1.2 1.6M6 10.6v.6", class: "stroke" }],
  withoutUnit: ["path", { d: "M1.5 6h2M5 6h2M8.5 6h2", class: "stroke" }],
  alone: ["path", { d: "M6 1a5 5 0 0 0 0 10A5 5 0 0 0 6 1zM6 2.6a3.4 3.4 0 0 1 0 6.8z", "fill-rule": "evenodd" }],
};

/** The label of an entry's state, and of what else holds of it. */
export const stateWords = ({ state, also }) => [state, also].filter(Boolean).map((one) => STATES[one]?.label ?? one).join(", ");

/** The state's shape, so that states do not differ by colour alone. */
export function stateMark(state) {
  const [tag, attributes] = SHAPES[state] ?? SHAPES.waiting;
  return svg("svg", { viewBox: "0 0 12 12", class: `mark-state ${state in SHAPES ? state : "waiting"}`, "aria-hidden": "true" }, [
    svg(tag, attributes),
  ]);
}

/** The deciding rules, without the arithmetic: `rule 2 "home screen first" sets 25 %`. */
export function shortReason(reason) {
  const lines = (reason ?? "").split("\n");
  const deciders = lines.map((line) => line.match(/: (.*), which asks for /)?.[1] ?? line);
  const rules = deciders.filter((text) => !text.startsWith("the top level"));
  return [...new Set(rules.length ? rules : deciders.slice(-1))].join("; ");
}

export const outcomeWord = (outcome) => (outcome == null ? "not known" : OUTCOMES[outcome] ?? outcome);
