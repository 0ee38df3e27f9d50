"""Runs the commands that documents show, and compares what they print.

usage: scripts/check documents [DOCUMENT…]

By default README.md, MIGRATION.md, Examples/STAGES.md, Fixtures/conformance/README.md and every article. DUALSEND names a
built `dualsend`; without it one is built.

A block of code without a language that starts with `$ ` is a session: commands after `$ `, each followed by what it
prints, results first and then diagnostics, which may be left out. A line of `…` stands for any number of lines. A block
whose output differs from run to run, because of keys or servers, has the language `console` and is not run. The
sessions of one document share a folder that stands for the repository's root: what lies there is linked into it, and
what the commands write stays out of the checkout. `dualsend` and `scripts/dualsend` are the command that was named.

Without arguments, also checks that each `dualsend` command of the workflows in Examples/Pipelines is one that the article
InYourPipeline shows and this check runs. Redirections and what follows them are not compared. And no document may say a
word that the glossary in Concepts dropped; code and what commands print may.

Links are paths, which GitHub follows: each must lead to a file. `<doc:…>` stands only in the lists below `## Topics`, by which DocC
orders the articles.
"""

import difflib
import glob
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checkout import dualsend, need

need("yaml", "PyYAML>=6,<7")

import yaml  # noqa: E402

ELISION = "…"
END = "<end of output>"


def sessions(text):
    """The lines of each session, with the number of the first."""
    lines = text.splitlines()
    start = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if start is None:
            start = number
        else:
            body = lines[start + 1 : number]
            if lines[start] == "```" and body and body[0].startswith("$ "):
                yield start + 2, body
            start = None


def steps(session):
    """Each command with its documented output."""
    continues = False
    found = []
    for line in session:
        if continues:
            found[-1][0] += "\n" + line
        elif line.startswith("$ "):
            found.append([line[2:], []])
        else:
            found[-1][1].append(line)
            continue
        continues = line.endswith("\\")
    return found


def matches(expected, actual):
    if not expected:
        return not actual
    if expected[0] == ELISION:
        return any(matches(expected[1:], actual[skipped:]) for skipped in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


def run(commands, folder, environment):
    """The results and diagnostics of each command. All run in one shell, so that `$?` is the previous status."""
    script = "".join(f"{command}\nstatus=$?; echo '{END}' | tee /dev/stderr; (exit $status)\n" for command in commands)
    shell = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
    streams = [[part.splitlines() for part in text.split(END + "\n")] for text in (shell.stdout, shell.stderr)]
    return zip(*streams)


def check(document, command):
    """The number of commands run and the differences found."""
    count = 0
    differences = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for entry in pathlib.Path.cwd().iterdir():
            if entry.name != "scripts" and not entry.name.startswith("."):
                (folder / entry.name).symlink_to(entry)
        (folder / "scripts").mkdir()
        (folder / "scripts" / "dualsend").symlink_to(command)
        environment = os.environ | {"PATH": f"{folder / 'scripts'}:{os.environ['PATH']}"}
        for line, session in sessions(pathlib.Path(document).read_text()):
            found = steps(session)
            outputs = run([command for command, _ in found], folder, environment)
            for (command, expected), (results, diagnostics) in zip(found, outputs):
                count += 1
                if not matches(expected, results) and not matches(expected, results + diagnostics):
                    difference = difflib.unified_diff(expected, results + diagnostics, document, "now", lineterm="", n=1)
                    differences.append("\n".join([f"error: {document}:{line}: $ {command}", *difference]))
    return count, differences


def without_redirections(command):
    return re.split(r" (?:[|<>]|[0-9]>)", command)[0].strip()


def check_workflows(article="Sources/DualSend/DualSend.docc/InYourPipeline.md"):
    """The number of commands in the workflows, and those that the article does not run."""
    sections = sessions(pathlib.Path(article).read_text())
    shown = {without_redirections(command) for _, session in sections for command, _ in steps(session)}
    count = 0
    missing = []
    for path in sorted(glob.glob("Examples/Pipelines/*.yml")):
        for job in yaml.safe_load(pathlib.Path(path).read_text())["jobs"].values():
            lines = [line for step in job["steps"] for line in step.get("run", "").splitlines()]
            for command in [without_redirections(line) for line in lines if line.strip().startswith("dualsend ")]:
                count += 1
                if command not in shown:
                    missing.append(f"error: {path}: {article} does not run `{command}`")
    return count, missing


def prose(documents):
    """The lines outside of code: `(document, number, line)`."""
    for document in documents:
        is_code = False
        for number, line in enumerate(pathlib.Path(document).read_text().splitlines(), start=1):
            if line.startswith("```"):
                is_code = not is_code
            elif not is_code:
                yield document, number, line


def dropped_words(documents, glossary="Sources/DualSend/DualSend.docc/Concepts.md"):
    """The words that the glossary dropped, and the places that still have one."""
    rule = re.search(r"^These pages do not say: (.*)\.$", pathlib.Path(glossary).read_text(), re.MULTILINE)
    words = rule[1].split(", ")
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, words))})(s|ed|ing)?\b", re.IGNORECASE)
    found = []
    for document, number, line in prose(documents):
        if line != rule[0] and (match := pattern.search(re.sub(r"`[^`]*`", "", line))):
            found.append(f"error: {document}:{number}: '{match[0]}' is a word that {glossary} dropped")
    return len(words), found


def broken_links(documents):
    """Links that lead nowhere, and those that only DocC follows."""
    found, topics = [], set()
    for document, number, line in prose(documents):
        if line == "## Topics":
            topics.add(document)
        if document in topics:
            continue
        line = re.sub(r"`[^`]*`", "", line)
        if "<doc:" in line:
            found.append(f"error: {document}:{number}: a link that GitHub does not follow; write [NAME](NAME.md)")
        for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#]+)", re.sub(r"!\[[^\]]*\]\([^)]*\)", "", line)):
            if "://" not in target and not (pathlib.Path(document).parent / target).exists():
                found.append(f"error: {document}:{number}: there is no {target}")
    return found


def main(*documents):
    command = os.path.realpath(dualsend())
    workflows = [] if documents else [check_workflows()]
    tracked = subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout.splitlines()
    # What the command embeds is a link to its article.
    tracked = [document for document in tracked if not os.path.islink(document)]
    pages = documents or [page for page in tracked if not page.startswith("Fixtures/")]
    documents = documents or [
        *["README.md", "MIGRATION.md", "Examples/STAGES.md", "Fixtures/conformance/README.md"],
        *sorted(glob.glob("Sources/*/*.docc/*.md")),
    ]
    results = [check(document, command) for document in documents] + workflows
    words, dropped = dropped_words(documents)
    broken = broken_links(pages)
    differences = [difference for _, found in results for difference in found]
    for difference in differences + dropped + broken:
        print(difference, file=sys.stderr)
    print(
        f"{sum(count for count, _ in results)} commands: {len(differences)} differ; {len(dropped)} places say one of"
        f" {words} dropped words; {len(broken)} links are broken"
    )
    return 1 if differences or dropped or broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
