"""The panel's page in states that it is seldom in: axe-core finds no fault in them either, light and dark.

These are its dialogs, notices, a fault in a form and buttons that are pressed; a page that has not been connected yet; and one that may only look.
A page whose connection was lost is in panel_page.py.
"""
from panel_page import becomes, dark_and_light, fill, go, new_page, of_layer, open_page, sheet

SIZE = {"width": 390, "height": 844}
# A notice stays, however long axe-core takes on a busy machine.
NOTICES_STAY = "(() => { const later = setTimeout; window.setTimeout = (act, time) => time === 6000 ? 0 : later(act, time); })()"


def states(browser, host):
    page = open_page(browser, host, **SIZE)
    shown = [helped(page), asked(page), refused(browser, host), *opened(page)]
    # A dialog that is added to the page needs a step as well.
    assert sorted(shown) == sorted(page.evaluate("[...document.querySelectorAll('dialog')].map(each => each.id)")), shown
    pressed(page)
    assert not page.faults, page.faults
    page.context.close()
    unconnected(browser, host)
    read_only(browser, host)


def device(browser, host, *options):
    """The page of a device that has just been paired, and its number."""
    page = new_page(browser, viewport=SIZE)
    page.goto(f"http://studio.test:{host.port}/#{host.web('pair', *options).split('#')[1].split()[0]}")
    becomes(page, "document.getElementById('connection').textContent.startsWith('Connected') && document.querySelectorAll('.layer').length === 2")
    return page, host.web("list").splitlines()[-1].split("\t")[0]


def helped(page):
    page.click("#help-button")
    becomes(page, "document.getElementById('help').open")
    dark_and_light(page, "the help")
    page.click("#help [data-close]")
    becomes(page, "!document.getElementById('help').open")
    return "help"


def asked(page):
    go(page, "library")
    fill(page, "save-preset", "shade")
    page.click("[aria-label='Remove shade']")
    becomes(page, "document.getElementById('ask').open")
    dark_and_light(page, "a question")
    page.click("#ask [data-close=yes]")
    becomes(page, "!document.querySelector('#presets [data-name=shade]')")
    return "ask"


def opened(page):
    """Sheets, and the dark screen, which has the same colours in both schemes."""
    for opener, name in (("#moon", "sleep"), ("#more-button", "more")):
        go(page, "now")
        with sheet(page, opener, name):
            dark_and_light(page, name)
    go(page, "mix")
    with of_layer(page, 2):
        dark_and_light(page, "a layer")
    page.click("#moon")
    page.click("#bedtime-button")
    becomes(page, "document.getElementById('bedtime').open")
    dark_and_light(page, "bedtime")
    page.keyboard.press("Escape")
    becomes(page, "!document.getElementById('bedtime').open")
    return "sleep", "more", "layer-sheet", "bedtime"


def refused(browser, host):
    page, number = device(browser, host)
    host.web("revoke", number)
    becomes(page, "document.getElementById('refused').open")
    dark_and_light(page, "a device that was revoked")
    page.context.close()
    return "refused"


def pressed(page):
    """Buttons that are pressed, a bookmark, a notice, a fault in a form, and what is found in the library."""
    switches = {"now": ["[data-toggle=like]", "[data-toggle=bookmark]"],
                "mix": ["[data-toggle='master/mute']", "[data-layer-toggle=mute]", "[data-layer-toggle=solo]"]}
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.click("#toggle")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Play'")

    def press(value):
        for place in switches:
            go(page, place)
            for switch in switches[place]:
                page.locator(switch).first.click()
                becomes(page, f"document.querySelector(`{switch}`).getAttribute('aria-pressed') === '{value}'")

    def rate(lit):
        go(page, "now")
        with sheet(page, "#more-button", "more"):
            page.click("[aria-label='4 stars']")
            becomes(page, f"document.querySelectorAll('#rating .lit').length === {lit}")

    press("true")
    rate(4)
    go(page, "library")
    page.fill("#search", "harmonic")
    becomes(page, "document.querySelectorAll('#library li').length > 0 && document.querySelectorAll('#library li').length < 10")
    go(page, "now")
    page.select_option("#course-choice", index=1)
    page.evaluate("document.getElementById('course-time').removeAttribute('pattern')")
    page.fill("#course-time", "soon")
    page.click("#course-set")
    becomes(page, "document.getElementById('course-time').getAttribute('aria-invalid') === 'true'")
    page.evaluate(NOTICES_STAY)
    go(page, "mix")
    fill(page, "save-patch", "a/b", is_free=False)
    becomes(page, "document.getElementById('toast').textContent !== '' && document.querySelectorAll('#log li').length > 0")
    dark_and_light(page, "pressed")
    assert page.text_content("#toast"), "the notice has gone"
    rate(0)
    press("false")
    page.click("#toggle")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause'")


def unconnected(browser, host):
    """A page that gets no answer yet."""
    page = new_page(browser, viewport=SIZE)
    page.route_web_socket("**/osc", lambda socket: None)
    page.goto(f"http://127.0.0.1:{host.port}/")
    becomes(page, "document.readyState === 'complete' && document.getElementById('title').textContent !== ''")
    dark_and_light(page, "before it is connected")
    page.context.close()


def read_only(browser, host):
    page, number = device(browser, host, "--role", "view")
    becomes(page, "document.getElementById('connection').textContent === 'Connected, read only' && !document.getElementById('course').hidden")
    go(page, "library")
    becomes(page, "document.querySelectorAll('#library li').length > 10")
    dark_and_light(page, "read only")
    host.web("revoke", number)
    page.context.close()
