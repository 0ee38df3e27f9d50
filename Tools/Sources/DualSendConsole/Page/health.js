import { get, post } from "./api.js";
import { complain, notice } from "./dialog.js";
import { count, dateAndTime, debounce, empty, h, keepingFocus, loading, panel, plural, replace, visible, visibleText } from "./dom.js";

export function build(element, { stream, state }) {
  let isShown = false;
  const chosen = new Set();
  const body = h("div", { class: "health" });
  replace(element, h("h1", { class: "hidden-label" }, "Health"), replace(body, loading()));

  async function load() {
    try {
      const health = await get("api/health");
      for (const id of chosen) if (!health.deadLetters?.some((letter) => letter.id === id)) chosen.delete(id);
      show(health);
    } catch (error) {
      replace(body, empty(error.message, error.help));
    }
  }

  function show(health) {
    keepingFocus(() => replace(
      body,
      panel("Ledger", ledger(health), { id: "ledger-title" }),
      findings(health.findings ?? []),
      panel("Dead letters", deadLetters(health.deadLetters ?? []), { id: "letters-title", note: "refused for good by the collector" }),
      h("div", { class: "health-split" }, [
        panel("Requests", facts(health.requests), { id: "requests-title" }),
        panel("Metrics", facts(health.metrics), { id: "metrics-title" }),
        panel("Databases", databases(health.databases ?? []), { id: "databases-title" }),
      ]),
    ));
  }

  function ledger({ ledger: sums, waiting }) {
    if (!sums) return h("p", { class: "muted" }, "No database. Start the console with --database events.sqlite.");
    const { accepted = 0, delivered = 0, dropped = 0, deadLettered = 0, pending = 0 } = sums;
    const balances = accepted === delivered + dropped + deadLettered + pending;
    const term = (label, number, kind = "") => h("div", { class: `term ${kind}` }, [h("b", {}, count(number)), h("span", {}, label)]);
    const sign = (text) => h("span", { class: "sign", "aria-hidden": "true" }, text);
    return [
      h("div", { class: "ledger" }, [term("accepted", accepted), sign("="), term("delivered", delivered), sign("+"), term("dropped", dropped, dropped ? "bad" : ""), sign("+"), term("dead-lettered", deadLettered, deadLettered ? "bad" : ""), sign("+"), term("pending", pending)]),
      h("p", { class: `balance ${balances ? "good" : "bad"}` }, [balances ? "It balances." : "It does not balance.", waiting != null && h("span", { class: "muted" }, ` ${plural(waiting, "event")} in the databases, waiting to be sent.`)]),
    ];
  }

  function deadLetters(letters) {
    if (!letters.length) return h("p", { class: "muted" }, "None.");
    const retry = async (which) => {
      try {
        const { retried } = await post("api/deadletters/retry", which);
        notice(`${plural(retried ?? 0, "event")} will be sent again`, "good");
        chosen.clear();
        await load();
      } catch (error) {
        complain(error);
      }
    };
    const may = state.can?.deadletters !== false;
    const some = h("button", { type: "button", id: "retry-chosen", disabled: !chosen.size || !may, onclick: () => retry({ ids: [...chosen] }) }, "Retry chosen");
    const row = (letter, index) => {
      const box = h("input", { type: "checkbox", id: `letter-${index}`, "aria-label": `Choose ${visibleText(letter.name ?? letter.id).slice(0, 200)}`, onchange: () => {
        if (box.checked) chosen.add(letter.id);
        else chosen.delete(letter.id);
        some.disabled = !chosen.size || !may;
      } });
      box.checked = chosen.has(letter.id);
      return h("tr", {}, [h("td", {}, box), h("td", { class: "when" }, dateAndTime(letter.time)), h("td", { class: "long what" }, h("bdi", {}, visible(letter.name ?? "–", 300))), h("td", { class: "long" }, visible(letter.reason ?? "", 300)), h("td", {}, h("code", {}, visible(letter.id, 60)))]);
    };
    const exporting = state.showValues
      ? h("a", { class: "button", id: "export", href: "api/deadletters/export", download: "deadletters.jsonl" }, "Export")
      : h("button", { type: "button", disabled: true, title: "Exported events contain values: start the console with --show-values" }, "Export");
    return [
      h("div", { class: "buttons left" }, [some, h("button", { type: "button", id: "retry-all", disabled: !may, onclick: () => retry({ all: true }) }, "Retry all"), exporting]),
      h("div", { class: "scroll" }, h("table", { class: "letters" }, [
        h("thead", {}, h("tr", {}, ["", "time", "event", "reason", "id"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, letters.slice(0, 500).map(row)),
      ])),
      letters.length > 500 && h("p", { class: "muted" }, `and ${count(letters.length - 500)} more: the export has all of them`),
    ];
  }

  const again = debounce(1_000, () => isShown && load());
  let asked = 0;
  stream.addEventListener("totals", () => {
    if (isShown && performance.now() - asked > 3_000) { asked = performance.now(); again(); }
  });
  return { enter() { isShown = true; load(); }, leave() { isShown = false; } };
}

function findings(list) {
  if (!list.length) return null;
  const line = ({ severity, code, message, help }) =>
    h("li", { class: severity === "error" ? "lost" : "differs" }, [h("b", {}, code), " ", visible(message, 500), help && h("div", { class: "muted" }, visible(help, 300))]);
  return panel("Findings", h("ul", { class: "plain" }, list.map(line)), { id: "findings-title" });
}

const words = (key) => key.replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`).replaceAll("_", " ");
const amount = (value) => (typeof value === "number" ? new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 }).format(value) : visible(value ?? "–", 300));

function facts(given) {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value === null || typeof value !== "object");
  if (!entries.length) return h("p", { class: "muted" }, "Nothing yet.");
  return h("dl", { class: "figures" }, entries.flatMap(([key, value]) => [h("dt", {}, visible(words(key), 80)), h("dd", {}, amount(value))]));
}

function databases(list) {
  if (!list.length) return h("p", { class: "muted" }, "None: start with --database events.sqlite.");
  return h("ul", { class: "plain databases" }, list.map((each) => h("li", {}, [
    h("b", { title: each.name, text: each.name.split("/").at(-1) }), h("span", { class: each.sound === false ? "lost" : "matched" }, each.sound === false ? "damaged" : "sound"),
    h("span", { class: "muted" }, `${count(each.pending)} waiting, ${count(each.deadLetters)} dead letters, ${count(each.bytes)} bytes`),
    each.summary && h("span", { class: "muted" }, visible(each.summary, 300)),
  ])));
}
