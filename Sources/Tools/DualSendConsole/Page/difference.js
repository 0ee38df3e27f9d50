// The differences of two texts, as the server computes them.
import { h, plural, scroller, visible } from "./dom.js";

const MARK = { same: " ", removed: "−", added: "+" };
const WORD = { removed: "removed: ", added: "added: " };

export function difference(lines) {
  if (lines.every(({ kind }) => kind === "same")) return h("p", { class: "empty" }, "Equal to the live text.");
  return scroller("Differences", shortened(lines).slice(0, 5_000).map(({ kind, line, count }) =>
    count ? h("div", { class: "muted" }, `… ${plural(count, "equal line")}`)
      : h("div", { class: kind }, [h("span", { class: "sign", "aria-hidden": "true" }, MARK[kind] ?? " "), h("span", { class: "hidden-label" }, WORD[kind] ?? ""), h("code", {}, visible(line, 1_000))])), "difference");
}

const CONTEXT = 3; // equal lines that are shown before and after each change

/** Replaces long runs of equal lines by their count. */
function shortened(lines) {
  const isNear = (index) => lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== "same");
  const shown = [];
  lines.forEach((each, index) => {
    if (isNear(index)) shown.push(each);
    else if (shown.at(-1)?.count) shown.at(-1).count += 1;
    else shown.push({ count: 1 });
  });
  return shown;
}

/** The same, folded under the number of its lines; `false` if the texts are equal. */
export function folded(lines = []) {
  const [added, removed] = ["added", "removed"].map((kind) => lines.filter((each) => each.kind === kind).length);
  return added + removed > 0 && h("details", { class: "text-change" }, [h("summary", {}, `The change of the text: ${plural(added, "line")} added, ${removed} removed`), difference(lines)]);
}
