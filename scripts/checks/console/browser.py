"""Headless Chromium: the steps of the test cases. Every wait has a time limit."""

import base64
import pathlib
import shutil

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

SHOTS = pathlib.Path(".build-console")
PATIENCE = 15
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-gpu",
    "--hide-scrollbars",
)


class Browser:
    def __enter__(self):
        SHOTS.mkdir(exist_ok=True)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_script_timeout(60)
        self.width = 1280
        self.log = []
        return self

    def __exit__(self, *_):
        self.driver.quit()

    # Pages

    def fresh(self):
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        self.size(1280)
        self.theme("light")
        self.driver.get_log("browser")
        self.log = []
        self.clicks = 0

    def open(self, address, room="live"):
        self.driver.get("about:blank")
        self.driver.get(f"{address}#{room}")
        self.until(lambda: self.run("return document.documentElement.dataset.ready"), "the page")

    def go(self, room):
        self.run("location.hash = arguments[0]", room)
        self.until(lambda: self.find(f".room-{room.split('?')[0]}"), room)

    def size(self, width, height=800):
        self.width = width
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def theme(self, name):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    # Reading

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        try:
            return self.driver.find_element(By.CSS_SELECTOR, selector)
        except NoSuchElementException:
            return None

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector="body"):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def table(self):
        """The text of the table's room, with the lines that are out of sight."""
        return self.run("return document.querySelector('.table-text')?.textContent ?? ''")

    def until(self, check, what, patience=PATIENCE):
        waiting = WebDriverWait(self.driver, patience, poll_frequency=0.05, ignored_exceptions=(StaleElementReferenceException,))
        return waiting.until(lambda _: check(), f"waited {patience} s for {what}")

    def until_text(self, selector, part, patience=PATIENCE):
        return self.until(lambda: part in self.text(selector), f"“{part}” in {selector}, which has “{self.text(selector)[:300]}”", patience)

    def rows(self):
        """The texts of the list's rows, newest first."""
        return self.run(
            """return [...document.querySelectorAll('.live-row:not([hidden])')]
                 .sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map((row) => row.innerText.replace(/\\s+/g, ' '))"""
        )

    # Doing

    def click(self, selector, text=None):
        def one():
            for element in self.all(selector):
                if element.is_displayed() and element.is_enabled() and (text is None or text in element.text):
                    return element
            return None

        element = self.until(one, f"{selector} {text or ''}")
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()
        self.clicks += 1
        return element

    def click_until(self, selector, check, what):
        """Clicks as often as the element can be clicked, until the check holds. What the click did may take the element away."""

        def clicked_or_done():
            if check():
                return True
            for element in self.all(selector):
                if element.is_displayed() and element.is_enabled():
                    element.click()
            return False

        self.until(clicked_or_done, what)

    def press(self, *keys):
        actions = ActionChains(self.driver)
        for key in keys:
            actions = actions.send_keys(key)
        actions.perform()

    def chord(self, held, key):
        ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def write(self, selector, text):
        element = self.until(lambda: self.find(selector), selector)
        self.run("arguments[0].focus(); arguments[0].select()", element)
        element.send_keys(Keys.DELETE, text)

    def edit(self, selector, before, after):
        """Selects a part of a text and types another one over it."""
        self.until(lambda: not self.find("dialog"), "no dialog")
        self.run(
            """const area = document.querySelector(arguments[0]), at = area.value.indexOf(arguments[1]);
               if (at < 0) throw new Error('not in the text: ' + arguments[1]);
               area.focus(); area.setSelectionRange(at, at + arguments[1].length);""",
            selector, before,
        )
        self.press(after)

    # Keeping

    def screenshot(self, name, whole=False):
        options = {"format": "png"}
        if whole:
            self.run("scrollTo(0, 0)")
            height = self.run("return document.documentElement.scrollHeight")
            options |= {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": self.width, "height": min(height, 3000), "scale": 1}}
        try:
            answer = self.driver.execute_cdp_cmd("Page.captureScreenshot", options)
            (SHOTS / f"{name}.png").write_bytes(base64.b64decode(answer["data"]))
        except Exception as error:  # A failed case must still say why it failed.
            print(f"no screenshot {name}: {error}")

    def said(self):
        self.log += self.driver.get_log("browser")
        return "".join(f"        browser: {line['level']} {line['message'][:400]}\n" for line in self.log)

    def expect_quiet(self, allowed=()):
        """Asserts that the browser's log has no errors or policy violations except the expected ones."""
        self.log += self.driver.get_log("browser")
        wrong = [line for line in self.log if line["level"] in ("SEVERE", "WARNING") and not any(part in line["message"] for part in allowed)]
        self.log = []
        assert not wrong, [line["message"][:300] for line in wrong]

    def figure(self, text):
        print(f"figure  {text}", flush=True)
