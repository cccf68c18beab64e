"""The panel's page in Chromium: it shows what plays, and what is moved in it is heard."""
import contextlib
import shutil
from pathlib import Path

import numpy
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from panel_host import NAME, sounding
from recording import Capture
from servers import PATIENCE, until

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
RATE = 48000
# Playwright counts in milliseconds.
LIMIT = PATIENCE * 1000
# A page that gives up an attempt to connect, since a busy machine answers too late, makes another one; the browser reports it.
GIVEN_UP = "WebSocket is closed before the connection is established"
# How often the page has asked for the course and has no answer yet.
ASKING = """(() => { const ask = window.fetch; window.asking = 0;
    window.fetch = (...given) => { asking += 1; return ask(...given).finally(() => { asking -= 1; }); }; })()"""
CHAPTERS_ABOVE_BAR = "document.getElementById('chapters').getBoundingClientRect().bottom <= document.querySelector('footer').offsetTop"
# The lines of the course, as they are drawn.
LINES = "document.getElementById('course-lines')?.innerHTML"


@contextlib.contextmanager
def chromium(**options):
    assert CHROMIUM, "this test needs chromium"
    with sync_playwright() as playwright:
        # A name given to the program with --web-host; a page under it has to be paired.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, timeout=LIMIT, args=[
            "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP studio.test 127.0.0.1"], **options)
        try:
            yield browser
        finally:
            browser.close()


def in_browser(host, more):
    """- `more` gets the browser and a page."""
    with chromium() as browser:
        for scheme in ("dark", "light"):
            page = open_page(browser, host, scheme)
            for width, height in ((1280, 1024), (2560, 1440)):
                page.set_viewport_size({"width": width, "height": height})
                becomes(page, CHAPTERS_ABOVE_BAR)
            for width, height in ((390, 844), (844, 390), (1400, 900), (360, 640), (3840, 2160)):
                page.set_viewport_size({"width": width, "height": height})
                is_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
                assert not is_wide, f"the page is wider than {width} pixels"
                if width in (390, 1400):
                    accessible(page, f"{scheme}, {width} pixels")
            page.context.close()
        page = open_page(browser, host)
        shows(page)
        heard(page, host)
        moves(page)
        more(browser, page)
        example(page, host)
        reconnects(page, host)


def new_page(browser, **options):
    """A page in a context of its own, and the errors that it reports."""
    context = browser.new_context(**options)
    context.set_default_timeout(LIMIT)
    page = context.new_page()
    page.add_init_script(ASKING)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda message: message.type == "error" and GIVEN_UP not in message.text and page.faults.append(message.text))
    return page


def open_page(browser, host, scheme="dark", width=1000, height=900, **more):
    page = new_page(browser, viewport={"width": width, "height": height}, color_scheme=scheme, **more)
    page.goto(f"http://127.0.0.1:{host.port}/")
    becomes(page, "document.getElementById('connection').textContent === 'Connected'")
    becomes(page, "document.querySelectorAll('.layer').length === 2 && document.querySelectorAll('#queue li').length === 2")
    return page


def becomes(page, condition):
    """Waits for a condition in the page, whose own rules forbid it to evaluate texts."""
    def what():
        return f"the page does not show {condition}: {page.evaluate('document.getElementById(`connection`)?.textContent')}, {getattr(page, 'faults', [])}"

    until(what, lambda: page.evaluate(condition) or page.wait_for_timeout(30), step=0)


def go(page, place):
    """Shows a place, which on a wide screen is always shown."""
    if page.is_visible("nav"):
        page.click(f"[data-go={place}]")


def fill(page, form, name, is_free=True):
    """Writes a name into a form, which is shown when it is asked for, and sends it. Once a free name is taken, the form is hidden."""
    if not page.is_visible(f"#{form} [name=name]"):
        page.click(f"#{form}-box summary")
    page.fill(f"#{form} [name=name]", name)
    page.locator(f"#{form} button").first.click()
    if is_free:
        # The state of the player may show the name before its answer has hidden the form.
        becomes(page, f"!document.getElementById('{form}-box').open")


@contextlib.contextmanager
def sheet(page, opener, name):
    """Opens a dialog with a button, and closes it."""
    page.locator(opener).first.click()
    becomes(page, f"document.getElementById('{name}').open")
    yield page.locator(f"#{name}")
    page.click(f"#{name} [data-close]")
    becomes(page, f"!document.getElementById('{name}').open")


def of_layer(page, number):
    """Opens the sheet of a layer, numbered from 1."""
    return sheet(page, f".layer:nth-child({number}) .name", "layer-sheet")


def unfold(page, title):
    """Shows the actions of an item of the queue."""
    if page.get_attribute(f"[aria-label='More of {title}']", "aria-expanded") == "false":
        page.click(f"[aria-label='More of {title}']")


def accessible(page, where):
    """axe-core finds nothing in each place that is not shown yet, and in what is open above it."""
    shown = page.get_attribute("body", "data-place")
    is_behind = page.evaluate("Boolean(document.querySelector('dialog[open]'))")
    for place in ("now", "mix", "queue", "library") if page.is_visible("nav") and not is_behind else (shown,):
        if place != shown or not is_behind:
            go(page, place)
        is_fit(page, f"{where}, {place}")
    if not is_behind:
        go(page, shown)


def is_fit(page, where):
    """axe-core finds nothing, also with all details open, and every control can be hit with a thumb."""
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    # A colour between two others has not the contrast of either.
    becomes(page, "!document.getAnimations().some(each => each instanceof CSSTransition && each.playState === 'running')")
    results = Axe().run(page)
    assert results.violations_count == 0, f"{where}: {results.generate_report()}"
    small = page.evaluate("""[...document.querySelectorAll('button, select, input')].filter(each => {
        const area = each.getBoundingClientRect(); return area.width && (area.height < 44 || area.width < 44) }).map(each => each.outerHTML)""")
    assert not small, f"{where}: {small}"


def dark_and_light(page, where):
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        accessible(page, f"{scheme}, {where}")


def shows(page):
    assert page.text_content("#title") == "Two tones"
    assert "Begin" in page.text_content("#chapter")
    becomes(page, "document.querySelectorAll('#course-lines .line').length === 1 && document.getElementById('course').clientWidth > 100")
    before = page.text_content("#elapsed")
    becomes(page, f"document.getElementById('elapsed').textContent !== {before!r}")
    assert not page.faults, page.faults


def record(seconds):
    """The sound at the program's left output, recorded by JACK."""
    with Capture(f"{NAME}-capture", [f"{NAME}:out_left"], seconds + 10) as capture:
        capture.advance(seconds * RATE)
        return capture.finish()[0].samples[:, 0].astype(float)


def level(samples):
    """The level of the tone of 440 Hz in dBFS."""
    samples = samples[-RATE // 2:]
    phase = numpy.exp(-2j * numpy.pi * 440 / RATE * numpy.arange(len(samples)))
    return 20 * numpy.log10(2 * abs(numpy.mean(samples * phase)) + 1e-9)


def heard(page, host):
    """A fader is moved in the page, and the tone gets softer by as much."""
    def level_at(shown):
        becomes(page, f"document.querySelector('.layer output').textContent === '{shown}'")
        sounding(host)
        return level(record(1))

    before = level_at("−12.0 dB")
    # In the middle of the fader's scale, which leads from -60 to 0 dB.
    page.locator(".layer input").first.evaluate("each => { each.value = 0.5; each.dispatchEvent(new Event('input')) }")
    softer = level_at("−30.0 dB")
    assert abs(softer - before + 18) < 0.3, (before, softer)
    assert page.text_content("#undo-text") == "Undo tone level"
    page.click("text=Undo")
    level_at("−12.0 dB")
    # The layer is there at once, and the master rises slowly.
    until("the undone level is not heard", lambda: abs(level(record(1)) - before) < 0.3)
    # With a finger on the pad, then without.
    with of_layer(page, 2):
        page.locator(".pad").scroll_into_view_if_needed()
        box = page.locator(".pad").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2, steps=5)
        page.mouse.up()
        # The beat was 10 Hz, a quarter of the pad's width.
        becomes(page, "[...document.querySelectorAll('#layer-sheet output')].some(each => Math.abs(parseFloat(each.textContent) - 30) < 2)")


def moves(page):
    """Transport, keys, seeking, queue, presets and the sleep timer."""
    page.click("#toggle")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Play'")
    page.locator("#position").evaluate("each => { each.value = 0.75; each.dispatchEvent(new Event('change')) }")
    becomes(page, "document.getElementById('chapter').textContent.includes('Later')")
    becomes(page, "document.getElementById('elapsed').textContent === '7:30'")
    page.locator("body").press("Space")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause'")
    page.locator("body").press("m")
    page.wait_for_selector("[data-toggle='master/mute'][aria-pressed=true]")
    page.locator("body").press("m")
    page.click("#moon")
    page.click("#sleep-times >> text=15 min")
    becomes(page, "document.getElementById('sleep-left').textContent.startsWith('silent in 14:')")
    # It shows that it runs, so that it can be switched off.
    becomes(page, "document.getElementById('moon-left').textContent.startsWith('14:')")
    page.click("#moon")
    page.click("#sleep-times >> text=Off")
    becomes(page, "document.getElementById('sleep-left').textContent === '' && document.getElementById('moon-left').textContent === ''")
    unfold(page, "Other")
    page.click("[aria-label='Move Other up']")
    becomes(page, "document.querySelector('#queue li').textContent.includes('Other')")
    unfold(page, "Other")
    page.click("[aria-label='Move Other down']")
    becomes(page, "document.querySelector('#queue li').textContent.includes('Two tones')")
    fill(page, "save-preset", "dusk")
    page.wait_for_selector("#presets >> text=dusk")
    page.click("#queue >> text=Other")
    becomes(page, "document.getElementById('title').textContent === 'Other' && document.querySelectorAll('.layer').length === 1")
    page.click("#queue >> text=Two tones")
    becomes(page, "document.querySelectorAll('.layer').length === 2")
    page.click("[aria-label='Remove dusk']")
    page.click("#ask [data-close=yes]")
    becomes(page, "!document.getElementById('presets').textContent.includes('dusk')")
    assert not page.faults, page.faults


def example(page, host):
    """The example of the reference, in the page's own context; the layer with a beat is the second one here."""
    reference = (Path(__file__).parents[2] / "docs/osc.md").read_text()
    code = reference.split("```js\n")[1].split("```")[0].replace(":7880/", f":{host.port}/").replace("layer/1/", "layer/2/")
    lines = []
    page.on("console", lambda message: lines.append(message.text))
    page.evaluate(f"(() => {{ {code} }})()")
    until("the example reads nothing", lambda: (page.wait_for_timeout(50), any("/binaural/now/title" in line for line in lines))[1])
    assert len(code.splitlines()) <= 20, len(code.splitlines())
    becomes(page, "[...document.querySelectorAll('.layer p')].some(each => each.textContent.includes('4.00 Hz'))")


def reconnects(page, host):
    """The program ends and is started again: values are marked as stale meanwhile, and then right."""
    host.end()
    page.wait_for_selector("body.stale")
    assert page.is_disabled("#toggle")
    dark_and_light(page, "without a connection")
    host.start("--web", host.port, "--web-listen", "0.0.0.0", "--web-host", "studio.test", "--web-proxy", "0")
    becomes(page, "!document.body.classList.contains('stale') && document.getElementById('title').textContent === 'Two tones'")
    page.locator("#toggle").wait_for()
    becomes(page, "!document.getElementById('toggle').disabled")
