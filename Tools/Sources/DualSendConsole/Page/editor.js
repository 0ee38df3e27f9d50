// A textarea over a coloured copy of the visible lines. Keeps the browser's editing and screen reader support, and is as
// fast for a long document as for a short one.
import { CompletionList, suggestions } from "./completion.js";
import { h, insert, replace } from "./dom.js";
import { paint } from "./editor-paint.js";
import { difference } from "./json-text.js";
import { Undo, undoKey } from "./undo.js";

export class Editor {
  #diagnostics = new Map();
  #notes = new Map();
  #lines = [];
  #text = "";
  #undo = new Undo();
  #marked = null;
  #metrics = null;
  #frame = 0;
  schema = null;

  constructor({ id, label, onInput }) {
    this.onInput = onInput;
    this.area = h("textarea", {
      id, "aria-label": label, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", translate: "no",
      "aria-describedby": `${id}-help`,
      oninput: (event) => this.#typed(event), onbeforeinput: (event) => this.#undoByMenu(event), onscroll: () => this.#draw(), onkeydown: (event) => this.#key(event), onblur: () => this.completion.hide(), onclick: () => this.completion.hide(),
    });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.layer = h("div", { class: "layer", "aria-hidden": "true" });
    this.completion = new CompletionList(this.area, (found, option) => this.#complete(found, option));
    this.element = h("div", { class: "editor" }, [
      this.gutter,
      h("div", { class: "page" }, [this.layer, this.area, this.completion.element]),
      h("span", { id: `${id}-help`, class: "hidden-label" }, "Press Control and Space for completions. Tab leaves the editor."),
    ]);
    new ResizeObserver(() => { this.#metrics = null; this.#draw(); }).observe(this.element);
  }

  get text() {
    return this.area.value;
  }

  /** Sets the text. Undo can revert this. */
  set text(text) {
    this.put(text);
  }

  /** `by` groups many small changes into one undo step, as for a slider. */
  put(text, by = null) {
    this.#undo.record(this.#text, text, by);
    this.#apply(text);
  }

  /** Loads a text and clears the undo history. */
  begin(text) {
    this.#undo.clear();
    this.#apply(text);
  }

  /** Handles the undo and redo keys, also for events outside the textarea. Returns whether it was one of them. */
  undoBy(event) {
    const which = undoKey(event);
    if (which) this.#step(which, event);
    return which !== null;
  }

  #undoByMenu(event) {
    const which = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
    if (which) this.#step(which, event);
  }

  #step(which, event) {
    event.preventDefault();
    const text = this.#undo[which]();
    if (text === null) return;
    const { from, text: put } = this.#apply(text);
    const end = from + put.length;
    this.area.setSelectionRange(end, end);
    this.#reveal(text.slice(0, end).split("\n").length);
    this.onInput(text);
  }

  /** Replaces only the difference, so that the caret and the scroll position stay. */
  #apply(text) {
    const change = difference(this.area.value, text);
    const { scrollTop, scrollLeft } = this.area;
    if (change.from !== change.to || change.text) this.area.setRangeText(change.text, change.from, change.to, "preserve");
    Object.assign(this.area, { scrollTop, scrollLeft });
    this.#text = this.area.value;
    this.#lines = this.#text.split("\n");
    this.#draw();
    return change;
  }

  /** Scrolls only if the line is not visible. */
  #reveal(line) {
    const { height } = this.#measure(), { scrollTop, clientHeight } = this.area, top = (line - 1) * height;
    if (top < scrollTop || top + 2 * height > scrollTop + clientHeight) this.area.scrollTop = Math.max(0, top - clientHeight / 3);
  }

  set diagnostics(list) {
    this.#diagnostics = Map.groupBy(list, ({ line }) => line);
    this.#draw();
  }

  /** The notes beside line numbers: `Map(line → {text, kind})`. */
  set notes(notes) {
    this.#notes = notes;
    this.element.classList.toggle("with-notes", notes.size > 0);
    this.#draw();
  }

  goTo(line, column = 1, endColumn = column) {
    const start = this.#lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.#marked = line;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start + column - 1, start + Math.max(column, endColumn) - 1);
    this.area.scrollTop = Math.max(0, (line - 1) * this.#measure().height - this.area.clientHeight / 3);
    this.#draw();
  }

  #measure() {
    if (this.#metrics) return this.#metrics;
    const style = getComputedStyle(this.area);
    const context = document.createElement("canvas").getContext("2d");
    context.font = style.font;
    return (this.#metrics = { height: parseFloat(style.lineHeight), width: context.measureText("0".repeat(50)).width / 50, left: parseFloat(style.paddingLeft), top: parseFloat(style.paddingTop) });
  }

  #typed(event) {
    const before = this.#text;
    this.#text = this.area.value;
    // Typing groups into one undo step; a line break is a step of its own.
    this.#undo.record(before, this.#text, event.inputType === "insertLineBreak" || event.data?.includes("\n") ? null : "typing");
    this.#lines = this.#text.split("\n");
    this.#marked = null;
    this.#draw();
    this.onInput(this.area.value);
    const position = this.area.selectionStart;
    if (/[\w"]/.test(this.area.value[position - 1] ?? "")) this.#offer();
    else this.completion.hide();
  }

  #offer() {
    if (!this.schema) return;
    const position = this.area.selectionStart;
    const found = suggestions(this.schema, this.area.value, position);
    const line = this.area.value.slice(0, position).split("\n");
    const { height, width, left, top } = this.#measure();
    const across = left + line.at(-1).length * width - this.area.scrollLeft;
    this.completion.show(found, {
      left: Math.max(0, Math.min(across, this.area.clientWidth - 260)),
      top: top + line.length * height - this.area.scrollTop,
    });
  }

  #complete(found, option) {
    const { value, selectionStart } = this.area;
    let text = found.inString ? option.text : `"${option.text}"`;
    const after = value.slice(selectionStart);
    if (found.inString) text += after.startsWith('"') ? "" : '"';
    const isFollowed = /^"?\s*:/.test(after);
    if (option.isKey && !isFollowed && !after.startsWith('"')) text += ": ";
    this.area.setSelectionRange(found.from, selectionStart);
    insert(this.area, text);
  }

  #key(event) {
    if (this.completion.key(event) || this.undoBy(event)) return;
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.#offer();
    }
    if (event.key === "Enter" && !event.isComposing && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      const before = this.area.value.slice(0, this.area.selectionStart);
      const indent = before.slice(before.lastIndexOf("\n") + 1).match(/^ */)[0];
      insert(this.area, `\n${indent}${/[{[]\s*$/.test(before) ? "  " : ""}`);
    }
  }

  #draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.area.clientHeight) this.#paint();
    });
  }

  #paint() {
    const { height } = this.#measure();
    const { scrollTop, scrollLeft, clientHeight } = this.area;
    const first = Math.max(0, Math.floor(scrollTop / height) - 2);
    const last = Math.min(this.#lines.length, Math.ceil((scrollTop + clientHeight) / height) + 2);
    const shift = first * height - scrollTop;
    this.layer.style.setProperty("transform", `translate(${-scrollLeft}px, ${shift}px)`);
    this.gutter.style.setProperty("--shift", `${shift}px`);
    const { numbers, lines } = paint(this.#lines, first, last, { diagnostics: this.#diagnostics, notes: this.#notes, marked: this.#marked });
    replace(this.gutter, h("div", { class: "numbers" }, numbers));
    replace(this.layer, lines);
  }
}
