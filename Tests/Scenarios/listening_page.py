"""Listening in the panel's page in Chromium: the sound plays, the browser's media session shows and controls it, and it comes back."""
import shutil
from contextlib import contextmanager

from panel_page import becomes
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
# The actions of a lock screen or headset, as the browser calls them.
ACTIONS = """
    window.actions = {};
    const set = MediaSession.prototype.setActionHandler;
    MediaSession.prototype.setActionHandler = function (name, action) { actions[name] = action; return set.call(this, name, action); };
"""


@contextmanager
def in_browser(program, peer):
    """The page listens. In the block JACK is restarted, and the value tells whether the page listens again."""
    assert CHROMIUM, "this test needs chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.add_init_script(ACTIONS)
        page.goto(f"http://127.0.0.1:{program.panel_port}/")
        becomes(page, "document.getElementById('connection').textContent === 'Connected'")
        assert page.evaluate("[...document.getElementById('format').options].map(each => each.value)") == ["mp3", "opus", "flac"]
        assert peer.code("play") == 0
        for name in ("mp3", "opus", "flac"):
            plays(page, name)
        controlled(page, peer)
        assert not faults, faults
        before = page.evaluate("document.getElementById('sound').src")
        yield lambda: plays_again(page, before)
        browser.close()


def plays(page, name):
    page.select_option("#format", name)
    if page.text_content("#listen") == "Listen here":
        page.click("#listen")
    becomes(page, f"document.getElementById('sound').currentSrc.includes('listen.{name}?ticket=')")
    becomes(page, "document.getElementById('sound').currentTime > 3 && document.getElementById('listening').textContent.startsWith('Playing')")
    buffered = page.evaluate("(sound => sound.buffered.end(sound.buffered.length - 1) - sound.currentTime)(document.getElementById('sound'))")
    print(f"figure: Chromium keeps {buffered:.1f} s of {name} in its buffer")


def plays_again(page, before):
    """It plays another stream, without anybody pressing anything; afterwards a press ends it."""
    becomes(page, f"document.getElementById('sound').src && document.getElementById('sound').src !== {before!r}")
    becomes(page, "document.getElementById('sound').currentTime > 1 && document.getElementById('listening').textContent.startsWith('Playing')")
    page.click("#listen")
    becomes(page, "document.getElementById('sound').paused && navigator.mediaSession.playbackState === 'none'")


def controlled(page, peer):
    """The media session shows what plays, and its buttons are those of the player."""
    becomes(page, "navigator.mediaSession.metadata?.title === 'Beat' && navigator.mediaSession.playbackState === 'playing'")
    becomes(page, "navigator.mediaSession.metadata.artwork[0].type === 'image/png'")
    page.evaluate("actions.pause()")
    peer.until("now/state", lambda values: values == ["paused"])
    becomes(page, "navigator.mediaSession.playbackState === 'paused'")
    # The stream continues as silence.
    before = page.evaluate("document.getElementById('sound').currentTime")
    becomes(page, f"document.getElementById('sound').currentTime > {before} + 2")
    page.evaluate("actions.play()")
    peer.until("now/state", lambda values: values == ["playing"])
    page.evaluate("actions.seekto({seekTime: 300})")
    peer.until("now/elapsed", lambda values: values[0] >= 300)
