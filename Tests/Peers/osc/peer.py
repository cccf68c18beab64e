"""A peer on genuine liblo, through pyliblo3: sends, and keeps received messages in order."""
import os
import socket
import time

import pyliblo3 as liblo

from patience import PATIENCE, note
from wire import NTP_TO_UNIX, ROOT, full, give_room, typed

# Seconds after which a ping is sent again: UDP is unreliable, and a full buffer loses packets.
AGAIN = 1


class Missing(AssertionError):
    """The expected message did not come."""


class Received:
    def __init__(self, path, types, values, bundle, tag):
        self.path, self.types, self.values, self.bundle, self.tag = path, types, values, bundle, tag
        self.at = time.time()

    def __repr__(self):
        return f"{self.path} ,{self.types} {self.values}"


# Ports of all peers so far. The program knows one that is gone for a minute, and would take another one at its port for it.
used = set()


def free_server():
    """liblo's own search for a free port tries sixteen, which many peers may have."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("", 0))
            port = free.getsockname()[1]
        if port not in used:
            used.add(port)
            return liblo.Server(port)


class Peer:
    def __init__(self, port):
        self.target = liblo.Address("127.0.0.1", port)
        self.server = free_server()
        self.server.add_bundle_handlers(self._bundle_begins, lambda _: self._bundle_ends())
        self.server.add_method(None, None, self._receive)
        self.raw = socket.socket(fileno=os.dup(self.server.fileno()))
        give_room(self.raw)
        self.destination = ("127.0.0.1", port)
        self.inbox = []
        self.bundle, self.tag, self.open = 0, 0.0, False
        self.token, self.sent = 0, time.monotonic()

    @property
    def port(self):
        return self.server.port

    def close(self):
        self.raw.close()
        self.server.free()

    # In

    def _bundle_begins(self, tag, _):
        self.bundle, self.open = self.bundle + 1, True
        self.tag = tag - NTP_TO_UNIX if tag > 1 else 0.0

    def _bundle_ends(self):
        self.open = False

    def _receive(self, path, values, types, _):
        path = path[len(ROOT):] if path.startswith(ROOT) else path
        values = [bytes(v) if isinstance(v, (list, bytearray)) else v for v in values]
        self.inbox.append(Received(path, types, values, self.bundle if self.open else 0, self.tag if self.open else 0.0))

    @property
    def mark(self):
        return len(self.inbox)

    def _take(self, seconds):
        """One packet, if one comes within the time. Polls in small steps, since liblo waits for packets but not for bundles that it holds back."""
        self.server.recv(min(2, max(0, int(seconds * 1000) + 1)))

    def pump(self, seconds=0.0):
        """Receives waiting packets, and those that come within the time."""
        while self.server.recv(0):
            pass
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._take(end - time.monotonic())

    def wait(self, path, where=lambda received: True, since=0):
        """The first message of that address since a mark for which `where` holds."""
        return self._wait(path, lambda received: received.path == path and where(received), since)

    def _wait(self, what, is_it, since):
        began = time.monotonic()
        found = self._find(is_it, since, PATIENCE)
        note(began)
        if not found:
            raise Missing(f"{what} did not come; since then: {self.inbox[since:][-12:]}")
        return found

    def _find(self, is_it, since, seconds):
        """The first message since a mark that is it, if it comes within the time."""
        end, place = time.monotonic() + seconds, since
        while True:
            for received in self.inbox[place:]:
                if is_it(received):
                    return received
            place = len(self.inbox)
            left = end - time.monotonic()
            if left <= 0:
                return None
            self._take(left)

    # Out

    def message(self, path, *arguments):
        return liblo.Message(full(path), *[typed(a) for a in arguments])

    def send(self, path, *arguments):
        self.sent = time.monotonic()
        self.server.send(self.target, self.message(path, *arguments))

    def send_bundle(self, *messages, after=None):
        """Sends all in one bundle, this many seconds ahead, or for immediate execution."""
        tag = [liblo.time() + after] if after is not None else []
        self.server.send(self.target, liblo.Bundle(*tag, *[self.message(*m) for m in messages]))

    def send_bytes(self, data):
        self.raw.sendto(data, self.destination)

    # Out and in

    def ask(self, path, *arguments, answer=None):
        """Sends, and returns the answer, which has the same address by default."""
        since = self.mark
        self.send(path, *arguments)
        return self.wait(answer or path, since=since)

    def get(self, path):
        return self.ask(path).values

    def code(self, path, *arguments):
        """Sends a command and returns its result. The peer must have requested all replies."""
        return self.outcome(path, *arguments).values[1]

    def outcome(self, path, *arguments):
        if time.monotonic() - self.sent > 10 and path != "replies":
            # A busy machine may have let the lease of 30 s end, and with it the request for replies.
            self.outcome("replies", 2)
        since = self.mark
        self.send(path, *arguments)
        return self.reply(path, since)

    def reply(self, path, since):
        return self._wait(f"a reply to {path}", lambda received: received.path in ("reply", "error") and received.values[0] == full(path), since)

    def settle(self):
        """Waits until all immediate answers have arrived, with a ping; returns the messages since the call."""
        since = self.mark
        self.token += 1
        token, began = self.token, time.monotonic()
        self.send("ping", token)
        while not self._find(lambda received: received.path == "pong" and received.values[0] == token, since, AGAIN):
            if time.monotonic() - began > PATIENCE:
                raise Missing(f"pong did not come; since then: {self.inbox[since:][-12:]}")
            self.send("ping", token)
        note(began)
        return [each for each in self.inbox[since:] if each.path != "pong"]

    def answers(self, path, *arguments):
        """Sends, and returns all immediate answers."""
        self.settle()
        since = self.mark
        self.send(path, *arguments)
        self.settle()
        return [each for each in self.inbox[since:] if each.path not in ("pong", "alive")]

    def sync(self):
        self.token += 1
        token = self.token
        since = self.mark
        self.send("sync", token)
        self.wait("synced", lambda synced: synced.values == [token], since)

    def subscribe(self, topic, *rest):
        """Returns the snapshot, from `subscribed` to its end."""
        since = self.mark
        self.send("subscribe", topic, *rest)
        self.wait("snapshot/end", lambda end: end.values == [topic], since)
        return self.inbox[since:]

    def until(self, path, wanted, *arguments):
        """Reads a property until it has the expected value: some changes take effect in the engine's next cycle."""
        began = time.monotonic()
        while True:
            values = self.ask(path, *arguments).values
            if wanted(values):
                note(began)
                return values
            if time.monotonic() - began > PATIENCE:
                raise Missing(f"{path} stays {values}")
            self.pump(0.005)

    def outcome_of_error(self, path, *arguments):
        """The code of the error in the answer; `None` without an error."""
        errors = [m.values[1] for m in self.answers(path, *arguments) if m.path == "error"]
        return errors[0] if errors else None
