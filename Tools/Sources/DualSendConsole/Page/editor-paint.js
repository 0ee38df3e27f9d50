// Renders the visible lines of the editor, and their numbers.
import { h } from "./dom.js";
import { tokens } from "./json-text.js";

/** `first` and `last` count from 0, the keys of the maps from 1. */
export function paint(all, first, last, { diagnostics, notes, marked }) {
  const numbers = [], lines = [];
  for (let index = first; index < last; index += 1) {
    const found = diagnostics.get(index + 1) ?? [];
    const note = notes.get(index + 1);
    const worst = found.some(({ severity }) => severity === "error") ? "error" : found.length ? "warning" : "";
    const kind = index + 1 === marked ? `${worst} marked` : worst;
    numbers.push(h("div", { class: `number ${kind}` }, [h("span", {}, String(index + 1)), note && h("span", { class: `line-note ${note.kind}` }, note.text)]));
    lines.push(h("div", { class: `code-line ${kind}` }, paintLine(all[index], found)));
  }
  return { numbers, lines };
}

function paintLine(line, diagnostics) {
  // A very long line has one colour: a node for each token would stall the page.
  const parts = line.length > 2_000 ? [{ text: line, kind: "plain", at: 0 }] : [...tokens(line)];
  const nodes = parts.map(({ text, kind }) => h("span", { class: `t-${kind}` }, [document.createTextNode(text)]));
  for (const { column, endColumn, severity } of diagnostics) {
    const width = Math.max(1, (endColumn ?? column + 1) - column);
    const under = h("span", { class: `squiggle ${severity}`, style: { "--at": column - 1, "--width": width } });
    nodes.push(under);
  }
  return nodes;
}
