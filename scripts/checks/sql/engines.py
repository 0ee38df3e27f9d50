"""The database engines for the query of `dualsend sql`, on this machine."""

import os
import pathlib
import re
import resource
import sys
import time

from checkout import need


class DuckDB:
    dialect = "duckdb"
    knows_normal_forms = True

    def __init__(self, folder, memory=None, threads=None):
        """In memory; or on disk in the folder, if there is a memory limit."""
        import duckdb

        if memory:
            folder.mkdir()
        self.connection = duckdb.connect(str(folder / "streams.duckdb") if memory else ":memory:")
        if memory:
            self.connection.execute(f"SET memory_limit = '{memory}B'")
            self.connection.execute(f"SET temp_directory = '{folder / 'spill'}'")
        if threads:
            self.connection.execute(f"SET threads = {threads}")

    def load(self, folder, line_number="number"):
        """The lines, including malformed ones; `line_number` converts a line's number."""
        for side in ("old", "new"):
            self.connection.execute(
                f"""
                CREATE OR REPLACE TABLE {side}_lines AS SELECT {line_number} AS line_number, line
                FROM (
                  SELECT unnest(range(1, len(lines) + 1)) AS number, unnest(lines) AS line
                  FROM (SELECT string_split(content, chr(10)) AS lines FROM read_text('{folder / side}.jsonl')) AS content
                ) AS numbered
                """
            )

    def load_each_line(self, folder):
        """Lines of files that are larger than memory."""
        for side in ("old", "new"):
            self.connection.execute(
                f"""
                CREATE OR REPLACE TABLE {side}_lines AS SELECT row_number() OVER () AS line_number, line
                FROM read_csv('{folder / side}.jsonl', columns = {{'line': 'VARCHAR'}}, delim = chr(1), quote = '',
                  escape = '', header = false, auto_detect = false, max_line_size = 16777216)
                """
            )

    def run(self, sql, stages=None):
        return self.connection.execute(sql).fetchone()[0]

    def processor_seconds(self):
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    def peak_memory(self):
        """The engine's peak memory in MB."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20)


class Spark:
    """Spark in this process, with its tables in a folder of their own."""

    dialect = "spark"
    knows_normal_forms = False

    def __init__(self, folder, memory="3g", threads=2):
        # Hides the messages of Spark's start.
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master(f"local[{threads}]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.memory", memory)
            .config("spark.driver.extraJavaOptions", f"-Dderby.system.home={folder}")
            .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
            .config("spark.local.dir", str(folder / "spill"))
            .config("spark.sql.shuffle.partitions", str(threads))
            .getOrCreate()
        )
        self.session.sparkContext.setLogLevel("OFF")

    def load(self, folder, line_number="number"):
        for side in ("old", "new"):
            self.session.read.text(f"{folder / side}.jsonl", wholetext=True).createOrReplaceTempView("content")
            self.session.sql(f"DROP TABLE IF EXISTS {side}_lines")
            self.session.sql(
                f"""
                CREATE TABLE {side}_lines USING parquet AS SELECT {line_number} AS line_number, line
                FROM (
                  SELECT CAST(place + 1 AS BIGINT) AS number, line
                  FROM content LATERAL VIEW posexplode(split(value, '\\n', -1)) lines AS place, line
                ) AS numbered
                """
            )

    def load_each_line(self, folder):
        """Lines of files that are larger than memory: a number each, in the order of the stream, if not one by one."""
        for side in ("old", "new"):
            lines = self.session.read.text(f"{folder / side}.jsonl", lineSep="\n")
            lines.selectExpr("monotonically_increasing_id() + 1 AS line_number", "value AS line").write.mode(
                "overwrite"
            ).saveAsTable(f"{side}_lines")

    def run(self, sql, stages=None):
        """The report. Appends to `stages` the name of each table, the seconds, and the columns by which Spark shuffles rows."""
        # Literals have no line breaks, so a semicolon at the end of a line ends a statement.
        rows = None
        for statement in sql.rstrip().rstrip(";").split(";\n"):
            start = time.perf_counter()
            rows = self.session.sql(statement)
            created = re.search(r"CREATE TABLE (\w+) USING parquet AS\n(.*)", statement, re.DOTALL)
            if stages is not None and created:
                stages.append((created[1], time.perf_counter() - start, self.shuffles(created[2])))
        return rows.collect()[0][0]

    def shuffles(self, query):
        plan = self.session.sql(f"EXPLAIN {query}").collect()[0][0]
        found = re.findall(r"Exchange (?:hashpartitioning\((.*?), \d+\)|(SinglePartition|rangepartitioning))", plan)
        return [re.sub(r"#\d+L?", "", columns or kind) for columns, kind in found]

    def processor_seconds(self):
        """The processor seconds of the Java process, available only on Linux; 0 elsewhere."""
        status = pathlib.Path(f"/proc/{self.session.sparkContext._gateway.proc.pid}/stat")
        times = status.read_text().rpartition(")")[2].split()[11:13] if status.exists() else []
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    def peak_memory(self):
        """The peak memory of the Java process, available only on Linux; 0 elsewhere."""
        status = pathlib.Path(f"/proc/{self.session.sparkContext._gateway.proc.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return next((int(line.split()[1]) / (1 << 10) for line in lines if line.startswith("VmHWM:")), 0)


ENGINES = {engine.dialect: engine for engine in (DuckDB, Spark)}


def prepare(name):
    """The engine of a name (`duckdb`, `spark`, or one version of its package, such as `duckdb==1.4.0`), in a Python that has it."""
    package, _, version = name.partition("==")
    modules = {"duckdb": "duckdb>=1.4", "pyspark": "pyspark>=4.0"}
    module = {"spark": "pyspark"}.get(package, package)
    if module not in modules:
        print(f"error: there is no engine {name}: duckdb or spark", file=sys.stderr)
        sys.exit(64)
    need(module, name if version else modules[module])
    return {"pyspark": "spark"}.get(module, module)
