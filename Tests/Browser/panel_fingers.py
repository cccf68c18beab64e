"""The panel's page: fingers, keys, other versions, and keys that are revoked."""
import re

from panel_host import send
from panel_page import becomes, go, new_page, of_layer, open_page
from servers import until

# Counts the levels that the page gets.
LEVELS = """(() => { const decode = TextDecoder.prototype.decode; window.levels = 0; TextDecoder.prototype.decode = function (...given) {
    const text = decode.apply(this, given); if (text === '/binaural/meter') window.levels += 1; return text; } })()"""


# The addresses that the page gets, and whether a finger was lifted or taken away.
HEARD = """(() => { const decode = TextDecoder.prototype.decode; window.heard = []; window.lifted = false;
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, () => { lifted = true; });
    TextDecoder.prototype.decode = function (...given) { const text = decode.apply(this, given); heard.push(text); return text; } })()"""


def fingers(browser, host, client, get):
    """Two fingers move two faders at once, and one the pad; a finger that is taken away puts its fader back."""
    page = open_page(browser, host, has_touch=True, width=390, height=844)
    go(page, "mix")
    session = page.context.new_cdp_session(page)
    sliders = [page.locator(".layer .track").nth(index).bounding_box() for index in (0, 1)]

    def points(pixels):
        return [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] * 0.4 - pixels, "id": index}
                for index, box in enumerate(sliders)]

    def touch(kind, places):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    def comes(what, condition):
        until(what, lambda: condition() or page.wait_for_timeout(30), step=0)

    before = [get(client, f"layer/{index}/gain/norm")[0] for index in (1, 2)]
    touch("touchStart", points(0))
    for step in range(1, 6):
        touch("touchMove", points(step * -12))
    for index, box in enumerate(sliders):
        # By as much as the finger has moved, from where the fader was.
        wanted = before[index] - (60 - 8) / box["height"]
        comes("a finger does not move its fader", lambda: abs(get(client, f"layer/{index + 1}/gain/norm")[0] - wanted) < 0.01)
        assert get(client, f"touch/layer/{index + 1}/gain") == [1]
    touch("touchEnd", [])
    for index in (1, 2):
        comes("a finger holds on", lambda: get(client, f"touch/layer/{index}/gain") == [0])
    # A finger that the browser takes away, for scrolling or a call, has moved nothing. It is put down at once: the page may not have heard yet where
    # the fader is now.
    held = get(client, "layer/1/gain/norm")[0]
    touch("touchStart", points(0)[:1])
    touch("touchMove", points(-40)[:1])
    comes("a finger does not move its fader", lambda: get(client, "layer/1/gain/norm")[0] < held - 0.03)
    touch("touchCancel", [])
    comes("a fader does not go back", lambda: abs(get(client, "layer/1/gain/norm")[0] - held) < 1e-6 and get(client, "touch/layer/1/gain") == [0])
    # Somebody else lowers what a finger moves: it moves nothing any more, and puts nothing back.
    page.evaluate(SENT)
    page.evaluate(HEARD)
    for kind in ("touchEnd", "touchCancel"):
        page.evaluate("heard.length = 0, lifted = false")
        touch("touchStart", points(0)[:1])
        touch("touchMove", points(-40)[:1])
        comes("a finger does not move its fader", lambda: get(client, "layer/1/gain/norm")[0] < held - 0.03)
        becomes(page, "heard.includes('/binaural/touch/layer/1/gain')")
        send(client, "layer/1/gain/norm", held / 4)
        becomes(page, f"Math.abs(document.querySelector('.layer input').value - {held / 4}) < 1e-4")
        page.evaluate("sent.length = 0")
        touch("touchMove", points(-20)[:1])
        touch(kind, [])
        becomes(page, "lifted")
        assert not page.evaluate("sent.filter(each => /norm|touch/.test(each))"), page.evaluate("sent")
        send(client, "layer/1/gain/norm", held)
        becomes(page, f"Math.abs(document.querySelector('.layer input').value - {held}) < 1e-4")
    page.locator(".layer .name").nth(1).click()
    page.locator(".pad").evaluate("each => each.scrollIntoView({ block: 'center' })")
    box, knob = page.locator(".pad").bounding_box(), page.locator(".pad i").bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    values = [get(client, f"layer/2/{name}/norm")[0] for name in ("beat", "gain")]
    touch("touchStart", [{"x": x, "y": y}])
    touch("touchMove", [{"x": x, "y": y + 8}])
    touch("touchMove", [{"x": x + box["width"] / 4, "y": y + 8 + box["height"] / 10}])
    comes("a finger does not move the pad", lambda: abs(get(client, "layer/2/beat/norm")[0] - values[0] - 0.25) < 0.02
          and abs(get(client, "layer/2/gain/norm")[0] - values[1] + 0.1) < 0.02)
    touch("touchEnd", [])
    assert not page.faults, page.faults
    page.context.close()


# The addresses that the page sends.
SENT = """(() => { const send = WebSocket.prototype.send; window.sent = []; WebSocket.prototype.send = function (data) {
    if (typeof data !== 'string') sent.push(new TextDecoder().decode(data).split('\\0')[0]); send.call(this, data); } })()"""


def swipes(browser, host):
    """A thumb that scrolls the page, and a tap, move no fader, neither the position nor the pad."""
    page = open_page(browser, host, has_touch=True, width=390, height=500)
    session = page.context.new_cdp_session(page)
    page.evaluate(SENT)

    def touch(kind, *place):
        points = [{"x": place[0], "y": place[1]}] if place else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(selector, scroller, across, down, step_down=-12):
        element = page.locator(selector).first
        element.evaluate("each => each.scrollIntoView({ block: 'center' })")
        box, scrolled = element.bounding_box(), page.evaluate(scroller)
        x, y = box["x"] + box["width"] * across, box["y"] + box["height"] * down
        touch("touchStart", x, y)
        touch("touchEnd")
        touch("touchStart", x, y)
        for step in range(1, 11):
            touch("touchMove", x + step, y + step * step_down)
        touch("touchEnd")
        becomes(page, f"{scroller} !== {scrolled}")

    page.set_viewport_size({"width": 390, "height": 400})
    swipe("#position", "scrollY", 0.9, 0.5)
    go(page, "library")
    becomes(page, "document.querySelectorAll('#library li').length > 10")
    swipe("#level input", "scrollY", 0.9, 0.5)
    go(page, "mix")
    becomes(page, "document.body.classList.contains('scrolls')")
    # Beside the cap, since the page scrolls.
    swipe(".layer input", "scrollY", 0.5, 0.95)
    with of_layer(page, 2):
        for selector, direction in (("#layer-sheet input", -12), (".pad", 12)):
            swipe(selector, "document.getElementById('layer-sheet').scrollTop", 0.9, 0.5, direction)
    # Whatever the swipes sent was before this.
    page.locator("body").press("z")
    becomes(page, "sent.includes('/binaural/undo')")
    moved = page.evaluate("sent.filter(each => /norm|xy|position|touch/.test(each))")
    assert not moved, moved
    assert not page.faults, page.faults
    page.context.close()


def keys(page):
    """The help lists the keys; undo and redo have theirs."""
    page.locator("body").press("?")
    becomes(page, "document.getElementById('help').open && document.querySelectorAll('#keys dt').length === 9")
    page.keyboard.press("m")
    page.keyboard.press("Escape")
    becomes(page, "!document.getElementById('help').open")
    assert page.get_attribute("[data-toggle='master/mute']", "aria-pressed") == "false", "a key acts behind the help"
    output = "document.querySelector('.layer output').textContent"
    page.locator(".layer input").first.evaluate("each => { each.value = 0.6; each.dispatchEvent(new Event('input')) }")
    becomes(page, f"{output} === '−24.0 dB'")
    page.locator("body").press("u")
    becomes(page, f"{output} !== '−24.0 dB'")
    page.locator("body").press("Shift+Z")
    becomes(page, f"{output} === '−24.0 dB'")
    page.locator("body").press("z")
    becomes(page, f"{output} !== '−24.0 dB'")


def still(browser, host):
    """Under reduced motion there is no meter, and the playhead moves in steps of a second: six places take more than two seconds."""
    page = open_page(browser, host, reduced_motion="reduce")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause'")
    assert not page.is_visible("#meter")
    blank = "document.getElementById('meter').getContext('2d').getImageData(0, 0, 600, 28).data.every(each => each === 0)"
    page.evaluate(LEVELS)
    becomes(page, "document.getElementById('playhead')")
    page.evaluate("""() => { window.places = new Map(); const head = document.getElementById('playhead');
        new MutationObserver(() => places.set(head.getAttribute('transform'), document.getElementById('elapsed').textContent))
            .observe(head, { attributes: true }) }""")
    becomes(page, "places.size >= 6")
    assert page.evaluate(f"levels === 0 && {blank}"), "the meter is sent or drawn under reduced motion"
    first, *_, last = [int(minutes) * 60 + int(seconds) for minutes, seconds in
                       (text.split(":") for text in page.evaluate("[...places.values()].slice(0, 6)"))]
    assert last - first > 2, (first, last)
    page.emulate_media(reduced_motion="no-preference")
    becomes(page, f"!({blank})")
    assert page.is_visible("#meter") and not page.faults, page.faults
    page.context.close()


def other_version(browser, host):
    """The program is updated: the page of the older version loads itself again, once."""
    page = new_page(browser)
    loads, connections, roles = [], [], []
    page.on("load", lambda _: loads.append(1))

    def route(socket):
        server = socket.connect_to_server()
        connections.append(socket)
        new = len(connections) > 1

        def forward(message):
            if isinstance(message, str):
                message = re.sub(r'("version":)"[^"]*"', r'\1"99.0.0"', message) if new else message
                roles.append(message)
            socket.send(message)

        server.on_message(forward)

    page.route_web_socket("**/osc", route)
    page.goto(f"http://127.0.0.1:{host.port}/")
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    connections[0].close(code=1012)
    until("the page does not load itself again", lambda: len(loads) == 2 or page.wait_for_timeout(30), step=0)
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    before = len(roles)
    connections[-1].close(code=1012)
    until("the page does not connect again", lambda: len(roles) > before or page.wait_for_timeout(30), step=0)
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    assert len(loads) == 2, "the page loads itself over and over"
    page.context.close()


def incomplete(browser, host):
    """A file of the page that cannot be had for a moment does not leave a dead page."""
    for name in ("app.js", "app.css"):
        page = new_page(browser)
        refusals = []

        def refuse(route):
            refusals.append(name)
            return route.fulfill(status=503, body="48 connections are already open: close one.") if len(refusals) == 1 else route.continue_()

        page.route(f"**/{name}", refuse)
        page.goto(f"http://127.0.0.1:{host.port}/")
        until(f"{name} is not asked for again", lambda: len(refusals) > 1 or page.wait_for_timeout(30), step=0)
        page.wait_for_load_state()
        becomes(page, "document.getElementById('connection')?.textContent === 'Connected'")
        page.context.close()


def late(browser, host):
    """A device whose key arrives too late, since its network is slow, shows it again instead of giving up."""
    page = new_page(browser)
    connections = []

    def route(socket):
        server = socket.connect_to_server()
        connections.append(socket)
        # The first connection's key never arrives.
        socket.on_message((lambda message: None) if len(connections) == 1 else (lambda message: server.send(message)))

    page.route_web_socket("**/osc", route)
    page.goto(f"http://studio.test:{host.port}/#{host.web('pair').split('#')[1].split()[0]}")
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    assert len(connections) > 1 and not page.evaluate("document.getElementById('refused').open")
    host.web("revoke", host.web("list").splitlines()[-1].split("\t")[0])
    page.context.close()


def crowded(browser, host):
    """Ten browsers at once, each with connections of its own, all get the page, though there are not enough places for all of their connections."""
    pages = [new_page(browser) for _ in range(10)]
    for page in pages:
        page.goto(f"http://127.0.0.1:{host.port}/", wait_until="commit")
    for page in pages:
        becomes(page, "document.getElementById('connection')?.textContent === 'Connected'")
        page.context.close()


def revoked(browser, host):
    """A device is paired by its link, sees the course, and sends neither token nor key; when it is revoked, the page says how it is paired again."""
    page = new_page(browser)
    said = []
    page.on("websocket", lambda socket: [socket.on(event, lambda data: said.append(str(data))) for event in ("framesent", "framereceived")])
    page.on("request", lambda request: said.append(str(request.headers)))
    token = host.web("pair").split("#")[1].split()[0]
    page.goto(f"http://studio.test:{host.port}/#{token}")
    becomes(page, "document.getElementById('connection').textContent === 'Connected' && location.hash === ''")
    becomes(page, "document.querySelectorAll('.layer').length === 2")
    page.reload()
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    becomes(page, "!document.getElementById('course').hidden")
    key = page.evaluate("localStorage.getItem('binaural-key')")
    assert len(key) == 64 and any("keyProof" in each for each in said), said[:9]
    assert not [each for each in said if token in each or key in each]
    number = host.web("list").splitlines()[-1].split("\t")[0]
    host.web("revoke", number)
    becomes(page, "document.getElementById('refused').open && document.getElementById('refused').textContent.includes('web pair')")
    assert "revoked" in page.text_content("#refused-text")
    page.context.close()
