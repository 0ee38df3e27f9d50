import { h, plural, prose, replace } from "./dom.js";

/** Findings below an editor, each with a button that moves the editor to its position. */
export class Diagnostics {
  constructor(editor) {
    this.editor = editor;
    this.element = h("div", { class: "diagnostics", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  }

  show(list) {
    this.editor.diagnostics = list;
    const errors = list.filter(({ severity }) => severity === "error").length;
    const warnings = list.length - errors;
    const parts = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean);
    replace(
      this.element,
      h("p", { class: `count ${errors ? "bad" : warnings ? "warned" : "good"}` }, parts.length ? parts.join(", ") : "No findings"),
      list.length > 0 && h("ul", {}, list.slice(0, 50).map((each) => this.#line(each))),
      list.length > 50 && h("p", { class: "muted" }, `and ${list.length - 50} more`),
    );
    return errors;
  }

  #line({ severity, code, message, notes, help, line, column, endColumn }) {
    const place = line ? `${line}:${column ?? 1}` : "–";
    return h("li", { class: severity }, [
      h("button", { type: "button", class: "place", "aria-label": `Go to line ${line}, column ${column}`, onclick: () => line && this.editor.goTo(line, column, endColumn) }, place),
      h("span", { class: "what" }, [h("b", {}, code), " ", prose(message, 500), (notes ?? []).map((note) => h("span", { class: "help" }, prose(note, 300))), help && h("span", { class: "help" }, prose(help, 500))]),
    ]);
  }
}
