"""The panel's page: chapters and points are dragged with a finger on a narrow screen, and drags end when something comes between."""
from panel_host import get, send
from panel_page import LINES, becomes, open_page
from servers import until

# The value that is shown beside a handle while it is dragged.
LABEL = "document.querySelector('#handles text')?.textContent"


def settled(page):
    """Waits until the course stays as it is: after a change another one comes, in which the axes may have other ends. The page asks for it within 250 ms."""
    until("the course changes again and again", lambda: page.evaluate(f"""new Promise(resolve => {{
        const before = {LINES}; setTimeout(() => resolve({LINES} === before && window.asking === 0), 300) }})"""), step=0)


def spot(page, option):
    """Selects an entry of the list.

    - Returns: the place of its handle on the screen.
    """
    page.select_option("#course-choice", label=option)
    settled(page)
    page.evaluate("document.getElementById('picture').scrollIntoView({ block: 'center' })")
    return page.evaluate("""() => { const shape = document.querySelector("#handles .selected"), area = shape.getBoundingClientRect();
        return [area.x + area.width / 2, shape.tagName === "path" ? area.y + 7 : area.y + area.height / 2] }""")


def grab(page, option):
    """Presses a handle and moves it, so that its new value is shown beside it."""
    x, y = spot(page, option)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5, y + 20, steps=3)
    becomes(page, f"Boolean({LABEL})")


def is_over(page, client, before):
    """Nothing is dragged any more, and the pointer changes nothing until it is released."""
    becomes(page, f"!{LABEL}")
    page.mouse.move(400, 400, steps=3)
    assert page.evaluate(f"!{LABEL}"), "a drag continues after its end"
    page.mouse.up()
    changes_nothing(page, client, before)


def changes_nothing(page, client, before):
    """The course is as before once everything that the page has sent so far has arrived."""
    is_liked = get(client, "like")
    becomes(page, f"document.querySelector('[data-toggle=like]').getAttribute('aria-pressed') === '{'true' if is_liked == [1] else 'false'}'")
    page.evaluate("document.querySelector('[data-toggle=like]').click()")
    until("the page sends nothing", lambda: get(client, "like") != is_liked or page.wait_for_timeout(30), step=0)
    assert get(client, "course/revision") == before, "a drag that was interrupted changes the course"


def interrupted(page, host):
    """Escape, a pointer that another control takes away, or another item ends a drag, and nothing is changed."""
    with host.client() as client:
        endings(page, client)


def endings(page, client):
    option, before = "tone, carrier: start", get(client, "course/revision")
    grab(page, option)
    page.keyboard.press("Escape")
    is_over(page, client, before)
    grab(page, option)
    # The mouse is always pointer 1. The browser says at its next move that it was released.
    page.evaluate("document.getElementById('handles').releasePointerCapture(1)")
    page.mouse.move(400, 400)
    is_over(page, client, before)
    grab(page, option)
    send(client, "queue/select", 2)
    becomes(page, "document.querySelector('#queue [aria-current=true]').dataset.index === '2'")
    other = get(client, "course/revision")
    is_over(page, client, other)
    send(client, "queue/select", 1)
    becomes(page, "document.querySelector('#queue [aria-current=true]').dataset.index === '1'")
    becomes(page, "document.querySelectorAll('#handles circle:not(.reach)').length === 3")
    assert get(client, "course/revision") == before, "a drag continues in another item"


class Fingers:
    """Fingers on a page, by number."""

    def __init__(self, page):
        self.session, self.places = page.context.new_cdp_session(page), {}

    def send(self, kind, places):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in places.items()]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, number, place):
        self.places[number] = place
        self.send("touchStart", self.places)

    def move(self, number, across, down):
        """Moves a finger by pixels, in steps."""
        x, y = self.places[number]
        for step in range(1, 6):
            self.places[number] = (x + across * step / 5, y + down * step / 5)
            self.send("touchMove", self.places)

    def up(self, number):
        lifted = {number: self.places.pop(number)}
        # Without any it lifts all.
        self.send("touchEnd", lifted if self.places else {})

    def cancel(self):
        """The system takes the fingers for something else, such as a gesture of its own."""
        self.places = {}
        self.send("touchCancel", {})


def by_finger(browser, host):
    """On a screen 360 pixels wide, a finger drags chapters and points; a second finger, or one that is taken away, changes nothing."""
    with host.client() as client:
        one_finger(browser, host, client)


def one_finger(browser, host, client):
    page = open_page(browser, host, has_touch=True, is_mobile=True, width=360, height=640)
    page.tap("#course-box summary")
    becomes(page, "document.querySelectorAll('#handles circle:not(.reach)').length === 2")
    show_drawing(page)
    fingers = Fingers(page)
    chapter, point = "Later, 5:00", "tone, carrier: start"
    fingers.down(1, spot(page, chapter))
    fingers.move(1, 60, 3)
    becomes(page, f"Boolean({LABEL})")
    fingers.up(1)
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard the change'")
    becomes(page, "document.querySelectorAll('#chapters small')[1].textContent > '5:30'")
    fingers.down(1, spot(page, point))
    fingers.move(1, 2, 25)
    # A second finger, on another handle.
    shown = page.evaluate(LABEL)
    fingers.down(2, spot(page, "cue 3, 6:40"))
    fingers.move(2, 40, 0)
    assert page.evaluate(LABEL) == shown, "a second finger moves what the first one drags"
    fingers.up(2)
    assert page.evaluate(LABEL) == shown, "a second finger ends the drag of the first one"
    fingers.up(1)
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard 2 changes'")
    before = get(client, "course/revision")
    fingers.down(1, spot(page, point))
    fingers.move(1, 2, 25)
    becomes(page, f"Boolean({LABEL})")
    fingers.cancel()
    becomes(page, f"!{LABEL}")
    changes_nothing(page, client, before)
    scrolls(page, fingers)
    changes_nothing(page, client, before)
    # After a drag, which ends without a click, the first tap on the drawing counts.
    fingers.down(1, spot(page, point))
    fingers.move(1, 2, 10)
    fingers.up(1)
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard 2 changes'")
    page.tap("#course-box summary")
    becomes(page, "document.getElementById('handles').hasAttribute('hidden')")
    send(client, "position", 0.0)
    page.tap("#course", position={"x": 175, "y": 60})
    until("a tap on the drawing goes nowhere", lambda: get(client, "position")[0] > 300 or page.wait_for_timeout(30), step=0)
    send(client, "course/reset", 1)
    assert not page.faults, page.faults
    page.context.close()


def scrolls(page, fingers):
    """A finger on the drawing beside the handles scrolls the page."""
    area, before = page.locator("#course").bounding_box(), page.evaluate("scrollY")
    handles = page.evaluate("""[...document.querySelectorAll("#handles .reach")].map(each => { const area = each.getBoundingClientRect();
        return [area.x, area.y, area.right, area.bottom] })""")
    free = next((x, y) for x in range(30, 340, 5) for y in range(int(area["y"]) + 30, int(area["y"] + area["height"]), 5)
                if not any(left - 5 < x < right + 5 and top - 5 < y < bottom + 5 for left, top, right, bottom in handles))
    fingers.down(1, free)
    fingers.move(1, 0, -120)
    fingers.up(1)
    until("a finger beside the handles does not scroll", lambda: page.evaluate("scrollY") != before or page.wait_for_timeout(30), step=0)
    show_drawing(page)


def show_drawing(page):
    """Scrolls the drawing into the middle, and waits until nothing scrolls any more."""
    until("the page continues to scroll", lambda: page.evaluate("""new Promise(resolve => {
        document.getElementById("course").scrollIntoView({ block: "center" });
        const place = scrollY; setTimeout(() => resolve(scrollY === place), 100) })"""), step=0)
