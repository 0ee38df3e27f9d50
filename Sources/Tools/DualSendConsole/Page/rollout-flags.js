// A slider for each flag with a share. The server changes the number in the text.
import { post } from "./api.js";
import { notice } from "./dialog.js";
import { h, percent, replace, visible, visibleText } from "./dom.js";

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
    // The rows stay while only numbers change, so that a slider is not replaced while it is dragged.
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
    let place = flag, says = null;
    const name = h("span", { class: "flag-name" });
    const range = h("input", { type: "range", id, min: 0, max: 100, step: 1, class: isOld ? "old" : "new", oninput: () => this.#set(flag.pointer, Number(range.value), row) });
    const number = h("input", {
      type: "number", id: `${id}-number`, min: 0, max: 100, step: "0.001", "aria-labelledby": `${id}-label`, "aria-describedby": `${id}-wrong`,
      oninput: () => complain(fault(number)),
      onchange: () => !fault(number) && this.#set(flag.pointer, Number(number.value), row),
      // Replaces an invalid number by the one in the text.
      onblur: () => {
        const wrong = fault(number);
        if (!wrong) return;
        number.value = says;
        complain(`Not accepted: ${wrong}. The text has ${percent(says)}.`);
        number.removeAttribute("aria-invalid");
      },
    });
    const wrong = h("p", { class: "flag-wrong", id: `${id}-wrong`, role: "status" });
    const complain = (text) => {
      wrong.textContent = text;
      if (text) number.setAttribute("aria-invalid", "true");
      else number.removeAttribute("aria-invalid");
    };
    const label = h("label", { for: id, id: `${id}-label` }, [name, h("span", { class: `flag-kind ${isOld ? "old" : "new"}` }, WORDS[kind] ?? kind)]);
    const line = h("button", { type: "button", class: "place", onclick: () => this.onPlace(place.line, place.column) });
    const element = h("div", { class: "flag" }, [line, label, range, h("span", { class: "number-field" }, [number, " %"]), wrong]);
    const row = {
      element, complain,
      set: (value) => {
        says = value;
        range.style.setProperty("--part", `${value}%`);
        range.setAttribute("aria-valuetext", percent(value));
        if (!this.#under) range.value = value; // while dragged, the slider is ahead of the answer
        if (document.activeElement !== number) number.value = value;
      },
      update(now) {
        place = now;
        replace(name, visible(now.label ?? "", 80));
        name.title = visibleText(now.label ?? "");
        line.textContent = `line ${now.line}`;
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
    row.complain("");
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
        notice(error.message, "bad");
      }
    }
    this.#under = false;
  }
}

/** The fault of an entered share; "" if there is none. */
function fault({ validity, value }) {
  if (validity.badInput) return "that is not a number";
  if (value === "") return "a number is missing";
  if (validity.rangeUnderflow || validity.rangeOverflow) return "a share is 0 to 100 %";
  return validity.stepMismatch ? "a share has at most three decimals" : "";
}
