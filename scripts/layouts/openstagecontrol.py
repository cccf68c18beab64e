"""Open Stage Control's session: JSON. Omitted properties of a widget have their defaults. Facts: https://openstagecontrol.ammd.net/docs"""

import json
import re

from .plan import COLUMNS, ROOT

VERSION = "1.25.0"
CELL_WIDTH, CELL_HEIGHT, CAPTION, GAP = 128, 96, 20, 3


def text(surface):
    header, x, y = [], 0, 0
    for control in surface.header:
        if x + control.width > COLUMNS:
            x, y = 0, y + 1
        header += widgets(control, x, y, "header")
        x += control.width
    tabs = [
        {"type": "tab", "id": title, "label": title,
         "widgets": [w for placed in page for w in widgets(placed.control, placed.column, placed.line, title)]}
        for title, page in surface.pages]
    panels = [
        {"type": "panel", "id": "now", "height": 2 * CELL_HEIGHT, "width": "100%", "scroll": False, "widgets": header},
        {"type": "panel", "id": "pages", "width": "100%", "expand": True, "tabs": tabs}]
    root = {"type": "root", "id": "root", "layout": "vertical", "widgets": panels}
    session = {"createdWith": "Open Stage Control", "version": VERSION, "type": "session", "content": root}
    return json.dumps(session, indent=1, ensure_ascii=False) + "\n"


def widgets(control, column, line, page):
    left, top = column * CELL_WIDTH + GAP, line * CELL_HEIGHT + GAP
    width, height = control.width * CELL_WIDTH - 2 * GAP, control.height * CELL_HEIGHT - 2 * GAP
    place = {"left": left, "top": top, "width": width, "height": height}
    # Widgets of the same name would be the same widget.
    name = re.sub("[^A-Za-z0-9-]+", "_", f"{page} {control.address} {control.kind} {' '.join(map(str, control.constants))}").strip("_")
    widget = {"id": name, "address": ROOT + control.address}
    if control.kind in ("push", "toggle", "tap"):
        return [place | widget | _button(control)]
    caption = {"type": "text", "id": name + "_caption", "default": control.caption, "bypass": True} | place | {"height": CAPTION}
    inner = place | {"top": top + CAPTION, "height": height - CAPTION}
    if control.kind == "text":
        return [caption, {"type": "text"} | inner | widget]
    if control.kind == "entry":
        return [caption, {"type": "input", "typeTags": "s"} | inner | widget]
    if control.kind == "xy":
        return [caption, {"type": "xy", "pips": False, "decimals": 4} | inner | widget]
    fader = {"type": "fader", "horizontal": width > height, "range": {"min": control.low, "max": control.high}, "decimals": 4}
    fader |= {"design": "compact"} | inner | widget
    if control.kind == "gauge":
        fader |= {"interaction": False, "bypass": True}
    return [caption, fader]


def _button(control):
    button = {"type": "button", "label": control.caption, "wrap": "soft"}
    if control.is_grave:
        button["colorWidget"] = "#c33"
    if control.kind == "tap":
        *before, last = control.constants
        tags = "".join("s" if isinstance(c, str) else "f" for c in control.constants)
        return button | {"mode": "tap", "on": last, "preArgs": before if before else "", "typeTags": tags}
    return button | {"mode": "push" if control.kind == "push" else "toggle", "on": 1, "off": 0}
