"""Pings a program over OSC continuously."""
import contextlib
import select
import socket
import threading
import time

from patience import PATIENCE
from wire import contents, message


class Pinging(threading.Thread):
    """Sends a ping every 20 ms from its own socket. A ping lost by UDP counts until a later one is answered."""
    INTERVAL = 0.02
    # The limit of the longest silence in seconds.
    LIMIT = 0.5

    def __init__(self, port):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))
        # Times of unanswered pings by number, and the silences of the others.
        self.sent, self.took, self.lost = {}, [], 0
        # Seconds by which this thread itself was late so far, which do not count as silence.
        self.late = 0.0
        self.is_over = threading.Event()
        # The last relevant ping.
        self.last = None
        self.start()

    def run(self):
        number, end = 0, float("inf")
        due = looked = time.monotonic()
        # The last ones may be lost too; then later ones are answered.
        while self.last is None or (self._waits() and looked < end):
            now = time.monotonic()
            self.late += max(0, now - looked - 2 * self.INTERVAL)
            looked = now
            if self.last is None and self.is_over.is_set():
                self.last, end = number, now + PATIENCE
            if now >= due:
                number, due = number + 1, now + self.INTERVAL
                self.sent[number] = now - self.late
                self._send(number)
            if select.select([self.socket], [], [], max(0.001, due - now))[0]:
                self._take()

    def _waits(self):
        return [number for number in self.sent if number <= self.last]

    def _send(self, number):
        # The end of the program is reported here; unanswered pings are counted at the end.
        with contextlib.suppress(ConnectionRefusedError):
            self.socket.send(message("ping", number))

    def _take(self):
        with contextlib.suppress(ConnectionRefusedError):
            if pong := contents(self.socket.recv(65_536)).get("pong"):
                answered, now = pong[0], time.monotonic() - self.late
                for number in [number for number in self.sent if number <= answered]:
                    self.lost += number < answered
                    self.took.append(now - self.sent.pop(number))

    def end(self):
        """Seconds without an answer after each ping, in order; fails if the program was silent for too long, or too many pings were lost."""
        self.is_over.set()
        self.join()
        self.socket.close()
        assert not self._waits(), f"it does not answer any more: {len(self._waits())} pings after {len(self.took)} that were answered"
        took = sorted(self.took)
        assert took[-1] <= self.LIMIT, f"the longest silence was {took[-1]:.3f} s, of these: {took[-20:]}"
        assert self.lost <= 1 + len(took) / 100, f"of {len(took)} pings {self.lost} were never answered"
        return took
