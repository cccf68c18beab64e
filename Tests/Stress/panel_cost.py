"""The cost of the panel: the program's processor time without and with pages, frames and messages a second, and the time until a page works.

    panel_cost.py PROGRAM

It prints figures and judges none of them. A JACK server named JACK_DEFAULT_SERVER has to run; CLIENT_NAME is the name of the client.
"""
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from panel_host import OTHER, PATCH, Host, send, wait
from panel_page import becomes, chromium, new_page
from panel_weight import COUNTING, HIDE, SHOW

# Seconds for each figure.
SPAN = 10
# A line of 1.6 Mbit/s, in bytes a second, and the milliseconds until an answer begins.
SLOW, DELAY = 200_000, 150
LOADS = 5
LAYERS = "document.querySelector('.layer output')?.textContent === '−12.0 dB'"


def processor_time(host):
    """Seconds that the program has used."""
    fields = Path(f"/proc/{host.running.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_page(browser, host):
    page = new_page(browser, viewport={"width": 1400, "height": 900})
    page.add_init_script(COUNTING)
    page.goto(f"http://127.0.0.1:{host.port}/")
    becomes(page, LAYERS)
    return page


def measured(host, pages, what):
    """Prints what the program and its pages do within a span of time."""
    for page in pages:
        page.evaluate("heard.length = drawn = 0")
    begin, before = time.monotonic(), processor_time(host)
    time.sleep(SPAN)
    used = (processor_time(host) - before) / (time.monotonic() - begin)
    line = f"figure: {what}: the program takes {used * 100:.1f} % of a core"
    if pages:
        drawn, heard = (statistics.mean(page.evaluate(each) for page in pages) / SPAN for each in ("drawn", "heard.length"))
        line += f"; a page draws {drawn:.1f} frames a second and gets {heard:.1f} messages a second"
    print(line, flush=True)


def running(browser, host):
    """Without a page, and with one and eight that are seen or not, while it plays and while it is paused."""
    pages = []
    with host.client() as client:
        for count in (0, 1, 8):
            while len(pages) < count:
                pages.append(open_page(browser, host))
            for state in ("play", "pause"):
                send(client, state, 1), send(client, "sync", 1), wait(client, "synced")
                # The fade and the answers to it are over.
                time.sleep(3)
                measured(host, pages, f"{state}, {count} pages")
                if count:
                    for page in pages:
                        page.evaluate(HIDE)
                    time.sleep(1)
                    measured(host, pages, f"{state}, {count} hidden pages")
                    for page in pages:
                        page.evaluate(SHOW)
            send(client, "play", 1)
    for page in pages:
        page.context.close()


def loading(browser, host):
    """The time until something is painted and until the layers have their values, with nothing kept from before."""
    for line, slow in (("loopback", False), ("1.6 Mbit/s", True)):
        painted, working = [], []
        for _ in range(LOADS):
            page = new_page(browser, viewport={"width": 390, "height": 844})
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            if slow:
                session.send("Network.emulateNetworkConditions", {
                    "offline": False, "latency": DELAY, "downloadThroughput": SLOW, "uploadThroughput": SLOW})
            page.goto(f"http://127.0.0.1:{host.port}/", wait_until="commit")
            working.append(page.evaluate(f"""() => new Promise(done => {{ const look = () => {{
                if ({LAYERS}) done(performance.now()); else setTimeout(look, 10) }}; look() }})"""))
            painted.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"))
            page.context.close()
        print(f"figure: over {line}: first paint after {statistics.median(painted):.0f} ms, layers after {statistics.median(working):.0f} ms "
              f"(medians of {LOADS})", flush=True)


def main(program):
    folder = Path(tempfile.mkdtemp(prefix="binaural-panel-cost-"))
    try:
        (folder / "two.yaml").write_text(PATCH.replace("duration: 600", "duration: 3600"))
        (folder / "other.yaml").write_text(OTHER)
        host = Host(program, folder, "--web", "auto")
        with chromium() as browser:
            loading(browser, host)
            running(browser, host)
        host.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
