"""The panel's page: fingers, keys, hidden pages, other versions, and keys that are revoked."""
import json
import re

from panel_page import becomes, open_page
from servers import until


def fingers(browser, host, client, get):
    """Two fingers move two faders at once, and a third one the pad; nobody else moves these meanwhile."""
    page = open_page(browser, host, has_touch=True, width=390, height=844)
    page.locator(".layer").nth(1).locator("summary").click()
    session = page.context.new_cdp_session(page)
    page.locator(".layer").first.evaluate("each => each.scrollIntoView({ block: 'start' })")
    sliders = [page.locator(".layer").nth(index).locator("input").first.bounding_box() for index in (0, 1)]

    def points(part):
        return [{"x": box["x"] + box["width"] * part, "y": box["y"] + box["height"] / 2, "id": index} for index, box in enumerate(sliders)]

    def touch(kind, places):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", points(0.5))
    for index in (1, 2):
        until("a finger does not touch", lambda: get(client, f"touch/layer/{index}/gain") == [1] or page.wait_for_timeout(30), step=0)
    before = [get(client, f"layer/{index}/gain/norm")[0] for index in (1, 2)]
    for step in range(1, 6):
        touch("touchMove", points(0.5 + step * 0.05))
    for index in (1, 2):
        until("a finger does not move its fader", lambda: get(client, f"layer/{index}/gain/norm")[0] > before[index - 1] + 0.15
              or page.wait_for_timeout(30), step=0)
    touch("touchEnd", [])
    for index in (1, 2):
        until("a finger holds on", lambda: get(client, f"touch/layer/{index}/gain") == [0] or page.wait_for_timeout(30), step=0)
    page.locator(".pad").evaluate("each => each.scrollIntoView({ block: 'center' })")
    box = page.locator(".pad").bounding_box()
    touch("touchStart", [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}])
    touch("touchMove", [{"x": box["x"] + box["width"] / 4, "y": box["y"] + box["height"] / 4}])
    until("a finger does not move the pad", lambda: abs(get(client, "layer/2/beat/norm")[0] - 0.25) < 0.02
          and abs(get(client, "layer/2/gain/norm")[0] - 0.75) < 0.02 or page.wait_for_timeout(30), step=0)
    touch("touchEnd", [])
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


def hidden(page):
    """A hidden page draws no meters; one that is shown again asks for everything at once."""
    page.evaluate("Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })")
    picture = "document.getElementById('meter').toDataURL()"
    before = page.evaluate(picture)
    page.wait_for_timeout(300)
    assert page.evaluate(picture) == before, "the meter moves in a hidden page"
    page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))")
    becomes(page, f"{picture} !== {json.dumps(before)}")


def still(browser, host):
    """Under reduced motion there is no meter, and the playhead moves in steps of a second."""
    page = open_page(browser, host, reduced_motion="reduce")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause'")
    assert not page.is_visible("#meter")
    blank = "document.getElementById('meter').getContext('2d').getImageData(0, 0, 600, 28).data.every(each => each === 0)"
    # The page gets levels all the time.
    page.evaluate("""() => { window.places = new Set(); const head = document.getElementById('playhead');
        new MutationObserver(() => places.add(head.style.left)).observe(head, { attributes: true }) }""")
    before = page.text_content("#elapsed")
    becomes(page, f"document.getElementById('elapsed').textContent !== {before!r}")
    page.evaluate("places.clear()")
    page.wait_for_timeout(3000)
    assert page.evaluate(blank), "the meter is drawn under reduced motion"
    assert 1 <= page.evaluate("places.size") <= 5, page.evaluate("places.size")
    page.emulate_media(reduced_motion="no-preference")
    becomes(page, f"!({blank})")
    assert page.is_visible("#meter") and not page.faults, page.faults
    page.context.close()


def other_version(browser, host):
    """The program is updated: the page of the older version loads itself again, once."""
    context = browser.new_context()
    page = context.new_page()
    loads, connections = [], []
    page.on("load", lambda _: loads.append(1))

    def route(socket):
        server = socket.connect_to_server()
        connections.append(socket)
        new = len(connections) > 1
        server.on_message(lambda message: socket.send(
            re.sub(r'("version":)"[^"]*"', r'\1"99.0.0"', message) if new and isinstance(message, str) else message))

    page.route_web_socket("**/osc", route)
    page.goto(f"http://127.0.0.1:{host.port}/")
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    connections[0].close(code=1012)
    until("the page does not load itself again", lambda: len(loads) == 2 or page.wait_for_timeout(30), step=0)
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    page.wait_for_timeout(300)
    assert len(loads) == 2, "the page loads itself over and over"
    context.close()


def incomplete(browser, host):
    """A file of the page that cannot be had for a moment does not leave a dead page."""
    for name in ("app.js", "time.js", "style.css"):
        context = browser.new_context()
        page = context.new_page()
        refusals = []

        def refuse(route):
            refusals.append(name)
            return route.fulfill(status=503, body="48 connections are already open: close one.") if len(refusals) == 1 else route.continue_()

        page.route(f"**/{name}", refuse)
        page.goto(f"http://127.0.0.1:{host.port}/")
        until(f"{name} is not asked for again", lambda: len(refusals) > 1 or page.wait_for_timeout(30), step=0)
        page.wait_for_load_state()
        becomes(page, "document.getElementById('connection')?.textContent === 'Connected'")
        context.close()


def late(browser, host):
    """A device whose key arrives too late, since its network is slow, shows it again instead of giving up."""
    context = browser.new_context()
    page = context.new_page()
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
    context.close()


def crowded(browser, host):
    """Ten browsers at once, each with connections of its own, all get the page, though there are not enough places for all of their connections."""
    pages = [browser.new_context().new_page() for _ in range(10)]
    for page in pages:
        page.goto(f"http://127.0.0.1:{host.port}/", wait_until="commit")
    for page in pages:
        becomes(page, "document.getElementById('connection')?.textContent === 'Connected'")
        page.context.close()


def revoked(browser, host):
    """A device is paired by its link; when it is revoked, the page says how it is paired again."""
    context = browser.new_context()
    page = context.new_page()
    token = host.web("pair").split("#")[1].split()[0]
    page.goto(f"http://studio.test:{host.port}/#{token}")
    becomes(page, "document.getElementById('connection').textContent === 'Connected' && location.hash === ''")
    becomes(page, "document.querySelectorAll('.layer').length === 2")
    page.reload()
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    number = host.web("list").splitlines()[-1].split("\t")[0]
    host.web("revoke", number)
    becomes(page, "document.getElementById('refused').open && document.getElementById('refused').textContent.includes('web pair')")
    assert "revoked" in page.text_content("#refused-text")
    context.close()
