"""The cost of the panel's page: requests and bytes until it works, and what it gets and does while nobody sees it or nothing plays."""
import gzip

from panel_host import get, send, wait
from panel_page import becomes, go, new_page

# A page that works shows what plays with its layers and their values, the course, the queue and the library.
WORKS = ("document.getElementById('title').textContent === 'Two tones' && document.querySelectorAll('#queue li').length === 2"
         " && document.querySelector('.layer output')?.textContent === '−12.0 dB' && document.querySelectorAll('#course-lines .line').length"
         " && document.querySelector('#library li')")
# The most that a page may need until it works.
MOST_REQUESTS, MOST_BYTES = 8, 60_000


def compressed(host):
    """Each file is the same with and without compression."""
    for path in ("/", "/app.js", "/app.css", "/icon.svg"):
        (status, plain), (_, short) = host.get(path), host.get(path, **{"Accept-Encoding": "gzip"})
        assert status == 200 and gzip.decompress(short) == plain, path


def light(browser, host):
    """A working page takes few requests and bytes; one that is loaded again takes hardly any bytes."""
    page = new_page(browser, viewport={"width": 1400, "height": 900})
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    requests, sizes, frames = [], [], []
    session.on("Network.requestWillBeSent", lambda event: requests.append(event["request"]["url"].split("/", 3)[3]))
    session.on("Network.webSocketCreated", lambda event: requests.append(event["url"].split("/", 3)[3]))
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.on("Network.webSocketFrameReceived", lambda event: frames.append(len(event["response"]["payloadData"]) * 3 // 4))
    for visit in ("at first", "again"):
        for each in (requests, sizes, frames):
            each.clear()
        page.goto(f"http://127.0.0.1:{host.port}/")
        becomes(page, WORKS)
        print(f"figure: {visit}, a working page takes {len(requests)} requests ({', '.join(requests)}) and {sum(sizes):.0f} bytes with their heads, and {sum(frames)} bytes "
              f"over its WebSocket in {len(frames)} frames")
        assert len(requests) <= MOST_REQUESTS, requests
        assert sum(sizes) <= (MOST_BYTES if visit == "at first" else MOST_BYTES / 5), (sizes, requests)
    assert not page.faults, page.faults
    page.context.close()


# Notes the timers that run, counts frames, and lists the addresses that the page gets.
COUNTING = """(() => {
    window.timers = new Set(); window.drawn = 0; window.heard = [];
    for (const kind of ['Timeout', 'Interval']) {
        const [set, clear] = [window[`set${kind}`], window[`clear${kind}`]];
        window[`set${kind}`] = (work, pause, ...more) => {
            const timer = set(() => { if (kind === 'Timeout') timers.delete(timer); work(...more); }, pause);
            timers.add(timer);
            return timer;
        };
        window[`clear${kind}`] = timer => { timers.delete(timer); clear(timer); };
    }
    const frame = window.requestAnimationFrame;
    window.requestAnimationFrame = work => frame(time => { drawn += 1; work(time); });
    const decode = TextDecoder.prototype.decode;
    TextDecoder.prototype.decode = function (...given) {
        const text = decode.apply(this, given);
        if (text.startsWith('/binaural/')) heard.push(text.slice(10));
        return text;
    };
})()"""
HIDE = """Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'))"""
SHOW = "delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))"


def counted(browser, host, width):
    """A page that works, whose timers, frames and messages are counted."""
    page = new_page(browser, viewport={"width": width, "height": 900})
    page.add_init_script(COUNTING)
    page.goto(f"http://127.0.0.1:{host.port}/")
    becomes(page, WORKS.rsplit(" && ", 1)[0])
    return page


def hidden(browser, host):
    """A page that is not seen gets nothing and has no timer; once it is seen again, it shows the present values."""
    page = counted(browser, host, 1400)
    becomes(page, "heard.includes('meter')")
    page.evaluate(HIDE)
    becomes(page, "heard.includes('unsubscribed') && timers.size === 0")
    page.evaluate("heard.length = drawn = 0")
    with host.client() as client:
        for number in range(10):
            send(client, "layer/1/gain/norm", number / 20)
        send(client, "next", 1), send(client, "previous", 1)
        send(client, "sync", 1), wait(client, "synced")
        assert page.evaluate("timers.size + drawn") == 0
        page.evaluate(SHOW)
        # The page asks for a sign of life first: whatever was sent before that comes before the answer.
        becomes(page, "heard.includes('pong')")
        assert page.evaluate("heard.indexOf('pong')") == 0, page.evaluate("heard")
        value = get(client, "layer/1/gain")[0]
        becomes(page, f"parseFloat(document.querySelector('.layer output').textContent.replace('−', '-')).toFixed(0) === '{value:.0f}'")
        becomes(page, "heard.includes('meter')")
        send(client, "layer/1/reset", 1), send(client, "sync", 2), wait(client, "synced", lambda values: values == [2])
    assert not page.faults, page.faults
    page.context.close()


def paused(browser, host):
    """A page draws nothing while nothing plays, and gets signs of life only."""
    page = counted(browser, host, 1400)
    with host.client() as client:
        send(client, "pause", 1)
        becomes(page, "document.getElementById('toggle').getAttribute('aria-label') === 'Play'")
        # The one timer that is left looks after the connection, and the last answers are shown with the next frames.
        becomes(page, "timers.size === 1 && asking === 0 && document.querySelector('#library .sketch')")
        page.evaluate("""async () => { for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
            heard.length = drawn = 0; window.changes = 0;
            new MutationObserver(found => { changes += found.length; }).observe(document, { attributes: true, childList: true, characterData: true, subtree: true }) }""")
        becomes(page, "heard.filter(each => each === 'pong').length >= 2")
        assert page.evaluate("drawn + changes") == 0, page.evaluate("[drawn, changes, heard.join()]")
        assert set(page.evaluate("heard")) <= {"alive", "pong"}, page.evaluate("heard")
        send(client, "play", 1)
        becomes(page, "heard.includes('meter') && drawn > 0")
    assert not page.faults, page.faults
    page.context.close()


def elsewhere(browser, host):
    """Levels are sent only to a page that shows the meter."""
    page = counted(browser, host, 390)
    becomes(page, "heard.filter(each => each === 'alive').length >= 2")
    assert "meter" not in page.evaluate("heard")
    go(page, "mix")
    becomes(page, "heard.includes('meter')")
    page.evaluate("heard.length = 0")
    go(page, "queue")
    becomes(page, "heard.includes('unsubscribed')")
    assert not page.faults, page.faults
    page.context.close()
