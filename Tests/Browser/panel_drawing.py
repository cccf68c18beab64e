"""The panel's page: a finger looks for a position on the drawing of the course, two fingers and the wheel zoom it, and its name chooses the parameter."""
from panel_drags import Fingers
from panel_host import get, send
from panel_page import LINES, becomes, new_page, open_page
from servers import until

ELAPSED = "document.getElementById('elapsed').textContent"
LABEL = "document.getElementById('course-label')"
# The seconds at the left and right of the lines, and the pixels between.
SHOWN = """(() => { const { a, e } = document.getElementById("course-lines").transform.baseVal.consolidate().matrix;
    const width = document.getElementById("course").clientWidth - 20; return [(10 - e) / a, (10 - e + width) / a, width]; })()"""


def drawing(browser, host):
    with host.client() as client:
        send(client, "pause")
        page = open_page(browser, host, has_touch=True, is_mobile=True, width=390, height=844)
        becomes(page, f"Boolean({LINES})")
        fingers = Fingers(page)
        for test in (sought, swiped, taken_away, pinched):
            place(page, client)
            test(page, client, fingers)
        page.context.close()
        page = open_page(browser, host)
        becomes(page, f"Boolean({LINES})")
        for test in (wheeled, followed, said):
            place(page, client)
            test(page, client)
        assert not page.faults, page.faults
        page.context.close()
        send(client, "play")
    strange(browser, host)


def place(page, client):
    """The position is 1:40, and the drawing in the middle of the screen."""
    send(client, "position", 100.0)
    becomes(page, f"{ELAPSED} === '1:40'")
    page.evaluate("document.getElementById('course').scrollIntoView({ block: 'center' })")


def middle(page):
    area = page.locator("#course").bounding_box()
    return area["x"] + area["width"] / 2, area["y"] + area["height"] / 2


def sought(page, client, fingers):
    """The position moves by as much as the finger, from where it was, and the player gets it when the finger is lifted."""
    x, y = middle(page)
    fingers.down(1, (x - 60, y))
    fingers.move(1, 7, 0)
    assert page.evaluate(LABEL + ".hidden") and page.evaluate(ELAPSED) == "1:40", "a finger that hardly moves looks for a position"
    fingers.move(1, 101, 0)
    seconds = 100 + 100 * 600 / page.evaluate(SHOWN)[2]
    shown = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
    becomes(page, f"{ELAPSED} === '{shown}' && !{LABEL}.hidden && {LABEL}.textContent === '{shown} · Begin'")
    assert get(client, "position") == [100.0], "a position is sent before the finger is lifted"
    fingers.up(1)
    until("the position is not sent", lambda: abs(get(client, "position")[0] - seconds) < 1 or page.wait_for_timeout(30), step=0)
    becomes(page, f"{LABEL}.hidden")


def swiped(page, client, fingers):
    """A finger that moves down scrolls the page, and seeks nothing."""
    before, (x, y) = page.evaluate("scrollY"), middle(page)
    fingers.down(1, (x, y))
    fingers.move(1, 6, 90)
    fingers.up(1)
    until("a swipe does not scroll", lambda: page.evaluate("scrollY") != before or page.wait_for_timeout(30), step=0)
    assert page.evaluate(ELAPSED) == "1:40" and get(client, "position") == [100.0], get(client, "position")


def taken_away(page, client, fingers):
    """A finger that the system takes for something else leaves the position as it was."""
    x, y = middle(page)
    fingers.down(1, (x, y))
    fingers.move(1, 80, 0)
    becomes(page, f"{ELAPSED} !== '1:40'")
    fingers.cancel()
    becomes(page, f"{ELAPSED} === '1:40' && {LABEL}.hidden")
    assert get(client, "position") == [100.0], get(client, "position")


def pinched(page, client, fingers):
    """Two fingers zoom around their middle; the lines are not drawn again, and nothing is sought."""
    lines, (x, y) = page.evaluate(LINES), middle(page)
    fingers.down(1, (x - 30, y))
    # The first finger has begun to look for a position.
    fingers.move(1, -20, 0)
    fingers.down(2, (x + 50, y))
    becomes(page, f"{ELAPSED} === '1:40' && {LABEL}.hidden")
    fingers.move(1, -50, 0)
    fingers.move(2, 50, 0)
    # From 100 pixels to 200.
    becomes(page, f"Math.abs({SHOWN}[1] - {SHOWN}[0] - 300) < 2 && Math.abs({SHOWN}[1] + {SHOWN}[0] - 600) < 4")
    fingers.up(2)
    fingers.up(1)
    assert page.evaluate(LINES) == lines, "the lines are drawn again"
    assert get(client, "position") == [100.0], get(client, "position")
    page.tap("#course-out")
    becomes(page, f"{SHOWN}[0] === 0 && document.getElementById('course-out').disabled")


def wheeled(page, client):
    """The wheel zooms around the mouse, and sideways moves what is shown; when there is nothing left to zoom out of, the page scrolls. So do buttons."""
    area = page.locator("#course").bounding_box()
    page.mouse.move(area["x"] + 10 + (area["width"] - 20) / 4, area["y"] + 40)
    page.mouse.wheel(0, -346.6)
    # exp(-0.6932) is a half; a quarter from the left are 150 s.
    becomes(page, f"Math.abs({SHOWN}[0] - 75) < 1 && Math.abs({SHOWN}[1] - 375) < 1")
    page.mouse.wheel(area["width"] / 3, 0)
    becomes(page, f"Math.abs({SHOWN}[0] - 175) < 3 && Math.abs({SHOWN}[1] - {SHOWN}[0] - 300) < 1")
    page.mouse.wheel(0, 2000)
    becomes(page, f"{SHOWN}[0] === 0 && Math.abs({SHOWN}[1] - 600) < 0.01")
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, 60)
    until("the page does not scroll", lambda: page.evaluate("scrollY") != before or page.wait_for_timeout(30), step=0)
    assert get(client, "position") == [100.0], get(client, "position")
    for width in (300, 150):
        page.get_by_role("button", name="Zoom in").press("Enter")
        becomes(page, f"Math.abs({SHOWN}[1] - {SHOWN}[0] - {width}) < 1")
    for _ in range(2):
        page.get_by_role("button", name="Zoom out").press("Enter")
    becomes(page, f"{SHOWN}[0] === 0")


def followed(page, client):
    """A position that leaves what is shown comes into view again; a click goes to the time under it."""
    page.click("#course-in")
    page.click("#course-in")
    becomes(page, f"{SHOWN}[1] < 300")
    send(client, "position", 400.0)
    becomes(page, f"{SHOWN}[0] < 400 && {SHOWN}[1] > 400 && !document.getElementById('playhead').hasAttribute('hidden')")
    start, end, width = page.evaluate(SHOWN)
    page.click("#course", position={"x": 10 + width * 0.75, "y": 60})
    wanted = start + (end - start) * 0.75
    until(f"a click does not go to {wanted}", lambda: abs(get(client, "position")[0] - wanted) < 1 or page.wait_for_timeout(30), step=0)
    page.click("#course-out")
    page.click("#course-out")
    becomes(page, f"{SHOWN}[0] === 0")


def said(page, client):
    """The drawing has a description with its values, and its parameter is chosen with keys."""
    label = "document.getElementById('course-drawing').getAttribute('aria-label')"
    becomes(page, f"{label} === 'Beat over time, 10:00, 2 chapters: bed from 10.00 Hz to 4.00 Hz'")
    page.get_by_label("Parameter that is drawn").press("ArrowDown")
    becomes(page, f"{label}.startsWith('Pitch over time, 10:00, 2 chapters: tone from 440.0 Hz to 550.0 Hz; bed 200.0 Hz')")
    assert page.text_content("#course-legend") == "tonebed"


def course(lines, units, end=600, endless=False, chapters=(), layers=1):
    """A course as the player sends it, with the same lines in each layer."""
    return {"end": end, "endless": endless, "loops": False, "units": units, "chapters": list(chapters), "moreLayers": 0, "moreChapters": 0,
            "layers": [{"name": f"layer{number}", "kind": "tone", "lines": lines(number)} for number in range(layers)]}


# By what is strange about it: the course, the view that it begins with, and how many lines that has.
STRANGE = {
    "without end": (course(lambda _: {"beat": [[0, 10, 72, 4]]}, {"beat": "Hz"}, 72, True), "Beat", 1),
    "noise alone": (course(lambda _: {"gain": [[0, -40, 60, -40]]}, {"gain": "dB"}, 60, True), "Level", 1),
    "without a beat": (course(lambda _: {"carrier": [[0, 300, 9, 500]], "pan": [[0, 0, 9, 1]]}, {"carrier": "Hz", "pan": ""}, 9), "Pitch", 1),
    "a thousandth of a second": (course(lambda _: {"carrier": [[0, 200, 0.001, 200]]}, {"carrier": "Hz"}, 0.001), "Pitch", 1),
    "nine hours": (course(lambda _: {"beat": [[0, -99, 32400, 99]]}, {"beat": "Hz"}, 32400), "Beat", 1),
    "never heard": (course(lambda _: {"gain": [[0, -72, 60, -72]]}, {"gain": "dB"}, 60), "Level", 1),
    "slow rotations": (course(lambda _: {"spinRate": [[0, -0.5, 600, 0.5]]}, {"spinRate": "Hz"}), "Rotation", 1),
    "64 layers": (course(lambda number: {"pulseRate": [[0, 1 + number, 20, 5], [30, 5, 600, 4]], "spinRate": [[0, 0.1, 600, 0.1]]},
                         {"pulseRate": "Hz", "spinRate": "Hz"}, chapters=[[number * 1.2, "T" * 60] for number in range(500)], layers=64),
                  "Pulses, rotation", 65),
    "foreign titles": (course(lambda _: {"beat": [[0, 4, 600, 4]]}, {"beat": "Hz"}, chapters=[[0, "<b>ليلة</b> & שלום", 60]]), "Beat", 1),
}


def answering(course):
    return lambda route: route.fulfill(json=course)


def strange(browser, host):
    """Any course is drawn, on a small screen as well: no wider than that, in letters of at least 11 pixels, and titles are texts."""
    with host.client() as client:
        send(client, "pause"), send(client, "position", 100.0)
        for name, (sent, view, count) in STRANGE.items():
            page = new_page(browser, viewport={"width": 360, "height": 640})
            page.route("**/course.json", answering(sent))
            page.goto(f"http://127.0.0.1:{host.port}/")
            becomes(page, "document.getElementById('elapsed').textContent === '1:40' && !document.getElementById('course').hidden")
            shown = page.evaluate("[document.getElementById('course-view').selectedOptions[0]?.text ?? null, document.querySelectorAll('#course-lines .line').length]")
            assert shown == [view, count], (name, shown)
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), name
            small = page.evaluate("[...document.querySelectorAll('#course text')].filter(each => parseFloat(getComputedStyle(each).fontSize) < 11).length")
            assert small == 0, name
            seeks(page, sent["chapters"])
            assert not page.faults, (name, page.faults)
            page.context.close()
        assert get(client, "position") == [100.0], get(client, "position")
        send(client, "play")


def seeks(page, chapters):
    """A drag shows the time and the title of the chapter as they are, until Escape is pressed; zooms to the end and back change no position."""
    page.evaluate("document.getElementById('course').scrollIntoView({ block: 'center' })")
    x, y = middle(page)
    page.mouse.move(x, y)
    for turn in (-9000, 9000):
        page.mouse.wheel(0, turn)
    if not chapters:
        return
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=3)
    title = max((each for each in chapters if each[0] <= 110), key=lambda each: each[0])[1]
    becomes(page, f"{LABEL}.textContent.endsWith({title!r}) && !{LABEL}.querySelector('b')")
    page.keyboard.press("Escape")
    page.mouse.up()
