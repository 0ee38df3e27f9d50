"""Drives the console in a headless Chromium.

usage: scripts/check console [--long | CASE…]

Runs the cases whose names contain one of the words; without words, those of every push; with --long, those of the nightly run:
load, several tabs and people, and pictures of every page. Installs Debian's chromium and chromium-driver if they
are missing. DUALSEND names a built `dualsend`; without it one is built. Screenshots go to .build-console. Prints every figure,
and `N passed, N failed` at the end. Ends everything that it started, also when it is ended itself.
"""

import os
import shutil
import signal
import sys
import time
import traceback

from checkout import debian_packages, dualsend, need

need("selenium", "selenium>=4.20")
if not (shutil.which("chromium") and shutil.which("chromedriver")):
    debian_packages("chromium", "chromium-driver", "fonts-dejavu-core")
os.environ["DUALSEND"] = dualsend()

import accessibility  # noqa: E402
import alarms  # noqa: E402
import axe  # noqa: E402
import connection  # noqa: E402
import editing  # noqa: E402
import hands  # noqa: E402
import hostility  # noqa: E402
import live_pairs  # noqa: E402
import load  # noqa: E402
import look  # noqa: E402
import ops_loop  # noqa: E402
import publishing  # noqa: E402
import rooms  # noqa: E402
from browser import Browser  # noqa: E402
from servers import Servers  # noqa: E402

LIMIT = 420  # seconds, of the whole suite
CASES = [
    *ops_loop.CASES,
    *publishing.CASES,
    *editing.CASES,
    *live_pairs.CASES,
    *rooms.CASES,
    *alarms.CASES,
    *accessibility.CASES,
    *axe.CASES,
    *hostility.CASES,
    *connection.CASES,
]
LONG_CASES = [*hands.CASES, *axe.LONG_CASES, *rooms.LONG_CASES, *look.CASES, *load.CASES]


def out_of_time(*_):
    raise SystemExit(f"error: the suite took more than {LIMIT} s")


def ended(*_):
    raise SystemExit(143)


def run(case, browser):
    begun = time.monotonic()
    name = case.__name__.replace("_", " ")
    try:
        with Servers() as servers:
            browser.fresh()
            try:
                case(browser, servers)
                browser.expect_quiet()
            except Exception:
                browser.screenshot(f"failed-{case.__name__}")
                raise
    except Exception:
        print(f"FAILED  {name}\n{traceback.format_exc()}{browser.said()}", flush=True)
        return False
    print(f"ok      {name} ({time.monotonic() - begun:.1f} s)", flush=True)
    return True


def main(words):
    signal.signal(signal.SIGALRM, out_of_time)
    signal.signal(signal.SIGTERM, ended)
    signal.alarm(LIMIT)
    if words in ([], ["--long"]):
        chosen = LONG_CASES if words else CASES
    else:
        chosen = [case for case in CASES + LONG_CASES if any(word in case.__name__ for word in words)]
    begun = time.monotonic()
    with Browser() as browser:
        results = [run(case, browser) for case in chosen]
    passed = sum(results)
    print(f"figure  the whole suite: {time.monotonic() - begun:.0f} s")
    print(f"{passed} passed, {len(results) - passed} failed")
    return 0 if results and passed == len(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
