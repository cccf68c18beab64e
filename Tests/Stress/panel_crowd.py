"""32 pages at once: with eight listeners, memory stays bounded; while nobody changes the sound, whatever else they do, it is equal in every bit."""
import contextlib
import json
import selectors
import threading
import time

from listening import NAME, Listener, own_memory, peer_of
from panel_page import LINES, becomes, chromium, fill, new_page, sheet
from program import Program
from pythonosc.osc_message_builder import build_msg
from raw_client import Client, head, masked
from disturbance import judge
from recording import Capture, as_rendered
from patience import PATIENCE
from servers import MOVING, until

# The fourth layer is silent, whatever its carrier is.
PATCH = MOVING.replace("duration: 30", "duration: 180").replace("chapters:", "  - {name: spare, tone: {carrier: 440}, gain: -120}\nchapters:")
TOPICS = ["now", "commands", "layers", "mixer", "session", "log", "meters/50"]
PAGES, LISTENERS = 32, 8
# MB that a crowd may add.
CROWD_BOUND = 12


class Page:
    """A client that asks for what the page does: files, the course, and everything that it subscribes to."""

    def __init__(self, port):
        for path in ("/", "/app.js", "/app.css", "/course.json"):
            client = Client(port, head(path, "localhost", None, "Connection: close\r\n"))
            assert client.rest().startswith(b"HTTP/1.1 200 "), path
        self.client = Client.upgraded(port)
        assert self.client.status == 101, self.client.status
        for topic in TOPICS:
            self.send("subscribe", topic, 0, 60)
        self.count, self.seen = 0, b""

    def send(self, path, *values):
        self.client.socket.sendall(masked(0x82, build_msg(f"/binaural/{path}", list(values)).dgram))

    def read(self):
        part = self.client.socket.recv(65_536)
        assert part, "a page is disconnected"
        self.count += len(part)
        self.seen = (self.seen + part)[-100_000:]


@contextlib.contextmanager
def pages_of(program):
    """32 pages, which are read from on a thread; and the faults of that."""
    pages = [Page(program.panel_port) for _ in range(PAGES)]
    ready, is_over, faults = selectors.DefaultSelector(), threading.Event(), []
    for page in pages:
        ready.register(page.client.socket, selectors.EVENT_READ, page)

    def read():
        try:
            while not is_over.is_set():
                for key, _ in ready.select(0.1):
                    key.data.read()
        except Exception as fault:
            faults.append(fault)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield pages, faults
    finally:
        is_over.set(), reader.join(PATIENCE)
        for page in pages:
            page.client.socket.close()
    assert not faults, faults


def crowd(path):
    """32 pages and 8 listeners at once: all of them are served, and memory grows by a bounded amount."""
    with Program(path, NAME, "--web", "auto", queue=["moving.yaml"], files={"moving.yaml": PATCH}) as program:
        peer = peer_of(program)
        until("the panel does not come up", lambda: program.panel_port)
        assert peer.code("play") == 0
        peer.until("now/elapsed", lambda values: values[0] > 1)
        start = own_memory(program.process)
        listeners = [Listener(program.panel_port, f"/listen.{name}") for name in ("mp3", "opus", "flac", "mp3") * 2]
        assert {listener.status for listener in listeners} == {200} and len(listeners) == LISTENERS
        with pages_of(program) as (pages, faults):
            peak, end = 0, time.monotonic() + 15
            while time.monotonic() < end:
                for number, page in enumerate(pages):
                    page.send("layer/1/beat", 5 + number / 100)
                peak = max(peak, own_memory(program.process))
                time.sleep(0.25)
            pages[0].send("layer/1/gain", -27.0)
            until(lambda: f"a page does not show a change: {faults}",
                  lambda: faults or all(b"/binaural/layer/1/gain\0\0,f\0\0\xc1\xd8\0\0" in page.seen for page in pages))
            for listener in listeners:
                listener.has(1000)
                listener.leave()
        until("pages keep their places", lambda: Client.upgraded(program.panel_port).status == 101)
        time.sleep(2)
        print(f"figure: {peak - start} KB more private memory with {PAGES} pages and {LISTENERS} listeners, "
              f"{own_memory(program.process) - start} KB afterwards; {sum(page.count for page in pages) / 15 / PAGES / 1000:.0f} kB/s to each page")
        assert peak - start < CROWD_BOUND * 1000, peak - start
        program.end()


def looking(path):
    """32 pages list everything there is, and one in a browser is used for all that does not change the sound, while it is recorded."""
    with Program(path, NAME, "--web", "auto", queue=["moving.yaml"], files={"moving.yaml": PATCH}) as program, chromium() as browser:
        peer = peer_of(program)
        until("the panel does not come up", lambda: program.panel_port)
        page = new_page(browser, viewport={"width": 1000, "height": 900})
        page.goto(f"http://127.0.0.1:{program.panel_port}/")
        becomes(page, "document.querySelectorAll('.layer').length === 4")
        with pages_of(program) as (pages, faults), Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 120) as capture:
            assert peer.code("position", 0.0) == 0 and peer.code("play") == 0
            for number, use in enumerate((library, dialogs, notices, saving, marks, shapes)):
                for each in pages:
                    ask(each, number)
                use(page)
            peer.until("now/elapsed", lambda values: values[0] > 8)
            assert not faults, faults
            wave, _, xruns = capture.finish()
        equal, count = as_rendered(wave, program.path, program.folder / "moving.yaml")
        judge(equal == count > 240_000, f"{equal} of {count} frames are those of the render", xruns)
        print(f"figure: while {PAGES} pages list everything and one is used, {equal} of {count} frames are those of the render in every bit")
        assert all(page.count > 20_000 for page in pages), [page.count for page in pages]
        program.end()


def ask(page, number):
    lists = ("patch/list", "session/list", "queue/list", "preset/list", "chapter/list", "bookmark/list", "course/place/list", "course/point/list",
             "peer/list", "midi/list", "status", "clock", "meter", "now/text")
    for path in lists[number % 2::2]:
        page.send(path)
    page.send("describe", ("", "layer/1", "preferences", "queue", "session", "course")[number])


def library(page):
    becomes(page, "document.querySelectorAll('#library li').length > 10")
    for words, condition in (("harmonic box", "=== 1"), ("no such words", "=== 0"), ("", "> 10")):
        page.fill("#search", words)
        becomes(page, f"document.querySelectorAll('#library li').length {condition}")


def dialogs(page):
    page.click("#help-button")
    becomes(page, "document.getElementById('help').open")
    page.click("#help [data-close]")
    fill(page, "save-preset", "dusk")
    page.click("[aria-label='Remove dusk']")
    becomes(page, "document.getElementById('ask').open")
    page.click("#ask [data-close=yes]")
    becomes(page, "!document.querySelector('#presets [data-name=dusk]')")


def notices(page):
    """A refusal of the player, and a notice of the page itself."""
    fill(page, "save-patch", "a/b", is_free=False)
    becomes(page, "document.querySelectorAll('#log li').length > 0")
    page.evaluate("document.getElementById('bookmark-box').hidden = false")
    page.click("#bookmark-next")
    becomes(page, "document.getElementById('toast').textContent.includes('no bookmark after')")


def saving(page):
    fill(page, "save-session", "tonight")
    becomes(page, "document.getElementById('session-state').textContent.startsWith('tonight: ')")
    fill(page, "save-patch", "copy")
    becomes(page, "document.getElementById('toast').textContent === 'Saved as the patch copy.'")


def marks(page):
    """A rating, a bookmark, and whether it is liked."""
    with sheet(page, "#more-button", "more"):
        page.click("[aria-label='4 stars']")
        becomes(page, "document.querySelectorAll('#rating .lit').length === 4")
    for name in ("like", "bookmark"):
        page.click(f"[data-toggle={name}]")
        becomes(page, f"document.querySelector('[data-toggle={name}]').getAttribute('aria-pressed') === 'true'"
                if name == "like" else "document.querySelectorAll('#bookmark-list li').length === 1")


def shapes(page):
    """Everything is opened, drawn in another size and in the light, and loaded again."""
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    lines = page.evaluate(LINES)
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="light")
    becomes(page, f"{LINES} !== {json.dumps(lines)}")
    page.reload()
    becomes(page, "document.querySelectorAll('.layer').length === 4 && !document.getElementById('course').hidden")
