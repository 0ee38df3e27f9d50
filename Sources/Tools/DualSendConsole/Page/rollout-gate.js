// The parity of the events that a text raises.
import { count, folded, h, panel, percent, plural, prose, rate, scroller } from "./dom.js";

export const verdictWord = (verdict) => ({ allowed: "allowed", refused: "refused", tooFew: "too few pairs", uncompared: "not compared" })[verdict] ?? verdict ?? "–";

export function gatePanel(gate) {
  if (!gate) return null;
  if (!gate.events?.length && gate.allowed) return panel("Parity gate", h("p", { class: "muted" }, `No event is raised. A raise needs differing and lost shown to be below ${rate(gate.limit)}.`), { id: "gate-title" });
  return panel("Parity gate", [
    h("p", { class: `gate ${gate.allowed ? "good" : "bad"}` }, [gate.allowed ? "The raise is allowed" : "The raise is not allowed", gate.limit != null && `: differing and lost must be shown to be below ${rate(gate.limit)}`]),
    otherObjections(gate.events, gate.objections ?? []).slice(0, 4).map((text) => h("p", { class: "muted" }, prose(text, 300))),
    gate.events.length > 0 && gateTable(gate),
  ], { id: "gate-title" });
}

/** The objections that name none of the events. */
export const otherObjections = (events, texts) => texts.filter((text) => !events.some(({ name }) => text.includes(`\`${name}\``)));

/** Such as `39 events, 5 % → 40 %: 2 refused for differences, 37 with too few pairs`. */
export function gateSummary({ events }) {
  const held = events.filter(({ verdict }) => verdict !== "allowed");
  const steps = [...new Set(held.map(step))];
  const why = Object.entries({ refused: "refused for differences", tooFew: "with too few pairs", uncompared: "not compared" })
    .map(([word, text]) => [held.filter(({ verdict }) => verdict === word).length, text]).filter(([number]) => number).map(([number, text]) => `${count(number)} ${text}`);
  return `${plural(held.length, "event")}, ${steps.length === 1 ? steps[0] : `${steps.length} different steps`}: ${why.join(", ")}`;
}

const step = ({ fromPercent, toPercent }) => `${percent(fromPercent)} → ${percent(toPercent)}`;
const HEAD = [["event raised", ""], ["share", "number"], ["pairs", "number"], ["95 % bound", "number bound"], ["verdict", ""]];

/** Lists events that are not allowed first. */
export function gateTable({ events }) {
  const worstFirst = events.toSorted((a, b) => (a.verdict === "allowed") - (b.verdict === "allowed") || (b.verdict === "refused") - (a.verdict === "refused"));
  return folded(worstFirst, 6, (some) => scroller("Events that are raised", h("table", { class: "gate-table" }, [
    h("thead", {}, h("tr", {}, HEAD.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)))),
    h("tbody", {}, some.map(row)),
  ])), "more events");
}

function row(event) {
  return h("tr", {}, [
    h("td", { class: "patterns", text: event.name }),
    h("td", { class: "number" }, step(event)),
    h("td", { class: "number" }, count(event.pairs)),
    h("td", { class: "number bound" }, rate(event.bound)),
    h("td", { title: event.summary ?? "" }, h("span", { class: `verdict-word ${event.verdict}` }, verdictWord(event.verdict))),
  ]);
}
