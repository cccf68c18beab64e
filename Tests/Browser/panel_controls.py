"""The panel's page: the transport's buttons and keys, the lists of choices, the switches of a layer, presets; what the player refuses is greyed,
and a viewer's page can change nothing."""
from contextlib import nullcontext

from panel_page import becomes, fill, new_page, of_layer, sheet
from pythonosc.osc_message_builder import build_msg
from servers import until


def controls(browser, page, host, get):
    names(browser, host)
    transport(page)
    greyed(page)
    choices(page, host, get)
    strips(page, host, get)
    becomes(page, "document.getElementById('status').textContent.startsWith('JACK running, 48000 Hz')")
    viewer(browser, host)
    assert not page.faults, page.faults


def names(browser, host):
    """The values of a layer stay if its name comes after them: of many layers, the last names may come late. A fader without a value is disabled."""
    page = new_page(browser)
    sockets = []

    def route(socket):
        server = socket.connect_to_server()
        server.on_message(socket.send)
        sockets.append(socket)

    page.route_web_socket("**/osc", route)
    page.goto(f"http://127.0.0.1:{host.port}/")
    becomes(page, "document.querySelectorAll('.layer').length === 2")
    sockets[0].send(build_msg("/binaural/layer/1/name", ["sound"]).dgram)
    first = "document.querySelector('.layer')"
    becomes(page, f"{first}.textContent.startsWith('sound') && {first}.querySelector('output').textContent === '−12.0 dB'")
    assert abs(float(page.locator(".layer input").first.input_value()) - 0.8) < 1e-6
    # A snapshot without any layer's values.
    for _ in range(2):
        sockets[0].send(build_msg("/binaural/snapshot/end", ["layers"]).dgram)
    becomes(page, f"{first}.querySelector('output').textContent === '–' && {first}.querySelector('input').disabled")
    page.context.close()


def is_at(page, chapter, elapsed):
    becomes(page, f"document.getElementById('chapter').textContent.includes('{chapter}') && document.getElementById('elapsed').textContent === '{elapsed}'")


def transport(page):
    """Chapters and skips by keys, then by buttons, while the position stands still."""
    page.click("#toggle")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Play'")
    page.locator("#position").evaluate("each => { each.value = 0; each.dispatchEvent(new Event('change')) }")
    is_at(page, "Begin", "0:00")
    press = page.locator("body").press
    for step in ((press, "n"), (press, "ArrowRight"), (press, "ArrowLeft"), (press, "p")), (
            (page.click, "[aria-label=Next]"), (page.click, "[aria-label='Skip forward 15 s']"), (page.click, "[aria-label='Skip back 15 s']"),
            (page.click, "[aria-label=Previous]")):
        for (act, what), place in zip(step, (("Later", "5:00"), ("Later", "5:15"), ("Later", "5:00"), ("Begin", "0:00"))):
            act(what)
            is_at(page, *place)
    page.click("[aria-label='Skip forward 15 s']")
    is_at(page, "Begin", "0:15")
    with sheet(page, "#more-button", "more"):
        page.click("[data-press=stop]")
    is_at(page, "Begin", "0:00")


def greyed(page):
    """There is no next item after the last one, and no position in one without an end."""
    page.click("#queue >> text=Other")
    becomes(page, "document.querySelector('[aria-label=Next]').disabled && document.getElementById('position').disabled")
    becomes(page, "!document.querySelector('[aria-label=Previous]').disabled")
    page.select_option("[data-choice=repeat]", "all")
    becomes(page, "!document.querySelector('[aria-label=Next]').disabled")
    page.select_option("[data-choice=repeat]", "off")
    page.click("#queue >> text=Two tones")
    becomes(page, "!document.querySelector('[aria-label=Next]').disabled && !document.getElementById('position').disabled")
    becomes(page, "document.querySelectorAll('.layer').length === 2")
    if page.get_attribute("#toggle", "aria-label") == "Play":
        page.click("#toggle")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause'")


def choices(page, host, get):
    with host.client() as client:
        for selector, path, value, usual in (("[data-choice=repeat]", "repeat", "one", "off"), ("[data-choice=shuffle]", "shuffle", "items", "off"),
                                             ("#rate", "rate", "1.5", "1")):
            for chosen in (value, usual):
                with sheet(page, "#more-button", "more") if selector == "#rate" else nullcontext():
                    page.select_option(selector, chosen)
                wanted = [float(chosen)] if path == "rate" else [chosen]
                until(f"{path} does not become {chosen}", lambda: get(client, path) == wanted or page.wait_for_timeout(30), step=0)


def strips(page, host, get):
    """Mute, solo and reset of a layer; a preset that is loaded."""
    strip = page.locator(".layer").first

    def becomes_level(client, wanted):
        until(f"the level does not become {wanted}", lambda: abs(get(client, "layer/1/gain")[0] - wanted) < 0.1 or page.wait_for_timeout(30), step=0)

    with host.client() as client:
        for name in ("mute", "solo"):
            for value in (1, 0):
                strip.locator(f"[data-layer-toggle={name}]").click()
                until(f"{name} does not become {value}", lambda: get(client, f"layer/1/{name}") == [value] or page.wait_for_timeout(30), step=0)
                becomes(page, f"document.querySelector('[data-layer-toggle={name}]').getAttribute('aria-pressed') === '{'true' if value else 'false'}'")
    with host.client() as client:
        strip.locator("input[type=range]").first.evaluate("each => { each.value = 0.5; each.dispatchEvent(new Event('input')) }")
        becomes_level(client, -30)
        fill(page, "save-preset", "low")
        page.wait_for_selector("#presets [data-name=low]")
        with of_layer(page, 1) as layer:
            layer.locator("[aria-label='Reset tone']").click()
            becomes_level(client, -12)
        page.locator("#presets [data-name=low] button").first.click()
        becomes_level(client, -30)
        with of_layer(page, 1) as layer:
            layer.locator("[aria-label='Reset tone']").click()
            becomes_level(client, -12)
        stepped(page, client, get)
    page.click("[aria-label='Remove low']")
    page.click("#ask [data-close=yes]")
    becomes(page, "!document.querySelector('#presets [data-name=low]')")


def stepped(page, client, get):
    """Buttons beside a layer's beat change it by exact steps."""
    beat = get(client, "layer/2/beat")[0]
    with of_layer(page, 2) as layer:
        for label, step in (("Beat lower by 1 Hz", -1), ("Beat higher by 0.1 Hz", 0.1), ("Beat lower by 0.1 Hz", -0.1), ("Beat higher by 1 Hz", 1)):
            layer.locator(f"[aria-label='{label}']").click()
            beat += step
            until(f"{label} does not", lambda: abs(get(client, "layer/2/beat")[0] - beat) < 0.01 or page.wait_for_timeout(30), step=0)


def viewer(browser, host):
    """A device that was paired to look only sees what plays, and nothing that changes it is enabled."""
    page = new_page(browser)
    token = host.web("pair", "--role", "view").split("#")[1].split()[0]
    page.goto(f"http://studio.test:{host.port}/#{token}")
    becomes(page, "document.getElementById('connection').textContent === 'Connected, read only'")
    becomes(page, "document.querySelectorAll('.layer').length === 2 && document.querySelectorAll('#queue li').length === 2")
    enabled = """[...document.querySelectorAll(`[data-press], [data-toggle], [data-choice], [data-control], [data-layer-toggle], #position,
        #rate, .layer input, #level input, #queue button, #library .actions button, #sleep-times button`)].filter(each => !each.disabled).map(each => each.outerHTML)"""
    # A button that has just been added is disabled when the page is drawn next.
    until(lambda: page.evaluate(enabled), lambda: not page.evaluate(enabled) or page.wait_for_timeout(30), step=0)
    host.web("revoke", host.web("list").splitlines()[-1].split("\t")[0])
    page.context.close()
