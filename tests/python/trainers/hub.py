"""A model hub on this machine: what huggingface_hub asks for when a tokenizer is loaded by its id."""

import contextlib
import hashlib
import http.server
import pathlib
import re
import threading

FILE = re.compile(r"^/(?P<id>[^/]+/[^/]+)/resolve/[^/]+/(?P<file>[^?]+)")


class Handler(http.server.BaseHTTPRequestHandler):
    root: pathlib.Path
    asked: set[str]

    def do_HEAD(self):
        self._answer(with_body=False)

    def do_GET(self):
        self._answer(with_body=True)

    def _answer(self, with_body):
        found = FILE.match(self.path)
        path = self.root / found["id"] / found["file"] if found else None
        if path is None or not path.is_file():
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.asked.add(f"{found['id']}/{found['file']}")
        body = path.read_bytes()
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha1(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", "1" * 40)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(root):
    """Serves root/ORGANISATION/NAME/FILE as the hub does; gives its address and what has been asked for."""
    handler = type("Served", (Handler,), {"root": pathlib.Path(root), "asked": set()})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", handler.asked
        finally:
            server.shutdown()
            thread.join()
