// The published revisions, their differences from the live one, and rollbacks.
import { get, latest, post } from "./api.js";
import { complain, open } from "./dialog.js";
import { dateAndTime, empty, h, plural, replace, since, visible } from "./dom.js";
import { difference } from "./difference.js";
import { gatePanel } from "./rollout-gate.js";
import { planPanel, verdict, wordsOf } from "./rollout-proof.js";
import { rollBack } from "./rollout-publish.js";
import { confirmRollback } from "./rollout-words.js";

const when = (time) => `${dateAndTime(time)}, ${since(time)}`;

/** `id` or `entry` is the initially shown text: a stored revision, or an entry of the record. */
export async function showHistory({ live, id, entry: initial, sign, can, onLoad, onPublished }) {
  await open("History", (close) => {
    const shown = h("div", { class: "history-shown" });
    const fetchText = latest((path, signal) => get(path, {}, signal));
    const check = latest((text, signal) => post("api/rollout/check", { text }, signal));
    const next = live.revision + 1, liveID = live.history.find(({ isLive }) => isLive)?.id;

    async function choose({ id, entry }, button) {
      history.replaceState(null, "", `#rollout?${new URLSearchParams(id ? { revision: id } : { entry })}`);
      for (const each of lists.querySelectorAll("button")) each.removeAttribute("aria-current");
      button?.setAttribute("aria-current", "true");
      try {
        const answer = await fetchText(id ? `api/rollout/history/${encodeURIComponent(id)}` : `api/rollout/record/${encodeURIComponent(entry)}`);
        if (!answer) return;
        const found = id ? answer : { ...answer, id: undefined, entry, revision: answer.after?.revision };
        const effect = h("div", { class: "proof" });
        const back = h("button", { type: "button", class: "back", disabled: true }, "Roll back to it");
        replace(shown, details(found, back, effect));
        if (found.isLive) return;
        // Checked with the live revision: the rollback itself publishes the next one.
        const proof = await check(found.edit);
        if (!proof) return;
        replace(effect, verdict(proof), planPanel(proof.plan), gatePanel(proof.gate));
        back.disabled = !can.rollback;
        back.classList.add(wordsOf(proof).length ? "danger" : "primary");
        back.addEventListener("click", () => leaveFor(found, proof).catch(complain));
      } catch (error) {
        replace(shown, empty(error.message, error.help));
      }
    }

    async function leaveFor({ id, entry, revision }, proof) {
      close(null);
      const sure = await confirmRollback({ revision, next, proof });
      if (sure) await rollBack({ id, entry, tag: live.tag, sign, next, proof, message: sure.message, onPublished });
    }

    function details(found, back, effect) {
      const { isLive } = found;
      return [
        h("div", { class: "history-head" }, [
          h("h3", {}, `Revision ${found.revision}`), h("span", { class: "muted" }, isLive ? "is live" : `against revision ${live.revision}, which is live`), h("span", { class: "spring" }),
          h("button", { type: "button", disabled: isLive, onclick: () => { close(null); onLoad(found.edit); } }, "Edit its text"),
          back,
        ]),
        !isLive && h("p", { class: "muted" }, `Rolling back publishes this text as revision ${next}, because apps refuse a lower one.`),
        found.entry && [who(found), found.plan && h("pre", { class: "entry-plan", tabindex: "0", role: "group", "aria-label": "The plan" }, found.plan.split("\n").slice(0, 500).map((line) => h("div", {}, line ? visible(line, 1_000) : h("br"))))],
        effect,
        difference(found.difference ?? []),
      ];
    }

    const other = (each, index) => live.history[index + 1]?.revision === each.revision && h("span", { class: "tag" }, "another text");
    const list = h("ol", { class: "revisions", "aria-label": "Revisions" }, live.history.map((each, index) =>
      h("li", {}, h("button", { type: "button", onclick: (event) => choose(each, event.currentTarget) }, [
        h("b", {}, `Revision ${each.revision}`), each.id === liveID && h("span", { class: "tag" }, "live"), other(each, index),
        h("span", { class: "muted" }, when(each.time)), change(each.id),
      ]))));
    const first = live.history.findIndex((each) => each.id === id);
    queueMicrotask(() => {
      // An entry older than those in the list has no button.
      if (initial) choose({ entry: initial }, [...lists.querySelectorAll("[data-entry]")].find(({ dataset }) => dataset.entry === initial));
      else list.querySelectorAll("button")[first >= 0 ? first : live.history.length > 1 ? 1 : 0]?.click();
    });
    const lists = h("div", {}, [live.historyProblem && h("p", { class: "stop" }, visible(live.historyProblem, 300)), list, recorded(live.record, (entry, button) => choose({ entry }, button))]);
    get("api/rollout/changes").then(showChanges).catch(complain);
    return h("div", { class: "history" }, [lists, shown]);
  }, { wide: true });
  if (/^#rollout\?(revision|entry)=/.test(location.hash)) history.replaceState(null, "", "#rollout");
}

const who = ({ user, by, message, failure }) => h("p", {}, [h("b", {}, visible(user, 200)), ` by ${by}`, message && [": ", visible(message, 2_000)], failure && [h("br"), visible(failure, 300)]]);

/** The place of a line such as `top level, new tracker: 5 % → 20 %`, which is empty if the text before is not known. */
const change = (id) => h("span", { class: "muted change", "data-change": id });

function showChanges({ history, record }) {
  for (const place of document.querySelectorAll("[data-change]")) {
    const words = (place.closest("[data-entry]") ? record : history)[place.dataset.change];
    if (words != null) replace(place, visible(words, 300));
  }
}

/** The record of publications, newest first; `false` without one. */
function recorded(record, onEntry) {
  if (!record) return false;
  const { entries = [], earlierLines = 0, problems = [] } = record;
  return [
    h("h3", {}, "The record"),
    problems.length > 0 && h("ul", { class: "plain objections" }, problems.map((text) => h("li", {}, visible(text, 300)))),
    entries.length === 0 && h("p", { class: "muted" }, "No publication is recorded yet."),
    h("ol", { class: "revisions", "aria-label": "The record" }, entries.map((each) =>
      h("li", {}, h("button", { type: "button", "data-entry": each.id, onclick: (event) => onEntry(each.id, event.currentTarget) }, [
        h("b", {}, `Revision ${each.after?.revision ?? "?"}`), h("code", { class: "muted" }, visible(each.id, 20)),
        h("span", { class: "muted" }, when(Date.parse(each.time))), h("span", {}, visible(each.user, 60)), change(each.id),
        each.message && h("span", { class: "muted" }, visible(each.message, 120)),
      ])))),
    earlierLines > 0 && h("p", { class: "muted" }, `${plural(earlierLines, "earlier line")}: see dualsend history`),
  ];
}
