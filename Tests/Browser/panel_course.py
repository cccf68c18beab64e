"""The panel's page edits chapters and points: what is dragged on the drawing is heard, undone, saved, and there again tomorrow.

    panel_course.py PROGRAM

JACK's server is the one that JACK_DEFAULT_SERVER names; it has to run. CLIENT_NAME is the name of the client.
"""
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path

import numpy

from panel_drags import by_finger, interrupted, settled, spot
from panel_drawing import drawing
from panel_host import Host, get, send, sounding
from panel_page import LINES, RATE, accessible, becomes, chromium, fill, level, open_page, record
from servers import until

PATCH = """# A patch for this test.
title: Two tones
duration: 600
layers:
  - {name: tone, tone: {note: A4}, gain: -12}   # the one to be heard
  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -30}
chapters:
  - {at: 0, title: Begin}
  # The second half.
  - {at: 300, title: Later, over: 60, set: {tone.carrier: 550, bed.beat: 4}}
cues:
  - {at: 400, set: {bed.gain: -24}}   # a little louder
"""


def editing(host):
    with chromium() as browser:
        page = open_page(browser, host, height=1400)
        page.click("#course-box summary")
        becomes(page, "document.querySelectorAll('#course-points option').length === 8")
        views(page)
        chapter(page)
        point(page, host)
        loudness(page, host)
        slide(page)
        rise(page)
        cue(page)
        interrupted(page, host)
        by_finger(browser, host)
        drawing(browser, host)
        for test in (tuned, early, busy, turned):
            with host.client() as client:
                test(page, client)
        reread(page, host)
        numbers(page)
        refused(page)
        saved(page, host)
        assert not page.faults, page.faults


def views(page):
    """All chapters and cues can be dragged in each view, and the points of its parameter; a point that is chosen in the list is shown."""
    def shows(view, points):
        becomes(page, f"document.getElementById('course-view').value === '{view}' && document.querySelectorAll('#handles path').length === 3"
                f" && document.querySelectorAll('#handles circle:not(.reach)').length === {points}")

    shows("beat", 2)
    assert page.evaluate("[...document.getElementById('course-view').options].map(each => each.text)") == ["Beat", "Pitch", "Level"]
    for view, points in (("carrier", 3), ("gain", 3)):
        page.select_option("#course-view", view)
        shows(view, points)
    page.select_option("#course-choice", label="bed, beat: Later, 5:00")
    shows("beat", 2)


def drag(page, across, down, option):
    """Drags the handle of an entry of the list by pixels."""
    x, y = spot(page, option)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across / 2, y + down / 2, steps=3)
    page.mouse.move(x + across, y + down, steps=3)
    page.mouse.up()


def entry(start):
    """The entry of the list that begins with a text, as an expression of the page."""
    return f"[...document.querySelectorAll('#course-choice option')].find(each => each.text.startsWith({start!r}))"


def chapter(page):
    """A chapter is moved, and the button below the drawing shows its new start; undo takes it back."""
    before = spot(page, "Later, 5:00")
    drag(page, 60, 0, "Later, 5:00")
    becomes(page, f"{entry('Later')} && !{entry('Later')}.text.endsWith('5:00')")
    start = page.evaluate(f"{entry('Later')}.text").split(", ")[1]
    after = spot(page, f"Later, {start}")
    assert abs(after[0] - before[0] - 60) < 2 and after[1] == before[1], (before, after)
    becomes(page, f"document.querySelectorAll('#chapters small')[1].textContent === '{start}'")
    assert page.text_content("#course-reset") == "Discard the change"
    # Behind the end of the patch it cannot be.
    drag(page, 2000, 0, f"Later, {start}")
    becomes(page, f"{entry('Later')}.text === 'Later, 9:59'")
    for _ in range(2):
        page.click("text=Undo")
    becomes(page, f"{entry('Later')}.text === 'Later, 5:00'")
    becomes(page, "document.getElementById('course-reset').hidden")


def frequency(host):
    """That of the tone in the sound, once this is what the program was asked for."""
    sounding(host)
    samples = record(1.5)
    spectrum = numpy.abs(numpy.fft.rfft(samples[-RATE:] * numpy.hanning(RATE)))
    return 300 + int(numpy.argmax(spectrum[300:]))


def point(page, host):
    """A point at the start is dragged down, and the tone is heard there."""
    page.click("#chapters >> text=Begin")
    becomes(page, "document.querySelector('#chapters [aria-current=true]').textContent.includes('Begin')")
    assert (heard := frequency(host)) == 440, heard
    drag(page, 0, 25, "tone, carrier: start")
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard the change'")
    becomes(page, "Number(document.getElementById('course-value').value) < 430")
    value = float(page.input_value("#course-value"))
    assert abs((heard := frequency(host)) - value) <= 1, (heard, value)
    page.click("text=Undo")
    becomes(page, "document.getElementById('course-value').value === '440'")
    assert (heard := frequency(host)) == 440, heard


def slide(page):
    """A point is dragged sideways: the move of its chapter takes another time."""
    drag(page, 60, 0, "bed, beat: Later, 5:00")
    becomes(page, "document.getElementById('course-time').value > '6:00'")
    page.click("text=Undo")
    becomes(page, "document.getElementById('course-time').value === '6:00'")


def loudness(page, host):
    """The point of a level is dragged down, and the tone gets softer by as much."""
    def loud():
        sounding(host)
        return level(record(1))

    before = loud()
    drag(page, 0, 12, "tone, level: start")
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard the change'")
    becomes(page, "Number(document.getElementById('course-value').value) < -13")
    change = float(page.input_value("#course-value")) + 12
    assert abs((heard := loud()) - before - change) < 0.3, (heard, before, change)
    page.click("text=Undo")
    becomes(page, "document.getElementById('course-value').value === '-12'")
    # The level rises slowly.
    until("the undone level is not heard", lambda: abs(loud() - before) < 0.3)


def rise(page):
    """The point of a beat is dragged up."""
    drag(page, 0, -12, "bed, beat: start")
    becomes(page, "Number(document.getElementById('course-value').value) > 10.2")
    page.click("text=Undo")
    becomes(page, "document.getElementById('course-value').value === '10'")


def cue(page):
    """A cue is dragged to another time."""
    drag(page, 40, 0, "cue 3, 6:40")
    becomes(page, f"{entry('cue 3')} && !{entry('cue 3')}.text.endsWith('6:40')")
    page.click("text=Undo")
    becomes(page, f"{entry('cue 3')}.text.endsWith('6:40')")


def tuned(page, client):
    """Another tuning moves the points that are notes, and their lines, since they count as changed."""
    page.select_option("#course-choice", label="tone, carrier: start")
    lines = page.evaluate(LINES)
    send(client, "tuning/a4", 432.0)
    becomes(page, "document.getElementById('course-value').value === '432'")
    becomes(page, f"{LINES} !== {json.dumps(lines)}")
    send(client, "tuning/a4", 440.0)
    becomes(page, "document.getElementById('course-value').value === '440'")


def early(page, client):
    """A point cannot be reached before its chapter begins: the form says so, and nothing is changed."""
    fault = "document.getElementById('course-fault')"
    page.select_option("#course-choice", label="bed, beat: Later, 5:00")
    before = get(client, "course/revision")
    page.fill("#course-value", "7")
    for time, words in (("4:00", "Later begins at 5:00: write a later time."), ("", "minutes and seconds"), ("1:2:3:4", "minutes and seconds"), ("80:00:00", "24 hours")):
        page.fill("#course-time", time)
        assert page.text_content("#course-fault") == "" and page.get_attribute("#course-time", "aria-invalid") == "false"
        page.click("#course-set")
        becomes(page, f"{fault}.textContent.includes({words!r}) && document.activeElement.id === 'course-time'")
        assert page.get_attribute("#course-time", "aria-invalid") == "true"
    accessible(page, "with a fault in the form")
    # A later answer shows that nothing was sent before it.
    page.evaluate("document.querySelector('[data-toggle=like]').click()")
    until("the page sends nothing", lambda: get(client, "like") == [1] or page.wait_for_timeout(30), step=0)
    assert get(client, "course/revision") == before, get(client, "course/revision")
    page.click("[data-toggle=like]")
    # Another entry shows its own numbers.
    page.select_option("#course-choice", label="Later, 5:00")
    becomes(page, f"{fault}.textContent === '' && document.getElementById('course-time').value === '5:00'")


def busy(page, client):
    """A course for which the player has no time at the moment is asked for again, later each time."""
    refusals, is_busy = [], True
    page.evaluate("""(() => { const later = setTimeout; window.pauses = [];
        window.setTimeout = (act, time) => { pauses.push(time); return later(act, time); }; })()""")

    def refuse(route):
        refusals.append(route.request.url)
        return route.fulfill(status=503 if len(refusals) % 2 else 429) if is_busy else route.continue_()

    page.route("**/course.json", refuse)
    send(client, "course/start", 2, 310.0)
    until("the course is not asked for", lambda: refusals or page.wait_for_timeout(30), step=0)
    assert not page.evaluate("document.getElementById('course').hidden"), "the older course of the same item is gone"
    # A refusal of a course that has changed meanwhile makes no pause, so requests are not counted.
    until("the course is not asked for again", lambda: page.evaluate("pauses.includes(4000)") or page.wait_for_timeout(30), step=0)
    is_busy = False
    becomes(page, "!document.getElementById('course').hidden && !document.getElementById('handles').hasAttribute('hidden')")
    pauses = page.evaluate("pauses")
    assert [pause for pause in pauses if pause in (1000, 2000, 4000)][:3] == [1000, 2000, 4000], pauses
    page.unroute("**/course.json")
    send(client, "course/reset", 1)
    becomes(page, "document.getElementById('course-reset').hidden")
    # The browser reports them itself.
    page.faults.clear()


def turned(page, client):
    """The course is drawn again for another width, such as that of a phone that is turned, without a question to the player."""
    size, asked = page.viewport_size, []

    def request(request):
        asked.append(request.url)

    settled(page)
    page.on("request", request)
    for width in (1400, 480):
        page.set_viewport_size({"width": width, "height": 700})
        # From edge to edge, with ten pixels at each side.
        becomes(page, """(() => { const line = document.querySelector("#course-lines .line"), area = document.getElementById("course").getBoundingClientRect();
            const end = line.getPointAtLength(line.getTotalLength()).matrixTransform(line.parentNode.transform.baseVal.consolidate().matrix);
            return Math.abs(end.x - area.width + 10) < 1 })()""")
    assert not asked, asked
    page.remove_listener("request", request)
    page.set_viewport_size(size)


def reread(page, host):
    """The file is saved in an editor while it plays: a notice says which changes of chapters and points still apply, and which are gone."""
    file, log = host.folder / "two.yaml", "document.getElementById('log').textContent"
    with host.client() as client:
        for change in ((2, 310.0), (0, 2, "beat", 9.0), (3, 2, "gain", -25.0)):
            send(client, "course/start" if len(change) == 2 else "course/value", *change)
        get(client, "course/revision")
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard 3 changes'")
    file.write_text(PATCH.replace("A patch for this test", "Another comment").replace("duration: 600", "duration: 590"))
    becomes(page, f"{log}.includes('read again. Chapter changes: 3 kept.')")
    file.write_text(PATCH.replace("at: 300", "at: 200").replace("beat: 10", "beat: 9"))
    becomes(page, f"{log}.includes('Chapter changes: 1 kept, 1 dropped, 1 now in the file.')")
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard the change'")
    file.write_text(PATCH)
    becomes(page, "document.querySelectorAll('#chapters small')[1].textContent === '5:00'")
    page.click("#course-reset")
    becomes(page, "document.getElementById('course-reset').hidden")


def numbers(page):
    """Numbers set what is too small for a finger."""
    page.select_option("#course-choice", label="bed, beat: Later, 5:00")
    page.fill("#course-value", "6.3")
    page.fill("#course-time", "5:30.5")
    page.click("#course-set")
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard 2 changes'")
    becomes(page, "document.getElementById('course-value').value === '6.3' && document.getElementById('course-time').value === '5:30.50'")
    page.select_option("#course-choice", label="cue 3, 6:40")
    page.fill("#course-time", "7:00")
    page.click("#course-set")
    becomes(page, "document.getElementById('course-reset').textContent === 'Discard 3 changes'")


def refused(page):
    """A chapter at the place of another one is refused with a reason, and stays where it is."""
    page.select_option("#course-choice", label="Later, 5:00")
    page.fill("#course-time", "0:00")
    page.click("#course-set")
    becomes(page, "document.getElementById('toast').textContent.includes('between those before and after')")
    page.faults.clear()


def saved(page, host):
    """The patch is saved with its comments; the session has the changes after a restart."""
    fill(page, "save-patch", "mine")
    file = host.folder / "binaural" / "patches" / "mine.yaml"
    until("the patch is not saved", file.exists, step=0.05)
    text = file.read_text()
    expected = PATCH.replace("over: 60", "over: 0:30.5").replace("bed.beat: 4", "bed.beat: 6.3").replace("at: 400", "at: 7:00")
    assert text == expected, text
    host.end()
    host.start("--web", "auto", "--osc-local-role", "admin")
    client, _ = host.connect()
    assert get(client, "course/revision")[1] == 3
    client.close()


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "two.yaml").write_text(PATCH)
        (folder / "other.yaml").write_text(PATCH)
        host = Host(program, folder, "--web", "auto", "--osc-local-role", "admin")
        with contextlib.ExitStack() as ended:
            ended.callback(host.end)
            editing(host)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
