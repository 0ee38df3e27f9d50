// What the words and codes of the page mean, from the articles Concepts and Diagnostics.
import { get } from "./api.js";
import { complain, open } from "./dialog.js";
import { h, prose } from "./dom.js";

let pages = null;

/** A button that says what a word of the glossary, or a code, means. One that is redrawn needs an `id`, to keep the focus. */
export const term = (word, content = word, id = null) => h("button", { type: "button", class: "link help", id, title: `What “${word}” means`, onclick: () => explain(word) }, content);

/** Opens the glossary at a word, or the meaning of a code. */
export async function explain(word = null) {
  try {
    pages ??= await get("api/help");
    const code = pages.codes.find((each) => each.code === word);
    if (code) return await open(code.code, () => [h("p", {}, prose(code.meaning)), h("p", { class: "muted" }, ["Way out: ", prose(code.wayOut)])]);
    const isMeant = (entry) => entry.word.split(", ").includes(word);
    await open("Words", () => {
      const isKnown = pages.words.some(isMeant);
      const list = h("dl", { class: "glossary", tabindex: "0", "aria-label": "Words", "data-first": !isKnown }, pages.words.map((entry) =>
        h("div", isMeant(entry) ? { class: "marked", tabindex: "-1", "data-first": true } : {}, [h("dt", {}, entry.word), h("dd", {}, prose(entry.meaning))])));
      queueMicrotask(() => list.querySelector(".marked")?.scrollIntoView({ block: "center" }));
      return list;
    }, { middle: true });
  } catch (error) {
    complain(error);
  }
}
