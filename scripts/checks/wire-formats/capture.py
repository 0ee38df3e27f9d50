"""A server on the loopback interface that stores each request and sends a prepared answer."""

import dataclasses
import gzip
import http.server
import json
import socket
import threading
import zlib


@dataclasses.dataclass
class Request:
    method: str
    path: str
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class CaptureServer:
    """Answers with the result of `answer`: a status, header fields and a JSON value."""

    def __init__(self, answer):
        self.requests = []
        lock = threading.Lock()
        requests = self.requests

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                coding = self.headers.get("Content-Encoding")
                if coding:
                    body = {"gzip": gzip.decompress, "deflate": zlib.decompress}[coding](body)
                headers = {name.lower(): value for name, value in self.headers.items()}
                with lock:
                    request = Request(self.command, self.path, headers, body)
                    requests.append(request)
                    status, fields, value = answer(request, len(requests))
                data = b"" if value is None else json.dumps(value).encode()
                self.send_response(status)
                if value is not None:
                    self.send_header("Content-Type", "application/json")
                for name, text in fields.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def stay_on_loopback():
    """Makes connections to any other machine fail."""
    original = socket.socket.connect

    class LoopbackSocket(socket.socket):
        def connect(self, address):
            if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
                raise OSError(f"{address[0]} is not the loopback interface")
            return original(self, address)

    socket.socket = LoopbackSocket
