"""The rules of axe-core in every view of the console: 19 views, in two themes and at three widths."""

from checkout import package_file

from look import busy_console, enter, prepare
from publishing import NEW, TEXT, raise_and_lower

SIZES = [(width, theme) for width in (1280, 800, 390) for theme in ("light", "dark")]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """
const [rules, done] = arguments;
axe.run(document, { runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] }).then(({ violations, passes }) => done({
  passed: passes.length,
  broken: violations.map(({ id, help, nodes }) => `${id}: ${help}: ` + nodes.slice(0, 3).map(({ target, html, any }) => `${target} ${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')),
}), (error) => done({ passed: 0, broken: [String(error)] }));
"""


def entered(room, *waits):
    def enter_it(browser, console):
        browser.open(console.address, room)
        for selector in waits:
            browser.until(lambda: browser.find(selector), selector)

    return enter_it


def a_pair_of(state):
    def enter_it(browser, console):
        entered(f"live?state={state}", ".live-row:not([hidden])")(browser, console)
        browser.click(".live-row:not([hidden])")
        browser.until(lambda: browser.find(".pair") or browser.find(".live-detail .empty"), "the pair")

    return enter_it


def edited(share, *clicks):
    """The rollout with another share at the top level, after some clicks."""

    def enter_it(browser, console):
        entered("rollout", ".flag")(browser, console)
        browser.until_text(".rollout-status", "This is live")
        browser.edit(TEXT, NEW.format(5), NEW.format(share))
        browser.until_text(".rollout-status", "Edited, not published" if share != 140 else "Apps would refuse")
        for selector in clicks:
            browser.click(selector)
        if clicks:
            browser.until(lambda: browser.find("dialog[open]"), "the dialog")

    return enter_it


def prepared(room):
    def enter_it(browser, console):
        enter(browser, console, room)
        prepare(browser, room)

    return enter_it


def after(first, selector, text=None, shows=None):
    """Another view, after a click."""

    def enter_it(browser, console):
        first(browser, console)
        browser.click(selector, text)
        browser.until(lambda: browser.find(shows or "dialog[open]"), shows or "the dialog")

    return enter_it


def parity_with_its_numbers(browser, console):
    entered("parity", ".events tbody tr", ".chart .rate-end")(browser, console)
    browser.click_until(".chart-figure summary", lambda: browser.find(".chart-figure details[open]"), "the numbers of the chart")


HISTORY = after(entered("rollout", ".flag"), ".rollout-bar button", "History", ".history-shown .difference")
VIEWS = {
    "the list": entered("live", ".live-row:not([hidden])"),
    "a filter that finds nothing": entered("live?q=nobody-has-this", ".live-empty:not([hidden])"),
    "a pair that matches": a_pair_of("matched"),
    "a pair that differs": a_pair_of("differs"),
    "one side": a_pair_of("alone"),
    "a pair that is not kept": entered("live?event=gone", ".live-detail .stop"),
    "the rollout": entered("rollout", ".flag"),
    "an edit with its plan": prepared("rollout"),
    "an edit with an error": edited(140),
    "the word for evictions": edited(2, "#publish"),
    "the word for parity": edited(40, "#publish"),
    "the meaning of a code": edited(140, ".diagnostics .help"),
    "the history": HISTORY,
    "an entry of the record": after(HISTORY, ".revisions button[data-entry]", None, ".history-shown .entry-plan"),
    "a rollback": after(after(HISTORY, ".revisions button", "Revision 3", ".history-shown .back:not([disabled])"), ".history-head .back", None, "#rollback-message"),
    "the plan of a stop": after(entered("parity", ".events tbody tr"), "#stop .stops", "Stop all"),
    "parity": parity_with_its_numbers,
    "the table with a payload": prepared("table"),
    "the glossary": after(entered("live", ".live-row:not([hidden])"), "#words"),
}


def broken_rules(browser, servers, sizes):
    console = busy_console(servers)
    raise_and_lower(console, servers, allow=["parity"])
    script = package_file("axe-playwright-python==0.1.8", "axe_playwright_python/axe.min.js").read_text()
    found, looked, passed = [], 0, 0
    for number, (name, enter_it) in enumerate(VIEWS.items()):
        browser.size(1280)
        browser.theme("light")
        enter_it(browser, console)
        browser.run(script)
        for width, theme in sizes(number):
            browser.size(width)
            browser.theme(theme)
            browser.until(lambda: browser.run("return document.documentElement.dataset.theme") == theme, theme)
            answer = browser.driver.execute_async_script(RUN, RULES)
            assert answer["passed"] or answer["broken"], f"{name}: axe looked at nothing"
            found += [f"{name}, {width} px, {theme}: {rule}" for rule in answer["broken"]]
            looked, passed = looked + 1, passed + answer["passed"]
    browser.figure(f"axe: {looked} views, {passed} rules passed, {len(found)} broken")
    assert not found, "\n".join(found)
    browser.expect_quiet(allowed=("404", "409"))


def no_view_breaks_a_rule_of_axe(browser, servers):
    """Each view in one theme and at one width."""
    broken_rules(browser, servers, lambda number: [SIZES[number % len(SIZES)]])


def no_view_breaks_a_rule_of_axe_in_any_theme_and_width(browser, servers):
    broken_rules(browser, servers, lambda number: SIZES)


CASES = [no_view_breaks_a_rule_of_axe]
LONG_CASES = [no_view_breaks_a_rule_of_axe_in_any_theme_and_width]
