"""What a surface shows and where: pages of controls, made from the rows of the address table. Knows nothing of any program's files."""

import re
from dataclasses import dataclass, replace

ROOT = "/binaural/"
COLUMNS, LINES = 8, 6
# Layers that have a strip of their own.
STRIPS = 8
# Numbers of items and layers that have a button.
NUMBERS = range(1, 9)


@dataclass(frozen=True)
class Control:
    # push (1 while held, 0 when let go), toggle, tap (sends constants), fader, xy, entry (a text to be typed); text and gauge only show
    kind: str
    address: str
    caption: str
    width: int = 1
    height: int = 1
    # Of a fader.
    low: float = 0.0
    high: float = 1.0
    # Of a tap: numbers and strings.
    constants: tuple = ()
    # Whether subscribers are told of its value.
    is_told: bool = False
    is_grave: bool = False
    # Of an entry, for surfaces on which nothing can be typed.
    examples: tuple = ()


@dataclass(frozen=True)
class Placed:
    control: Control
    column: int
    line: int


class Surface:
    """The pages, and what stands above all of them."""

    # Title of a page, and the sections of the table that it shows.
    PAGES = (("Transport", ("Transport", "Listening")), ("Mixer", ("Mixer",)), ("Queue", ("Queue, session, studio",)))
    # Stand on the queue's page whatever their section.
    QUEUE = ("queue/remove", "queue/move", "queue/reset", "queue/select", "queue/add")

    def __init__(self, rows, sessions):
        self.rows = rows
        self.paths = {row["path"] for row in rows}
        self.sessions = tuple(sessions)
        self.header = (
            Control("text", "now/title", "title", width=4),
            Control("text", "now/text", "time", width=2),
            Control("text", "now/state", "state", width=1),
            Control("push", "panic", "panic", is_grave=True),
            # Two, lest a position that is told be taken for a hand that seeks.
            Control("gauge", "now/norm", "position", width=3),
            Control("fader", "position/norm", "go to", width=3),
            Control("fader", "master/gain/norm", "level", width=2, is_told=True),
        )
        self.pages = self._pages()

    def hand(self, address):
        """Where it is told that a hand is on a control; None where nobody wants to know."""
        row = re.sub("^layer/(selected|[0-9]+)/", "layer/N/", address)
        return f"touch/{address}" if f"touch/{row}" in self.paths else None

    def _pages(self):
        shown = {section for _, sections in self.PAGES for section in sections} | {"Layers"}
        others = []
        for row in self.rows:
            if row["section"] not in shown and row["section"] not in others:
                others.append(row["section"])
        pages = []
        for title, sections in self.PAGES + tuple((section, (section,)) for section in others):
            rows = [row for row in self.rows if (row["path"] in self.QUEUE and title == "Queue")
                    or (row["section"] in sections and row["path"] not in self.QUEUE)]
            pages += self._packed(title, [control for row in rows for control in self._controls(row, row["path"])])
            if title == "Transport":
                pages += self._packed("Layers", self._strips()) + self._packed("Layer", self._layer())
        return pages

    def _packed(self, title, controls):
        """As many pages as are needed, filled line by line."""
        pages, page, column, line, height = [], [], 0, 0, 1
        for control in controls:
            if column + control.width > COLUMNS:
                column, line, height = 0, line + height, 1
            if line + control.height > LINES:
                pages.append(page)
                page, column, line, height = [], 0, 0, 1
            page.append(Placed(control, column, line))
            column, height = column + control.width, max(height, control.height)
        if page:
            pages.append(page)
        return [(title if index == 0 else f"{title} {index + 1}", page) for index, page in enumerate(pages)]

    def _layer(self):
        """Everything of the selected layer."""
        controls = [Control("text", "layer/selected/name", "name", width=2), Control("text", "layer/selected/kind", "kind", width=2)]
        for row in self.rows:
            if row["section"] == "Layers":
                controls += self._controls(row, row["path"].replace("layer/N/", "layer/selected/"))
        return controls

    def _strips(self):
        """A column for each of the first layers: what a mixer has."""
        strip = (
            lambda n: Control("text", f"layer/{n}/name", f"{n}"),
            lambda n: Control("fader", f"layer/{n}/gain/norm", "", height=3, is_told=True),
            lambda n: Control("toggle", f"layer/{n}/mute", "mute", is_told=True),
            lambda n: Control("toggle", f"layer/{n}/solo", "solo", is_told=True),
        )
        return [make(n) for make in strip for n in range(1, STRIPS + 1)]

    def _controls(self, row, path):
        """What the row of a command or of a property that can be set becomes; nothing for rows that are only read or only asked."""
        if row["access"] == "r" or row["role"] == "view":
            return []
        if path.startswith("touch/") and path != "touch/mode":
            # That a hand is on a fader is for the fader to tell, not for a button beside it.
            return []
        caption = path.removeprefix("layer/selected/").removeprefix("layer/").removeprefix("preferences/").replace("/", " ")
        is_told = "topic" in row
        needed = [i for i in row["inputs"] if not i["isOptional"]] or row["inputs"][:1]
        control = Control("push", path, caption, is_told=is_told, is_grave=path in ("panic", "quit"))
        kinds = [i["kind"] for i in needed]
        if row["role"] == "admin" and row["access"] == "rw":
            # Such as an address to listen on: nothing that is set from a phone.
            return [replace(control, kind="text")]
        if kinds == ["press"]:
            return [control]
        if kinds == ["flag"]:
            # What may be left out is a thing that is held.
            return [control if needed[0]["isOptional"] else replace(control, kind="toggle")]
        if kinds == ["number"]:
            return self._number(control, row, needed[0])
        if kinds == ["number", "number"]:
            return [replace(control, kind="xy", width=2, height=2)]
        if kinds == ["note"]:
            return [replace(control, kind="fader", width=2, low=36, high=84)]
        if kinds == ["choice"]:
            taps = [self._tap(control, name) for name in needed[0]["names"]]
            # What is set, and beside it what could be.
            return [replace(control, kind="text"), *(replace(tap, caption=tap.constants[0]) for tap in taps)] if is_told else taps
        if kinds == ["integer"]:
            return [self._tap(control, number) for number in NUMBERS]
        if kinds == ["integer", "text"]:
            # The controller that every keyboard has for the volume.
            return [self._tap(control, 7, "master/gain")]
        if kinds == ["integer", "integer"]:
            return [self._tap(control, *pair) for pair in ((1, 2), (2, 1), (2, 3), (3, 2))]
        if kinds == ["text", "text"]:
            # Of the ports that every server has.
            return [self._tap(control, "out_left", "system:playback_1"), self._tap(control, "out_right", "system:playback_2")]
        if kinds == ["text"]:
            names = self.sessions if path.startswith("session/") else tuple("ABCD")
            return [replace(control, kind="entry", width=2, examples=names)]
        raise SystemExit(f"{row['path']}: no control is known for {', '.join(kinds)}; add one to scripts/layouts/plan.py")

    def _number(self, control, row, needed):
        low, high = needed["range"]
        if control.is_told and f"{row['path']}/norm" in self.paths:
            # Its twin, which is a row of its own, is the fader.
            return [replace(control, kind="text")]
        if high - low <= 1000:
            return [replace(control, kind="fader", width=2, low=low, high=high)]
        # Seconds, of which there may be a year.
        steps = (-30, -10, 10, 30) if low < 0 else (0, 10, 60, 600)
        return [self._tap(control, step) for step in steps if low <= step <= high]

    @staticmethod
    def _tap(control, *constants):
        return replace(
            control, kind="tap", constants=constants, caption=f"{control.caption} {' to '.join(map(str, constants))}", is_told=False)
