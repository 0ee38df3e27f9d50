// Confirmations before publishing: a typed word where the command would need a flag, and a button for a rollback.
import { open } from "./dialog.js";
import { folded, h, plural, prose, scroller } from "./dom.js";
import { gateSummary, gateTable, otherObjections } from "./rollout-gate.js";
import { planTable, verdict, wordsOf } from "./rollout-proof.js";

const WORDS = {
  evictions: { title: "Units would lose the new tracker", meaning: "Their later events reach only the old logger.", concerns: ({ evicts }) => evicts },
  neither: { title: "Units would be left without a sink", meaning: "Their events are lost.", concerns: ({ withoutSink }) => withoutSink },
  reshuffle: { title: "Every unit would get another bucket", meaning: "The salt changes, so units change their sinks at random." },
  kill: { title: "A kill would be taken back", meaning: "Stopped events would go to the new side again.", flag: "--allow-undo" },
  parity: { title: "Parity does not allow this raise", meaning: "Too many pairs differ, too few were seen, or some were not compared.", flag: "a plan without --parity" },
};

const leave = (close) => h("button", { type: "button", onclick: () => close(null) }, "Cancel");

/**
 * Asks for a typed word. Resolves with whether it was typed.
 *
 * `objections` are the server's for this word, `proof` is the last check, `label` is that of the button.
 */
export function askForWord({ word, objections, proof, label }) {
  const { title, meaning, flag } = WORDS[word] ?? { title: "This needs a confirmation", meaning: "The command needs a flag for this." };
  return open(title, (close) => {
    const button = h("button", { type: "submit", class: "danger", disabled: true }, label);
    const input = h("input", {
      id: "word", "data-first": true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "word-help",
      oninput: () => (button.disabled = input.value.trim() !== word),
    });
    return h("form", { onsubmit: (event) => { event.preventDefault(); if (!button.disabled) close(true); } }, [
      reasons(word, objections, proof),
      h("p", { id: "word-help", class: "muted" }, `${meaning} The command-line equivalent is ${flag ?? `--allow-${word}`}.`),
      h("label", { for: "word" }, ["Type ", h("code", {}, word), " to continue"]),
      input,
      h("div", { class: "buttons" }, [leave(close), button]),
    ]);
  }, { middle: true });
}

/** A summary, and a box with the details: the gate's table, the moves, or the objections. */
function reasons(word, objections, { plan, gate } = {}) {
  const box = (content) => scroller("Objections", content, "reasons-box");
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

/** The field for the reason, which the record of publications keeps. */
export const messageField = (id) => h("input", { id, class: "message", maxlength: 2000, placeholder: "Why (for the record)", "aria-label": "Why, for the record", autocomplete: "off" });

/** Asks whether to publish an earlier revision's text as the next revision. Resolves with the message, or `null`. */
export function confirmRollback({ revision, next, proof }) {
  const message = messageField("rollback-message");
  return open(`Publish revision ${revision}'s text as revision ${next}?`, (close) => [
    h("div", { class: "proof" }, [
      verdict(proof),
      proof.plan?.moves?.length > 0 && scroller("The plan", planTable(proof.plan.moves, 6), "reasons-box"),
    ]),
    message,
    h("div", { class: "buttons" }, [leave(close), h("button", { type: "button", class: wordsOf(proof).length ? "danger" : "primary", "data-first": true, onclick: () => close({ message: message.value }) }, `Publish as revision ${next}`)]),
  ], { middle: true });
}
