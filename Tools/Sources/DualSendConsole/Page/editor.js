// A textarea over a coloured copy of the lines that are in sight: the browser's own editing, undo and screen reader
// support stay, and a long document costs as much as a short one.
import { CompletionList, suggestions } from "./completion.js";
import { h, replace } from "./dom.js";
import { difference, tokens } from "./json-text.js";

export class Editor {
  #diagnostics = new Map();
  #notes = new Map();
  #lines = [];
  #marked = null;
  #metrics = null;
  #frame = 0;
  schema = null;

  constructor({ id, label, onInput }) {
    this.onInput = onInput;
    this.area = h("textarea", {
      id, "aria-label": label, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", translate: "no",
      "aria-describedby": `${id}-help`,
      oninput: () => this.#typed(), onscroll: () => this.#draw(), onkeydown: (event) => this.#key(event), onblur: () => this.completion.hide(),
      onclick: () => this.completion.hide(),
    });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.layer = h("div", { class: "layer", "aria-hidden": "true" });
    this.completion = new CompletionList(this.area, (found, option) => this.#complete(found, option));
    this.element = h("div", { class: "editor" }, [
      this.gutter,
      h("div", { class: "page" }, [this.layer, this.area, this.completion.element]),
      h("span", { id: `${id}-help`, class: "hidden-label" }, "Control and space offer keys. Tab leaves the editor."),
    ]);
    new ResizeObserver(() => { this.#metrics = null; this.#draw(); }).observe(this.element);
  }

  get text() {
    return this.area.value;
  }

  /** Another text by script: only what differs is replaced, so that caret and scroll position stay. */
  set text(text) {
    const change = difference(this.area.value, text);
    const { scrollTop, scrollLeft } = this.area;
    if (change.from !== change.to || change.text) this.area.setRangeText(change.text, change.from, change.to, "preserve");
    Object.assign(this.area, { scrollTop, scrollLeft });
    this.#lines = this.area.value.split("\n");
    this.#draw();
  }

  set diagnostics(list) {
    this.#diagnostics = Map.groupBy(list, ({ line }) => line);
    this.#draw();
  }

  /** What stands at the right of a line's number: `Map(line → {text, kind})`. */
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

  #typed() {
    this.#lines = this.area.value.split("\n");
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
    if (this.completion.key(event)) return;
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
    const numbers = [], lines = [];
    for (let index = first; index < last; index += 1) {
      const found = this.#diagnostics.get(index + 1) ?? [];
      const note = this.#notes.get(index + 1);
      const worst = found.some(({ severity }) => severity === "error") ? "error" : found.length ? "warning" : "";
      const marked = index + 1 === this.#marked ? " marked" : "";
      numbers.push(h("div", { class: `number ${worst}${marked}` }, [h("span", {}, String(index + 1)), note && h("span", { class: `line-note ${note.kind}` }, note.text)]));
      lines.push(h("div", { class: `code-line ${worst}${marked}` }, paintLine(this.#lines[index], found)));
    }
    replace(this.gutter, h("div", { class: "numbers" }, numbers));
    replace(this.layer, lines);
  }
}

function paintLine(line, diagnostics) {
  // Beyond this, a line is one colour: nobody reads it, and a node for each token would stall the page.
  const parts = line.length > 2_000 ? [{ text: line, kind: "plain", at: 0 }] : [...tokens(line)];
  const nodes = parts.map(({ text, kind }) => h("span", { class: `t-${kind}` }, [document.createTextNode(text)]));
  for (const { column, endColumn, severity } of diagnostics) {
    const width = Math.max(1, (endColumn ?? column + 1) - column);
    const under = h("span", { class: `squiggle ${severity}`, style: { "--at": column - 1, "--width": width } });
    nodes.push(under);
  }
  return nodes;
}

/** Into the textarea as if typed, so that undo knows it. */
function insert(area, text) {
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input"));
  }
}
