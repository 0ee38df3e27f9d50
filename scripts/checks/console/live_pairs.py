"""Live pairs, what the sources bring, and a wrong row of the table that is found on the page."""

import datetime
import json
import time
import uuid

from selenium.webdriver.common.keys import Keys

from servers import Console, pair

OLD = {"item_id": 42, "liked": "1", "uid": "unit-7"}
NEW = {"new_item_id": 42, "is_liked": True, "schema": 2, "user_id": "unit-7"}


def like(**changes):
    return pair("home.like_button.tap", "home.like.tap", OLD, NEW | changes.pop("new", {}), **changes)


def a_tap_is_seen_within_a_second(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address)
    browser.until_text("#connection", "live")
    browser.until_text(".live-empty", "No event has arrived yet")
    browser.screenshot("live-empty-1280-light")
    slowest = 0
    for number in range(5):
        name = f"tap.{number}"
        begun = time.monotonic()
        console.mirror(pair(name))
        browser.until(lambda: any(name in row for row in browser.rows()), name)
        slowest = max(slowest, time.monotonic() - begun)
    browser.figure(f"slowest of 5 taps from the mirror's request to the page: {slowest * 1000:.0f} ms")
    assert slowest < 1


def a_wrong_row_is_found_by_eye(browser, servers):
    console = servers.console("--show-values")
    right = servers.table.read_text()
    assert '"new_item_id"' in right, "the fixture's table has the row that this case breaks"
    wrong = right.replace('"new_item_id"', '"item_idd"')
    console.end()
    servers.table.write_text(wrong)
    console = servers.start(Console, servers.rollout, "--remap", servers.table, "--show-values")
    browser.open(console.address)
    console.mirror(like(unit="unit-7"))
    browser.until(lambda: any("differs" in row for row in browser.rows()), "a pair that differs")
    browser.click(".live-row:not([hidden])")
    browser.until_text(".live-detail", "2 keys not as the table says")
    browser.until_text(".pair", "item_idd")
    row = browser.find(".pair tr.wrong .row-link")
    line = int(row.find_element("css selector", ".line-number").text)
    assert '"item_idd"' in wrong.split("\n")[line - 1], "the difference names the row"
    browser.screenshot("live-wrong-row-1280-light")

    browser.click(".pair tr.wrong .row-link")
    browser.until(lambda: browser.find(".room-table .code-line.marked"), "the row in the table")
    assert browser.clicks == 2, "from the event to its row"
    assert '"item_idd"' in browser.text(".code-line.marked") and str(line) in browser.text(".code-line.marked")
    servers.table.write_text(right)
    browser.until(lambda: '"new_item_id"' in browser.table() and "item_idd" not in browser.table(), "the corrected table")
    console.mirror(like(unit="unit-8"))
    browser.click(".tabs [data-room=live]")
    browser.until(lambda: browser.find(".live-detail .close"), "the pair")
    browser.click(".live-detail .close")
    browser.until(lambda: any("matched" in row and "unit-8" in row for row in browser.rows()), "a pair that matches")


def the_sources_are_counted(browser, servers):
    old_log = servers.path / "old.jsonl"
    old_log.write_text('{"name": "before.the.console"}\n')
    console = servers.console("--old-log", old_log)
    browser.open(console.address)
    browser.until_text("#connection", "live")
    browser.until_text(".sources", "old.jsonl is read from its end; --from-start reads what it has too")
    line = json.dumps({"eventId": str(uuid.uuid4()), "name": "a.view", "parameters": {}}) + "\n"
    with old_log.open("a") as log:
        log.write(line + line + '{"name": "without.id", "parameters": {"secret": 1}}\n' + "nonsense\n")
    browser.until_text(".sources", "Old log 1 event, 1 duplicate, 2 malformed, the first: line 4 has no event id in eventId")
    status, _ = console.ask("POST", "events", "[3]", {"Content-Type": "application/json"})
    assert status == 200, status
    browser.until_text(".sources", "Collector 0 events, 0 duplicates, 1 malformed, the first: [0] is not an event")
    console.ask("POST", "events", "[", {"Content-Type": "application/json"})
    browser.until_text(".sources", "1 request refused, the last: line 1")
    browser.screenshot("live-sources-1280-light")
    browser.open(console.address)
    browser.until_text(".sources", "line 4")


def one_side_waits_and_is_lost(browser, servers):
    console = servers.console("--show-values", "--lost-after", "2")
    browser.open(console.address)
    console.mirror(pair("cart.item.add", old={"sku": "a"}) | {"new": None})
    browser.until(lambda: any("waiting" in row for row in browser.rows()), "a side that waits")
    browser.click(".live-row:not([hidden])")
    browser.until_text(".badge", "waiting")
    browser.until_text(".badge", "lost")  # The open pair follows its state.
    browser.click(".live-detail .close")
    browser.until(lambda: browser.rows()[0].count("lost") == 1, "the lost one in the list")
    console.mirror(pair("cart.item.remove", outcome="newOnly"))
    browser.until(lambda: any("unexpected" in row for row in browser.rows()), "a side that should not be there")
    browser.until(lambda: "1" in browser.text(".chip.lost") and "1" in browser.text(".chip.unexpected"), "the totals")
    shapes = browser.run("return [...document.querySelectorAll('.chip .mark-state')].map((mark) => mark.innerHTML)")
    assert len(set(shapes)) == len(shapes), "each state has its own shape"
    browser.screenshot("live-states-1280-light")


def filters_search_and_pause(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address)
    console.mirror(*(pair(f"screen.{number}", unit=f"unit-{number % 3}") for number in range(12)))
    browser.until(lambda: len(browser.rows()) == 12, "12 pairs")

    browser.write("#live-unit", "unit-2")
    browser.until(lambda: len(browser.rows()) == 4, "the unit's pairs")
    browser.click(".toolbar button", "My device")
    browser.write("#live-unit", "")
    browser.press(Keys.BACKSPACE)
    browser.until(lambda: len(browser.rows()) == 12, "the pairs of all units")
    browser.click(".toolbar button", "My device")
    browser.until(lambda: len(browser.rows()) == 4, "my device's pairs")
    console.mirror(pair("screen.mine", unit="unit-2"), pair("screen.other", unit="unit-1"))
    browser.until(lambda: len(browser.rows()) == 5 and "screen.mine" in browser.rows()[0], "my device's new pair, and no other")
    browser.click(".toolbar button", "My device")

    browser.write("#live-q", "SCREEN.11")
    browser.until(lambda: len(browser.rows()) == 1, "the pair searched for")
    browser.write("#live-q", "")
    browser.press(Keys.BACKSPACE)
    browser.until(lambda: len(browser.rows()) == 14, "all pairs")

    browser.click(".pause")
    console.mirror(pair("screen.later"), pair("screen.later"))
    browser.until_text(".fresh", "2 new")
    assert len(browser.rows()) == 14, "a paused list does not move"
    browser.click(".fresh")
    browser.until(lambda: len(browser.rows()) == 16, "what came meanwhile")

    browser.click(".chip.differs")
    browser.until_text(".live-status", "found in the newest")
    browser.click(".chip.differs")


def other_days_are_told_from_today(browser, servers):
    console = servers.console("--show-values")
    now = datetime.datetime.now().replace(hour=12, minute=34, second=56)
    last_year = now.replace(year=now.year - 1, month=10, day=21)
    given = {"today": now, "other.year": last_year}
    console.mirror(*(pair(name) | {"time": int(at.timestamp() * 1000)} for name, at in given.items()))
    for width in (1280, 400):
        browser.size(width)
        browser.open(console.address)
        browser.until(lambda: len(browser.rows()) == 2, "both pairs")
        old, new = sorted(browser.rows(), key=lambda row: "today" in row)
        assert f"21 Oct {last_year.year} 12:34:56" in old, old
        assert "12:34:56" in new and "Oct" not in new and str(now.year) not in new, new
        fits = browser.run("return [...document.querySelectorAll('.live-row:not([hidden]) .time')].every((cell) => cell.scrollWidth <= cell.clientWidth && cell.getBoundingClientRect().height > 0)")
        assert fits, f"the time is cut at {width} px"
        browser.screenshot(f"live-days-{width}-light")


def a_side_that_will_not_come_is_not_waited_for(browser, servers):
    console = servers.console("--show-values")
    console.mirror(like(unit="unit-7", outcome="oldOnly") | {"new": None})
    browser.open(console.address)
    browser.until(lambda: any("alone" in row for row in browser.rows()), "the one side")
    browser.click(".live-row:not([hidden])")
    browser.until_text(".pair", "not sent, by the rollout")
    assert "not arrived yet" not in browser.text(".live-detail")
    browser.screenshot("live-alone-1280-light")
    # The explanation for this unit and this event.
    browser.click(".live-detail .why")
    browser.until_text(".explain-answer", "bucket")
    assert browser.run("return ['unit', 'name'].map((each) => document.querySelector(`#explain-${each}`).value)") == ["unit-7", "home.like_button.tap"]


def values_stay_hidden(browser, servers):
    console = servers.console()
    secret = "secret-of-somebody"
    given = like(unit="unit-7", new={"note": secret})
    given["old"]["parameters"]["note"] = secret
    console.mirror(given)
    browser.open(console.address)
    browser.until(lambda: browser.rows(), "the pair")
    browser.click(".live-row:not([hidden])")
    browser.until_text(".live-detail", "Values are hidden")
    browser.until_text(".pair", "note")
    assert secret not in browser.driver.page_source
    status, answer = console.ask("GET", f"api/live/{given['id']}")
    assert status == 200 and secret.encode() not in answer, "a hidden value never leaves the server"
    assert console.json(f"api/live?q={secret}")["found"] == 0
    browser.screenshot("live-hidden-1280-light")


CASES = [a_tap_is_seen_within_a_second, a_wrong_row_is_found_by_eye, the_sources_are_counted, one_side_waits_and_is_lost, filters_search_and_pause, other_days_are_told_from_today, a_side_that_will_not_come_is_not_waited_for, values_stay_hidden]
