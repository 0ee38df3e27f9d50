"""Parity, the table and health: their contents with real events, and their actions."""

import json
import uuid

from servers import FIXTURES, Console, Process, pair, until


def parity_offers_an_edit_with_its_proof(browser, servers):
    old_log = servers.path / "old.jsonl"
    old_log.touch()
    console = servers.console("--old-log", old_log, "--show-values", rollout="legacy/rollout-3.json")
    events = servers.path / "events.jsonl"
    events.write_bytes(b"".join((FIXTURES / "legacy/events.jsonl").read_bytes().splitlines(keepends=True)[:600]))
    servers.start(
        Process, "replay", "--events", events, "--remap", servers.table, "--rollout", servers.rollout,
        "--endpoint", console.address + "events", "--database", servers.path / "events.sqlite", "--old-log", old_log,
    ).finish()
    until(lambda: console.json("api/state")["totals"]["matched"] >= 600, "600 pairs")

    # Back to a low share, so that there is something to raise.
    text = servers.rollout.read_text().replace('"shouldSendLogToNewTracker": 100', '"shouldSendLogToNewTracker": 5')
    servers.rollout.write_text(text)
    browser.open(console.address, "parity")
    browser.until_text(".parity-summary", "600 pairs")
    browser.until(lambda: browser.find(".chart .rate"), "the chart")
    browser.until_text(".events", "home.screen.view")
    browser.click(".event-name .link", "home.screen.view")
    browser.until_text(".parity-fields", "home.screen.view")
    browser.until_text(".parity-fields", "Every field is equal")
    row = next(row for row in browser.all(".events tbody tr") if "home.screen.view" in row.text)
    row.find_element("css selector", "button.small").click()
    browser.until(lambda: browser.find(".room-rollout"), "the rollout's room")
    browser.until_text(".offer", "home.screen.view")
    browser.until(lambda: '"home.screen.view"' in browser.run("return document.querySelector('#rollout-text').value"), "the edit in the text")
    browser.until_text(".verdict", "change")
    assert "home.screen.view" not in servers.rollout.read_text(), "nothing is live before it is published"


def the_kept_days_are_plotted(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address, "parity")
    browser.until_text(".parity-summary", "No pair")
    assert browser.run("return document.querySelector('[aria-labelledby=days-title]').hidden"), "no panel without kept days"
    streams = {}
    for side, line in (("old", lambda id, day, value: {"decision": f"{day // 2}:both", "eventId": id, "name": "a.view", "parameters": {"a": 1}, "time": 1_800_000_000_000 + day * 86_400_000}),
                       ("new", lambda id, day, value: {"eventId": id, "eventName": "a.view", "payload": {"a": value}, "eventTime": 1_800_000_000_000 + day * 86_400_000})):
        streams[side] = servers.path / f"{side}-days.jsonl"
        streams[side].write_text("".join(json.dumps(line(f"{day}-{number}", day, 1 if number else day % 2)) + "\n" for day in range(6) for number in range(50)))
    table = servers.path / "no-rows.json"
    table.write_text('{"formatVersion": 1, "events": {}}')
    servers.start(Process, "parity", "--old", streams["old"], "--new", streams["new"], "--remap", table, "--keep", f"{servers.rollout}.parity.jsonl").finish()
    browser.open(console.address, "parity")
    browser.until_text(".room-parity", "6 days; 2027-01-20")
    browser.until_text(".room-parity", "the beginning of revision 0, revision 1, revision 2")
    assert len(browser.all(".chart .mark")) == 3
    console.mirror(*(pair(name, old={"a": 1}, new={"a": 2}) for name in ("b.view", "a.view")))
    browser.open(console.address, "parity?event=b.view&field=a")
    browser.until_text(".parity-fields tr.chosen", "a")
    browser.run("const which = document.querySelector('#days-event'); which.value = 'event'; which.dispatchEvent(new Event('change'))")
    browser.until_text(".room-parity", "has such an event")
    browser.click(".event-name .link", "a.view")
    browser.until_text(".room-parity", "6 days; 2027-01-20")
    browser.run("history.back()")
    browser.until_text(".parity-fields .lead", "b.view")
    browser.open(console.address, "parity?event=gone.view")
    browser.until_text(".parity-fields", "The address names the event gone.view")


def the_worst_event_stands_first(browser, servers):
    console = servers.console("--show-values")
    names = [f"screen.{number}" for number in range(40)]
    console.mirror(*(pair(name, old={"a": 1}, new={"a": 1}) for name in names for _ in range(2 if name == "screen.3" else 1)))
    console.mirror(*(pair("zoom.pinch_out", old={"a": 1}, new={"a": 2}) for _ in range(2)))
    browser.open(console.address, "parity")
    browser.until(lambda: len(browser.all(".events tbody tr")) == 41, "41 events")
    order = [row.text.split()[0] for row in browser.all(".events tbody tr")]
    assert order[0] == "zoom.pinch_out" and order[-1] == "screen.3", order
    held = browser.find(".events tbody tr:first-child button.held")
    assert held and "parity does not allow" in held.get_attribute("aria-label"), "a raise that parity refuses does not look allowed"
    for width in (1280, 400):
        browser.size(width)
        browser.click(".event-name .link", "screen.27")
        browser.until_text(".parity-fields", "screen.27")
        inside = "const { top, bottom } = document.querySelector('.parity-fields').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight"
        assert browser.run(inside), f"the chosen event is not visible at {width} px"
    browser.until_text(".parity-fields", "Every field is equal in the one pair so far")
    assert "matched" not in browser.find(".parity-fields > p:last-child").get_attribute("class"), "too few pairs must not look good"


def noise_of_two_old_recordings_is_taken_off(browser, servers):
    def recording(name, change):
        lines = [
            {"eventId": str(uuid.UUID(int=number)), "name": "cart.item.add", "parameters": {"sku": "a", "at": number + change * (number < 50)}, "time": number, "unitID": "u"}
            for number in range(100)
        ]
        path = servers.path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    console = servers.console("--calibrate", recording("first.jsonl", 0), "--calibrate", recording("second.jsonl", 1))
    pairs = [pair("cart.item.add", old={"sku": "a", "at": 1}, new={"item_id": "a", "at": 2 if number < 11 else 1}) for number in range(20)]
    console.mirror(*pairs)
    browser.open(console.address, "parity")
    browser.until_text(".parity-summary", "50 of 100 pairs differ between two old recordings")
    browser.until_text(".parity-summary", "1 failing (1 differing)")
    browser.until_text(".parity-fields", "noise: 10")


def a_key_without_a_row_gets_its_draft(browser, servers):
    console = servers.console("--show-values")
    console.mirror(*(pair("cart.item.add", old={"sku": "a", "gift": True}, new={"item_id": "a", "gift": True}) for _ in range(3)))
    browser.open(console.address, "table")
    browser.until_text(".drafts", "gift")
    browser.until_text(".room-table .lead", "fired")
    browser.until(lambda: browser.find(".line-note.never"), "a row that never fired")

    assert not browser.find(".draft-row button").is_enabled(), "a row that keeps the name has no effect"
    counts = lambda: browser.run("return [...document.querySelectorAll('.line-note')].length")  # noqa: E731
    before = counts()
    browser.write("#draft-0", "wrapped_as")
    browser.click(".draft-row button", "Accept")
    browser.until(lambda: '"gift": "wrapped_as"' in browser.run("return document.querySelector('#table-text').value"), "the draft in the text")
    assert "wrapped_as" not in servers.table.read_text(), "nothing is written before it is saved"
    browser.until(lambda: browser.find(".code-line.marked"), "the new row in sight")
    assert counts() >= before - 2, "the counts stay beside their lines"
    numbers = "return [...document.querySelectorAll('.numbers .number')].filter((each) => each.children.length > 1).map((each) => Number(each.children[0].textContent))"
    lines = browser.run("return document.querySelector('#table-text').value").split("\n")
    assert all('"' in lines[number - 1] and ":" in lines[number - 1] for number in browser.run(numbers))

    browser.write("#try-name", "cart.item.add")
    browser.write("#try-payload", '{"sku": "b", "gift": false, "qty": "2"}')
    browser.until_text(".trace", "wrapped_as")
    browser.until_text(".trace", "quantity")
    browser.click(".room-table .primary", "Save the table")
    until(lambda: "wrapped_as" in servers.table.read_text(), "the table on disk")
    json.loads(servers.table.read_text())


def one_key_of_many_events_is_one_draft(browser, servers):
    console = servers.console("--show-values")
    names = ["cart.item.add", "cart.item.remove", "no.entry.yet"]
    console.mirror(*(pair(name, old={"gift": True}, new={"gift": True}) for name in names))
    browser.open(console.address, "table")
    browser.until_text(".drafts", "3 events")
    assert len(browser.all(".drafts > li")) == 1, browser.text(".drafts")
    counts = lambda: browser.run("return [...document.querySelectorAll('.line-note')].length")  # noqa: E731
    before = browser.until(counts, "the counts")
    browser.write("#draft-0", "wrapped_as")
    browser.click(".draft-row button", "Accept for 3")
    browser.until(lambda: browser.run("return document.querySelector('#table-text').value").count('"gift": "wrapped_as"') == 3, "a row for each")
    browser.until(lambda: browser.find(".drafts > li.accepted"), "the draft is done")
    browser.until(lambda: counts() >= before - 4, "the counts, beside their lines")
    browser.until_text(".diagnostics", "o findings")


def what_a_payload_was_not_found_by_is_said(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address, "table")
    browser.until(lambda: browser.find(".line-note"), "the table")
    browser.write("#try-name", "no.such.event")
    browser.until_text(".try-answer", "The table has no entry for this event")
    browser.write("#try-name", "home.like_button.tap")
    browser.until(lambda: "has no entry" not in browser.text(".try-answer"), "an event that it names")
    browser.write("#try-payload", '{"ctx.locale": "de"}')
    browser.until_text(".try-answer", 'A row for ctx.locale matches { "ctx": { "locale": … } }')
    browser.write("#try-payload", '{"ctx": {"locale": "de"}}')
    browser.until_text(".trace", "device.locale")
    assert "matches {" not in browser.text(".try-answer")


def health_balances_and_retries(browser, servers):
    database = servers.path / "events.sqlite"
    events = servers.path / "events.jsonl"
    events.write_bytes(b"".join((FIXTURES / "legacy/events.jsonl").read_bytes().splitlines(keepends=True)[:40]))
    collector = servers.start(Process, "collector", "--out", servers.path / "new.jsonl", "--fault", "every=1:400")
    address = collector.line("its address", lambda line: "http://" in line)
    address = address[address.index("http://"):].split()[0]
    rollout, table = servers.copy("legacy/rollout-3.json"), servers.copy("legacy/remapping.json", "table.json")
    servers.start(
        Process, "replay", "--events", events, "--remap", table, "--rollout", rollout, "--endpoint", address,
        "--database", database, "--old-log", servers.path / "old.jsonl",
    ).finish()
    console = servers.console("--database", database, "--show-values")
    letters = len(console.json("api/health")["deadLetters"])
    assert letters > 0, "the collector refused them for good"
    browser.open(console.address, "health")
    browser.until_text(".balance", "It balances.")
    browser.until(lambda: len(browser.all(".letters tbody tr")) == letters, f"{letters} dead letters")
    export = browser.find("a[download]").get_attribute("href")
    assert export.endswith("api/deadletters/export")
    status, lines = console.ask("GET", "api/deadletters/export")
    assert status == 200 and len(lines.splitlines()) == letters, (status, lines[:200])
    browser.click("#letter-0")
    browser.click(".buttons button", "Retry chosen")
    browser.until(lambda: len(browser.all(".letters tbody tr")) == letters - 1, "one dead letter less")
    browser.until_text(".balance", "It balances.")


def without_documents_it_says_what_to_do(browser, servers):
    console = servers.start(Console)
    browser.open(console.address)
    browser.until_text("#document", "no document")
    for room, word in (("rollout", "no rollout document"), ("table", "table"), ("parity", "table"), ("health", "--database")):
        browser.go(room)
        browser.until_text(f".room-{room}", word)
    browser.expect_quiet(allowed=("404",))


CASES = [without_documents_it_says_what_to_do, parity_offers_an_edit_with_its_proof, the_kept_days_are_plotted, the_worst_event_stands_first, noise_of_two_old_recordings_is_taken_off, a_key_without_a_row_gets_its_draft, one_key_of_many_events_is_one_draft, what_a_payload_was_not_found_by_is_said, health_balances_and_retries]
