"""Listening in the panel's page in Chromium: the sound plays, the browser's media session shows and controls it, and it comes back.

The desktop's media keys reach Chromium over MPRIS on a session bus, which is this test's own.
"""
import os
import subprocess
from contextlib import contextmanager

from panel_page import becomes, chromium, new_page, sheet
from servers import Running, until


@contextmanager
def in_browser(program, peer):
    """The page listens. JACK is restarted inside the block; the value says whether the page listens again."""
    with MediaKeys() as keys, chromium(env=keys.environment) as browser:
        page = new_page(browser, viewport={"width": 390, "height": 844})
        page.goto(f"http://127.0.0.1:{program.panel_port}/")
        becomes(page, "document.getElementById('connection').textContent === 'Connected'")
        assert page.evaluate("[...document.getElementById('format').options].map(each => each.value)") == ["mp3", "opus", "flac"]
        assert peer.code("play") == 0
        for name in ("mp3", "opus", "flac"):
            plays(page, name)
        controlled(page, peer, keys)
        assert not page.faults, page.faults
        before = page.evaluate("document.getElementById('sound').src")
        yield lambda: plays_again(page, before)


def plays(page, name):
    with sheet(page, "#more-button", "more"):
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


class MediaKeys:
    """The keys of a desktop, a headset or a lock screen, which control the player that they find on the session bus, here the browser."""

    def __enter__(self):
        self.bus = Running("dbus-daemon", "--session", "--nofork", "--print-address", patient_end=False)
        self.environment = dict(os.environ, DBUS_SESSION_BUS_ADDRESS=self.bus.line(lambda line: line.startswith("unix:")))
        return self

    def __exit__(self, *_):
        self.bus.close()

    def __call__(self, *arguments):
        """Runs playerctl; returns its output."""
        done = subprocess.run(["playerctl", "--player=chromium", *arguments], env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done
        return done.stdout.strip()


def controlled(page, peer, keys):
    """The media session shows what plays, and its buttons are those of the player."""
    becomes(page, "navigator.mediaSession.metadata?.title === 'Beat' && navigator.mediaSession.playbackState === 'playing'")
    becomes(page, "navigator.mediaSession.metadata.artwork[0].type === 'image/png'")
    until("the desktop does not show the title", lambda: keys("metadata", "title") == "Beat", step=0.1)
    # A headset has one button for both.
    for key, state in (("pause", "paused"), ("play", "playing"), ("play-pause", "paused"), ("play-pause", "playing"), ("play-pause", "paused")):
        keys(key)
        peer.until("now/state", lambda values: values == [state])
        becomes(page, f"navigator.mediaSession.playbackState === '{state}'")
    # The stream continues as silence.
    before = page.evaluate("document.getElementById('sound').currentTime")
    becomes(page, f"document.getElementById('sound').currentTime > {before} + 2")
    # While it is paused, the position only changes when a key is pressed. A key that seeks takes the player's own step.
    for key, position in ((("position", "300"), 300), (("position", "5+"), 315), (("position", "5-"), 300), (("previous",), 0)):
        keys(*key)
        peer.until("now/elapsed", lambda values: abs(values[0] - position) < 0.1)
    keys("play-pause")
    peer.until("now/state", lambda values: values == ["playing"])
    # It ends what is heard here, not what the player does.
    keys("stop")
    becomes(page, "document.getElementById('sound').paused && document.getElementById('listen').textContent === 'Listen here'")
    assert peer.get("now/state") == ["playing"]
    page.click("#listen")
    becomes(page, "document.getElementById('sound').currentTime > 1 && document.getElementById('listening').textContent.startsWith('Playing')")
