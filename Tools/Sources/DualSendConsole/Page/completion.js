// Completion of keys and enum values, from the JSON Schema that the server publishes.
import { h, replace } from "./dom.js";
import { placeAt } from "./json-text.js";

/** The schemas for the value at `path`, with references resolved and alternatives listed. */
function schemasAt(root, path) {
  let found = expand(root, root);
  for (const part of path) {
    found = found.flatMap((schema) => {
      const next = typeof part === "number" ? schema.items : schema.properties?.[part] ?? schema.additionalProperties;
      return next && typeof next === "object" ? expand(root, next) : [];
    });
  }
  return found;
}

function expand(root, schema, depth = 0) {
  if (!schema || typeof schema !== "object" || depth > 8) return [];
  const target = schema.$ref?.startsWith("#/") ? schema.$ref.slice(2).split("/").reduce((at, part) => at?.[part], root) : null;
  const parts = [target, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((part) => expand(root, part, depth + 1))];
}

export function suggestions(schema, text, position) {
  const place = placeAt(text, position);
  const typed = place.inString ? text.slice(place.from, position) : "";
  if (!place.inString && /[\w"]/.test(text[position - 1] ?? "")) return null;
  let found;
  if (place.isKey) {
    found = schemasAt(schema, place.path).flatMap((part) => Object.entries(part.properties ?? {}))
      .filter(([key]) => !key.startsWith("_") && key !== "//" && !place.keys.includes(key))
      .map(([key, part]) => ({ text: key, note: part.description ?? expand(schema, part).find((each) => each.description)?.description ?? "", isKey: true }));
  } else {
    const path = place.valueOf == null ? place.path : [...place.path, place.valueOf];
    const parts = schemasAt(schema, path);
    found = parts.flatMap((part) => (part.enum ?? []).filter((word) => typeof word === "string")).map((word) => ({ text: word, note: "", isKey: false }));
  }
  const unique = [...new Map(found.map((each) => [each.text, each])).values()];
  const fits = unique.filter(({ text: word }) => word.toLowerCase().includes(typed.toLowerCase()) && word !== typed);
  return fits.length ? { from: place.from, inString: place.inString, options: fits.slice(0, 12) } : null;
}

/** The list under the caret. The focus stays in the text; `aria-activedescendant` names the selected option. */
export class CompletionList {
  #found = null;
  #at = 0;

  constructor(input, onTake) {
    this.input = input;
    this.onTake = onTake;
    this.element = h("ul", { class: "completion", role: "listbox", id: `completion-${input.id}`, "aria-label": "Completions", hidden: true });
    input.setAttribute("aria-controls", this.element.id);
    input.setAttribute("aria-autocomplete", "list");
  }

  get isOpen() {
    return !this.element.hidden;
  }

  show(found, { left, top }) {
    if (!found) return this.hide();
    this.#found = found;
    this.#at = 0;
    this.element.style.setProperty("left", `${left}px`);
    this.element.style.setProperty("top", `${top}px`);
    this.element.hidden = false;
    this.#draw();
  }

  hide() {
    this.element.hidden = true;
    this.input.removeAttribute("aria-activedescendant");
  }

  #draw() {
    replace(this.element, this.#found.options.map((option, index) =>
      h("li", {
        role: "option", id: `${this.element.id}-${index}`, "aria-selected": String(index === this.#at),
        onmousedown: (event) => { event.preventDefault(); this.#take(index); },
      }, [h("code", {}, option.text), option.note && h("span", { class: "muted" }, option.note)])));
    this.input.setAttribute("aria-activedescendant", `${this.element.id}-${this.#at}`);
    this.element.children[this.#at].scrollIntoView({ block: "nearest" });
  }

  #take(index) {
    const found = this.#found;
    this.hide();
    this.onTake(found, found.options[index]);
  }

  /** Whether the list handled the key. */
  key(event) {
    if (!this.isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const total = this.#found.options.length;
      this.#at = (this.#at + step + total) % total;
      this.#draw();
    } else if (event.key === "Enter" || event.key === "Tab") this.#take(this.#at);
    else if (event.key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}
