"""The panel: OSC over WebSocket, pairing and its subcommands, attacks, and the page in a browser while the sound is recorded.

    panel.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME is the name of the client.
"""
import contextlib
import os
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

import websocket
from panel_bookmarks import bookmarks
from panel_controls import controls
from panel_fingers import crowded, fingers, incomplete, keys, late, other_version, revoked, still, swipes
from panel_host import OTHER, PATCH, Host, get, send, wait
from panel_install import installable
from panel_lists import lists
from panel_page import in_browser
from panel_places import places
from panel_states import states
from panel_weight import compressed, elsewhere, hidden, light, paused
from servers import PATIENCE, dice, until


def over_websocket(host):
    """A client on this machine is a peer like one over UDP."""
    client, answer = host.connect()
    assert answer["role"] == "admin" and answer["version"], answer
    other, _ = host.connect()
    send(client, "subscribe", "layers")
    wait(client, "snapshot/end")
    send(other, "layer/2/beat", 7.5)
    assert wait(client, "layer/2/beat", lambda values: values == [7.5])
    # A touch keeps others out until its client has disconnected.
    send(client, "touch/layer/2/beat", 1), get(client, "touch/layer/2/beat")
    send(other, "layer/2/beat", 9.0)
    assert wait(other, "error")[1] == 409
    client.vanish()
    until("a fader stays touched though its client is gone", lambda: get(other, "touch/layer/2/beat") == [0], step=0.05)
    send(other, "undo"), other.close()
    try:
        host.connect(origin="http://example.com", suppress_origin=False)
        raise AssertionError("another site's page may connect")
    except websocket.WebSocketBadStatusException as error:
        assert error.status_code == 403, error


def pairing(host):
    """Devices enter with a token once and then with their key; roles hold; the list shows them; a revoked one is disconnected."""
    line = host.running.line(lambda line: line.startswith("Panel for another device"))
    first = line.split("#")[1].split()[0]
    links = host.web("pair", "--role", "view").split()
    assert all(re.fullmatch(r"https?://[0-9a-z.:\[\]]+/#[0-9a-f]{32}", link) for link in links) and first not in links[0], links
    # Another host name counts as another device.
    device = {"header": [], "host": f"studio.test:{host.port}"}
    phone, answer = host.connect({"token": first, "name": "Phone"}, **device)
    assert answer["role"] == "control" and len(answer["key"]) == 64, answer
    send(phone, "quit")
    assert wait(phone, "error")[1] == 401
    tablet, viewer = host.connect({"token": links[0].split("#")[1], "name": "Tablet"}, **device)
    send(tablet, "pause")
    assert viewer["role"] == "view" and wait(tablet, "error")[1] == 401
    assert "error" in host.connect({"token": first}, **device)[1], "a token is valid twice"
    assert [line.split("\t")[0::3] for line in host.web("list").splitlines()] == [["1", "Phone"], ["2", "Tablet"]]
    assert "Phone" in host.web("revoke", "1") and "no device" in host.web("revoke", "1", code=65).lower()
    until("a revoked device stays connected", lambda: phone.recv_data()[0] == websocket.ABNF.OPCODE_CLOSE)
    assert "revoked" in host.connect({"key": answer["key"]}, **device)[1]["error"]
    assert get(tablet, "now/title") == ["Two tones"], "another device is disconnected too"
    tablet.close()


def asleep(host):
    """A phone falls asleep with a finger on a fader: it answers no more pings, and the fader is released when it is taken for gone.

    - Returns: a function that waits for that.
    """
    watcher, _ = host.connect()
    phone, _ = host.connect_asleep()
    # Seconds since the watcher's first packet, by the program's clock.
    touched, released = age(watcher), []
    send(phone, "touch/master/gain", 1)
    assert get(phone, "touch/master/gain") == [1]

    def watch():
        while get(watcher, "touch/master/gain") == [1]:
            time.sleep(0.1)
        released.append(age(watcher) - touched)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()

    def wait_for_end():
        thread.join(PATIENCE)
        assert released, "a fader stays touched by a phone that sleeps"
        watcher.close(), phone.sock.close()
        print(f"figure: a sleeping phone's touch ended after {released[0]:.1f} s")
        # It is gone when two pings, one every five seconds, have not been answered for five more; not before.
        assert released[0] > 10, released

    return wait_for_end


def age(client):
    """The seconds since a client's first packet."""
    send(client, "peer/list")
    return wait(client, "peer/item", lambda values: values[5] == 1)[4]


def attacks(host):
    """Half-open sockets, slow heads and floods: the player answers meanwhile. Illegal frames, and memory, are in Stress/panel_attacks.py."""
    def memory():
        return int(Path(f"/proc/{host.running.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    client, _ = host.connect()
    start, chance = memory(), dice(1)
    crowd = []
    for number in range(200):
        with contextlib.suppress(OSError):
            crowd.append(socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE))
            crowd[-1].sendall(b"GET / HTTP/1.1\r\nX" if number % 2 else b"")
    assert get(client, "now/title") == ["Two tones"]
    for each in crowd:
        each.close()

    def gets_in():
        with contextlib.suppress(OSError, websocket.WebSocketException):
            host.connect()[0].close()
            return True

    until("a WebSocket cannot be opened after others have left", gets_in, step=0.05)
    begin = time.monotonic()
    for number in range(10_000):
        send(client, "layer/1/gain/norm", number % 100 / 100)
    send(client, "sync", 7)
    wait(client, "synced")
    print(f"figure: 10000 fader moves in {time.monotonic() - begin:.2f} s")
    send(client, "layer/1/reset", 1)
    for size in (1, 3, 4, 1000, 60_000):
        client.send_binary(chance.randbytes(size))
    assert get(client, "now/title") == ["Two tones"]
    # After a key that is wrong, five times, no device is paired from that address.
    for _ in range(5):
        host.connect({"key": "nonsense"}, host=f"studio.test:{host.port}")
    assert "in a minute" in host.connect({"token": "nonsense"}, host=f"studio.test:{host.port}")[1]["error"]
    assert get(client, "now/title") == ["Two tones"]
    client.close()
    print(f"figure: {(memory() - start) / 1e6:.1f} MB more in memory after attacks on the panel")


def in_page(browser, page, host):
    light(browser, host)
    installable(browser, host)
    controls(browser, page, host, get)
    states(browser, host)
    lists(browser, page, host)
    bookmarks(page, host, get, send)
    wait_for_end = asleep(host)
    watcher, _ = host.connect()
    keys(page)
    hidden(browser, host)
    paused(browser, host)
    elsewhere(browser, host)
    still(browser, host)
    fingers(browser, host, watcher, get)
    swipes(browser, host)
    places(browser, host)
    other_version(browser, host)
    incomplete(browser, host)
    late(browser, host)
    crowded(browser, host)
    revoked(browser, host)
    wait_for_end()


def main(program):
    folder = Path(tempfile.mkdtemp(prefix="binaural-panel-"))
    try:
        (folder / "two.yaml").write_text(PATCH)
        (folder / "other.yaml").write_text(OTHER)
        host = Host(program, folder, "--web", "auto", "--web-listen", "0.0.0.0", "--web-host", "studio.test", "--web-proxy", "0")
        over_websocket(host)
        pairing(host)
        compressed(host)
        in_browser(host, lambda browser, page: in_page(browser, page, host))
        attacks(host)
        host.end()
        assert "start binaural with --web-listen" in host.web("pair", code=69), "the links of an instance that has ended are shown"
        # Without options the panel is off; with the preference it is on.
        (folder / "binaural").mkdir(exist_ok=True)
        (folder / "binaural/preferences.yaml").write_text("web: auto\n")
        host = Host(program, folder, "--paused")
        assert host.get("/")[0] == 200
        host.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
