"""Runs one of the scripts in a folder by its name, or lists them with their first lines of help."""

import os
import pathlib
import re
import sys

LIBRARY = pathlib.Path(__file__).resolve().parent


def scripts(folder):
    """The scripts by name: `NAME.py`, `NAME.sh`, or a folder NAME with `__main__.py`."""
    found = {}
    for path in sorted(folder.iterdir()):
        script = path / "__main__.py" if path.is_dir() else path
        if script.suffix in (".py", ".sh") and script.exists():
            found[path.stem] = script
    return found


def help_of(script):
    """The docstring of a Python script, or the comment at the head of a shell script."""
    text = script.read_text()
    if script.suffix == ".py":
        return re.search(r'"""(.*?)"""', text, re.DOTALL)[1].strip()
    comment = re.match(r"#!.*\n((?:#.*\n)+)", text)[1]
    return re.sub(r"^# ?", "", comment, flags=re.MULTILINE).strip()


def listing(usage, found):
    width = max(map(len, found))
    lines = [f"  {name:{width}}  {help_of(script).splitlines()[0]}" for name, script in found.items()]
    return "\n".join([usage.strip(), "", *lines])


def run(usage, folder, arguments):
    """Runs `arguments[0]` with the rest of the arguments in place of this process; lists all without arguments."""
    found = scripts(folder)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(listing(usage, found))
        sys.exit(0)
    name, *rest = arguments
    if name not in found:
        print(f"error: there is no `{name}`: {', '.join(found)}", file=sys.stderr)
        sys.exit(64)
    script = found[name]
    if rest in (["-h"], ["--help"]):
        print(help_of(script))
        sys.exit(0)
    os.chdir(LIBRARY.parent.parent)
    if script.suffix == ".sh":
        os.execvp("bash", ["bash", str(script), *rest])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(LIBRARY), os.environ.get("PYTHONPATH")]))
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    target = script.parent if script.name == "__main__.py" else script
    os.execv(sys.executable, [sys.executable, str(target), *rest])
