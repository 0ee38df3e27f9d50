// A slider for each flag that is a plain percentage or a plain yes or no. The server changes the number in the text.
import { post } from "./api.js";
import { complain } from "./dialog.js";
import { h, percent, replace, visible } from "./dom.js";

const WORDS = { shouldSendLogToOldLogger: "old logger", shouldSendLogToNewTracker: "new tracker" };

export class Flags {
  #rows = new Map();
  #under = false;
  #wanted = null;

  constructor({ text, onText, onPlace }) {
    this.text = text;
    this.onText = onText;
    this.onPlace = onPlace;
    this.element = h("div", { class: "flags" });
  }

  show(given) {
    const flags = given.toSorted((a, b) => a.line - b.line || a.column - b.column);
    const keys = flags.map(({ pointer }) => pointer).join("\n");
    // The rows stay while only numbers change: a slider must not be taken from under the hand that holds it.
    if (keys !== [...this.#rows.keys()].join("\n")) {
      this.#rows = new Map(flags.map((flag) => [flag.pointer, this.#row(flag)]));
      replace(this.element, flags.length ? [...this.#rows.values()].map(({ element }) => element) : h("p", { class: "muted" }, "No flags in this text."));
    }
    for (const flag of flags) this.#rows.get(flag.pointer)?.update(flag);
  }

  #row(flag) {
    const id = `flag-${flag.pointer.replace(/[^A-Za-z0-9]/g, "-")}`;
    const kind = flag.flag ?? flag.pointer.split("/").at(-1);
    const isOld = kind === "shouldSendLogToOldLogger";
    let place = flag;
    const name = h("span", { class: "flag-name" });
    const range = h("input", { type: "range", id, min: 0, max: 100, step: 1, class: isOld ? "old" : "new", oninput: () => this.#set(flag.pointer, Number(range.value), row) });
    const number = h("input", { type: "number", min: 0, max: 100, step: "0.001", "aria-labelledby": `${id}-label`, onchange: () => number.checkValidity() && number.value !== "" && this.#set(flag.pointer, Number(number.value), row) });
    const label = h("label", { for: id, id: `${id}-label` }, [name, h("span", { class: `flag-kind ${isOld ? "old" : "new"}` }, WORDS[kind] ?? kind)]);
    const line = h("button", { type: "button", class: "place", onclick: () => this.onPlace(place.line, place.column) });
    const element = h("div", { class: "flag" }, [line, label, range, h("span", { class: "number-field" }, [number, " %"])]);
    const row = {
      element,
      set(value) {
        range.style.setProperty("--part", `${value}%`);
        range.setAttribute("aria-valuetext", percent(value));
        if (document.activeElement !== range) range.value = value;
        if (document.activeElement !== number) number.value = value;
      },
      update(now) {
        place = now;
        replace(name, visible(now.label ?? "", 80));
        line.textContent = String(now.line);
        line.setAttribute("aria-label", `Go to line ${now.line}`);
        const value = typeof now.percent === "boolean" ? now.percent * 100 : now.percent;
        range.disabled = number.disabled = value == null;
        if (value != null) row.set(value);
      },
    };
    return row;
  }

  async #set(pointer, value, row) {
    row.set(value);
    this.#wanted = { pointer, value };
    if (this.#under) return;
    this.#under = true;
    while (this.#wanted) {
      const { pointer: at, value: to } = this.#wanted;
      this.#wanted = null;
      try {
        const { text } = await post("api/rollout/flag", { text: this.text(), pointer: at, percent: to });
        this.onText(text);
      } catch (error) {
        complain(error);
      }
    }
    this.#under = false;
  }
}
