"""The panel's page on another machine whose link goes down and up: its place becomes free, and the page is right again soon after.

    panel_cable.py PROGRAM

The two machines are networks of the kernel with a cable between them. The server gets the name that JACK_DEFAULT_SERVER has, the program's client
that of CLIENT_NAME. A place has to be free by the program's clock, and the page right by the page's clock, in the times below; since a busy machine
is late, single outages may take LATE times as long.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from panel_page import CHROMIUM, LIMIT, becomes
from playwright.sync_api import sync_playwright
from program import Program
from peer import Peer
from servers import MOVING, PATIENCE, Running, Server, in_own_network, server_environment, until

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
HERE, THERE = "10.79.0.1", "10.79.0.2"
# Seconds until the place of a page that is gone is free, and from the link's return until the page is right.
FREED, RIGHT, LATE = 20, 2, 3


class Cable:
    """The link between this machine and the browser's."""

    def __init__(self):
        self.holder = Running("unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec sleep 3600")
        self.holder.line(lambda line: line == "up")
        self.there = ["nsenter", f"--target={self.holder.process.pid}", "--net"]
        self.run([], "ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", str(self.holder.process.pid))
        for prefix, address in (([], HERE), (self.there, THERE)):
            self.run(prefix, "ip", "address", "add", f"{address}/24", "dev", "cable")
            self.run(prefix, "ip", "link", "set", "cable", "up")

    def run(self, prefix, *command):
        subprocess.run([*prefix, *command], check=True)

    def unplug(self):
        """Both machines see it."""
        self.run([], "ip", "link", "set", "cable", "down")

    def plug_in(self):
        self.run([], "ip", "link", "set", "cable", "up")

    def lose(self):
        """Packets are lost in both directions, and neither machine sees why."""
        for prefix, address in (([], THERE), (self.there, HERE)):
            self.run(prefix, "ip", "neigh", "replace", address, "lladdr", "02:00:00:00:00:99", "dev", "cable", "nud", "permanent")

    def find(self):
        for prefix, address in (([], THERE), (self.there, HERE)):
            self.run(prefix, "ip", "neigh", "del", address, "dev", "cable")

    def browser(self, folder):
        """A program that starts Chromium on the other machine."""
        file = Path(folder) / "chromium"
        file.write_text(f"#!/bin/sh\nexec {' '.join(self.there)} {CHROMIUM} \"$@\"\n")
        file.chmod(0o755)
        return file


def browsers(peer):
    """The number of clients over WebSocket, and the seconds since this one's first packet, by the program's clock."""
    items = [answer.values for answer in peer.answers("peer/list")[:-1]]
    return sum(values[3] == "websocket" for values in items), next(values[4] for values in items if values[5])


def outage(page, program, break_link, mend, seconds, name):
    """While the link is away, others change something, which the page shows as soon as it is back.

    - Returns: the seconds until the page's place was free, or None if the link came back before, and until the page was right.
    """
    peer = Peer(program.port)
    peer.send("replies", 2)
    until("the page is not connected", lambda: browsers(peer)[0] == 1)
    begin, freed, (_, cut) = time.monotonic(), None, browsers(peer)
    break_link()
    while (passed := time.monotonic() - begin) < seconds or seconds > 20 and freed is None:
        assert passed < PATIENCE, "a page that is gone keeps its place"
        count, now = browsers(peer)
        if freed is None and count == 0:
            freed = now - cut
        page.wait_for_timeout(200)
    if freed is not None:
        assert page.evaluate("document.body.classList.contains('stale')"), "old values are shown as if they were right"
    beat = 4 + seconds / 10
    assert peer.code("layer/1/beat", beat) == 0 and peer.code("toggle") == 0
    state = "Play" if peer.get("now/state") == ["paused"] else "Pause"
    page.evaluate(f"""(() => {{
        const isRight = () => !document.body.classList.contains('stale') && document.getElementById('toggle').getAttribute('aria-label') === '{state}'
            && [...document.querySelectorAll('.layer p')].some(each => each.textContent.endsWith('{beat:.2f} Hz'));
        window.rightAt = null;
        const watch = () => {{ if (isRight()) window.rightAt = Date.now(); else requestAnimationFrame(watch); }};
        watch(); }})()""")
    assert page.evaluate("window.rightAt") is None, "the page shows what it cannot know yet"
    back = time.time()
    mend()
    becomes(page, "window.rightAt !== null")
    took = page.evaluate("window.rightAt") / 1000 - back
    print(f"figure: {name} for {seconds} s: " + (f"its place was free after {freed:.1f} s, " if freed else "")
          + f"the page was right {took:.1f} s after the link's return")
    until("there are two of the page", lambda: browsers(peer)[0] == 1)
    peer.close()
    return freed, took


def judged(what, times, bound):
    assert len(times) >= 2 and statistics.median_low(times) <= bound and max(times) <= bound * LATE, f"{what} after {times} s"


def main(path):
    in_own_network()
    os.environ.update(server_environment(SERVER))
    cable = Cable()
    with tempfile.TemporaryDirectory(prefix="binaural-cable-") as folder, Server(SERVER), \
            Program(path, NAME, "--web", "auto", "--web-listen", HERE, queue=["moving.yaml"],
                    files={"moving.yaml": MOVING.replace("duration: 30", "duration: 3000").replace("{at: 4,", "{at: 2000,")}) as program, \
            sync_playwright() as playwright:
        until("the panel does not come up", lambda: program.panel_port)
        pair = subprocess.run([path, "web", "pair"], env=program.environment, check=True, capture_output=True, text=True).stdout.split()[0]
        browser = playwright.chromium.launch(
            executable_path=str(cable.browser(folder)), timeout=LIMIT, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.set_default_timeout(LIMIT)
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.goto(pair)
        becomes(page, "document.getElementById('connection').textContent === 'Connected' && document.querySelectorAll('.layer').length === 3")
        outages = []
        for break_link, mend, name in ((cable.unplug, cable.plug_in, "unplugged"), (cable.lose, cable.find, "all packets lost")):
            outages += [outage(page, program, break_link, mend, seconds, name) for seconds in (3, 8, 25)]
        judged("the places of pages that are gone are free", [freed for freed, _ in outages if freed is not None], FREED)
        judged("the page is right", [took for _, took in outages], RIGHT)
        assert not page.faults, page.faults
        browser.close()
        program.end()
    print("panel cable: a page that is cut off gives its place back, and is right again when it returns")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
