"""The cost of the panel's page: requests and bytes until it works."""
import gzip

from panel_page import becomes, new_page

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
