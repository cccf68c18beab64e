"""TouchOSC's layout: XML, which make-layouts packs with zlib. Facts of the format: https://hexler.net/touchosc/manual"""

import uuid
from xml.sax.saxutils import escape

from .plan import COLUMNS, LINES, ROOT

WIDTH, HEIGHT, HEADER, TABBAR = 1024, 768, 150, 44
CELL_WIDTH, CELL_HEIGHT = WIDTH // COLUMNS, (HEIGHT - HEADER - TABBAR) // LINES
GAP, CAPTION = 3, 20
DARK, FACE, FADER, GRAVE, CLEAR, WHITE = (
    (0.07, 0.07, 0.08, 1), (0.20, 0.27, 0.38, 1), (0.16, 0.45, 0.45, 1), (0.60, 0.13, 0.13, 1), (0, 0, 0, 0), (1, 1, 1, 1))


def text(surface):
    writer = Writer(surface)
    header = []
    x, y = 0, 0
    for control in surface.header:
        width = control.width * CELL_WIDTH
        if x + width > WIDTH:
            x, y = 0, y + HEADER // 2
        header += writer.control(control, x, y, width, HEADER // 2)
        x += width
    pages = []
    for title, page in surface.pages:
        nodes = []
        for placed in page:
            control = placed.control
            nodes += writer.control(
                control, placed.column * CELL_WIDTH, placed.line * CELL_HEIGHT, control.width * CELL_WIDTH, control.height * CELL_HEIGHT)
        pages.append(
            writer.node("GROUP", title, (0, TABBAR, WIDTH, HEIGHT - HEADER - TABBAR), {
                "tabLabel": title, "tabColorOff": FACE, "tabColorOn": FADER, "textColorOff": WHITE, "textColorOn": WHITE,
                "background": True, "color": DARK, "interactive": True}, children=nodes))
    pager = writer.node("PAGER", "pages", (0, HEADER, WIDTH, HEIGHT - HEADER), {
        "tabbar": True, "tabbarSize": TABBAR, "tabLabels": True, "tabbarDoubleTap": False, "textSizeOff": 14, "textSizeOn": 14,
        "background": True, "color": DARK, "interactive": True}, {"page": 0}, children=pages)
    root = writer.node("GROUP", "binaural", (0, 0, WIDTH, HEIGHT), {"background": True, "color": DARK, "interactive": True},
                       children=header + [pager])
    return f"<?xml version='1.0' encoding='UTF-8'?><lexml version='3'>{root}</lexml>"


class Writer:
    def __init__(self, surface):
        self.surface = surface
        self.count = 0

    # The node types of the controls.

    def control(self, control, x, y, width, height):
        x, y, width, height = x + GAP, y + GAP, width - 2 * GAP, height - 2 * GAP
        if control.kind == "entry":
            return self._entry(control, x, y, width, height)
        if control.kind in ("push", "toggle", "tap"):
            return [self._button(control, (x, y, width, height)), self._caption(control.caption, (x, y, width, height))]
        frame = (x, y + CAPTION, width, height - CAPTION)
        caption = self._caption(control.caption, (x, y, width, CAPTION))
        if control.kind == "text":
            return [caption, self._display(control, frame)]
        look = {"background": True, "color": FADER, "interactive": True, "response": 0, "grid": False, "cursor": True}
        if control.kind == "xy":
            message = self._message(control.address, ("x", "y"), [self._value("x"), self._value("y")])
            return [caption, self.node("XY", control.address, frame, look, {"x": 0.0, "y": 0.0, "touch": False}, [message])]
        # A fader turned by 90 degrees is horizontal.
        look |= {"bar": True, "orientation": 0 if height > width else 1}
        value = self._value("x", control.low, control.high)
        if control.kind == "gauge":
            look |= {"interactive": False, "cursor": False}
            messages = [self._message(control.address, ("x",), [value], send=False)]
        else:
            messages = [self._message(control.address, ("x",), [value], receive=control.has_feedback)]
            # Chapters do not move a fader that is held.
            if hand := self.surface.hand(control.address):
                messages.append(self._message(hand, ("touch",), [self._value("touch", conversion="INTEGER")], receive=False))
        return [caption, self.node("FADER", control.address, frame, look, {"x": 0.0, "touch": False}, messages)]

    def _button(self, control, frame):
        color = GRAVE if control.is_grave else FACE
        look = {"background": True, "color": color, "interactive": True, "buttonType": 1 if control.kind == "toggle" else 0,
                "press": True, "release": True, "valuePosition": False, "cornerRadius": 4.0}
        if control.kind == "tap":
            message = self._message(control.address, ("x",), [self._constant(c) for c in control.constants], "RISE", receive=False)
        else:
            message = self._message(control.address, ("x",), [self._value("x")], receive=control.has_feedback)
        return self.node("BUTTON", control.address, frame, look, {"x": 0.0, "touch": False}, [message])

    def _entry(self, control, x, y, width, height):
        """Buttons with names, since text cannot be typed."""
        nodes = [self._caption(control.caption, (x, y, width, CAPTION))]
        part = width // len(control.examples)
        for index, name in enumerate(control.examples):
            frame = (x + index * part, y + CAPTION, part - GAP, height - CAPTION)
            look = {"background": True, "color": FACE, "interactive": True, "buttonType": 0, "press": True, "release": True,
                    "valuePosition": False, "cornerRadius": 4.0}
            message = self._message(control.address, ("x",), [self._constant(name)], "RISE", receive=False)
            nodes.append(self.node("BUTTON", control.address, frame, look, {"x": 0.0, "touch": False}, [message]))
            nodes.append(self._caption(name, frame))
        return nodes

    def _caption(self, text, frame):
        # Long words have to fit on a button.
        size = 13 if len(text) * 8 <= frame[2] else 10
        return self.node("LABEL", "caption", frame, self._text_look(size), {"text": text, "touch": False})

    def _display(self, control, frame):
        message = self._message(control.address, ("text",), [self._value("text", conversion="STRING")], send=False)
        return self.node("LABEL", control.address, frame, self._text_look(18), {"text": "", "touch": False}, [message])

    @staticmethod
    def _text_look(size):
        return {"background": False, "color": CLEAR, "interactive": False, "textSize": size, "textColor": WHITE, "textAlignH": 2,
                "textClip": True, "textLength": 0, "font": 0}

    # Required by the format.

    def _message(self, address, variables, arguments, condition="ANY", send=True, receive=True):
        triggers = "".join(f"<trigger><var>{v}</var><condition>{condition}</condition></trigger>" for v in variables)
        return (
            f"<osc><enabled>1</enabled><send>{int(send)}</send><receive>{int(receive)}</receive><feedback>0</feedback>"
            f"<noDuplicates>0</noDuplicates><connections>1111111111</connections><triggers>{triggers}</triggers>"
            f"<path>{self._constant(ROOT + address)}</path><arguments>{''.join(arguments)}</arguments></osc>")

    @staticmethod
    def _partial(kind, conversion, value, low=0.0, high=1.0):
        return (f"<partial><type>{kind}</type><conversion>{conversion}</conversion><value>{escape(str(value))}</value>"
                f"<scaleMin>{low:g}</scaleMin><scaleMax>{high:g}</scaleMax></partial>")

    def _value(self, variable, low=0.0, high=1.0, conversion="FLOAT"):
        return self._partial("VALUE", conversion, variable, low, high)

    def _constant(self, value):
        return self._partial("CONSTANT", "STRING" if isinstance(value, str) else "FLOAT", value)

    def node(self, kind, name, frame, look, values=None, messages=(), children=()):
        self.count += 1
        # The same identifiers in every run.
        identifier = uuid.uuid5(uuid.NAMESPACE_URL, f"binaural/{self.count}")
        properties = {"name": name, "visible": True, "locked": False, "outline": False, **look}
        parts = [f"<properties>{self._frame(frame)}{''.join(self._property(*item) for item in sorted(properties.items()))}</properties>"]
        parts.append(f"<values>{''.join(self._default(*item) for item in (values or {'touch': False}).items())}</values>")
        if messages:
            parts.append(f"<messages>{''.join(messages)}</messages>")
        if children:
            parts.append(f"<children>{''.join(children)}</children>")
        return f"<node ID='{identifier}' type='{kind}'>{''.join(parts)}</node>"

    @staticmethod
    def _frame(frame):
        inner = "".join(f"<{key}>{value}</{key}>" for key, value in zip("xywh", frame))
        return f"<property type='r'><key>frame</key><value>{inner}</value></property>"

    @staticmethod
    def _property(key, value):
        kind, inner = {
            bool: lambda: ("b", int(value)), int: lambda: ("i", value), float: lambda: ("f", f"{value:g}"),
            str: lambda: ("s", escape(value)),
            tuple: lambda: ("c", "".join(f"<{part}>{number:g}</{part}>" for part, number in zip("rgba", value))),
        }[type(value)]()
        return f"<property type='{kind}'><key>{key}</key><value>{inner}</value></property>"

    @staticmethod
    def _default(key, value):
        written = {True: "true", False: "false"}[value] if isinstance(value, bool) else escape(str(value))
        return (f"<value><key>{key}</key><locked>0</locked><lockedDefaultCurrent>0</lockedDefaultCurrent>"
                f"<default>{written}</default><defaultPull>0</defaultPull></value>")
