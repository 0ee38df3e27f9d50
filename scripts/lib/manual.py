"""Writes man pages: one for the command, one for each verb and each of its subcommands.

usage: COMMAND --experimental-dump-help | python3 scripts/lib/manual.py FOLDER
"""
import json, os, sys


def roff(text):
    """A text as roff: no line is a request, no character is an escape."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def names(argument):
    """The argument as it is written on a command line."""
    if argument["kind"] == "positional":
        return f"<{argument.get('valueName', 'value')}>"
    options = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", [])]
    value = f" <{argument.get('valueName', 'value')}>" if argument["kind"] == "option" else ""
    return ", ".join(options) + value


def page(command, title, subcommands):
    """The text of one page."""
    parts = [f'.TH "{title.upper()}" 1', ".SH NAME", f"{roff(title)} \\- {roff(command.get('abstract', ''))}"]
    arguments = [one for one in command.get("arguments", []) if one.get("shouldDisplay", True)]
    spoken = " ".join("[" + names(one) + "]" if one.get("isOptional") else names(one) for one in arguments)
    parts += [".SH SYNOPSIS", f".B {roff(title.replace('-', ' '))}", roff(spoken)]
    if command.get("discussion"):
        parts += [".SH DESCRIPTION", roff(command["discussion"])]
    if arguments:
        parts.append(".SH OPTIONS")
    for one in arguments:
        default = f" Default: {one['defaultValue']}." if one.get("defaultValue") else ""
        parts += [".TP", f".B {roff(names(one))}", roff((one.get("abstract", "") + default).strip())]
    if subcommands:
        parts.append(".SH COMMANDS")
    for one in subcommands:
        parts += [".TP", f".BR {roff(title)}\\-{roff(one['commandName'])} (1)", roff(one.get("abstract", ""))]
    return "\n".join(parts) + "\n"


def write(command, title):
    """Writes the pages of a command and its subcommands."""
    shown = [one for one in command.get("subcommands", []) if one.get("shouldDisplay", True) and one["commandName"] != "help"]
    with open(os.path.join(sys.argv[1], title + ".1"), "w", encoding="utf-8") as file:
        file.write(page(command, title, shown))
    for one in shown:
        write(one, f"{title}-{one['commandName']}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = json.load(sys.stdin)["command"]
    write(root, root["commandName"])


main()
