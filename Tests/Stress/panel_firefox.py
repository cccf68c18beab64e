"""The panel's page in Firefox, over WebDriver BiDi: it loads, is paired, plays, and a fader, a chapter and a point are dragged.

    panel_firefox.py PROGRAM

What is moved is heard in the recorded output, and the page reports no error. A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME is the
name of the client.
"""
import itertools
import json
import math
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy
import websocket

from panel_host import OTHER, PATCH, Host, sounding
from panel_page import level, record
from patience import PATIENCE
from servers import Running, until

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
# The name given to the program with --web-host leads here, so that the page has to be paired.
SETTINGS = """user_pref("network.dns.localDomains", "studio.test");
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("app.update.enabled", false);
user_pref("dom.w3c_touch_events.enabled", 1);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""
# A load that the page's own policy forbids is an error as well, which Firefox shows in its developer tools only.
REFUSALS = "() => addEventListener('securitypolicyviolation', each => console.error(`refused ${each.blockedURI}: ${each.violatedDirective}`))"


class Firefox:
    """A browser with one page. `faults` are the errors that the page has thrown or logged."""

    def __init__(self, folder):
        self.faults = []
        (Path(folder) / "user.js").write_text(SETTINGS)
        self.process = Running(FIREFOX, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0", patient_end=False)
        address = self.process.line(lambda line: "WebDriver BiDi listening on" in line).split()[-1]
        self.numbers = itertools.count(1)
        self.socket = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("session.subscribe", events=["log.entryAdded"])
        self.call("script.addPreloadScript", functionDeclaration=REFUSALS)

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.faults.append(f"{answer['params']['type']}: {answer['params']['text']}")
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, url):
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, expression):
        answer = self.call("script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=False)
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def becomes(self, condition):
        until(f"Firefox does not show {condition}", lambda: self.evaluate(condition) is True, step=0.05)

    def close(self):
        self.socket.close()
        self.process.close()


def in_firefox(host):
    assert FIREFOX, "this test needs firefox-esr"
    folder = tempfile.mkdtemp(prefix="binaural-firefox-")
    firefox = Firefox(folder)
    try:
        token = host.web("pair").split("#")[1].split()[0]
        firefox.open(f"http://studio.test:{host.port}/#{token}")
        firefox.becomes("document.getElementById('connection').textContent === 'Connected' && location.hash === ''")
        firefox.becomes("document.querySelectorAll('.layer').length === 2")
        firefox.becomes("!document.getElementById('course').hidden")
        label = "document.getElementById('toggle').getAttribute('aria-label')"
        before = firefox.evaluate(label)
        firefox.evaluate("document.getElementById('toggle').click()")
        firefox.becomes(f"{label} !== '{before}'")
        firefox.evaluate("document.getElementById('toggle').click()")
        firefox.becomes(f"{label} === '{before}'")
        heard(firefox, host)
        firefox.evaluate("document.querySelector('#course-box summary').click()")
        course(firefox, "mouse")
        # A screen as that of a small phone.
        firefox.call("browsingContext.setViewport", context=firefox.context, viewport={"width": 360, "height": 640}, devicePixelRatio=None)
        firefox.becomes("innerWidth === 360 && document.documentElement.scrollWidth <= 360")
        course(firefox, "touch")
        firefox.becomes("document.getElementById('connection').textContent === 'Connected'")
        assert not firefox.faults, firefox.faults
        noticed(firefox)
    finally:
        firefox.close()
        shutil.rmtree(folder, ignore_errors=True)


def noticed(firefox):
    """Errors of every kind would have been noticed."""
    for kind, fault in (("javascript", "setTimeout(() => { throw new Error('planted') })"), ("javascript", "void Promise.reject(new Error('planted'))"),
                        ("console", "console.error('planted')"), ("console", "document.body.append(Object.assign(new Image(), { src: 'http://planted.test/' }))")):
        firefox.faults.clear()
        firefox.evaluate(fault)
        until(f"this error is not noticed: {fault}", lambda: firefox.evaluate("1") and any(
            each.startswith(kind) and "planted" in each for each in firefox.faults), step=0.05)


def heard(firefox, host):
    """The pointer moves the first layer's fader, which is heard, and so are pause and play."""
    toggle = "document.getElementById('toggle')"

    def sound():
        sounding(host)
        return record(1)

    def sounds(wanted, what):
        found = level(sound())
        assert abs(found - wanted) < 0.3, f"{what} is not heard: {found:.2f} dB instead of {wanted:.2f} dB"

    firefox.becomes(f"{toggle}.getAttribute('aria-label') === 'Pause'")
    previous = shown = shown_level(firefox)
    before = level(sound())
    for part in (0.5, 0.7):
        slider(firefox, part)
        moved = shown_level(firefox)
        assert abs(moved - previous) > 3, (previous, moved)
        previous = moved
        sounds(before + moved - shown, f"a fader at {moved} dB")
    firefox.evaluate(f"{toggle}.click()")
    firefox.becomes(f"{toggle}.getAttribute('aria-label') === 'Play'")
    assert not numpy.any(sound()[-4800:]), "the pause is not heard"
    firefox.evaluate(f"{toggle}.click()")
    firefox.becomes(f"{toggle}.getAttribute('aria-label') === 'Pause'")
    sounds(before + moved - shown, "playing again")


def shown_level(firefox):
    return float(firefox.evaluate("document.querySelector('.layer output').textContent").replace("−", "-").removesuffix(" dB"))


def slider(firefox, part):
    """The pointer takes the level of the first layer to a part of its fader, whose scale leads from -60 to 0 dB."""
    box = json.loads(firefox.evaluate(
        "(() => { const each = document.querySelector('.layer .track'); each.scrollIntoView({ block: 'center' });"
        " const area = each.getBoundingClientRect(); return JSON.stringify([area.left, area.top, area.width, area.height]) })()"))
    left, top, width, height = box
    # It moves by as much as the pointer, after the first eight pixels.
    now = 1 + shown_level(firefox) / 60
    places = now, (now + part) / 2, part + math.copysign(8, part - now) / height
    drag(firefox, *[(left + width / 2, top + height * (1 - place)) for place in places])
    firefox.becomes(f"Math.abs(parseFloat(document.querySelector('.layer output').textContent.replace('−', '-')) + {60 - 60 * part}) < 1.5")


def drag(firefox, start, *places, kind="mouse"):
    """Presses the mouse, or puts down a finger ("touch"), at a place, moves it to others, and releases it."""
    def move(place):
        return {"type": "pointerMove", "x": round(place[0]), "y": round(place[1])}

    actions = [move(start), {"type": "pointerDown", "button": 0}, *map(move, places), {"type": "pointerUp", "button": 0}]
    firefox.call("input.performActions", context=firefox.context, actions=[
        {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}])


def course(firefox, kind):
    """A chapter is dragged to another time, and a point to another value; then both changes are discarded."""
    def is_still():
        before = firefox.evaluate("document.getElementById('course-lines').innerHTML")
        time.sleep(0.5)
        return firefox.evaluate("document.getElementById('course-lines').innerHTML") == before

    def handle(option):
        """Selects an entry of the list; the place of its handle."""
        # After a change another course comes, in which the axes may have other ends.
        until("the course changes again and again", is_still, step=0)
        firefox.becomes(f"[...document.getElementById('course-choice').options].some(each => each.text === '{option}')")
        return json.loads(firefox.evaluate(
            f"(() => {{ const choice = document.getElementById('course-choice'); choice.value = [...choice.options].find(each => each.text === '{option}')"
            ".value; choice.dispatchEvent(new Event('change')); const shape = document.querySelector('#handles .selected');"
            " const area = shape.getBoundingClientRect();"
            " return JSON.stringify([area.x + area.width / 2, shape.tagName === 'path' ? area.y + 7 : area.y + area.height / 2]) })()"))

    firefox.evaluate("scrollTo(0, 0)")
    firefox.evaluate("(() => { const view = document.getElementById('course-view'); view.value = 'beat'; view.dispatchEvent(new Event('change')) })()")
    firefox.becomes("document.querySelectorAll('#handles circle:not(.reach)').length === 1 && document.querySelectorAll('#handles path').length === 2")
    reset, start = "document.getElementById('course-reset')", "document.querySelectorAll('#chapters small')[1].textContent"
    x, y = handle("Later, 5:00")
    drag(firefox, (x, y), (x + 20, y + 5), (x + 40, y), kind=kind)
    firefox.becomes(f"{reset}.textContent === 'Discard the change' && {start} > '5:10' && {start} < '9:00'")
    position = firefox.evaluate("document.getElementById('elapsed').textContent")
    x, y = handle("tone, carrier: start")
    drag(firefox, (x, y), (x + 1, y + 10), (x + 2, y + 20), kind=kind)
    firefox.becomes(f"{reset}.textContent === 'Discard 2 changes' && Number(document.getElementById('course-value').value) < 430")
    minutes = firefox.evaluate("document.getElementById('elapsed').textContent")
    assert minutes.split(":")[0] == position.split(":")[0], f"a drag goes to another position: {position}, {minutes}"
    firefox.evaluate(f"{reset}.click()")
    firefox.becomes(f"{reset}.hidden && {start} === '5:00'")


def main(program):
    folder = Path(tempfile.mkdtemp(prefix="binaural-panel-"))
    try:
        (folder / "two.yaml").write_text(PATCH)
        (folder / "other.yaml").write_text(OTHER)
        host = Host(program, folder, "--web", "auto", "--web-listen", "0.0.0.0", "--web-host", "studio.test", "--web-proxy", "0")
        in_firefox(host)
        host.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
