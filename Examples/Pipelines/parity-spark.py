"""Compares two streams with `dualsend parity` in Spark. Prints the report of one process, and ends with its status.

usage: spark-submit parity-spark.py SHARDS OLD NEW [CALIBRATE] -- OPTION…

OLD, NEW and CALIBRATE are anything that Spark's `textFile` reads: files, folders, patterns, addresses of a storage. All
options are those of `dualsend parity`, such as `--remap remapping.json --format json`. `dualsend` must be on the PATH of
each worker, or where DUALSEND says, and the files of the options must be readable there at the same paths.
"""

import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

STREAMS = ("--old", "--new", "--calibrate")


def main():
    end = sys.argv.index("--")
    (shards, *paths), options = sys.argv[1:end], sys.argv[end + 1 :]
    context = SparkSession.builder.appName("dualsend parity").getOrCreate().sparkContext

    def command(*mode):
        return [os.environ.get("DUALSEND", "dualsend"), "parity", *mode, *options]

    def piped(lines, *mode):
        return lines.pipe(shlex.join(command(*mode)), env=dict(os.environ), checkCode=True)

    def divided(stream, path):
        # Each part of a file is divided by its own task, so lines carry their numbers in the whole stream.
        numbered = context.textFile(path).zipWithIndex().map(lambda pair: f"{pair[1] + 1}\t{pair[0]}")
        return piped(numbered, "--shards", shards, stream, "-", "--numbered")

    lines = context.union([divided(*stream) for stream in zip(STREAMS, paths)])
    by_shard = lines.map(lambda line: line.split("\t", 1)).partitionBy(int(shards), int).values()
    partials = piped(by_shard, "--partial").collect()
    context.stop()
    return subprocess.run(command("--merge"), input="\n".join(partials), text=True).returncode


if __name__ == "__main__":
    sys.exit(main())
