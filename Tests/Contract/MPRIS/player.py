"""A media player on the session bus, as an MPRIS client sees it."""
import asyncio
import time

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from patience import PATIENCE, note

PATH = "/org/mpris/MediaPlayer2"
ROOT = "org.mpris.MediaPlayer2"
PLAYER, TRACK_LIST, PLAYLISTS = f"{ROOT}.Player", f"{ROOT}.TrackList", f"{ROOT}.Playlists"
PROPERTIES = "org.freedesktop.DBus.Properties"
NO_TRACK = f"{PATH}/TrackList/NoTrack"


class Refused(Exception):
    """A D-Bus error instead of an answer."""

    def __init__(self, name, text):
        super().__init__(f"{name}: {text}")
        self.name = name


class Signal:
    def __init__(self, interface, member, body, sender=None):
        self.interface, self.member, self.body, self.sender, self.time = interface, member, body, sender, time.monotonic()


class Player:
    """Calls, properties and signals of the player with a bus name.

    `patience` is how long an expected change may take, in seconds; `calm` how long is waited to see that nothing changes.
    """

    def __init__(self, name, patience=PATIENCE, calm=0.4):
        self.name, self.patience, self.calm = name, patience, calm
        # When the last request was sent, and the one before the last method, which may have read the position.
        self.requested = self.called = time.monotonic()
        self.signals, self.mirror, self.owner = [], {}, None

    async def connect(self):
        self.bus = await MessageBus().connect()
        self.bus.add_message_handler(self._receive)
        await self._bus_call("AddMatch", "s", f"type='signal',path='{PATH}'")
        await self._bus_call("AddMatch", "s", "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
        return self

    def close(self):
        self.bus.disconnect()

    def _receive(self, message):
        if message.message_type != MessageType.SIGNAL:
            return
        if message.member == "NameOwnerChanged" and message.sender == "org.freedesktop.DBus":
            if message.body[0] == self.name:
                self.owner = message.body[2] or None
        elif message.path == PATH and message.sender == self.owner:
            self.signals.append(Signal(message.interface, message.member, message.body, message.sender))
            if message.member == "PropertiesChanged" and len(message.body) == 3:
                interface, changed, invalidated = message.body
                for name, value in changed.items():
                    self.mirror[interface, name] = value
                for name in invalidated:
                    self.mirror.pop((interface, name), None)

    # The bus

    async def _bus_call(self, member, signature="", *body):
        return await self._call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, signature, body)

    async def _call(self, name, path, interface, member, signature, body):
        self.requested = time.monotonic()
        call = self.bus.call(Message(name, path, interface, member, signature=signature, body=list(body)))
        try:
            answer = await asyncio.wait_for(call, self.patience)
        except asyncio.TimeoutError:
            raise Refused("no answer", f"{interface}.{member}") from None
        if answer.message_type == MessageType.ERROR:
            raise Refused(answer.error_name, " ".join(map(str, answer.body)))
        return answer

    async def names(self):
        return (await self._bus_call("ListNames")).body[0]

    async def find_owner(self):
        """The unique name of the player, or None."""
        try:
            self.owner = (await self._bus_call("GetNameOwner", "s", self.name)).body[0]
        except Refused:
            self.owner = None
        return self.owner

    # The player

    async def introspect(self):
        return (await self._call(self.name, PATH, "org.freedesktop.DBus.Introspectable", "Introspect", "", [])).body[0]

    async def do(self, method, signature="", *body, interface=PLAYER):
        """Calls a method and returns its values."""
        self.called = self.requested
        return (await self._call(self.name, PATH, interface, method, signature, body)).body

    async def attempt(self, method, signature="", *body, interface=PLAYER):
        """Calls a method that may raise an error instead of doing nothing. Returns the error or None."""
        try:
            await self.do(method, signature, *body, interface=interface)
        except Refused as error:
            if error.name == "no answer":
                raise
            return error
        return None

    async def all(self, interface=PLAYER):
        """All properties of an interface, as variants."""
        return (await self._call(self.name, PATH, PROPERTIES, "GetAll", "s", [interface])).body[0]

    async def get(self, name, interface=PLAYER, default=None):
        """The value of a property; the default if the player does not have it."""
        try:
            return (await self._call(self.name, PATH, PROPERTIES, "Get", "ss", [interface, name])).body[0].value
        except Refused:
            return default

    async def set(self, name, signature, value, interface=PLAYER):
        await self._call(self.name, PATH, PROPERTIES, "Set", "ssv", [interface, name, Variant(signature, value)])

    async def attempt_set(self, name, signature, value, interface=PLAYER):
        try:
            await self.set(name, signature, value, interface)
        except Refused as error:
            if error.name == "no answer":
                raise
            return error
        return None

    async def position(self):
        """The position in seconds."""
        return (await self.get("Position", default=0)) / 1e6

    async def metadata(self):
        """The metadata, without the types."""
        return {key: value.value for key, value in (await self.get("Metadata", default={})).items()}

    async def track(self):
        """The id of the current track; None if there is no track."""
        identity = (await self.metadata()).get("mpris:trackid")
        return None if identity in (NO_TRACK, "") else identity

    @property
    def passed(self):
        """Seconds since the last method was called, by which what plays may have advanced."""
        return time.monotonic() - self.called

    # Waiting

    async def until(self, condition, patience=None):
        """Waits for an asynchronous condition, and returns its last result."""
        patience = self.patience if patience is None else patience
        began = time.monotonic()
        while True:
            result = await condition()
            if result or time.monotonic() - began > patience:
                note(began)
                return result
            await asyncio.sleep(0.03)

    async def becomes(self, name, wanted, interface=PLAYER):
        """Whether a property reaches a value, or one that a function accepts."""
        async def reached():
            value = await self.get(name, interface)
            return wanted(value) if callable(wanted) else value == wanted
        return await self.until(reached)

    async def rest(self, seconds=None):
        await asyncio.sleep(self.calm if seconds is None else seconds)

    def since(self, mark, member, name=None, interface=PLAYER):
        """The signals after a mark (a number of signals), those of PropertiesChanged with a changed property of that name."""
        found = [signal for signal in self.signals[mark:] if signal.member == member]
        if member != "PropertiesChanged":
            return found
        return [signal for signal in found if signal.body[0] == interface and (name is None or name in signal.body[1])]

    async def signalled(self, mark, member, name=None, interface=PLAYER):
        """Waits for such a signal, and returns all."""
        async def any_yet():
            return self.since(mark, member, name, interface)
        return await self.until(any_yet)

    @property
    def mark(self):
        return len(self.signals)
