"""The plan of a control surface, generated from the address table: pages, controls and their places. Independent of file formats."""

import re
from dataclasses import dataclass, replace

ROOT = "/binaural/"
COLUMNS, LINES = 8, 6
# Layers that have a strip of their own.
STRIPS = 8
# The number of items and of layers that have a button.
NUMBERS = range(1, 9)


@dataclass(frozen=True)
class Control:
    # push (1 while held, 0 when released), toggle, tap (sends constants), fader, xy, entry (a text to be typed); text and gauge only show
    kind: str
    address: str
    caption: str
    width: int = 1
    height: int = 1
    # The range of a fader.
    low: float = 0.0
    high: float = 1.0
    # The arguments that a tap sends: numbers and strings.
    constants: tuple = ()
    # Whether the server sends changes of its value to subscribers.
    has_feedback: bool = False
    is_grave: bool = False
    # Values for an entry, for surfaces without a keyboard.
    examples: tuple = ()


@dataclass(frozen=True)
class Placed:
    control: Control
    column: int
    line: int


class Surface:
    """The pages, and the header above all of them."""

    # Title of a page, and the sections of the table that it shows.
    PAGES = (("Playback", ("Playback", "Listening")), ("Mixer", ("Mixer",)), ("Queue", ("Queue", "Sessions, presets", "JACK", "Program")))
    # Rows on the first page regardless of their section.
    PLAYBACK = ("queue/next", "queue/previous", "transport/mode")

    def __init__(self, rows, sessions):
        self.rows = rows
        self.paths = {row["path"] for row in rows}
        self.sessions = tuple(sessions)
        self.header = (
            Control("text", "now/title", "title", width=4),
            Control("text", "now/text", "time", width=2),
            Control("text", "now/state", "state", width=1),
            Control("push", "panic", "panic", is_grave=True),
            # A gauge and a fader: feedback that moved the fader would look like a seek.
            Control("gauge", "now/norm", "position", width=3),
            Control("fader", "position/norm", "go to", width=3),
            Control("fader", "master/gain/norm", "level", width=2, has_feedback=True),
        )
        self.pages = self._pages()

    def hand(self, address):
        """The address for touching and releasing a control, or None if it has none."""
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
            rows = [row for row in self.rows if (row["path"] in self.PLAYBACK and title == "Playback")
                    or (row["section"] in sections and row["path"] not in self.PLAYBACK)]
            pages += self._packed(title, [control for row in rows for control in self._controls(row, row["path"])])
            if title == "Playback":
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
        """All parameters of the selected layer."""
        controls = [Control("text", "layer/selected/name", "name", width=2), Control("text", "layer/selected/kind", "kind", width=2)]
        for row in self.rows:
            if row["section"] == "Layers":
                controls += self._controls(row, row["path"].replace("layer/N/", "layer/selected/"))
        return controls

    def _strips(self):
        """A mixer strip for each of the first layers."""
        strip = (
            lambda n: Control("text", f"layer/{n}/name", f"{n}"),
            lambda n: Control("fader", f"layer/{n}/gain/norm", "", height=3, has_feedback=True),
            lambda n: Control("toggle", f"layer/{n}/mute", "mute", has_feedback=True),
            lambda n: Control("toggle", f"layer/{n}/solo", "solo", has_feedback=True),
        )
        return [make(n) for make in strip for n in range(1, STRIPS + 1)]

    def _controls(self, row, path):
        """The controls for the row of a command or of a writable property; none for other rows."""
        if row["access"] == "r" or row["role"] == "view":
            return []
        if path.startswith("touch/") and path != "touch/mode":
            # Faders send their touches themselves, without a button.
            return []
        caption = path.removeprefix("layer/selected/").removeprefix("layer/").removeprefix("preferences/").replace("/", " ")
        has_feedback = "topic" in row
        needed = [i for i in row["inputs"] if not i["isOptional"]] or row["inputs"][:1]
        control = Control("push", path, caption, has_feedback=has_feedback, is_grave=path in ("panic", "quit"))
        kinds = [i["kind"] for i in needed]
        if row["role"] == "admin" and row["access"] == "rw":
            # Settings such as an address to listen on are not set from a phone.
            return [replace(control, kind="text")]
        if kinds == ["press"]:
            return [control]
        if kinds == ["flag"]:
            # A button with an optional argument is held.
            return [control if needed[0]["isOptional"] else replace(control, kind="toggle")]
        if kinds == ["number"]:
            return self._number(control, row, needed[0])
        if kinds == ["number", "number"]:
            return [replace(control, kind="xy", width=2, height=2)]
        if kinds == ["note"]:
            return [replace(control, kind="fader", width=2, low=36, high=84)]
        if kinds == ["choice"]:
            taps = [self._tap(control, name) for name in needed[0]["names"]]
            # The current value, and a button for each value beside it.
            return [replace(control, kind="text"), *(replace(tap, caption=tap.constants[0]) for tap in taps)] if has_feedback else taps
        if kinds == ["integer"]:
            return [self._tap(control, number) for number in NUMBERS]
        if path == "queue/relink":
            return [self._tap(control, 1, "rain")]
        if kinds == ["integer", "text"]:
            # Controller 7 is the volume on every keyboard.
            return [self._tap(control, 7, "master/gain")]
        if kinds == ["integer", "integer"]:
            return [self._tap(control, *pair) for pair in ((1, 2), (2, 1), (2, 3), (3, 2))]
        if kinds == ["integer", "number"]:
            # The second chapter, at or over one minute and two.
            return [self._tap(control, 2, seconds) for seconds in (60, 120)]
        if kinds == ["integer", "integer", "choice", "number"]:
            return [self._tap(control, 0, 1, "gain", level) for level in (-26, -20)]
        if kinds == ["text", "text"]:
            # Ports that every server has.
            return [self._tap(control, "out_left", "system:playback_1"), self._tap(control, "out_right", "system:playback_2")]
        if kinds == ["text"]:
            names = self.sessions if path.startswith("session/") else tuple("ABCD")
            return [replace(control, kind="entry", width=2, examples=names)]
        raise SystemExit(f"{row['path']}: no control is known for {', '.join(kinds)}; add one to scripts/layouts/plan.py")

    def _number(self, control, row, needed):
        low, high = needed["range"]
        if control.has_feedback and f"{row['path']}/norm" in self.paths:
            # The fader is its normalized twin, which has a row of its own.
            return [replace(control, kind="text")]
        if high - low <= 1000:
            return [replace(control, kind="fader", width=2, low=low, high=high)]
        # Seconds, up to a year.
        steps = (-30, -10, 10, 30) if low < 0 else (0, 10, 60, 600)
        return [self._tap(control, step) for step in steps if low <= step <= high]

    @staticmethod
    def _tap(control, *constants):
        return replace(
            control, kind="tap", constants=constants, caption=f"{control.caption} {' to '.join(map(str, constants))}", has_feedback=False)
