// Every revision that was published, what it says differently from what is live, and the way back to it.
import { get, latest, post } from "./api.js";
import { complain, open } from "./dialog.js";
import { count, dateAndTime, empty, h, replace, visible } from "./dom.js";
import { planPanel, verdict } from "./rollout-proof.js";
import { rollBack } from "./rollout-publish.js";

export function showHistory({ live, onLoad, onPublished }) {
  return open("History", (close) => {
    const shown = h("div", { class: "history-shown" });
    const effect = h("div", { class: "proof" });
    const fetchRevision = latest((revision, signal) => get(`api/rollout/history/${revision}`, {}, signal));

    async function choose(revision, button) {
      for (const each of list.querySelectorAll("button")) each.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
      try {
        const found = await fetchRevision(revision);
        if (!found) return;
        replace(shown, details(found));
        if (found.revision === live.revision) return;
        const { plan } = await post("api/rollout/check", { text: found.text });
        if (!plan || !shown.contains(effect)) return;
        replace(effect, verdict(plan), planPanel(plan));
        if (plan.evicted || plan.withoutSink) shown.querySelector(".back").className = "back danger";
      } catch (error) {
        replace(shown, empty(error.message, error.help));
      }
    }

    function details(found) {
      const isLive = found.revision === live.revision;
      const back = async () => {
        close(null);
        await rollBack({ revision: found.revision, onPublished }).catch(complain);
      };
      return [
        h("div", { class: "history-head" }, [
          h("h3", {}, `Revision ${found.revision}`), h("span", { class: "muted" }, isLive ? "is live" : `against revision ${live.revision}, which is live`), h("span", { class: "spring" }),
          h("button", { type: "button", disabled: isLive, onclick: () => { close(null); onLoad(found.text); } }, "Take its text"),
          h("button", { type: "button", class: "back primary", disabled: isLive, onclick: back }, "Roll back to it"),
        ]),
        !isLive && h("p", { class: "muted" }, "Rolling back publishes this text under the next revision, for apps refuse a lower one."),
        !isLive && replace(effect),
        difference(found.difference ?? []),
      ];
    }

    const list = h("ol", { class: "revisions", "aria-label": "Revisions" }, live.history.map((each) =>
      h("li", {}, h("button", { type: "button", onclick: (event) => choose(each.revision, event.currentTarget) }, [
        h("b", {}, `Revision ${each.revision}`), each.revision === live.revision && h("span", { class: "tag" }, "live"),
        h("span", { class: "muted" }, `${dateAndTime(each.time)} · ${count(each.size)} bytes`),
      ]))));
    queueMicrotask(() => list.querySelectorAll("button")[live.history.length > 1 ? 1 : 0]?.click());
    return h("div", { class: "history" }, [list, shown]);
  }, { wide: true });
}

const MARK = { same: " ", removed: "−", added: "+" };
const WORD = { removed: "removed: ", added: "added: " };

export function difference(lines) {
  if (lines.every(({ kind }) => kind === "same")) return h("p", { class: "empty" }, "It says the same as what is live.");
  return h("div", { class: "difference", tabindex: "0", role: "group", "aria-label": "Differences" }, lines.slice(0, 5_000).map(({ kind, line }) =>
    h("div", { class: kind }, [h("span", { class: "sign", "aria-hidden": "true" }, MARK[kind] ?? " "), h("span", { class: "hidden-label" }, WORD[kind] ?? ""), h("code", {}, visible(line, 1_000))])));
}
