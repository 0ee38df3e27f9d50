// The control that stops the new side, on every page: for all events, or for the event in view. Two clicks, and one to undo.
import { post } from "./api.js";
import { complain, notice, open } from "./dialog.js";
import { h, replace, visible } from "./dom.js";

/** Going back to the text of before needs no further word: it was live a moment ago. */
const BACK = ["evictions", "neither", "reshuffle", "parity"];

export function killControl(element) {
  let event = null, before = null;
  const all = h("button", { type: "button", class: "small danger", onclick: () => ask([]) }, "Stop all");
  const one = h("button", { type: "button", class: "small danger", hidden: true, onclick: () => ask([event]) });
  const undo = h("button", { type: "button", class: "small", hidden: true, onclick: goBack }, "Undo the stop");
  replace(element, undo, one, all);

  async function ask(events) {
    try {
      const plan = await post("api/rollout/kill", { events, preview: true });
      if (!(await confirm(events, plan))) return;
      const done = await post("api/rollout/kill", { events, tag: plan.tag });
      before = done.before;
      undo.hidden = false;
      notice(`Revision ${done.revision} is published; apps have it at their next fetch. ${done.warnings.join(". ")}`, done.warnings.length ? "bad" : "good", { label: "Undo", run: goBack });
    } catch (error) {
      complain(error);
    }
  }

  async function goBack() {
    try {
      const done = await post("api/rollout/rollback", { id: before, allow: BACK });
      undo.hidden = true;
      notice(`The text of before is live again, as revision ${done.revision}.`, "good");
    } catch (error) {
      complain(error);
    }
  }

  return {
    /** Shows the control if the console can publish. */
    set isPossible(value) { element.hidden = !value; },
    /** The event that the page is about, by its old name; `null` for none. */
    set event(name) {
      event = name || null;
      one.hidden = !event;
      if (event) replace(one, "Stop ", visible(event, 40));
    },
  };
}

const confirm = (events, { plan, stays, revision }) =>
  open(events.length ? "Stop this event on the new side" : "Stop every event on the new side", (close) => [
    h("p", {}, [events.length ? h("bdi", {}, visible(events[0], 200)) : "Everything", " goes to the old logger only, by revision ", h("b", {}, String(revision)), ":"]),
    h("pre", { class: "plan-text", tabindex: "0" }, visible(plan, 20_000)),
    stays.length
      ? h("ul", {}, stays.map(({ units, place, event }) => h("li", {}, visible(`still on the new side: ${units.join(", ")} with ${event}, by ${place}`, 400))))
      : h("p", { class: "muted" }, "After it, no unit gets it on the new side, named test devices neither."),
    h("div", { class: "buttons" }, [
      h("button", { type: "button", onclick: () => close(false) }, "Cancel"),
      h("button", { type: "button", class: "primary danger", "data-first": true, onclick: () => close(true) }, `Publish the stop`),
    ]),
  ], { middle: true });
