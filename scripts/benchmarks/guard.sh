#!/usr/bin/env bash
# Shows how often the tests of `dualsend guard` err, and how soon they find a fault.
#
# usage: scripts/benchmark guard
#
# 10,000 runs of 1,000,000 pairs each, looked at after every 1,000; prints the tables about it in Benchmarks/README.md.
# The draws are the same for the same code.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec "$(DUALSEND_CONFIGURATION=release scripts/build-dualsend GuardBenchmark)"
