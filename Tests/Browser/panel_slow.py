"""The panel's page and a machine that is so busy that it needs seconds for each answer: the page waits longer each time, until one comes.

    panel_slow.py PROGRAM

The machine is a server of this script, which serves the page's files; neither the program nor JACK is needed.
"""
import base64
import contextlib
import hashlib
import json
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from panel_page import becomes, chromium, new_page
from pythonosc.osc_message_builder import build_msg
from servers import until

FILES = Path(__file__).parents[2] / "Sources/WebPanel/Web"
# Seconds that the attempts to connect take until one succeeds, and each answer later: at first the page gives up before.
OPENING, ANSWERING = 8, 3
# With the number 3 the page asks for a sign of life.
PROBE, ANSWER = (build_msg(f"/binaural/{path}", [3]).dgram for path in ("ping", "pong"))


class Busy(SimpleHTTPRequestHandler):
    """Serves the page's files, and a WebSocket that says nothing by itself but the role."""
    attempts, is_known, is_heard = 0, False, False

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path != "/osc":
            return super().do_GET()
        self.close_connection = True
        # A page that has given up has closed the connection.
        with contextlib.suppress(ConnectionError):
            self.converse()

    def converse(self):
        Busy.attempts += 1
        if not Busy.is_known:
            time.sleep(OPENING)
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        proof = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.wfile.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         f"Sec-WebSocket-Accept: {proof}\r\n\r\n".encode())
        self.say(0x81, json.dumps({"role": "control", "version": "1"}).encode())
        probes = 0
        while payload := self.frame():
            Busy.is_known = True
            if payload == PROBE:
                probes += 1
                # The page has waited for the answer if it asks again on the same connection.
                Busy.is_heard |= probes > 1
                time.sleep(ANSWERING)
                self.say(0x82, ANSWER)

    def say(self, first, payload):
        self.wfile.write(bytes([first, len(payload)]) + payload)

    def frame(self):
        """The contents of the page's next frame, which is short; none at its end."""
        head = self.rfile.read(6)
        if len(head) < 6 or head[0] & 15 == 8:
            return b""
        return bytes(byte ^ head[2 + index % 4] for index, byte in enumerate(self.rfile.read(head[1] & 0x7F)))


def main():
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Busy, directory=FILES)) as server, chromium() as browser:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = new_page(browser)
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        becomes(page, "document.getElementById('connection').textContent === 'Connected'")
        assert Busy.attempts > 1, "the first attempt was not given up: nothing is shown"
        until("the page gives up before an answer comes", lambda: Busy.is_heard or page.wait_for_timeout(30), step=0)
        print(f"figure: the page was connected at a busy machine, and content with its answers, at attempt {Busy.attempts}")
        server.shutdown()
    print("panel slow: the page waits as long as a busy machine needs")


if __name__ == "__main__":
    main()
