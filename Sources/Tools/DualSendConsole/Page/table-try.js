// Remaps a payload with the table in force, and shows the row for each key.
import { latest, post } from "./api.js";
import { debounce, h, replace, scroller, visible } from "./dom.js";
import { valueNode } from "./live-detail.js";

const attempt = latest((body, signal) => post("api/table/try", body, signal));

const visibleLines = (text) => text.split("\n").flatMap((line, index) => [index ? document.createTextNode("\n") : null, visible(line, 2_000)]);

export class TryPayload {
  constructor({ onPlace }) {
    this.onPlace = onPlace;
    const later = debounce(250, () => this.run());
    this.name = h("input", { id: "try-name", placeholder: "home.like_button.tap", spellcheck: "false", autocomplete: "off", oninput: later });
    this.payload = h("textarea", { id: "try-payload", rows: 4, spellcheck: "false", placeholder: '{ "item_id": 42, "liked": "1" }', oninput: later });
    this.answer = h("div", { class: "try-answer", role: "status", "aria-live": "polite" });
    this.element = h("div", { class: "try" }, [
      h("div", { class: "field" }, [h("label", { for: "try-name" }, "Old event"), this.name]),
      h("div", { class: "field" }, [h("label", { for: "try-payload" }, "Its parameters (JSON)"), this.payload]),
      this.answer,
    ]);
  }

  async run() {
    const name = this.name.value.trim();
    if (!name) return replace(this.answer, h("p", { class: "muted" }, "Enter an event to see how it is remapped."));
    let parameters;
    try {
      parameters = JSON.parse(this.payload.value.trim() || "{}");
      if (parameters === null || typeof parameters !== "object" || Array.isArray(parameters)) throw new SyntaxError("the parameters must be a JSON object");
    } catch (error) {
      return replace(this.answer, h("p", { class: "stop" }, visible(error.message, 300)));
    }
    try {
      const found = await attempt({ name, parameters });
      if (!found) return;
      replace(this.answer, this.#trace(found, parameters));
    } catch (error) {
      replace(this.answer, h("p", { class: "stop" }, visible(error.message, 300)));
    }
  }

  #trace({ event, known, trace = [], dropped = [] }, parameters) {
    const hasValues = trace.some((each) => "value" in each);
    const row = (of) => (of ? h("button", { type: "button", class: "place", title: of.text, "aria-label": `Go to line ${of.line}`, onclick: () => this.onPlace(of.line) }, String(of.line)) : h("span", { class: "none" }, "–"));
    return [
      h("p", { class: "lead" }, ["becomes ", h("b", { class: "name new", text: event.name })]),
      !known && h("p", { class: "hint" }, "The table has no entry for this event: it keeps its name, and only the rows of `*` apply."),
      dottedHint(parameters),
      scroller("Rows", h("table", { class: "trace" }, [
        h("thead", {}, h("tr", {}, ["row", "old key", "new key", hasValues && "value", "how"].filter(Boolean).map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, [
          ...trace.map((each) => h("tr", {}, [h("td", {}, row(each.row)), h("td", {}, h("code", {}, visible(each.from ?? "–", 200))), h("td", {}, h("code", {}, visible(each.path, 200))), hasValues && h("td", {}, "value" in each ? valueNode(each.value, false) : ""), h("td", { class: "muted" }, visible(each.how ?? "", 120))])),
          ...dropped.map((each) => h("tr", { class: "dropped" }, [h("td", {}, row(each.row)), h("td", {}, h("code", {}, visible(each.path, 200))), h("td", { class: "muted" }, "dropped"), hasValues && h("td"), h("td", { class: "muted" }, visible(each.how ?? "", 120))])),
        ]),
      ])),
      event.payload && h("pre", { class: "trace-payload", tabindex: "0", "aria-label": "The new payload" }, visibleLines(JSON.stringify(event.payload, null, 2))),
    ];
  }
}

/** Explains a key with a dot: a row's path `a.b` means b inside a, and does not match the key "a.b". */
function dottedHint(parameters) {
  const key = dottedKey(parameters);
  if (key === null) return null;
  const parts = key.split(".");
  const nested = parts.slice(0, -1).reduceRight((inside, part) => `{ ${JSON.stringify(part)}: ${inside} }`, `{ ${JSON.stringify(parts.at(-1))}: … }`);
  return h("p", { class: "hint" }, [
    h("code", {}, visible(key, 120)), " is one key with a dot in its name. A row for ", h("code", {}, visible(key, 120)), " matches ", h("code", {}, visible(nested, 300)), ", a row for ", h("code", {}, visible(key.replaceAll(".", "\\."), 160)), " matches this key.",
  ]);
}

function dottedKey(value) {
  if (value === null || typeof value !== "object") return null;
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes(".") && !Array.isArray(value)) return key;
    const found = dottedKey(inner);
    if (found !== null) return found;
  }
  return null;
}
