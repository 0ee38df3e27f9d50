import { post } from "./api.js";
import { askForWord, complain, notice, open } from "./dialog.js";
import { h, visible } from "./dom.js";

/** Posts, and where the command would want a flag, asks for its word and posts again with it. */
async function withWords(path, body) {
  const allow = [];
  for (;;) {
    try {
      return await post(path, { ...body, allow });
    } catch (error) {
      if (error.status !== 409) throw error;
      const word = (error.body?.needs ?? []).find((each) => !allow.includes(each));
      if (!word && !error.body?.needs?.length) throw error;
      if (!word || !(await askForWord(word, error.body.message))) return null;
      allow.push(word);
    }
  }
}

export async function publish({ text, revision, sign, onPublished }) {
  const done = await withWords("api/rollout/publish", { text, revision, sign });
  if (done) await onPublished(done);
}

export async function rollBack({ revision, sign, onPublished }) {
  const done = await withWords("api/rollout/rollback", { revision, sign });
  if (done) await onPublished(done);
  return done !== null;
}

export async function sign(text) {
  try {
    const { signature } = await post("api/rollout/sign", { text });
    const area = h("textarea", { readonly: true, rows: 4, "aria-label": "The signature", value: signature });
    await open("The signature of this text", (close) => [
      h("p", { class: "muted" }, "Of these exact bytes. Nothing was written; Publish signs by itself."),
      area,
      h("div", { class: "buttons" }, [
        h("button", { type: "button", onclick: () => navigator.clipboard.writeText(signature).then(() => notice("Copied", "good"), complain) }, "Copy"),
        h("button", { type: "button", class: "primary", onclick: () => close(true) }, "Done"),
      ]),
    ]);
  } catch (error) {
    notice(visible(error.help ? `${error.message}. ${error.help}` : error.message, 300).textContent, "bad");
  }
}
