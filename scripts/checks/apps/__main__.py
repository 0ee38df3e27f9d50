"""Measures `inventory` with apps in fifteen styles, and with random programs.

usage: scripts/check apps [APP…]           each app: recall, certainty, and the new names and keys of its calls
       scripts/check apps --random N SEED  N programs of one log call: what is claimed as exact, against what they send
       scripts/check apps --scale          sources that are hard to read quickly, at two sizes
       scripts/check apps --self-test      breaks truth files and answers, each of which must be noticed

Ends with `N passed, N failed`. DUALSEND names a built command; without it one is built. What is written is in
.build-apps until the next run.
"""

import pathlib
import sys

import apps
import tool


def main(arguments):
    scratch = pathlib.Path(".build-apps").resolve()
    scratch.mkdir(exist_ok=True)
    if arguments == ["--self-test"]:
        import self_test

        passed, failed = self_test.main(scratch)
    elif arguments[:1] == ["--random"]:
        import random_run

        if len(arguments) != 3 or not all(text.isdecimal() for text in arguments[1:]):
            sys.exit("usage: scripts/check apps --random N SEED")
        passed, failed = random_run.main(*map(int, arguments[1:]), tool.command(), scratch)
    elif arguments == ["--scale"]:
        import scale

        passed, failed = scale.main(tool.command(), scratch)
    elif any(text.startswith("-") for text in arguments):
        sys.exit("usage: scripts/check apps [--random N SEED | --scale | --self-test | APP…]")
    else:
        passed, failed = apps.main(arguments, tool.command(), scratch)
    print(f"{passed:,} passed, {failed:,} failed")
    return failed == 0 and passed > 0


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
