"""Edits: discarding one, leaving the page, and invalid numbers."""

from selenium.webdriver.common.keys import Keys

TEXT = "#rollout-text"
LEAVING = "return !dispatchEvent(new Event('beforeunload', { cancelable: true }))"


def text_of(browser, selector=TEXT):
    return browser.run("return document.querySelector(arguments[0]).value", selector)


def an_edit_that_is_put_away_comes_back(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    live = text_of(browser)
    assert not browser.run(LEAVING), "without an edit the page may be left"
    browser.edit(TEXT, '"shouldSendLogToNewTracker": 5', '"shouldSendLogToNewTracker": 7')
    edited = text_of(browser)
    assert browser.run(LEAVING), "with an edit the browser asks before the page is left"

    browser.click(".rollout-bar button", "Back to live")
    browser.until(lambda: text_of(browser) == live, "the live text")
    browser.click("#notices button", "Bring it back")
    browser.until(lambda: text_of(browser) == edited, "the edit, by the notice's button")
    # A check that begins at the moment of a click disables the button again, and that click does nothing.
    browser.click_until("#publish", lambda: "revision 3 is live" in browser.text(".rollout-status"), "revision 3")
    assert not browser.run(LEAVING)


def a_share_that_cannot_be_taken_is_named(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until(lambda: browser.all(".flag"), "the flags")
    live = text_of(browser)
    box, row = '.flag:nth-child(2) input[type="number"]', ".flag:nth-child(2)"
    assert browser.text(f"{row} .place").startswith("line "), "a line number is not a percentage"
    for typed, why in (("140", "0 to 100"), ("-5", "0 to 100"), ("12.3456", "three decimals"), ("", "a number is missing")):
        browser.write(box, typed)
        browser.until_text(f"{row} .flag-wrong", why)
        browser.press(Keys.TAB)
        browser.until_text(f"{row} .flag-wrong", "The text has 25 %")
        assert browser.run("return document.querySelector(arguments[0]).value", box) == "25", "the box has the number of the text"
        assert text_of(browser) == live
    browser.screenshot("flag-wrong-1280-light", whole=True)
    browser.write(box, "12.345")
    browser.press(Keys.TAB)
    browser.until(lambda: '"shouldSendLogToNewTracker": 12.345' in text_of(browser), "what can be taken")
    assert browser.text(f"{row} .flag-wrong") == ""


def an_invisible_character_is_a_finding(browser, servers):
    console = servers.console()
    browser.open(console.address, "rollout")
    browser.until_text(".rollout-status", "This is live")
    browser.edit(TEXT, '"home.*"', '"ho\u200bme.*"')
    browser.until_text(".diagnostics", "DS0235")
    browser.until_text(".diagnostics", "U+200B")
    browser.click(".diagnostics .place")
    chosen = browser.run("const area = document.querySelector(arguments[0]); return area.value.slice(area.selectionStart, area.selectionEnd)", TEXT)
    assert "\u200b" in chosen, "the finding leads to it"
    browser.click(".diagnostics .help", "DS0235")
    browser.until_text("dialog", "invisible character")
    browser.until_text("dialog", "Way out")
    browser.press(Keys.ESCAPE)
    browser.until(lambda: not browser.find("dialog"), "no dialog")


CASES = [an_invisible_character_is_a_finding, an_edit_that_is_put_away_comes_back, a_share_that_cannot_be_taken_is_named]
