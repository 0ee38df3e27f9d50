// The textarea for the rollout document, and the findings below it.
import { h, plural, prose, replace } from "./dom.js";
import { term } from "./help.js";

export class Editor {
  constructor({ id, label, onInput }) {
    this.area = h("textarea", {
      id, class: "editor", "aria-label": label, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", translate: "no",
      oninput: () => onInput(), onkeydown: (event) => this.#indent(event),
    });
  }

  get text() {
    return this.area.value;
  }

  /** Replaces only the difference, so that the caret and the scroll position stay. */
  set text(text) {
    const before = this.area.value, { scrollTop, scrollLeft } = this.area;
    const shortest = Math.min(before.length, text.length);
    let head = 0, tail = 0;
    while (head < shortest && before[head] === text[head]) head += 1;
    while (tail < shortest - head && before.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
    if (before !== text) this.area.setRangeText(text.slice(head, text.length - tail), head, before.length - tail, "preserve");
    Object.assign(this.area, { scrollTop, scrollLeft });
  }

  goTo(line, column = 1, endColumn = column) {
    const start = this.text.split("\n").slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start + column - 1, start + Math.max(column, endColumn) - 1);
    this.area.scrollTop = Math.max(0, (line - 1) * parseFloat(getComputedStyle(this.area).lineHeight) - this.area.clientHeight / 3);
    this.area.scrollIntoView({ block: "nearest" });
  }

  /** A new line begins as deep as the one before. */
  #indent(event) {
    if (event.key !== "Enter" || event.isComposing || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const before = this.text.slice(0, this.area.selectionStart);
    const indent = before.slice(before.lastIndexOf("\n") + 1).match(/^ */)[0];
    this.#insert(`\n${indent}${/[{[]\s*$/.test(before) ? "  " : ""}`);
  }

  /** Inserts as if typed, so that the browser can undo it. */
  #insert(text) {
    if (document.execCommand("insertText", false, text)) return;
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.area.dispatchEvent(new Event("input"));
  }
}

/** Findings below an editor, each with a button that moves the editor to its position. */
export class Diagnostics {
  constructor(editor) {
    this.editor = editor;
    this.element = h("div", { class: "diagnostics", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  }

  show(list) {
    const errors = list.filter(({ severity }) => severity === "error").length;
    const warnings = list.length - errors;
    const parts = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean);
    replace(
      this.element,
      h("p", { class: `count ${errors ? "bad" : warnings ? "warned" : "good"}` }, parts.length ? parts.join(", ") : "No findings"),
      list.length > 0 && h("ul", {}, list.slice(0, 50).map((each) => this.#line(each))),
      list.length > 50 && h("p", { class: "muted" }, `and ${list.length - 50} more`),
    );
  }

  #line({ severity, code, message, notes, help, line, column, endColumn }) {
    const place = line ? `${line}:${column ?? 1}` : "–";
    return h("li", { class: severity }, [
      h("button", { type: "button", class: "place", "aria-label": `Go to line ${line}, column ${column}`, onclick: () => line && this.editor.goTo(line, column, endColumn) }, place),
      h("span", { class: "what" }, [h("b", {}, term(code)), " ", prose(message, 500), (notes ?? []).map((note) => h("span", { class: "help" }, prose(note, 300))), help && h("span", { class: "help" }, prose(help, 500))]),
    ]);
  }
}
