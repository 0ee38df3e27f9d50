"""See scripts/check-apps."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import apps  # noqa: E402
import tool  # noqa: E402


def main(arguments):
    scratch = pathlib.Path(".build-apps").resolve()
    scratch.mkdir(exist_ok=True)
    if arguments == ["--self-test"]:
        import self_test

        passed, failed = self_test.main(scratch)
    elif arguments[:1] == ["--random"]:
        import random_run

        if len(arguments) != 3 or not all(text.isdecimal() for text in arguments[1:]):
            sys.exit("usage: scripts/check-apps --random N SEED")
        passed, failed = random_run.main(*map(int, arguments[1:]), tool.command_from_environment(), scratch)
    elif arguments == ["--scale"]:
        import scale

        passed, failed = scale.main(tool.command_from_environment(), scratch)
    elif any(text.startswith("-") for text in arguments):
        sys.exit("usage: scripts/check-apps [--random N SEED | --scale | --self-test | APP…]")
    else:
        passed, failed = apps.main(arguments, tool.command_from_environment(), scratch)
    print(f"{passed:,} passed, {failed:,} failed")
    return failed == 0 and passed > 0


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
