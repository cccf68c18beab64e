"""The panel's page: library, sessions, patches, presets, rating, chapters, and who else is connected."""
import shutil

from panel_page import becomes, fill, go, open_page, sheet
from servers import until


def lists(browser, page, host):
    library(page)
    dragged(page)
    taken_back(page)
    swiped(browser, host)
    sessions(page)
    unsaved(page, host)
    patches(page, host)
    rated(page)
    chapters(page)
    holding(page)
    emptied(page)
    peers(page, host)
    assert not page.faults, page.faults


def answer(page, choice):
    """Answers the question that is asked before something is replaced."""
    becomes(page, "document.getElementById('ask').open")
    page.click(f"#ask [data-close={choice}]")


def library(page):
    """Words find patches, and the found one is added to the queue."""
    becomes(page, "document.querySelectorAll('#library li').length > 10")
    page.fill("#search", "harmonic BOX")
    becomes(page, "document.querySelectorAll('#library li').length === 1")
    page.click("#library li > button")
    page.click("#library [aria-label^='Add ']")
    becomes(page, "document.querySelectorAll('#queue li').length === 3")
    remove(page, 2)
    becomes(page, "document.querySelectorAll('#queue li').length === 2")
    played(page)
    genres(page)
    page.fill("#search", "no such words")
    becomes(page, "document.getElementById('library-count').textContent === '0 found'")


def genres(page):
    """Each patch shows its genre, comment, length and course; a genre leaves only its own patches."""
    page.fill("#search", "")
    becomes(page, "document.querySelectorAll('#library li').length > 10")
    entry = "document.querySelector('#library [data-name=sleep-descent]')"
    becomes(page, f"{entry}.textContent.includes('Sleep · 45:00') && {entry}.querySelector('.comment').textContent.length > 20")
    # It falls: the beat ends lower in the drawing than it begins.
    points = page.evaluate(f"{entry}.querySelector('.sketch.beat path:last-child').getAttribute('d').match(/[\\d.]+/g).map(Number)")
    assert points[-1] > points[1] + 3 and len(points) == 50, points
    assert page.evaluate("document.querySelector('#library [data-name=brown-noise] .sketch.level') !== null")
    page.click("#genres >> text=Sleep")
    visible = "[...document.querySelectorAll('#library li')].filter(each => each.checkVisibility())"
    becomes(page, f"{visible}.length > 1 && {visible}.length < 10 && {visible}.every(each => each.textContent.includes('Sleep'))")
    assert page.text_content("#library-count") == f"{page.evaluate(visible + '.length')} found"
    page.click("#genres >> text=All")
    becomes(page, f"{visible}.length > 10")


def remove(page, index):
    row = page.locator("#queue li").nth(index)
    if row.locator("[aria-expanded]").get_attribute("aria-expanded") == "false":
        row.locator("[aria-expanded]").click()
    row.locator("[aria-label^=Remove]").click()


def played(page):
    """A patch that is found plays next, or at once."""
    current = "document.querySelector('#queue [aria-current=true]')"
    becomes(page, f"{current}?.dataset.index === '1'")
    page.click("#library [aria-label$=' next']")
    becomes(page, "document.querySelectorAll('#queue li').length === 3")
    becomes(page, "/harmonic/i.test(document.querySelectorAll('#queue li')[1].textContent)")
    assert page.text_content("#title") == "Two tones"
    remove(page, 1)
    becomes(page, "document.querySelectorAll('#queue li').length === 2")
    page.click("#library [aria-label$=' now']")
    becomes(page, f"/harmonic/i.test({current}?.textContent) && {current}.dataset.index === '2'")
    becomes(page, "/harmonic/i.test(document.getElementById('title').textContent)")
    # It is in the queue by now, so it is not added again.
    page.click("#queue >> text=Two tones")
    becomes(page, f"{current}?.dataset.index === '1'")
    page.click("#library [aria-label$=' now']")
    becomes(page, f"{current}?.dataset.index === '2'")
    assert page.locator("#queue li").count() == 3
    page.click("#queue >> text=Two tones")
    becomes(page, f"{current}?.dataset.index === '1'")
    remove(page, 1)
    becomes(page, "document.querySelectorAll('#queue li').length === 2 && document.querySelectorAll('.layer').length === 2")


def dragged(page):
    """An item of the queue is dragged to another's place, and back; then it is moved with the keys of its handle."""
    for title in ("Other", "Two tones"):
        page.locator("#queue .handle").nth(0).drag_to(page.locator("#queue li").nth(1))
        becomes(page, f"document.querySelector('#queue li').textContent.includes('{title}')")
    for key, title in (("ArrowDown", "Other"), ("ArrowUp", "Two tones")):
        page.get_by_role("button", name="Drag Two tones").press(key)
        becomes(page, f"document.querySelector('#queue li').textContent.includes('{title}')")
    assert page.locator("#queue li").count() == 2


def taken_back(page):
    """A removed item is put back in its place by one press, as long as that is offered."""
    rows = "[...document.querySelectorAll('#queue li bdi')].map(each => each.textContent).join()"
    before = page.evaluate(rows)
    remove(page, 0)
    becomes(page, f"{rows} === 'Other'")
    assert "Removed" in page.text_content("#toast") and "Two tones" in page.text_content("#toast")
    page.click("#take-back")
    becomes(page, f"{rows} === '{before}'")
    assert not page.is_visible("#take-back") and page.text_content("#toast") == ""
    page.click("#queue >> text=Two tones")
    becomes(page, "document.getElementById('title').textContent === 'Two tones' && document.querySelectorAll('.layer').length === 2")


def swiped(browser, host):
    """A finger swipes an item away, to either side; a short swipe, one up or down, and a tap do not."""
    page = open_page(browser, host, has_touch=True, width=390, height=844)
    go(page, "queue")
    session = page.context.new_cdp_session(page)

    def swipe(across, down):
        box = page.locator("#queue li bdi").nth(1).bounding_box()
        x, y = 195, box["y"] + box["height"] / 2
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 11):
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + across * step / 10, "y": y + down * step / 10}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    rows = "document.querySelectorAll('#queue li').length"
    for direction in (-1, 1):
        swipe(direction * 90, 0)
        swipe(direction * 30, 120)
        swipe(direction * 180, 10)
        becomes(page, f"{rows} === 1 && document.getElementById('toast').textContent.includes('Other')")
        page.click("#take-back")
        becomes(page, f"{rows} === 2")
        assert page.evaluate("document.querySelector('#queue li:nth-child(2)').textContent.includes('Other')")
    # Neither a short swipe nor the removal has selected anything.
    assert page.text_content("#title") == "Two tones" and not page.faults, page.faults
    page.context.close()


def sessions(page):
    """Sessions are saved, switched and not replaced without a question; unsaved changes are shown."""
    for name in ("first", "second"):
        fill(page, "save-session", name)
        becomes(page, f"document.getElementById('session-state').textContent === '{name}: saved'")
    # A first change may be saved at once, others after it within two seconds.
    move = "each => { each.value = each.value > 0.85 ? 0.8 : 0.9; each.dispatchEvent(new Event('input')) }"
    until("unsaved changes are not shown", lambda: page.locator("#level input").evaluate(move) or page.wait_for_timeout(50)
          or page.text_content("#session-state") == "second: unsaved changes", step=0)
    page.click("#sessions >> text=first")
    becomes(page, "document.querySelector('#sessions [aria-current=true]').textContent === 'first'")
    becomes(page, "document.querySelector('#master output').textContent === '0.0 dB'")
    page.click("#sessions >> text=second")
    becomes(page, "document.querySelector('#master output').textContent !== '0.0 dB'")
    fill(page, "save-session", "first", is_free=False)
    answer(page, "no")
    becomes(page, "document.getElementById('session-state').textContent === 'second: saved'")
    page.fill("#save-session [name=name]", "")


def unsaved(page, host):
    """A session whose changes cannot be saved is not replaced without a question."""
    file, aside = host.folder / "binaural/sessions/second.yaml", host.folder / "second.yaml"
    file.rename(aside)
    # A folder in its place cannot be replaced.
    (file / "x").mkdir(parents=True)
    page.locator("#level input").evaluate("each => { each.value = 0.7; each.dispatchEvent(new Event('input')) }")
    becomes(page, "document.getElementById('session-state').textContent === 'second: unsaved changes'")
    page.click("#sessions >> text=first")
    becomes(page, "document.getElementById('ask').open")
    assert "not saved" in page.text_content("#ask-text")
    answer(page, "no")
    becomes(page, "document.querySelector('#sessions [aria-current=true]').textContent === 'second'")
    becomes(page, "document.querySelector('#master output').textContent === '−18.0 dB'")
    shutil.rmtree(file)
    aside.rename(file)
    becomes(page, "document.getElementById('session-state').textContent === 'second: saved'")


def patches(page, host):
    """Live edits become a patch of a new name; one of that name is replaced only after a question."""
    file = host.folder / "binaural/patches/mine.yaml"

    fill(page, "save-patch", "mine")
    until("the patch is not saved", lambda: file.exists() or page.wait_for_timeout(30), step=0)
    before = file.read_text()
    page.locator(".layer input").first.evaluate("each => { each.value = 0.3; each.dispatchEvent(new Event('input')) }")
    becomes(page, "document.querySelector('.layer output').textContent === '−42.0 dB'")
    fill(page, "save-patch", "mine", is_free=False)
    answer(page, "no")
    assert file.read_text() == before, "a patch is replaced without a question"
    fill(page, "save-patch", "mine", is_free=False)
    answer(page, "yes")
    until("the patch is not replaced", lambda: file.read_text() != before or page.wait_for_timeout(30), step=0)


def rated(page):
    with sheet(page, "#more-button", "more"):
        for count in (4, 0):
            page.click("[aria-label='4 stars']")
            becomes(page, f"document.querySelectorAll('#rating .lit').length === {count}")


def chapters(page):
    """Chapters are buttons, and marks on the drawing of the course; a click near a mark goes to its chapter."""
    page.click("#toggle")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Play'")
    page.click("#chapters >> text=Later")
    becomes(page, "document.getElementById('elapsed').textContent === '5:00'")
    becomes(page, "document.querySelector('#chapters [aria-current=true]').textContent.includes('Later')")
    place = page.evaluate("[Number(document.querySelector('#marks circle').getAttribute('cx')), document.getElementById('course').clientHeight / 2]")
    page.click("#course", position={"x": place[0] + 6, "y": place[1]})
    becomes(page, "document.getElementById('elapsed').textContent === '0:00'")
    page.click("#toggle")
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause'")


def holding(page):
    """A held skip button seeks, faster than the clock, until it is released."""
    def seconds():
        minutes, seconds = page.text_content("#elapsed").split(":")
        return int(minutes) * 60 + int(seconds)

    for button, is_beyond in (("Skip forward 15 s", lambda now: now > 20), ("Skip back 15 s", lambda now: now < 15)):
        page.hover(f"[aria-label='{button}']")
        page.mouse.down()
        until(f"{button} does not seek", lambda: is_beyond(seconds()) or page.wait_for_timeout(30), step=0)
        page.mouse.up()
    becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Pause'")


def emptied(page):
    """With nothing in the queue there is neither a course nor layers; another session brings them back."""
    for count in (1, 0):
        remove(page, 0)
        becomes(page, f"document.querySelectorAll('#queue li').length === {count}")
    becomes(page, "document.getElementById('course').hidden && document.getElementById('layer-section').hidden")
    becomes(page, "document.getElementById('title').textContent === 'Nothing in the queue' && document.getElementById('remaining').textContent === ''")
    assert page.is_visible("#play-welcome") and page.is_visible("#open-library")
    page.click("#sessions >> text=first")
    becomes(page, "!document.getElementById('course').hidden && document.querySelectorAll('.layer').length === 2")


def peers(page, host):
    client, _ = host.connect()
    client.send_binary(b"/binaural/ping\0\0,\0\0\0")
    becomes(page, "document.querySelectorAll('#peers li').length > 1 && document.getElementById('peers').textContent.includes('This page')")
    client.close()
