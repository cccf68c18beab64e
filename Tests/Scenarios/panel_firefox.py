"""The panel's page in Firefox, over WebDriver BiDi: it loads, is paired, plays, and a fader is moved."""
import itertools
import json
import shutil
import tempfile
from pathlib import Path

import websocket

from servers import PATIENCE, Running, until

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
# The name given to the program with --web-host leads here, so that the page has to be paired.
SETTINGS = """user_pref("network.dns.localDomains", "studio.test");
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("app.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""


class Firefox:
    def __init__(self, folder):
        (Path(folder) / "user.js").write_text(SETTINGS)
        self.process = Running(FIREFOX, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0", patient_end=False)
        address = self.process.line(lambda line: "WebDriver BiDi listening on" in line).split()[-1]
        self.numbers = itertools.count(1)
        self.socket = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
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
        firefox.becomes("document.getElementById('course').naturalWidth > 100")
        label = "document.getElementById('toggle').getAttribute('aria-label')"
        before = firefox.evaluate(label)
        firefox.evaluate("document.getElementById('toggle').click()")
        firefox.becomes(f"{label} !== '{before}'")
        firefox.evaluate("document.getElementById('toggle').click()")
        firefox.becomes(f"{label} === '{before}'")
        slider(firefox)
    finally:
        firefox.close()
        shutil.rmtree(folder, ignore_errors=True)


def slider(firefox):
    """The pointer takes the level of the first layer to the middle of the fader."""
    box = json.loads(firefox.evaluate(
        "(() => { const each = document.querySelector('.layer input'); each.scrollIntoView({ block: 'center' });"
        " const area = each.getBoundingClientRect(); return JSON.stringify([area.left, area.top, area.width, area.height]) })()"))
    left, top, width, height = box

    def move(part):
        return {"type": "pointerMove", "x": round(left + width * part), "y": round(top + height / 2)}

    actions = [move(0.2), {"type": "pointerDown", "button": 0}, move(0.35), move(0.5), {"type": "pointerUp", "button": 0}]
    firefox.call("input.performActions", context=firefox.context, actions=[
        {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}])
    firefox.becomes("Math.abs(parseFloat(document.querySelector('.layer output').textContent.replace('−', '-')) + 30) < 1.5")
