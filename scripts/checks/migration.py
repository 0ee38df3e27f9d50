"""Compares the differences that Examples/STAGES.md shows with `diff -u`.

Usage: scripts/check migration [--update]

A block of the language `diff` starts with `--- FILE` and `+++ FILE`, paths from the root of the repository. Exit status
1 if a block says otherwise; with --update, the blocks are written anew instead.
"""

import pathlib
import re
import subprocess
import sys

from checkout import ROOT

BLOCK = re.compile(r"^```diff\n(--- (\S+)\n\+\+\+ (\S+)\n.*?)^```$", re.MULTILINE | re.DOTALL)


def difference(old, new):
    """The lines of `diff -u`, with the paths alone as headers."""
    command = ["diff", "-u", "--label", old, "--label", new, old, new]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if process.returncode > 1:
        sys.exit(f"error: {process.stderr.strip()}")
    return process.stdout


def main(*arguments):
    document = ROOT / "Examples/STAGES.md"
    text = document.read_text()
    blocks = list(BLOCK.finditer(text))
    if arguments == ("--update",):
        document.write_text(BLOCK.sub(lambda block: f"```diff\n{difference(block[2], block[3])}```", text))
        return 0
    if arguments or len(blocks) != text.count("```diff\n"):
        sys.exit(__doc__ if arguments else "error: Examples/STAGES.md has a diff that does not name its two files")
    wrong = [block for block in blocks if block[1] != difference(block[2], block[3])]
    for block in wrong:
        line = text.count("\n", 0, block.start()) + 1
        print(f"error: Examples/STAGES.md:{line}: {block[2]} and {block[3]} differ in another way", file=sys.stderr)
    print(f"{len(blocks)} differences: {len(wrong)} shown otherwise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
