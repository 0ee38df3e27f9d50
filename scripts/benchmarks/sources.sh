#!/usr/bin/env bash
# Times `dualsend inventory` on a generated app of 1,000,000 lines (or LINES), beside parsing alone in the same run.
# Exits with 1 if a limit is exceeded:  scripts/benchmark sources [LINES]
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/setup
swift build --quiet -c release --package-path SourceTools --product dualsend-source-benchmark >&2
exec SourceTools/.build/release/dualsend-source-benchmark "$@"
