#!/usr/bin/env bash
# Times `dualsend inventory` on a generated app of 1,000,000 lines (or LINES), beside parsing alone in the same run.
# Exits with 1 if a limit is exceeded:  scripts/benchmark sources [LINES]
set -euo pipefail
cd "$(dirname "$0")/../.."
exec "$(DUALSEND_CONFIGURATION=release scripts/build-dualsend SourceBenchmark)" "$@"
