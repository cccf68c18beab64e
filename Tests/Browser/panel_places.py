"""The panel's page: its places on a phone, the strips under a thumb, and bedtime."""
from panel_drags import Fingers
from panel_host import get, send
from panel_page import becomes, go, open_page
from servers import until

PLACES = ("now", "mix", "queue", "library")
# A patch with so many layers that their strips are wider than a phone.
SEA = "title: Sea\nduration: 600\nlayers:\n" + "".join(
    f"  - {{name: wave-{number}, binaural: {{carrier: {200 + 10 * number}, beat: 5}}, gain: -40}}\n" for number in range(16))
# The addresses that the page sends, with their first two numbers.
SENT = """(() => { const send = WebSocket.prototype.send; window.sent = []; WebSocket.prototype.send = function (data) {
    if (typeof data !== 'string') { const text = new TextDecoder('latin1').decode(data), view = new DataView(data.buffer ?? data);
        const types = text.indexOf(','), begin = types + Math.ceil((text.slice(types).indexOf('\\0') + 1) / 4) * 4;
        const number = index => (text[types + 1 + index] === 'f' ? view.getFloat32(begin + 4 * index) : null);
        sent.push([text.split('\\0')[0].slice(10), number(0), number(1)]); }
    send.call(this, data); } })()"""
# The topmost element in the middle of another one is that one or inside it.
FREE = """id => { const each = document.getElementById(id), area = each.getBoundingClientRect();
    const [x, y] = [area.left + area.width / 2, area.top + area.height / 2];
    const isInside = area.top >= 0 && area.bottom <= innerHeight && area.left >= 0 && area.right <= innerWidth;
    return isInside && each.contains(document.elementFromPoint(x, y)) }"""


def places(browser, host):
    for width, height in ((360, 640), (390, 844)):
        page = open_page(browser, host, has_touch=True, is_mobile=True, width=width, height=height)
        reached(page, host)
        tasks(page, host)
        assert not page.faults, page.faults
        page.context.close()
    page = open_page(browser, host, has_touch=True, is_mobile=True, width=390, height=844)
    page.evaluate(SENT)
    strips(page, host)
    bedtime(page, host)
    assert not page.faults, page.faults
    page.context.close()


def comes(page, what, condition):
    until(what, lambda: condition() or page.wait_for_timeout(30), step=0)


def reached(page, host):
    """Level, sleep timer and pause are on the first screen of every place, and nothing covers them."""
    for place in PLACES:
        page.tap(f"[data-go={place}]")
        becomes(page, f"document.body.dataset.place === '{place}' && scrollY === 0")
        shown = "[...document.querySelectorAll('main > .place')].filter(each => each.checkVisibility()).map(each => each.dataset.place)"
        assert set(page.evaluate(shown)) == {place}, (place, page.evaluate(shown))
        for name in ("level", "moon", "toggle"):
            assert page.evaluate(FREE, name), f"{name} cannot be reached in {place}"
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), f"{place} is wider than the screen"
    page.tap("[data-go=now]")
    for name in ("beat", "title", "play"):
        assert page.evaluate(FREE, name), f"{name} is not on the first screen"


def tasks(page, host):
    """The usual tasks take at most three touches, without scrolling."""
    with host.client() as client:
        send(client, "master/gain", -6.0), send(client, "sleep", 0.0)
        tap = page.tap
        tap("#moon"), tap("#sleep-times >> text=30 min")
        comes(page, "the sleep timer does not run", lambda: 1700 < get(client, "now/sleep")[0] <= 1800)
        send(client, "sleep", 0.0)
        tap("#toggle")
        comes(page, "it does not pause", lambda: get(client, "now/state") == ["paused"])
        tap("#toggle")
        comes(page, "it does not play", lambda: get(client, "now/state") == ["playing"])
        tap("[data-go=mix]"), tap("[data-layer-toggle=mute]")
        comes(page, "the layer is not muted", lambda: get(client, "layer/1/mute") == [1])
        # Before the page has heard that it is.
        page.evaluate("for (let presses = 0; presses < 3; presses += 1) document.querySelector('[data-layer-toggle=mute]').click()")
        beat = get(client, "layer/2/beat")[0]
        tap(".layer:nth-child(2) .name"), tap("[aria-label='Beat lower by 1 Hz']")
        comes(page, "the beat is not lower", lambda: abs(get(client, "layer/2/beat")[0] - beat + 1) < 0.01)
        tap("[aria-label='Beat higher by 1 Hz']")
        tap("#layer-sheet [data-close]")
        becomes(page, "!document.getElementById('layer-sheet').open")
        comes(page, "the layer stays muted", lambda: get(client, "layer/1/mute") == [0])
        fingers, (x, y) = Fingers(page), middle(page, "#level .track")
        fingers.down(1, (x, y)), fingers.move(1, -40, 0), fingers.up(1)
        comes(page, "the level is not lower", lambda: get(client, "master/gain")[0] < -8)
        send(client, "master/gain", 0.0)
        tap("[data-go=now]")


def middle(page, selector):
    # Strips are made again when more has become known about their layers.
    area = until(f"there is no {selector}", lambda: page.locator(selector).first.bounding_box() or page.wait_for_timeout(30), step=0)
    return area["x"] + area["width"] / 2, area["y"] + area["height"] / 2


def strips(page, host):
    """A swipe sideways over the strips scrolls them and moves no level, however it begins; one along a fader moves it from where it was."""
    folder = host.folder / "binaural/patches"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sea.yaml").write_text(SEA)
    with host.client() as client:
        send(client, "queue/add", "sea")
        becomes(page, "document.querySelectorAll('#queue li').length === 3")
        send(client, "queue/select", 3)
        becomes(page, "document.querySelectorAll('.layer').length === 16")
        go(page, "mix")
        page.evaluate("sent.length = 0")
        fingers, screens = Fingers(page), 0
        for start in (0.3, 0.5, 0.7):
            x, y = middle(page, ".layer:nth-child(4) .track")
            # Along a line that rises a little, as a thumb does.
            fingers.down(1, (x, y + (start - 0.5) * 100)), fingers.move(1, -150, -30), fingers.up(1)
            becomes(page, "document.getElementById('strips').scrollLeft > 50")
            # A finger that is put down while they still roll stops them.
            until("the strips roll on and on", lambda: page.evaluate("""new Promise(resolve => { const strips = document.getElementById('strips');
                const before = strips.scrollLeft; setTimeout(() => resolve(strips.scrollLeft === before), 200) })"""), step=0)
            page.evaluate("document.getElementById('strips').scrollLeft = 0")
        while not page.evaluate("(each => each.scrollLeft + each.clientWidth >= each.scrollWidth - 2)(document.getElementById('strips'))"):
            page.evaluate("(each => { each.scrollLeft += each.clientWidth })(document.getElementById('strips'))")
            screens += 1
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth || innerWidth !== 390"), "the strips make the page wider"
        assert screens <= 2, f"sixteen layers take {screens} swipes"
        page.evaluate("document.getElementById('strips').scrollLeft = 0")
        moved = page.evaluate("sent.map(([path]) => path).filter(path => /gain|touch|xy/.test(path))")
        assert not moved, moved
        fader, height = get(client, "layer/2/gain/norm")[0], page.locator(".layer:nth-child(2) .track").bounding_box()["height"]
        x, y = middle(page, ".layer:nth-child(2) .track")
        # A tap far above the level, and a swipe that begins there.
        fingers.down(1, (x, y - height * 0.4)), fingers.up(1)
        fingers.down(1, (x, y - height * 0.4)), fingers.move(1, 2, 68), fingers.up(1)
        wanted = fader - 60 / height
        comes(page, "the fader does not follow the finger", lambda: abs(get(client, "layer/2/gain/norm")[0] - wanted) < 0.01)
        assert max(page.evaluate("sent.filter(([path]) => path === 'layer/2/gain/norm').map(([, value]) => value)")) < fader
        send(client, "queue/select", 1), send(client, "queue/remove", 3)
        becomes(page, "document.querySelectorAll('#queue li').length === 2 && document.querySelectorAll('.layer').length === 2")


def bedtime(page, host):
    """Holding the moon opens a dark screen, on which nothing makes anything louder, however often it is pressed; holding it again leaves it."""
    with host.client() as client:
        send(client, "master/gain", -10.0), send(client, "sleep", 1200.0)
        becomes(page, "document.getElementById('moon-left').textContent.startsWith('19:')")
        becomes(page, "document.querySelector('#level output').textContent === '−10.0 dB'")
        fingers = Fingers(page)
        page.evaluate("sent.length = 0")
        hold(page, fingers, "#moon")
        buttons = ("longer", "fade", "quieter", "pause")
        small = page.evaluate("[...document.querySelectorAll('#bedtime .grid button')].filter(each => each.clientHeight < 90).map(each => each.id)")
        assert not small, small
        page.tap("#bedtime-longer")
        comes(page, "the sleep timer is not longer", lambda: get(client, "now/sleep")[0] > 2000)
        # Lifting the finger that has held the moon presses nothing.
        assert abs(get(client, "master/gain")[0] + 10) < 0.1, get(client, "master/gain")
        page.tap("#bedtime-quieter")
        comes(page, "it is not quieter", lambda: abs(get(client, "master/gain")[0] + 13) < 0.1)
        # In the fade of the timer, which may be long, more time must not bring the level back.
        send(client, "sleep", 400.0, 500.0)
        becomes(page, "document.getElementById('bedtime-left').textContent.startsWith('6:')")
        page.tap("#bedtime-longer")
        comes(page, "the sleep timer is not longer", lambda: get(client, "now/sleep")[0] > 800)
        # The first one came before the fade, unless the page did not know yet when that begins.
        (_, before, first), (_, seconds, fade) = page.evaluate("sent.filter(([path, value]) => path === 'sleep' && value != null)")
        assert first in (None, before) and seconds == fade, (first, seconds, fade)
        for key in ("Space", "ArrowRight", "ArrowUp", "m", "z", "PageUp", "Home", "End", "+"):
            page.keyboard.press(key)
        for name in buttons * 2:
            page.evaluate(f"document.getElementById('bedtime-{name}').click()")
        comes(page, "it plays on", lambda: get(client, "now/state") != ["playing"])
        becomes(page, "(each => each.disabled && each.textContent === 'Paused')(document.getElementById('bedtime-pause'))")
        sent = page.evaluate("sent.filter(([path]) => !/list$|^(ping|status|clock|(un)?subscribe)/.test(path))")
        assert {path for path, *_ in sent} <= {"sleep", "master/fade", "pause", "master/gain"}, sent
        levels = [value for path, value, _ in sent if path == "master/gain"]
        assert levels == sorted(levels, reverse=True) and levels[0] < -10, levels
        hold(page, fingers, "#bedtime-line", is_open=False)
        send(client, "sleep", 0.0), send(client, "master/gain", 0.0), send(client, "position", 0.0), send(client, "play")
        becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause' && document.getElementById('moon-left').textContent === ''")
    # Without a finger: from the sheet, and back with a key.
    page.tap("#moon"), page.tap("#bedtime-button")
    becomes(page, "document.getElementById('bedtime').open")
    page.keyboard.press("Escape")
    becomes(page, "!document.getElementById('bedtime').open")


def hold(page, fingers, selector, is_open=True):
    """Holds something until bedtime is open, or closed."""
    fingers.down(1, middle(page, selector))
    becomes(page, f"document.getElementById('bedtime').open === {'true' if is_open else 'false'}")
    fingers.up(1)
