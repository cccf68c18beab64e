"""Asks a program over OSC all the time, whatever else goes on."""
import contextlib
import select
import socket
import struct
import threading
import time

from studio import PATIENCE


class Pinging(threading.Thread):
    """Sends a ping every 20 ms, from a socket of its own; each is to be answered."""
    INTERVAL = 0.02

    def __init__(self, port):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))
        # Of pings that wait for their answers: when they were sent, by number. Of the others: how long that took.
        self.sent, self.took = {}, []
        self.is_over = threading.Event()
        self.start()

    def run(self):
        number, due = 0, time.monotonic()
        while not self.is_over.is_set() or self.sent and time.monotonic() < due + PATIENCE:
            now = time.monotonic()
            if now >= due and not self.is_over.is_set():
                number, due = number + 1, now + self.INTERVAL
                self.sent[number] = now
                self._send(number)
            if select.select([self.socket], [], [], max(0.001, min(self.INTERVAL, due - now)))[0]:
                self._take()

    def _send(self, number):
        # Once the program has ended, that is told here; what is not answered is seen at the end.
        with contextlib.suppress(ConnectionRefusedError):
            self.socket.send(b"/binaural/ping\0\0,i\0\0" + struct.pack(">i", number))

    def _take(self):
        with contextlib.suppress(ConnectionRefusedError):
            packet = self.socket.recv(65_536)
            if packet.startswith(b"/binaural/pong\0\0,i\0\0"):
                self.took.append(time.monotonic() - self.sent.pop(struct.unpack(">i", packet[20:24])[0]))

    def end(self):
        """Seconds that the answers took, in order; fails where one has not come."""
        self.is_over.set()
        self.join()
        self.socket.close()
        assert not self.sent, f"of {len(self.sent) + len(self.took)} pings these were not answered: {sorted(self.sent)[:20]}"
        return sorted(self.took)
