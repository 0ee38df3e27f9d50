"""Several tabs, several editors of one file, and shared addresses."""

from ops_loop import TEXT
from servers import pair


def six_tabs_share_one_stream(browser, servers):
    console = servers.console("--show-values")
    first = browser.driver.current_window_handle
    for number in range(7):
        if number:
            browser.driver.switch_to.new_window("tab")
        browser.open(console.address)
        browser.until_text("#connection", "live")
    console.mirror(pair("tabs.together"))
    tabs = browser.driver.window_handles
    try:
        for tab in tabs:
            browser.driver.switch_to.window(tab)
            browser.until(lambda: any("tabs.together" in row for row in browser.rows()), "the event in every tab")
        assert console.json("api/state")["kept"]["streams"] == 1
    finally:
        for tab in tabs:
            if tab != first:
                browser.driver.switch_to.window(tab)
                browser.driver.close()
        browser.driver.switch_to.window(first)
    # The remaining tab continues after the others are closed.
    console.mirror(pair("tabs.alone"))
    browser.until(lambda: any("tabs.alone" in row for row in browser.rows()), "the event in the last tab")


def what_changed_on_disk_is_not_overwritten(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    browser.edit(TEXT, '"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTracker": 9')
    theirs = servers.rollout.read_text().replace('"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTracker": 8')
    servers.rollout.write_text(theirs)
    browser.until_text(".clash", "The document has changed")
    browser.click("#publish")
    browser.until_text("dialog .difference", '"shouldSendLogToNewTracker": 8')
    browser.screenshot("conflict-1280-light")
    assert servers.rollout.read_text() == theirs
    browser.click("dialog .buttons button", "Keep my text")
    browser.until(lambda: browser.find("#publish").is_enabled(), "a text that can be published")
    browser.click("#publish")
    browser.until_text(".rollout-status", "revision 3 is live")
    assert '"shouldSendLogToNewTracker": 9' in servers.rollout.read_text()
    # The history has both texts of revision 2.
    ids = [entry["id"] for entry in console.json("api/rollout")["history"]]
    assert len(ids) == 3 and "2" in ids, ids
    browser.expect_quiet(allowed=("409",))


def a_table_that_changes_on_disk_is_shown(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address, "table")
    browser.until(lambda: browser.find(".line-note"), "the table")
    right = servers.table.read_text()
    servers.table.write_text(right.replace('"new_item_id"', '"item_idd"'))
    browser.until(lambda: "item_idd" in browser.table(), "their row")
    servers.table.write_text(right[:-20])
    browser.until_text(".room-table .lead", "is not a valid table: line ")
    browser.until_text(".room-table .lead", "This is the last valid one")
    assert "item_idd" in browser.table(), "a broken file changes nothing"
    servers.table.write_text(right)
    browser.until(lambda: "item_idd" not in browser.table() and "valid" not in browser.text(".room-table .lead"), "the text on disk")


def a_broken_document_is_mended(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    right = servers.rollout.read_text()
    servers.rollout.write_text(right[:-20])
    browser.until_text("#document", "broken on disk")
    browser.until_text(".rollout-status", "Apps cannot use this text")
    browser.until_text(".rollout-status", "Apps keep revision 2")
    browser.screenshot("broken-1280-light")
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "Apps keep revision 2")
    browser.click(".rollout-bar button", "Back to the last valid text")
    browser.until(lambda: browser.find("#publish").is_enabled(), "a text that can be published")
    browser.click("#publish")
    browser.until_text(".rollout-status", "revision 3 is live")
    browser.until(lambda: "broken" not in browser.text("#document"), "a document that is none no longer")
    assert servers.rollout.read_text() == right.replace('"revision": 2', '"revision": 3')


def an_address_shows_what_was_looked_at(browser, servers):
    console = servers.console("--show-values")
    given = pair("home.view", old={"a": 1}, new={"a": 2}, unit="unit-9")
    console.mirror(given, *(pair(f"other.{number}") for number in range(5)))
    browser.open(console.address, "live?state=differs&unit=unit-9")
    browser.until(lambda: len(browser.rows()) == 1, "the filter of the address")
    browser.click(".live-row:not([hidden])")
    browser.until_text(".detail-name", "home.view")
    address = browser.run("return location.hash")
    assert f"event={given['id']}" in address and "unit=unit-9" in address, address
    browser.open(console.address, address[1:])
    browser.until_text(".detail-name", "home.view")
    browser.open(console.address, "parity?event=other.3")
    browser.until_text(".parity-fields", "other.3")
    browser.open(console.address, "rollout?revision=2")
    browser.until_text(".history-shown", "Revision 2")
    assert browser.run("return location.hash") == "#rollout?revision=2"


def search_finds_what_the_list_shows(browser, servers):
    console = servers.console("--show-values", "--lost-after", "1")
    console.mirror(
        pair("a.view", reason="the top level sets 100 %"), pair("b.view", outcome="oldOnly", reason="a test") | {"new": None},
        pair("", old={"a": 1}, new={"a": 1}, reason="a test") | {"unit": None}, pair("c.view", old={"a": 1}, reason="a test") | {"new": None},
    )
    browser.open(console.address)
    browser.until(lambda: len(browser.rows()) == 4, "4 pairs")
    browser.until(lambda: any("(empty name)" in row for row in browser.rows()), "a label for an empty name")
    browser.until(lambda: any("lost" in row for row in browser.rows()), "a lost side")
    for words, shown in {"top level": "a.view", "old only": "b.view", "alone": "b.view", "lost": "c.view", "no unit": "(empty name)"}.items():
        browser.write("#live-q", words)
        browser.until(lambda: len(browser.rows()) == 1 and shown in browser.rows()[0], f"{shown} by “{words}”")
    browser.write("#live-q", "nobody has this")
    browser.until_text(".live-empty", "No event matches the filter")


CASES = [
    six_tabs_share_one_stream, what_changed_on_disk_is_not_overwritten, a_table_that_changes_on_disk_is_shown, a_broken_document_is_mended,
    an_address_shows_what_was_looked_at, search_finds_what_the_list_shows,
]
