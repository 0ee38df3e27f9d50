"""Lets LibreOffice open, recalculate and save sheets, and compares the tables that are imported.

usage: scripts/check sheets

1. Tables with names and values that a spreadsheet would change (`007`, `true`, `1-2`, formulas, line breaks) are exported,
   opened and saved as xlsx, ods and csv in three locales, and imported again: each is the table that it was.
2. A workbook with a title, formulas, booleans and a second sheet is opened and saved: what LibreOffice calculates is what is
   read. An error, and a date that it made of a text, are refused with their cells.

Installs Debian's package libreoffice-calc if it is missing.
"""

import html
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from checkout import debian_packages, dualsend

LOCALES = {"en_US.UTF-8": "1033", "de_DE.UTF-8": "1031", "fr_FR.UTF-8": "1036"}
# Separator, quote, UTF-8, from line 1; in this language; special numbers are recognised, as a double click does.
CSV = "44,34,76,1,,{language},false,true"

TABLE = {
    "formatVersion": 1,
    "events": {
        "007": {"name": "1.50", "parameters": {
            "true": {"to": "1-2", "default": True}, "c": {"to": "d", "default": "007"}, "e": {"to": "f", "default": 1.5},
            "g": {"to": "'h", "default": "TRUE"}, "i": {"to": "j", "default": -3},
            "Mar-01": "2026-05-01", "1e5": {"to": "m", "values": {"1": True, "x": 0.1}},
            "#REF!": "n/a", "=A1": "+b", "a, b": "c / d", "two\nlines": "12:30"},
            "add": {"n": 12345678901234567, "o": "1/2", "p": "50%", "q": "äöü", "r": False, "s": 1e-7}},
        "home": {"parameters": {"src": "source", "a[].b": "x[].y", "p": None}},
        "plain": {"name": "plainer", "unmapped": "drop"},
    },
}

WORKBOOK = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.3">
 <office:body><office:spreadsheet><table:table table:name="Events">{rows}</table:table>
 <table:table table:name="Notes"><table:table-row><table:table-cell office:value-type="string"><text:p>event</text:p>
 </table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>
"""
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">
 <manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>
 <manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>
"""

faults = []


def expect(truth, message):
    if not truth:
        faults.append(message)
        print(f"fault: {message}", file=sys.stderr, flush=True)


def convert(folder, locale, source, suffix, filters="", infilter=""):
    """Opens a file in LibreOffice and saves it; returns the new file."""
    target = pathlib.Path(tempfile.mkdtemp(dir=folder))
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": locale, "LANG": locale}
    arguments = ["soffice", f"-env:UserInstallation=file://{folder}/{locale}", "--headless", "--norestore"]
    arguments += [f"--infilter={infilter}"] if infilter else []
    arguments += ["--convert-to", suffix + (":" + filters if filters else ""), "--outdir", str(target), str(source)]
    done = subprocess.run(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    saved = list(target.iterdir())
    if done.returncode != 0 or len(saved) != 1:
        sys.exit(f"LibreOffice could not save {source} as {suffix}:\n{done.stdout}")
    return saved[0]


def imported(command, file):
    return subprocess.run([command, "table", "import", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def cell(value):
    if isinstance(value, bool):
        return f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(value).lower()}"/>'
    if isinstance(value, int):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    if value.startswith("="):
        return f'<table:table-cell table:formula="of:{html.escape(value)}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>' if value else "<table:table-cell/>"


def workbook(folder, *rows):
    file = folder / "made.ods"
    lines = ["<table:table-row>" + "".join(map(cell, row or [""])) + "</table:table-row>" for row in rows]
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", WORKBOOK.format(rows="".join(lines)))
        archive.writestr("META-INF/manifest.xml", MANIFEST)
    return file


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    if not shutil.which("soffice"):
        debian_packages("libreoffice-calc")
    command = dualsend()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dualsend-sheets-"))
    try:
        table = folder / "table.json"
        table.write_text(json.dumps(TABLE))
        sheet = folder / "sheet.csv"
        sheet.write_bytes(subprocess.run([command, "table", "export", str(table)], stdout=subprocess.PIPE, check=True).stdout)
        count = 0
        for locale, language in LOCALES.items():
            read = "CSV:" + CSV.format(language=language)
            for suffix in ("xlsx", "ods", "csv"):
                saved = convert(folder, locale, sheet, suffix,
                                "Text - txt - csv (StarCalc):44,34,76,1,,0,false,true" if suffix == "csv" else "", read)
                result = imported(command, saved)
                same = result.stdout and json.loads(result.stdout) == TABLE
                expect(same, f"{locale} {suffix}: {result.stderr}{result.stdout}")
                count += 1
        head = ["event", "key", "new event", "new key", "default"]
        made = workbook(folder, ["Plan, version 3"], [], head, ["home", "src", '=CONCATENATE("home";"_tapped")', "source", ""],
                        ["home", "on", "", "is_on", True], ["home", "n", "", "number", 7])
        for suffix in ("xlsx", "ods"):
            result = imported(command, convert(folder, "en_US.UTF-8", made, suffix))
            event = {"name": "home_tapped", "parameters": {
                "src": "source", "on": {"to": "is_on", "default": True}, "n": {"to": "number", "default": 7}}}
            expect(result.stdout and json.loads(result.stdout)["events"] == {"home": event}, f"{suffix}: {result.stderr}{result.stdout}")
            expect("sheet `Events`, the first of 2" in result.stderr, f"{suffix}: the sheet is not named: {result.stderr}")
            count += 1
        error = workbook(folder, head, ["home", "src", "=1/0", "source", ""])
        date = folder / "date.csv"
        date.write_text("event,key,new key\n2026-03-01,a,b\n")
        for source, read, words in ((error, "", "C2: `#DIV/0!` is a spreadsheet's error"),
                                    (date, "CSV:" + CSV.format(language="1033"), "A2: `2026-03-01` is a date")):
            for suffix in ("xlsx", "ods"):
                result = imported(command, convert(folder, "en_US.UTF-8", source, suffix, "", read))
                expect(result.returncode == 2 and not result.stdout, f"{suffix}: {result.returncode} {result.stdout}")
                expect(words in result.stderr, f"{suffix}: {result.stderr}")
                count += 1
        print(f"{count} sheets were opened and saved by LibreOffice, {len(faults)} faults")
    finally:
        shutil.rmtree(folder)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
