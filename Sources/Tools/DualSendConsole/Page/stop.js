// Stops the new side for all events or the one in view, and takes that back. Each shows its plan and asks once.
import { post } from "./api.js";
import { folded as changedText } from "./difference.js";
import { complain, notice, open } from "./dialog.js";
import { h, keepingFocus, named, prose, replace, scroller, visible, visibleText } from "./dom.js";
import { planTable } from "./rollout-proof.js";

const path = "api/rollout/stop";
const AFTER = "Apps stop when they have fetched it. Until then they still send to the new side, and what they have already queued is still delivered.";

/** `event` is a name; without one, all events are stopped. */
export const stop = (event, published) => ask(event == null ? "Stop the new side for all events?" : ["Stop the new side for ", h("bdi", {}, named(event, 80)), "?"], event == null ? {} : { event }, "Stop", published);

const undo = (published) => ask("Give the new side back?", { undo: true }, "Undo", published);

async function ask(title, body, word, published) {
  try {
    const { plan, revision, tag, objections, difference } = await post(path, body);
    const isSure = await open(title, (close) => [
      h("p", {}, visible(plan.summary, 300)),
      scroller("The plan", planTable(plan.moves, 6), "reasons-box"),
      changedText(difference),
      ...(body.undo ? objections.slice(0, 4).map((text) => h("p", { class: "stop" }, ["Parity does not allow this: ", prose(text, 300)])) : [h("p", {}, "After it, no unit gets it on the new side, named test devices included."), h("p", { class: "muted" }, AFTER)]),
      h("div", { class: "buttons" }, [
        h("button", { type: "button", onclick: () => close(null) }, "Cancel"),
        h("button", { type: "button", class: "danger", "data-first": true, onclick: () => close(true) }, `${word}: publish revision ${revision}`),
      ]),
    ], { middle: true });
    if (!isSure) return;
    notice("Publishing …");
    const { warnings } = await post(path, { ...body, tag, publish: true });
    const state = await published();
    notice([`Revision ${revision} is live`, ...warnings].join(". "), warnings.length ? "bad" : "good", state?.document?.stopped ? { label: "Undo", run: () => undo(published) } : null);
    if (document.activeElement.matches("body, main")) document.getElementById("stop-undo")?.focus();
  } catch (error) {
    complain(error);
  }
}

/** Draws the buttons of the frame. */
export function showStop(element, { can, document: live }, event, published) {
  const button = (id, label, run, title) => h("button", { type: "button", id, class: "small stops", title, "aria-label": title, onclick: run }, label);
  element.hidden = !live || !can.publish;
  keepingFocus(() => replace(element,
    live?.stopped && button("stop-undo", "Undo the stop", () => undo(published), "Publish the text of before the stop again"),
    event != null && button("stop-event", ["Stop ", h("bdi", { class: "stop-name" }, named(event, 60))], () => stop(event, published), `Stop the new side for ${visibleText(event).slice(0, 200)}`),
    button("stop-all", "Stop all", () => stop(null, published), "Stop the new side for all events")));
}
