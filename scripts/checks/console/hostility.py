"""Hostile names, and injected scripts."""

from servers import pair

NAMES = [
    '<img src=x onerror="window.pwned=1">',
    "</script><script>window.pwned=1</script>",
    "pay\u202eknab.tap",
    "zero\u200bwidth",
    "x" * 10_000,
    "\"quotes\" 'and' `more`",
    "two\nlines\tand\u0000nothing",
    "javascript:window.pwned=1",
    "${window.pwned=1}{{constructor.constructor('window.pwned=1')()}}",
]


def hostile_names_are_text(browser, servers):
    console = servers.console("--show-values")
    for name in NAMES:
        console.mirror(pair(name, old={name: name}, new={name: name, "extra": name}, unit=name[:100], reason=name))
    browser.open(console.address)
    browser.until(lambda: len(browser.rows()) == len(NAMES), "every hostile name")
    listed = "\n".join(browser.rows())
    assert '<img src=x onerror="window.pwned=1">' in listed
    assert "payU+202Eknab.tap" in listed, "a bidirectional control character is shown by its code"
    assert "zeroU+200Bwidth" in listed and "two\\nlines\\tandU+0000nothing" in listed
    for position in range(len(NAMES)):
        rows = browser.run("return [...document.querySelectorAll('.live-row:not([hidden])')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)")
        browser.run("arguments[0].dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))", rows[position])
        browser.until(lambda: len(browser.all(".pair tbody tr")) == 2 or browser.find(".live-detail .stop"), "the pair")
        assert not browser.find("main img, main iframe, main script")
        assert browser.run("return document.documentElement.scrollWidth") <= 1280
    browser.screenshot("hostile-1280-light")
    for room in ("parity", "table", "rollout"):
        browser.go(room)
        browser.until(lambda: browser.text("main").strip(), f"something in {room}")
        assert not browser.find("main img, main iframe, main script"), room
        assert browser.run("return document.documentElement.scrollWidth") <= 1280, room
    assert browser.run("return window.pwned ?? null") is None


def an_injected_script_is_refused(browser, servers):
    console = servers.console()
    browser.open(console.address)
    refused = browser.driver.execute_async_script(
        """const done = arguments[0], found = [];
           document.addEventListener('securitypolicyviolation', (event) => found.push(event.effectiveDirective));
           const script = document.createElement('script'); script.textContent = 'window.pwned = 1'; document.body.append(script);
           const button = document.createElement('button'); button.setAttribute('onclick', 'window.pwned = 1'); document.body.append(button); button.click();
           const image = new Image(); image.src = 'http://127.0.0.1:9/';
           const style = document.createElement('style'); style.textContent = 'body { display: none }'; document.body.append(style);
           const waiting = setInterval(() => { if (new Set(found).size >= 4) { clearInterval(waiting); done(found); } }, 20);
           setTimeout(() => { clearInterval(waiting); done(found); }, 5000);"""
    )
    assert browser.run("return window.pwned ?? null") is None
    assert {"script-src-elem", "script-src-attr", "img-src", "style-src-elem"} <= set(refused), refused
    browser.expect_quiet(allowed=("Content Security Policy",))


CASES = [hostile_names_are_text, an_injected_script_is_refused]
