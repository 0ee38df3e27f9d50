// What is asked before something is published: what the command would want a flag for needs its word, and a rollback,
// which is one click, a yes.
import { open } from "./dialog.js";
import { folded, h, plural, prose } from "./dom.js";
import { gateSummary, gateTable, otherObjections } from "./rollout-gate.js";
import { planTable, verdict, wordsOf } from "./rollout-proof.js";

const WORDS = {
  evictions: { title: "Units would lose the new tracker", meaning: "What they send after that reaches the old logger only.", concerns: ({ evicts }) => evicts },
  neither: { title: "Units would be left without a sink", meaning: "What they send is dropped, for good.", concerns: ({ withoutSink }) => withoutSink },
  reshuffle: { title: "Every unit would be bucketed anew", meaning: "The salt changes: every unit falls into another bucket, and has other sinks than before." },
  parity: { title: "Parity does not allow this raise", meaning: "Too many pairs differ, or too few were seen.", flag: "a plan without --parity" },
};

const leave = (close) => h("button", { type: "button", onclick: () => close(null) }, "Leave everything as it is");

/**
 * Asks for the word that the command wants as a flag. Resolves with whether it was typed.
 *
 * `objections` are the server's sentences for this word, `proof` is what was checked last, `label` what the button does.
 */
export function askForWord({ word, objections, proof, label }) {
  const { title, meaning, flag } = WORDS[word] ?? { title: "This needs your word", meaning: "The command would ask for a flag here." };
  return open(title, (close) => {
    const button = h("button", { type: "submit", class: "danger", disabled: true }, label);
    const input = h("input", {
      id: "word", "data-first": true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "word-help",
      oninput: () => (button.disabled = input.value.trim() !== word),
    });
    return h("form", { onsubmit: (event) => { event.preventDefault(); if (!button.disabled) close(true); } }, [
      reasons(word, objections, proof),
      h("p", { id: "word-help", class: "muted" }, `${meaning} On the command line this is ${flag ?? `--allow-${word}`}.`),
      h("label", { for: "word" }, ["Type ", h("code", {}, word), " to go on"]),
      input,
      h("div", { class: "buttons" }, [leave(close), button]),
    ]);
  }, { middle: true });
}

/** A summary and, in a box of its own, what it sums up: the gate's table, the moves, or the sentences. */
function reasons(word, objections, { plan, gate } = {}) {
  const box = (content) => h("div", { class: "reasons-box", tabindex: "0", role: "group", "aria-label": "What stands against it" }, content);
  const sentences = (list) => folded(list, 6, (some) => h("ul", { class: "plain objections" }, some.map((text) => h("li", {}, prose(text, 600)))));
  const texts = objections.map(({ message }) => message);
  if (word === "parity" && gate?.events?.some(({ verdict: said }) => said !== "allowed")) {
    const others = otherObjections(gate.events, texts);
    return [h("p", { class: "stop" }, gateSummary(gate)), box([gateTable(gate), others.length > 0 && sentences(others)])];
  }
  const moves = (plan?.moves ?? []).filter(WORDS[word]?.concerns ?? (() => false));
  if (moves.length) return [h("p", { class: "stop" }, plural(moves.length, "change")), box(planTable(moves, 6))];
  return [h("p", { class: "stop" }, plural(texts.length, "objection")), box(sentences(texts))];
}

/** Resolves with whether an earlier revision's text is to be published as the next one. */
export function confirmRollback({ revision, next, proof }) {
  return open(`Publish revision ${revision}'s text as revision ${next}?`, (close) => [
    h("div", { class: "proof" }, [
      verdict(proof),
      proof.plan?.moves?.length > 0 && h("div", { class: "reasons-box", tabindex: "0", role: "group", "aria-label": "The plan" }, planTable(proof.plan.moves, 6)),
    ]),
    h("div", { class: "buttons" }, [leave(close), h("button", { type: "button", class: wordsOf(proof).length ? "danger" : "primary", "data-first": true, onclick: () => close(true) }, `Publish as revision ${next}`)]),
  ], { middle: true });
}
