"""The alarm of every page, stopping the new side, and its undo; clicks are counted."""

import json

from servers import pair

WRONG, RIGHT = {"a": 2}, {"a": 1}


def broken(console, name="a.view", number=20):
    console.mirror(*(pair(name, old={"a": 1}, new=WRONG if index % 2 else RIGHT) for index in range(number)))


def share(servers, name="a.view"):
    text = servers.rollout.read_text()
    return json.loads(text)["revision"], text


def an_alarm_is_seen_in_every_room_and_stopped_in_two_clicks(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address, "table")
    assert browser.run("return document.querySelector('#alarm').hidden") and "!" not in browser.driver.title
    quiet = browser.find("link[rel=icon]").get_attribute("href")
    broken(console)
    for room in ("table", "live", "rollout", "parity"):
        browser.go(room)
        browser.until_text("#alarm", "1 event fails more often than 0.10 %")
        browser.until_text("#alarm", "5 min: 50.0 % (10 of 20), 60 min: 50.0 % (10 of 20)")
        assert browser.driver.title.startswith("(1!) "), browser.driver.title
    assert browser.find("link[rel=icon]").get_attribute("href") != quiet
    browser.screenshot("alarm-1280-light")
    browser.go("table")
    browser.click("#alarm li a", "a.view")
    browser.until_text(".parity-fields .lead", "a.view")
    revision, before = share(servers)

    clicks = browser.clicks
    browser.click("#alarm .stops", "Stop it")
    browser.until_text("dialog", "evicted")
    browser.until_text("dialog", "no unit gets it on the new side")
    browser.screenshot("stop-1280-light")
    assert share(servers)[1] == before, "one click publishes nothing"
    browser.click("dialog .danger", f"publish revision {revision + 1}")
    browser.until(lambda: share(servers)[0] == revision + 1, "the stop")
    browser.until_text("#stop", "Undo the stop")
    browser.until(lambda: browser.run("return !document.activeElement.matches('body, main')"), "the focus on a button")
    assert browser.clicks - clicks == 2, "from the alarm to the stop"
    browser.until_text("#alarm", "since then 0 events of it reached the old logger and none the new tracker")
    console.mirror(pair("a.view", old={"a": 1}, new=WRONG), pair("a.view", old={"a": 1}) | {"new": None})
    browser.until_text("#alarm", "since then 2 events of it reached the old logger and 1 the new tracker")
    browser.until(lambda: "Stop it" not in browser.text("#alarm"), "no stop of what is stopped")
    browser.screenshot("stopped-1280-light")

    browser.click("#stop .stops", "Undo the stop")
    browser.click("dialog .danger", "Undo")
    browser.until(lambda: share(servers)[0] == revision + 2, "the undo")
    assert json.loads(share(servers)[1]) | {"revision": revision} == json.loads(before)
    browser.until(lambda: "Undo" not in browser.text("#stop"), "nothing to undo")
    browser.until(lambda: "since then" not in browser.text("#alarm"), "no stop in force")


def the_frame_stops_all_or_the_event_in_view(browser, servers):
    console = servers.console("--show-values")
    given = pair("b.view", old={"a": 1}, new={"a": 1})
    console.mirror(given, pair("c.view", old={"a": 1}, new={"a": 1}))
    browser.open(console.address, "table")
    browser.until_text("#stop", "Stop all")
    assert "b.view" not in browser.text("#stop")
    browser.go(f"live?event={given['id']}")
    browser.until_text("#stop", "b.view")
    browser.go("parity?event=c.view")
    browser.until_text("#stop", "c.view")
    browser.go("rollout")
    browser.until(lambda: "c.view" not in browser.text("#stop"), "the event that is no longer in view")
    browser.click("#stop .stops", "Stop all")
    browser.click("dialog button", "Cancel")
    assert json.loads(servers.rollout.read_text())["revision"] == 2


def an_address_without_a_selection_selects_nothing(browser, servers):
    console = servers.console("--show-values")
    given = pair("a.view", old={"a": 1}, new={"a": 1})
    console.mirror(given, pair("b.view", old={"a": 1}, new={"a": 2}))
    browser.open(console.address, f"live?event={given['id']}&q=a.view")
    browser.until_text(".live-detail", "a.view")
    browser.go("parity")
    browser.go("live")
    browser.until(lambda: len(browser.rows()) == 2, "all rows")
    assert not browser.find(".live-detail").is_displayed() and browser.run("return location.hash") == "#live"
    browser.go(f"live?event={given['id']}")
    browser.until_text(".live-detail", "a.view")
    browser.click(".tabs a", "Parity")
    browser.until(lambda: browser.find(".room-parity"), "the other room")
    browser.click(".tabs a", "Live")
    browser.until_text(".live-detail", "a.view")
    assert given["id"] in browser.run("return location.hash"), "a tab leads back to what was selected"


CASES = [an_alarm_is_seen_in_every_room_and_stopped_in_two_clicks, the_frame_stops_all_or_the_event_in_view, an_address_without_a_selection_selects_nothing]
