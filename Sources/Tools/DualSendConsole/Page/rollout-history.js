// The published revisions, their differences from the live one, and rollbacks.
import { get, latest, post } from "./api.js";
import { complain, open } from "./dialog.js";
import { dateAndTime, empty, h, plural, replace, since, visible } from "./dom.js";
import { difference } from "./difference.js";
import { gatePanel } from "./rollout-gate.js";
import { planPanel, verdict, wordsOf } from "./rollout-proof.js";
import { rollBack } from "./rollout-publish.js";
import { confirmRollback } from "./rollout-words.js";

const WORDS = { refused: "Refused", unknown: "Its outcome is not known" };
const when = (time) => `${dateAndTime(time)}, ${since(time)}`;

/** `entry` or `revision` names the entry of the record that is shown first. */
export async function showHistory({ live, revision: wanted, entry: initial, sign, can, onLoad, onPublished }) {
  await open("History", (close) => {
    const shown = h("div", { class: "history-shown" });
    const fetchText = latest((path, signal) => get(path, {}, signal));
    const check = latest((text, signal) => post("api/rollout/check", { text }, signal));
    const next = live.revision + 1;

    async function choose(entry, button) {
      history.replaceState(null, "", `#rollout?${new URLSearchParams({ entry })}`);
      for (const each of lists.querySelectorAll("button")) each.removeAttribute("aria-current");
      button?.setAttribute("aria-current", "true");
      try {
        const answer = await fetchText(`api/rollout/record/${encodeURIComponent(entry)}`);
        if (!answer) return;
        const found = { ...answer, entry, revision: answer.after?.revision };
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

    async function leaveFor({ entry, revision }, proof) {
      close(null);
      const sure = await confirmRollback({ revision, next, proof });
      if (sure) await rollBack({ entry, tag: live.tag, sign, next, proof, message: sure.message, onPublished });
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
        who(found), found.plan && h("pre", { class: "entry-plan", tabindex: "0", role: "group", "aria-label": "The plan" }, found.plan.split("\n").slice(0, 500).map((line) => h("div", {}, line ? visible(line, 1_000) : h("br")))),
        effect,
        difference(found.difference ?? []),
      ];
    }

    const lists = h("div", {}, [recorded(live.record, choose)]);
    queueMicrotask(() => {
      const buttons = [...lists.querySelectorAll("[data-entry]")];
      const named = buttons.find(({ dataset }) => initial ? dataset.entry === initial : wanted && dataset.revision === wanted);
      // An entry older than those in the list has no button.
      if (initial) choose(initial, named);
      else (named ?? buttons[buttons.length > 1 ? 1 : 0])?.click();
    });
    get("api/rollout/changes").then(showChanges).catch(complain);
    return h("div", { class: "history" }, [lists, shown]);
  }, { wide: true });
  if (/^#rollout\?(revision|entry)=/.test(location.hash)) history.replaceState(null, "", "#rollout");
}

const who = ({ user, by, message, outcome, reason }) => h("p", {}, [h("b", {}, visible(user, 200)), ` by ${by}`, message && [": ", visible(message, 2_000)], outcome !== "published" && [h("br"), visible(`${WORDS[outcome]}: ${reason ?? "interrupted"}`, 300)]]);

/** The place of a line such as `top level, new tracker: 5 % → 20 %`, which is empty if the text before is not known. */
const change = (id) => h("span", { class: "muted change", "data-change": id });

function showChanges({ record }) {
  for (const place of document.querySelectorAll("[data-change]")) {
    const words = record[place.dataset.change];
    if (words != null) replace(place, visible(words, 300));
  }
}

/** The record of publications, newest first; `false` without one. */
function recorded(record, onEntry) {
  if (!record) return false;
  const { entries = [], earlierLines = 0, problems = [] } = record;
  return [
    problems.length > 0 && h("ul", { class: "plain objections" }, problems.map((text) => h("li", {}, visible(text, 300)))),
    entries.length === 0 && h("p", { class: "muted" }, "No publication is recorded yet."),
    h("ol", { class: "revisions", "aria-label": "Revisions" }, entries.map((each) =>
      h("li", {}, h("button", { type: "button", "data-entry": each.id, "data-revision": each.after?.revision, onclick: (event) => onEntry(each.id, event.currentTarget) }, [
        h("b", {}, `Revision ${each.after?.revision ?? "?"}`), each.isLive && h("span", { class: "tag" }, "live"), each.outcome !== "published" && h("span", { class: "tag" }, WORDS[each.outcome]), h("code", { class: "muted" }, visible(each.id, 20)),
        h("span", { class: "muted" }, when(Date.parse(each.time))), h("span", {}, visible(each.user, 60)), change(each.id),
        each.message && h("span", { class: "muted" }, visible(each.message, 120)),
      ])))),
    earlierLines > 0 && h("p", { class: "muted" }, `${plural(earlierLines, "earlier line")}: see dualsend history`),
  ];
}
