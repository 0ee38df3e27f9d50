#!/bin/sh
# Shows how often the tests of `dualsend guard` err, and how soon they find a fault.
#
# usage: scripts/benchmark guard
#
# 10,000 runs of 1,000,000 pairs each, looked at after every 1,000; prints the tables of the article "Guard". The draws are
# the same for the same code.
set -eu
cd "$(dirname "$0")/../../Tools"
swift build -c release --product guard-benchmark >&2
exec "$(swift build -c release --product guard-benchmark --show-bin-path)/guard-benchmark"
