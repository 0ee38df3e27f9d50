"""Distinguishes a change of speed from noise: runs two builds of the benchmarks alternately.

usage: scripts/benchmark compare A B [--rounds N] [--format text|json] NAME...

A and B are each an executable, or a revision of this repository, which is then built in .build-compare. NAME is a
benchmark. Every round runs both, in alternating order; each figure's ratio B/A is taken within a round, so that what the
machine does to a round falls on both. The interval holds 95 % of the medians of 10,000 resampled rounds (percentile
bootstrap, Efron 1979); a figure differs where the interval does not contain 1. Of many figures that do not differ, one in
twenty will seem to.

Exit 0 nothing differs, 1 something differs, 2 could not run, 64 wrong usage.
"""
import argparse, json, os, random, statistics, subprocess, sys

from checkout import ROOT

RESAMPLES = 10_000
# With fewer rounds, resampling is meaningless: 5 equal signs happen by chance in 1 of 16 cases.
LEAST_ROUNDS = 6


class Usage(argparse.ArgumentParser):
    def error(self, message):
        self.exit(64, f"error: {message}\n{__doc__.split(chr(10) * 2)[1]}\n")


def fail(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def executable(name):
    """The path of a build: `name` itself, or a build of that revision."""
    if os.path.isfile(name) and os.access(name, os.X_OK):
        return os.path.abspath(name)
    found = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--verify", "--quiet", name + "^{commit}"], capture_output=True, text=True)
    if found.returncode != 0:
        fail(f"{name} is neither an executable nor a revision")
    revision = found.stdout.strip()
    tree = os.path.join(ROOT, ".build-compare", revision)
    if not os.path.isdir(tree):
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", "--quiet", tree, revision], check=True)
    environment = {key: value for key, value in os.environ.items() if key != "DUALSEND_BUILD"}
    build = subprocess.run(
        [os.path.join(tree, "scripts", "build-dualsend"), "Benchmarks"], stdout=subprocess.PIPE, text=True,
        env=environment | {"DUALSEND_CONFIGURATION": "release"})
    if build.returncode != 0:
        fail(f"{name} does not build")
    return build.stdout.strip()


def figures(build, name):
    """Every figure of one run by report, row and column."""
    run = subprocess.run([build, "--format", "json", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    # Status 1 means that a limit is exceeded: the figures count.
    if run.returncode not in (0, 1):
        fail(f"{build} {name} ended with {run.returncode}")
    try:
        reports = json.loads(run.stdout)
    except ValueError:
        fail(f"{build} {name} did not write JSON: is it a build of the benchmarks?")
    found = {}
    for report in reports:
        for row in report["rows"]:
            for column, value in zip(report["columns"], row["values"]):
                if isinstance(value, (int, float)) and value > 0:
                    found[report["title"], row["name"], column] = float(value)
    return found


def interval(ratios, generator):
    medians = sorted(
        statistics.median(generator.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]


def compare(builds, names, rounds):
    pairs = {}
    for number in range(rounds):
        for name in names:
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
            order = (0, 1) if number % 2 == 0 else (1, 0)
            found = {side: figures(builds[side], name) for side in order}
            for key in found[0].keys() & found[1].keys():
                pairs.setdefault(key, []).append((found[0][key], found[1][key]))
    generator = random.Random(1)
    for key in sorted(pairs):
        ratios = [b / a for a, b in pairs[key]]
        low, high = interval(ratios, generator)
        yield {
            "benchmark": key[0], "row": key[1], "column": key[2], "rounds": len(ratios),
            "a": statistics.median(a for a, _ in pairs[key]), "b": statistics.median(b for _, b in pairs[key]),
            "ratio": statistics.median(ratios), "low": low, "high": high, "differs": not low <= 1 <= high,
        }


def main():
    parser = Usage(add_help=False)
    parser.add_argument("builds", nargs=2)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = parser.parse_args()
    if options.rounds < LEAST_ROUNDS:
        parser.error(f"--rounds is at least {LEAST_ROUNDS}: fewer cannot tell a change from noise")
    builds = [executable(name) for name in options.builds]
    found = list(compare(builds, options.names, options.rounds))
    if options.format == "json":
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        for figure in found:
            verdict = "differs" if figure["differs"] else "no difference"
            print(
                f"{figure['benchmark']}: {figure['row']}, {figure['column']}: A {figure['a']:,.4g}, B {figure['b']:,.4g}; "
                f"B/A {figure['ratio']:.3f}, 95 % {figure['low']:.3f} to {figure['high']:.3f}: {verdict}")
    return 1 if any(figure["differs"] for figure in found) else 0


if __name__ == "__main__":
    sys.exit(main())
