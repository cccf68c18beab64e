"""The panel's page: bookmarks are marks on the drawing of the course, and buttons below it."""
from panel_page import accessible, becomes
from servers import until


def bookmarks(page, host, get, send):
    """They are set by the button and by others, shown at their place, and a click near one goes there."""
    client, _ = host.connect()
    becomes(page, "document.querySelectorAll('#queue li').length === 2 && !document.getElementById('course').hidden")
    send(client, "pause"), send(client, "position", 150.0)
    becomes(page, "document.getElementById('elapsed').textContent === '2:30'")
    page.click("[data-toggle=bookmark]")
    becomes(page, "document.querySelectorAll('#bookmarks path').length === 1")
    send(client, "position", 450.0), send(client, "bookmark", 1)
    becomes(page, "document.querySelectorAll('#bookmarks path').length === 2")
    # A quarter and three quarters of the way between the ends of the time axis, where the playhead is as well.
    # The message that moves the playhead can come after the one with the bookmarks.
    until(lambda: f"the second mark is not at the playhead: {places(page)}", lambda: are_placed(page) or page.wait_for_timeout(30), step=0)
    page.locator("#picture").evaluate("each => each.scrollIntoView({ block: 'center' })")
    box, area = page.locator("#bookmarks path").first.bounding_box(), page.locator("#course").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2 + 8, box["y"] + 5)
    until("a click near a bookmark does not go there", lambda: get(client, "position") == [150.0] or page.wait_for_timeout(30), step=0)
    # Further up, a click means the place itself.
    page.mouse.click(box["x"] + box["width"] / 2 + 8, area["y"] + area["height"] / 3)
    until("a click above a bookmark goes to it", lambda: get(client, "position")[0] > 150.5 or page.wait_for_timeout(30), step=0)
    with_keys(page, client, get, send)
    page.click("#queue >> text=Other")
    becomes(page, "document.getElementById('title').textContent === 'Other' && document.querySelectorAll('#bookmarks path').length === 0")
    page.click("#queue >> text=Two tones")
    becomes(page, "document.querySelectorAll('#bookmarks path').length === 2")
    for position in (150.0, 450.0):
        send(client, "position", position), send(client, "bookmark", 0)
    becomes(page, "document.querySelectorAll('#bookmarks path').length === 0")
    becomes(page, "document.getElementById('bookmark-box').hidden")
    send(client, "position", 0.0), send(client, "play")
    client.close()


def places(page):
    """How far from the left the middles of the bookmarks and of the playhead are, in percent of the drawing's width."""
    middle = """[...document.querySelectorAll('{}')].map(each => {{ const area = each.getBoundingClientRect(), whole = document.getElementById('course')
        .getBoundingClientRect(); return (area.x + area.width / 2 - whole.x) / whole.width * 100 }})"""
    return page.evaluate(middle.format("#bookmarks path")), page.evaluate(middle.format("#playhead"))[0]


def are_placed(page):
    (first, second), head = places(page)
    return abs(second - head) < 0.2 and first < second - 20


def with_keys(page, client, get, send):
    """Buttons, which a keyboard and a screen reader reach, go to each bookmark, to the previous and the next one, and remove it."""
    def press(name, key="Enter"):
        page.get_by_role("button", name=name, exact=True).press(key)

    def goes_to(position):
        until(f"the position is not {position}", lambda: get(client, "position") == [position] or page.wait_for_timeout(30), step=0)

    send(client, "position", 0.0), send(client, "bookmark", 1)
    names = "JSON.stringify([...document.querySelectorAll('#bookmark-list button')].map(each => each.getAttribute('aria-label')))"
    becomes(page, names + """ === '["Bookmark at 0:00","Bookmark at 2:30","Bookmark at 7:30"]'""")
    for position in (150.0, 450.0):
        press("Next bookmark")
        goes_to(position)
        becomes(page, f"document.getElementById('elapsed').textContent === '{'2:30' if position < 200 else '7:30'}'")
    press("Next bookmark")
    becomes(page, "document.getElementById('toast').textContent.includes('no bookmark after')")
    press("Previous bookmark", "Space")
    goes_to(150.0)
    press("Bookmark at 0:00")
    goes_to(0.0)
    # The focus stays where it is when others bookmark something.
    send(client, "position", 300.0), send(client, "bookmark", 1)
    becomes(page, "document.querySelectorAll('#bookmark-list li').length === 4")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Bookmark at 0:00"
    for position in (0.0, 300.0):
        press(f"Bookmark at {'5:00' if position else '0:00'}")
        goes_to(position)
        becomes(page, "document.querySelector('[data-toggle=bookmark]').getAttribute('aria-pressed') === 'true'")
        press("Bookmark")
        becomes(page, "document.querySelector('[data-toggle=bookmark]').getAttribute('aria-pressed') === 'false'")
    becomes(page, names + """ === '["Bookmark at 2:30","Bookmark at 7:30"]'""")
    open_boxes = page.evaluate("[...document.querySelectorAll('details')].map(each => each.open)")
    size = page.viewport_size
    for width in (360, 1400):
        page.set_viewport_size({"width": width, "height": 800})
        accessible(page, f"with bookmarks, {width} pixels")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), f"bookmarks make the page wider than {width} pixels"
    page.set_viewport_size(size)
    page.evaluate("boxes => document.querySelectorAll('details').forEach((each, index) => { each.open = boxes[index] })", open_boxes)
