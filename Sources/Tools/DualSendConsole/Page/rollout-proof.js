// The effect of the text: the plan against the live document, the groups of units and the parity gate.
import { count, folded, h, panel, percent, plural, scroller, visible } from "./dom.js";
import { folded as changedText } from "./difference.js";
import { gatePanel } from "./rollout-gate.js";
import { OUTCOMES, outcomeWord } from "./words.js";

export function proof({ diagnostics = [], plan, groups = [], gate, unreachable = [], difference }, goTo) {
  const isRefused = diagnostics.some(({ severity }) => severity === "error");
  return [verdict({ plan, gate, isRefused }), changedText(difference), planPanel(plan), groupsPanel(groups), gatePanel(gate), unreachablePanel(unreachable, goTo)];
}

/** The confirmations that publishing needs. */
export const wordsOf = ({ plan, gate }) => [...(plan?.needs ?? []), ...(gate?.allowed === false ? ["parity"] : [])];

/** The summary in two lines. A text that apps would refuse has no effect, whatever its plan. */
export function verdict({ plan, gate, isRefused = false }) {
  if (!plan) return h("div", { class: "verdict bad" }, "The text has errors. The results below are for the last text without errors.");
  const moves = plan.moves ?? [], words = wordsOf({ plan, gate });
  const line = moves.length === 0 ? "Nothing changes" : `${plural(moves.length, "change")} for ${eventWords(moves)}`;
  const fact = (isBad, yes, no) => h("li", { class: isBad ? "bad" : "good" }, isBad ? yes : no);
  const kind = isRefused || words.length || plan.evicted || plan.withoutSink || plan.isReshuffle ? "bad" : moves.length ? "edited" : "good";
  return h("div", { class: `verdict ${kind}`, role: "status" }, [
    h("b", {}, isRefused ? "Apps would refuse this text: it has no effect" : visible(line, 300)),
    isRefused && moves.length > 0 && h("p", {}, ["Without the errors: ", visible(line, 300)]),
    (!isRefused || moves.length > 0) && h("ul", {}, [
      gate?.allowed === false && fact(true, "parity does not allow the raise"),
      fact(plan.evicted, "units are evicted from new", "no unit is evicted from new"), fact(plan.withoutSink, "units are left without a sink", "no unit is left without a sink"),
      plan.isReshuffle && fact(true, "the salt changes: every unit gets another bucket"),
    ]),
    !isRefused && words.length > 0 && h("p", { class: "asks" }, ["Publishing needs confirmation: ", words.flatMap((word, index) => [index > 0 && ", ", h("code", {}, word)])]),
  ]);
}

/** The patterns, or their count if there are more than two. */
function eventWords(moves) {
  const patterns = [...new Set(moves.flatMap(({ events }) => events))].toSorted((a, b) => (a === "*") - (b === "*"));
  if (patterns.length > 2) return `${count(patterns.length)} patterns of events`;
  return patterns.map((pattern) => (pattern === "*" ? "all other events" : pattern)).join(" and ");
}

export function planPanel(plan) {
  const moves = plan?.moves ?? [];
  return moves.length > 0 && panel("The plan against the live document", planTable(moves, 200), { id: "plan-title" });
}

export function planTable(moves, shown) {
  const head = ["", "events", "move", "units", "a unit such as"];
  return folded(moves, shown, (some) => scroller("Moves", h("table", { class: "plan" }, [
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden-label" }, "effect"))))),
    h("tbody", {}, some.map(moveRow)),
  ])));
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
    h("td", { class: "such-as" }, move.exampleUnit == null ? "–" : [h("code", {}, visible(move.exampleUnit, 60)), more.length > 0 && h("span", { class: "muted" }, visible(` ${more.join(", ")}`, 120))]),
  ]);
}

const sinks = { oldOnly: 1, newOnly: 1, both: 2, neither: 0, on: 1, off: 0 };
const gains = ({ from, to }) => sinks[to] > sinks[from];

function groupsPanel(groups) {
  if (!groups.length) return null;
  const legend = h("ul", { class: "legend", "aria-hidden": "true" }, Object.entries(OUTCOMES).map(([key, label]) => h("li", {}, [h("span", { class: `swatch ${key}` }), label])));
  return panel("Who gets what", h("div", { class: "groups" }, groups.slice(0, 200).map(group)), { id: "groups-title", actions: legend });
}

function group({ events, condition, outcomes = [], units, unitCount }) {
  if (units) {
    const listed = units.map(({ unit, outcome }) => `${unit} ${outcomeWord(outcome)}`).join(", ");
    return h("div", { class: "group" }, [
      h("div", { class: "group-name" }, [visible([events].flat().join(", "), 200), h("span", { class: "muted" }, visible(`, units that rules name${condition ? `, ${condition}` : ""}`, 200))]),
      h("div", { class: "group-words" }, visible(unitCount > units.length ? `${listed}, and ${count(unitCount - units.length)} more` : listed, 1_000)),
    ]);
  }
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

function unreachablePanel(list, goTo) {
  if (!list.length) return null;
  return panel("Rules that never fire", h("ul", { class: "plain" }, list.map(({ line, column, place, why }) =>
    h("li", {}, [h("button", { type: "button", class: "place", "aria-label": `Go to line ${line}`, onclick: () => goTo(line, column) }, String(line)), h("b", { text: place }), " ", visible(why ?? "", 300)]))), { id: "unreachable-title" });
}
