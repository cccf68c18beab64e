"""layout_messages.py FILE: what a layout can send and what it listens to, a line each:

    send ADDRESS ARGUMENT...     with s: before a string, f: before a number; of a fader that is its middle
    hear ADDRESS
"""

import json
import sys
import xml.etree.ElementTree
import zlib


def touchosc(data):
    root = xml.etree.ElementTree.fromstring(zlib.decompress(data))
    assert root.tag == "lexml"
    for osc in root.iter("osc"):
        address = "".join(partial.findtext("value") for partial in osc.find("path"))
        if osc.findtext("send") == "1":
            print("send", address, *map(argument, osc.find("arguments")), sep="\t")
        if osc.findtext("receive") == "1":
            print("hear", address, sep="\t")


def argument(partial):
    value = partial.findtext("value")
    if partial.findtext("type") == "CONSTANT":
        return ("s:" if partial.findtext("conversion") == "STRING" else "f:") + value
    return f"f:{(float(partial.findtext('scaleMin')) + float(partial.findtext('scaleMax'))) / 2}"


def openstagecontrol(data):
    session = json.loads(data)
    assert session["type"] == "session" and session["content"]["type"] == "root"
    names = set()
    for widget in all_widgets(session["content"]):
        assert widget["id"] not in names, widget["id"]
        names.add(widget["id"])
        if "address" not in widget:
            continue
        if widget["type"] == "text" or widget.get("bypass"):
            print("hear", widget["address"], sep="\t")
            continue
        print("send", widget["address"], *arguments(widget), sep="\t")


def arguments(widget):
    if widget["type"] == "xy":
        return ["f:0.5", "f:0.5"]
    if widget["type"] == "fader":
        return [f"f:{(widget['range']['min'] + widget['range']['max']) / 2}"]
    if widget["type"] == "input":
        return ["s:name"]
    before = widget.get("preArgs") or []
    return [("s:" if isinstance(value, str) else "f:") + str(value) for value in [*before, widget["on"]]]


def all_widgets(widget):
    yield widget
    for inner in widget.get("widgets", []) + widget.get("tabs", []):
        yield from all_widgets(inner)


with open(sys.argv[1], "rb") as file:
    content = file.read()
(touchosc if sys.argv[1].endswith(".tosc") else openstagecontrol)(content)
