"""Keyboard navigation, names for screen readers, contrast, and a width of 400 px."""

import json
import os
import subprocess

from selenium.webdriver.common.keys import Keys

from look import ROOMS, busy_console, enter
from servers import pair

TEXT = ["ink", "muted", "accent", "matched", "differs", "waiting", "lost", "unexpected"]
SURFACES = ["page", "surface", "sunken", "raised", "selected"]
WASHES = {
    "wash-differs": ["ink", "muted", "differs", "accent"],
    "wash-lost": ["ink", "lost", "muted", "matched"],
    "wash-matched": ["ink", "matched"],
    "wash-unexpected": ["ink", "unexpected"],
}
SHAPES = ["line-strong", "old", "both", "new", "neither"]  # shapes need only 3:1


def focused(browser):
    return browser.run(
        """const element = document.activeElement, style = getComputedStyle(element);
           return { tag: element.tagName, id: element.id, text: (element.innerText || element.getAttribute('aria-label') || element.id).slice(0, 60),
                    className: element.className, href: element.getAttribute('href'),
                    seen: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) }"""
    )


def tab_to(browser, fits, what, limit=60):
    """Presses Tab repeatedly; each focus must be visible."""
    for _ in range(limit):
        browser.press(Keys.TAB)
        now = focused(browser)
        assert now["tag"] == "BODY" or now["seen"], f"the focus is not visible: {now}"
        if fits(now):
            return now
    raise AssertionError(f"Tab never came to {what}")


def the_keyboard_alone(browser, servers):
    console = servers.console("--show-values")
    subprocess.run([os.environ["DUALSEND"], "history", str(servers.rollout), "--add"], check=True, stdout=subprocess.DEVNULL)
    console.mirror(*(pair(f"screen.{number}", old={"a": number}, new={"a": number}) for number in range(30)))
    browser.open(console.address)
    browser.until(lambda: len(browser.rows()) > 10, "the list")

    first = tab_to(browser, lambda now: True, "anything")
    assert first["text"] == "Skip to the content", first
    tab_to(browser, lambda now: "live-list" in now["className"], "the list")
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    browser.until(lambda: browser.find('.live-row[aria-selected="true"]').get_attribute("aria-posinset") == "3", "the third entry")
    assert browser.run("return document.activeElement.getAttribute('aria-activedescendant')"), "screen readers get the active entry"
    browser.press(Keys.ENTER)
    browser.until(lambda: "live-detail" in focused(browser)["className"], "the pair")
    browser.press(Keys.ESCAPE)
    browser.until(lambda: "live-list" in focused(browser)["className"], "the list again")
    browser.press(Keys.END)
    browser.until(lambda: browser.find('.live-row[aria-selected="true"]').get_attribute("aria-posinset") == "30", "the last entry")
    browser.press(Keys.ENTER)
    browser.press(Keys.ESCAPE)

    browser.run("document.querySelector('.tabs a').focus()")
    browser.press(Keys.TAB, Keys.ENTER)
    browser.until(lambda: browser.find(".room-rollout .flag"), "the rollout's room")
    tab_to(browser, lambda now: now["id"] == "rollout-text", "the text")
    browser.chord(Keys.CONTROL, Keys.HOME)
    browser.press(Keys.END, Keys.ENTER, '"allowNeither": false,')
    browser.until(lambda: '{\n  "allowNeither": false,' in browser.run("return document.querySelector('#rollout-text').value"), "the key, as deep as its object")
    browser.until_text(".diagnostics", "finding")
    tab_to(browser, lambda now: now["tag"] == "INPUT" and now["id"].startswith("flag-"), "a slider")
    browser.press(Keys.ARROW_LEFT)
    browser.until(lambda: "99" in browser.run("return document.querySelector('#rollout-text').value"), "99 % in the text")
    browser.run("document.querySelector('.rollout-bar button').focus()")
    tab_to(browser, lambda now: now["text"] == "History", "History", 4)
    browser.press(Keys.ENTER)
    browser.until(lambda: browser.find("dialog[open]"), "the dialog")
    browser.press(Keys.ESCAPE)
    browser.until(lambda: not browser.find("dialog"), "no dialog")
    assert focused(browser)["text"] == "History", "the focus comes back to where it was"


def everything_has_a_name(browser, servers):
    console = busy_console(servers)
    roles = {"button", "link", "textbox", "searchbox", "slider", "spinbutton", "checkbox", "listbox", "option", "dialog", "img", "combobox"}
    checked = 0
    for room in ROOMS:
        enter(browser, console, room)
        tree = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        for node in tree:
            role = node.get("role", {}).get("value")
            if node.get("ignored") or role not in roles:
                continue
            checked += 1
            assert node.get("name", {}).get("value", "").strip(), f"{room}: a {role} without a name: {json.dumps(node)[:400]}"
    browser.figure(f"controls with a name for screen readers: {checked} of {checked}")


def every_word_of_the_page_is_explained(browser, servers):
    console = servers.console()
    browser.open(console.address)
    words = browser.run("""return Promise.all([import('./words.js'), import('./rollout-gate.js')]).then(([{ STATES, OUTCOMES }, { verdictWord }]) =>
        [...Object.values(STATES).map(({ label }) => label), ...Object.values(OUTCOMES), ...['allowed', 'refused', 'tooFew', 'uncompared'].map(verdictWord), 'verdict', 'failing', 'bucket', 'bound', 'limit'])""")
    known = {part for entry in console.json("api/help")["words"] for part in entry["word"].split(", ")}
    assert set(words) <= known, set(words) - known
    browser.click("#words")
    browser.until(lambda: browser.find("dialog .glossary"), "the glossary")
    browser.press(Keys.ESCAPE)
    browser.until(lambda: focused(browser)["id"] == "words", "the focus where it was")


def the_focus_stays_while_parity_is_drawn_again(browser, servers):
    console = servers.console("--show-values")
    console.mirror(pair("a.view", old={"a": 1}, new={"a": 2}))
    browser.open(console.address, "parity")
    for selector in ("#parity-failing", "#verdict-term"):
        browser.until(lambda: browser.find(selector), selector)
        browser.run("document.querySelector(arguments[0]).focus()", selector)
        console.mirror(pair("a.view", old={"a": 1}, new={"a": 2}))
        number = len(console.json("api/parity")["events"]) and console.json("api/parity")["events"][0]["pairs"]
        browser.until_text(".parity-summary", f"{number} pairs")
        assert f"#{focused(browser)['id']}" == selector, focused(browser)
    browser.press(Keys.ENTER)
    browser.until_text("dialog .marked", "the gate's answer")
    assert browser.run("return document.activeElement.className") == "marked", "a screen reader begins at the word"
    browser.press(Keys.ESCAPE)
    browser.until(lambda: focused(browser)["id"] == "verdict-term", "the focus where it was")


def luminance(colour):
    channels = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def contrast_is_enough_in_both_themes(browser, servers):
    console = servers.console()
    for theme in ("light", "dark"):
        browser.theme(theme)
        browser.open(console.address)
        tokens = browser.run(
            """const probe = document.createElement('span'); document.body.append(probe);
               const read = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map(Number); };
               return Object.fromEntries(arguments[0].map((name) => [name, read(name)]))""",
            [*TEXT, *SURFACES, *WASHES, *SHAPES, "on-accent"],
        )
        pairs = [(text, surface, 4.5) for text in TEXT for surface in SURFACES]
        pairs += [(text, wash, 4.5) for wash, texts in WASHES.items() for text in texts]
        pairs += [("on-accent", "accent", 4.5), ("on-accent", "lost", 4.5), ("page", "ink", 4.5)]
        pairs += [(shape, "surface", 3) for shape in SHAPES]
        found = sorted((ratio(tokens[one], tokens[other]) / least, ratio(tokens[one], tokens[other]), one, other) for one, other, least in pairs)
        margin, least, one, other = found[0]
        browser.figure(f"contrast, {theme}: {len(found)} pairs, the nearest to its limit is {one} on {other} with {least:.2f}")
        assert margin >= 1, [entry for entry in found if entry[0] < 1]


def four_hundred_pixels_without_sideways_scrolling(browser, servers):
    console = busy_console(servers)
    for width in (400, 1280):
        browser.size(width)
        for room in ROOMS:
            enter(browser, console, room)
            wide = browser.run("return document.documentElement.scrollWidth")
            assert wide <= width, f"{room} is {wide} px wide at {width}"


def light_or_dark_by_hand(browser, servers):
    console = servers.console()
    theme = "return document.documentElement.dataset.theme"
    browser.theme("dark")
    browser.open(console.address)
    assert browser.run(theme) == "dark", "the system's choice, until another is made"
    browser.click("#theme")
    assert browser.run(theme) == "light" and "light" in browser.text("#theme")
    browser.open(console.address)
    assert browser.run(theme) == "light", "the choice is kept"
    browser.click("#theme")
    browser.click("#theme")
    assert browser.run(theme) == "dark" and "auto" in browser.text("#theme")


CASES = [every_word_of_the_page_is_explained, the_focus_stays_while_parity_is_drawn_again, light_or_dark_by_hand, the_keyboard_alone, everything_has_a_name, contrast_is_enough_in_both_themes, four_hundred_pixels_without_sideways_scrolling]
