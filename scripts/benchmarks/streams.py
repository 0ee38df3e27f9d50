"""Measures how a kill reaches apps that listen to the collector's update stream.

usage: scripts/benchmark streams [STREAMS]

Opens 5,000 streams (`text/event-stream`) of a document that `dualsend collector` serves, replaces the file by a kill, and
lets each client fetch the document as an app does. Clients and server share this machine: on two processors the clients
need about half of the time. Builds for release, or takes the `dualsend` that DUALSEND names. The limit of open files must be
above twice the streams. Ends with 1 if a client does not get the kill within 60 seconds.
"""

import asyncio
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import urllib.parse

from checkout import release_dualsend

TICKS = os.sysconf("SC_CLK_TCK")
IDLE_SECONDS = 20
OPENING_AT_ONCE = 200


def document(revision, new):
    return {
        "formatVersion": 1, "revision": revision, "salt": "streams",
        "shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": new,
    }


def publish(path, *content):
    """Replaces the file in one step, as a deployment does."""
    temporary = path.with_suffix(".new")
    temporary.write_text(json.dumps(document(*content)))
    temporary.replace(path)


def usage(process):
    """The processor seconds of a process so far, and its resident megabytes."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS, int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Client:
    """An app: listens to the stream, and fetches the document at each event."""

    def __init__(self, port):
        self.port = port
        self.told = self.has = None

    async def connect(self):
        self.stream, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(b"GET /rollout.json/updates HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        await self.line(b": open")

    async def line(self, start):
        """Waits for a line of the stream that starts so."""
        while line := await self.stream.readline():
            if line.startswith(start):
                return
        raise ConnectionError("the server closed the stream")

    async def listen(self):
        await self.line(b"data: 2")
        self.told = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"GET /rollout.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = await reader.read()
        writer.close()
        if answer.startswith(b"HTTP/1.1 200") and b'"revision": 2,' in answer:
            self.has = time.perf_counter()


async def main(dualsend, count):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rollout.json"
        publish(path, 1, 25)
        server = subprocess.Popen(
            [dualsend, "collector", "--config", f"/rollout.json={path}", "--format", "json", "--connections", str(2 * count + 10)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            lines = (json.loads(line) for line in server.stdout)
            address = next(line["address"] for line in lines if "address" in line)
            port = urllib.parse.urlsplit(address).port
            await measure(server.pid, path, port, count)
        finally:
            server.terminate()
            server.wait(30)


async def measure(server, path, port, count):
    _, memory = usage(server)
    print(f"without streams: {memory:.0f} MB")
    clients = [Client(port) for _ in range(count)]
    start = time.perf_counter()
    for first in range(0, count, OPENING_AT_ONCE):
        await asyncio.gather(*(client.connect() for client in clients[first:first + OPENING_AT_ONCE]))
    opened = time.perf_counter() - start
    before, with_streams = usage(server)
    print(f"{count:,} streams: open after {opened:.1f} s, {with_streams:.0f} MB, {(with_streams - memory) * 1e3 / count:.1f} KB each")
    await asyncio.sleep(IDLE_SECONDS)
    idle, _ = usage(server)
    print(f"idle: {(idle - before) / IDLE_SECONDS:.1%} of a processor")
    own = time.process_time()
    tasks = [asyncio.create_task(client.listen()) for client in clients]
    await asyncio.sleep(0.2)
    before, _ = usage(server)
    published = time.perf_counter()
    publish(path, 2, 0)
    await asyncio.wait(tasks, timeout=60)
    after, peak = usage(server)
    for name, times in (
        ("told", sorted(client.told - published for client in clients if client.told)),
        ("has the kill", sorted(client.has - published for client in clients if client.has)),
    ):
        if times:
            marks = ", ".join(f"{word} {times[int((len(times) - 1) * share)]:.2f} s"
                              for word, share in (("first", 0), ("median", 0.5), ("99 %", 0.99), ("last", 1)))
            print(f"{name}: {len(times):,} of {count:,}; {marks}")
    print(f"processor for the kill: server {after - before:.2f} s, clients {time.process_time() - own:.2f} s; {peak:.0f} MB")
    if not all(client.has for client in clients):
        sys.exit(1)


if sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)
else:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    asyncio.run(main(release_dualsend(), wanted))
