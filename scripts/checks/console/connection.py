"""Lost connections and a stopped server: no event is missing or duplicated."""

import pathlib
import resource
import signal
import socket
import threading
import time

from servers import pair, until


class Proxy:
    """A proxy between page and server. Rewrites the port in `Host` and `Origin`; both ports must have equally many digits."""

    def __init__(self, port):
        self.back = port
        self.open = []
        self.listener = None
        self.front = 0
        self.resume()

    def resume(self):
        self.listener = socket.create_server(("127.0.0.1", self.front), reuse_port=False)
        self.front = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def cut(self):
        """Closes every connection and accepts no new one."""
        self._close(self.listener)
        self.listener = None
        for each in self.open:
            self._close(each)
        self.open = []

    end = cut

    @staticmethod
    def _close(each):
        if each is None:
            return
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        each.close()

    def _accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", self.back))
            except OSError:
                return
            self.open += [client, server]
            names = f"127.0.0.1:{self.front}".encode(), f"127.0.0.1:{self.back}".encode()
            threading.Thread(target=self._copy, args=(client, server, names), daemon=True).start()
            threading.Thread(target=self._copy, args=(server, client, None), daemon=True).start()

    def _copy(self, source, target, names):
        try:
            while data := source.recv(65_536):
                target.sendall(data.replace(*names) if names else data)
        except OSError:
            pass
        self._close(target)


def names_in(rows):
    return [part for row in rows for part in row.split() if part.startswith("step.")]


def a_cut_connection_resumes_without_gap_or_duplicate(browser, servers):
    console = servers.console("--show-values")
    proxy = servers.start(Proxy, console.place.port)
    address = console.address.replace(str(console.place.port), str(proxy.front), 1)
    browser.open(address)
    browser.until_text("#connection", "live")
    console.mirror(*(pair(f"step.{number}") for number in range(5)))
    browser.until(lambda: len(browser.rows()) == 5, "5 pairs")
    proxy.cut()
    browser.until_text("#connection", "connection lost")
    browser.screenshot("lost-1280-light")
    console.mirror(*(pair(f"step.{number}") for number in range(5, 10)))
    proxy.resume()
    browser.until_text("#connection", "live", patience=30)
    console.mirror(*(pair(f"step.{number}") for number in range(10, 15)))
    browser.until(lambda: len(browser.rows()) == 15, "15 pairs")
    assert names_in(browser.rows()) == [f"step.{number}" for number in range(14, -1, -1)], browser.rows()
    browser.expect_quiet(allowed=("net::ERR_",))


def a_server_that_stands_still_is_waited_for(browser, servers):
    console = servers.console("--show-values")
    browser.open(console.address)
    browser.until_text("#connection", "live")
    console.mirror(*(pair(f"step.{number}") for number in range(5)))
    browser.until(lambda: len(browser.rows()) == 5, "5 pairs")
    console.process.send_signal(signal.SIGSTOP)
    browser.click(".pause")  # The page itself stands on its own feet.
    browser.until_text(".pause", "Resume")
    browser.click(".pause")
    console.process.send_signal(signal.SIGCONT)
    console.mirror(*(pair(f"step.{number}") for number in range(5, 10)))
    browser.until(lambda: len(browser.rows()) == 10, "10 pairs")
    assert names_in(browser.rows()) == [f"step.{number}" for number in range(9, -1, -1)], browser.rows()


def without_file_descriptors_it_waits_and_goes_on(browser, servers):
    """Connections use all file descriptors of the process. Linux only."""
    console = servers.console()
    descriptors = pathlib.Path(f"/proc/{console.process.pid}/fd")
    limit = len(list(descriptors.iterdir())) + 20
    resource.prlimit(console.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
    place = (console.place.hostname, console.place.port)
    rude = [socket.create_connection(place, timeout=10) for _ in range(60)]
    until(lambda: len(list(descriptors.iterdir())) >= limit, "no free descriptor")
    begun = processor_seconds(console)
    time.sleep(2)
    used = processor_seconds(console) - begun
    browser.figure(f"processor time in 2 s without a free descriptor: {used:.2f} s")
    assert used < 1, "a listener that cannot accept waits before it tries again"
    assert console.process.poll() is None
    for each in rude:
        each.close()
    browser.open(console.address)
    browser.until_text("#connection", "live")


def processor_seconds(console):
    fields = pathlib.Path(f"/proc/{console.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


CASES = [
    a_cut_connection_resumes_without_gap_or_duplicate, a_server_that_stands_still_is_waited_for, without_file_descriptors_it_waits_and_goes_on,
]
