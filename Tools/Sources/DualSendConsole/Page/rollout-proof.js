// What the text does, beside the text: for whom, against what is live, and what the gate says of it.
import { count, h, panel, percent, plural, rate, visible } from "./dom.js";
import { OUTCOMES, outcomeWord } from "./words.js";

export function proof({ plan, groups = [], gate, unreachable = [] }, goTo) {
  return [verdict(plan), planPanel(plan), groupsPanel(groups), gatePanel(gate), unreachablePanel(unreachable, goTo)];
}

export function verdict(plan) {
  if (!plan) return h("div", { class: "verdict bad" }, "No proof, for the text has errors. What stands below is of the last text without any.");
  const moves = plan.moves ?? [];
  const bad = plan.evicted || plan.withoutSink || plan.isReshuffle;
  const line = moves.length === 0 ? "Nothing changes for anybody" : `${plural(moves.length, "change")} for ${plural(new Set(moves.map(({ events }) => [events].flat().join())).size, "group")} of events`;
  const fact = (isBad, yes, no) => h("li", { class: isBad ? "bad" : "good" }, isBad ? yes : no);
  return h("div", { class: `verdict ${bad ? "bad" : moves.length ? "edited" : "good"}`, role: "status" }, [
    h("b", {}, line),
    h("ul", {}, [fact(plan.evicted, "units are evicted from new", "nobody is evicted from new"), fact(plan.withoutSink, "units are left without a sink", "nobody is left without a sink"), plan.isReshuffle && fact(true, "the salt changes: every unit is bucketed anew")]),
  ]);
}

export function planPanel(plan) {
  const moves = plan?.moves ?? [];
  if (!moves.length) return null;
  const head = ["", "events", "move", "units", "for example"];
  return panel("The plan against what is live", h("div", { class: "scroll" }, h("table", { class: "plan" }, [
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, moves.slice(0, 200).map(moveRow)),
  ])), { id: "plan-title" });
}

function moveRow(move) {
  const [sign, word, kind] = move.withoutSink ? ["!", "left without a sink", "bad"] : move.evicts ? ["−", "evicted", "bad"] : move.loses ? ["−", "loses", "edited"] : gains(move) ? ["+", "gains", "good"] : ["~", "swaps", "edited"];
  const example = move.example ?? {};
  const more = Object.entries({ ...example, ...example.attributes }).filter(([key, value]) => key !== "unitID" && typeof value !== "object").map(([key, value]) => `${key} ${value}`);
  return h("tr", { class: kind }, [
    h("td", { class: "sign" }, h("span", { title: word }, [sign, h("span", { class: "hidden-label" }, word)])),
    h("td", { class: "patterns" }, visible([move.events].flat().join(", "), 300)),
    h("td", { class: "move" }, [move.sink && h("b", {}, visible(`${move.sink} `, 80)), h("span", { class: `outcome ${move.from}` }, outcomeWord(move.from)), h("span", { class: "arrow" }, " → "), h("span", { class: `outcome ${move.to}` }, outcomeWord(move.to))]),
    h("td", { class: "number" }, move.share == null ? (move.exampleUnit == null ? "no unit" : "named") : percent(move.share)),
    h("td", {}, move.exampleUnit == null ? "–" : [h("code", {}, visible(move.exampleUnit, 60)), more.length > 0 && h("span", { class: "muted" }, visible(` ${more.join(", ")}`, 120))]),
  ]);
}

const sinks = { oldOnly: 1, newOnly: 1, both: 2, neither: 0, on: 1, off: 0 };
const gains = ({ from, to }) => sinks[to] > sinks[from];

function groupsPanel(groups) {
  if (!groups.length) return null;
  const legend = h("ul", { class: "legend", "aria-hidden": "true" }, Object.entries(OUTCOMES).map(([key, label]) => h("li", {}, [h("span", { class: `swatch ${key}` }), label])));
  return panel("Who gets what", h("div", { class: "groups" }, groups.slice(0, 200).map(group)), { id: "groups-title", actions: legend });
}

function group({ events, condition, outcomes = [] }) {
  const shown = outcomes.filter(({ share }) => share > 0);
  const words = shown.map(({ outcome, share }) => `${percent(share)} ${outcomeWord(outcome)}`).join(", ");
  const name = [events].flat().join(", ");
  return h("div", { class: "group" }, [
    h("div", { class: "group-name" }, [visible(name, 200), name === "*" && h("span", { class: "muted" }, " all other events"), condition && h("span", { class: "muted" }, visible(`, ${condition}`, 200))]),
    h("div", { class: "bar", role: "img", "aria-label": `${name}: ${words}` }, Object.keys(OUTCOMES).flatMap((key) => {
      const share = shown.find(({ outcome }) => outcome === key)?.share;
      return share ? [h("span", { class: `part ${key}`, style: { "--share": share } })] : [];
    })),
    h("div", { class: "group-words" }, words),
  ]);
}

function gatePanel(gate) {
  if (!gate) return null;
  if (!gate.events?.length) return panel("Parity gate", h("p", { class: "muted" }, `No event is raised. A raise needs differing and lost shown to be below ${rate(gate.limit)}.`), { id: "gate-title" });
  const others = (gate.objections ?? []).filter((text) => !gate.events.some(({ name }) => text.includes(`\`${name}\``)));
  const worstFirst = gate.events.toSorted((a, b) => (a.verdict === "allowed") - (b.verdict === "allowed"));
  const rows = worstFirst.map((event) =>
    h("tr", {}, [
      h("td", { class: "patterns", text: event.name }),
      h("td", { class: "number" }, `${percent(event.fromPercent)} → ${percent(event.toPercent)}`),
      h("td", { class: "number" }, count(event.pairs)),
      h("td", { class: "number" }, rate(event.bound)),
      h("td", {}, h("span", { class: `verdict-word ${event.verdict}` }, verdictWord(event.verdict))),
    ]));
  const table = (some) => h("div", { class: "scroll" }, h("table", {}, [h("thead", {}, h("tr", {}, head.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)))), h("tbody", {}, some)]));
  const head = [["event raised", ""], ["share", "number"], ["pairs", "number"], ["95 % bound", "number"], ["verdict", ""]];
  return panel("Parity gate", [
    h("p", { class: `gate ${gate.allowed ? "good" : "bad"}` }, [gate.allowed ? "The raise is allowed" : "The raise is not allowed", gate.limit != null && `: differing and lost must be shown to be below ${rate(gate.limit)}`]),
    others.slice(0, 4).map((text) => h("p", { class: "muted" }, visible(text, 300))),
    table(rows.slice(0, 6)),
    rows.length > 6 && h("details", {}, [h("summary", {}, `${rows.length - 6} more events`), table(rows.slice(6))]),
  ], { id: "gate-title" });
}

export const verdictWord = (verdict) => ({ allowed: "allowed", refused: "refused", tooFew: "too few pairs" })[verdict] ?? verdict ?? "–";

function unreachablePanel(list, goTo) {
  if (!list.length) return null;
  return panel("Rules that never fire", h("ul", { class: "plain" }, list.map(({ line, column, place, why }) =>
    h("li", {}, [h("button", { type: "button", class: "place", "aria-label": `Go to line ${line}`, onclick: () => goTo(line, column) }, String(line)), h("b", { text: place }), " ", visible(why ?? "", 300)]))), { id: "unreachable-title" });
}
