"""The program's OSCQuery as seen by others: python-oscquery, Python's own HTTP, websocket-client, and invalid bytes.

    osc_query.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME is the name of the client.
"""
import http.client
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import websocket
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import build_msg
from pythonoscquery.osc_query_client import OSCQueryClient
from query_abuse import bad_input, vanished
from query_host import Host, everything, nodes, value
from patience import PATIENCE
from servers import MOVING, until
from zeroconf import ServiceInfo

NAME = os.environ.get("CLIENT_NAME", "binaural")
TONE = "title: One tone\nlayers:\n  - {name: tone, tone: {carrier: 440}, gain: -30}\n"
# Values that change as time passes, and those that concern the reading peer.
MOVING_ADDRESSES = ("/binaural/now/", "/binaural/position", "/binaural/meter", "/binaural/status", "/binaural/replies", "/binaural/sleep",
                    "/binaural/lifecycle", "/binaural/log", "/binaural/session/dirty", "/binaural/touch/")


def the_tree(host):
    """Every row of the table is in it, with its access, and with the value read over OSC."""
    tree = host.json("/")
    found = {node["FULL_PATH"]: node for node in nodes(tree)}
    rows = json.loads(subprocess.run([host.program, "osc-table", "--json"], check=True, capture_output=True).stdout)
    access = {"r": 1, "w": 2, "rw": 3}
    for row in rows:
        path = "/binaural/" + row["path"]
        at = [each for each in ([path] if "/N/" not in path else [path.replace("/N/", f"/{n}/") for n in (1, 2, 3)]) if each in found]
        assert at or "/N/" in path, f"{path} is not in the tree"
        for each in at:
            assert found[each]["ACCESS"] == access[row["access"]], each
    compared = 0
    for path, node in found.items():
        assert host.json(path)["FULL_PATH"] == path
        if "TYPE" not in node:
            assert node["ACCESS"] == 0 and node["CONTENTS"], path
            continue
        assert len(node.get("RANGE", node["TYPE"])) == len(node["TYPE"]), path
        if "VALUE" not in node:
            continue
        assert len(node["VALUE"]) == len(node["TYPE"]) or node["TYPE"] == "N" or not node["VALUE"], path
        if not path.startswith(MOVING_ADDRESSES) and None not in node["VALUE"]:
            answer = host.peer.get(path)
            assert answer is not None and len(answer) == len(node["VALUE"]), (path, answer, node["VALUE"])
            for received, asked in zip(node["VALUE"], answer):
                same = struct.pack("f", received) == struct.pack("f", asked) if isinstance(asked, float) else received == asked
                assert same, (path, received, asked)
            compared += 1
    assert compared > 100, compared
    assert {f"/binaural/layer/{n}" for n in (1, 2, 3)} <= found.keys() and "/binaural/layer/4" not in found
    print(f"figure: {len(found)} nodes, {len(rows)} rows, {compared} values compared with OSC's, {len(json.dumps(tree))} bytes of JSON")

    beat = found["/binaural/layer/1/beat"]
    assert beat["TYPE"] == "f" and beat["VALUE"] == [10] and beat["UNIT"] == ["time.hz"] and beat["CLIPMODE"] == ["both"], beat
    assert beat["RANGE"] == [{"MIN": -100, "MAX": 100}] and beat["DESCRIPTION"], beat
    assert found["/binaural/layer/1/wave"]["RANGE"][0]["VALS"][0] == "sine"
    assert "beat" not in found["/binaural/layer/2"]["CONTENTS"], "noise has no beat"

    # An independent reader of the format.
    service = ServiceInfo("_oscjson._tcp.local.", f"{NAME}._oscjson._tcp.local.", addresses=[socket.inet_aton("127.0.0.1")], port=host.port)
    reader = OSCQueryClient(service)
    info = reader.get_host_info()
    assert info.name == NAME and info.osc_port == host.peer.destination[1] and info.osc_ip == "127.0.0.1" and info.osc_transport == "UDP" and info.extensions["LISTEN"]
    # It supports neither a container that is also an address, nor an address without a value.
    leaves = [path for path, node in found.items() if node.get("VALUE") and "CONTENTS" not in node]
    for path in leaves:
        read = reader.query_node(path)
        assert read.full_path == path and int(read.access) == found[path]["ACCESS"] and read.description == found[path]["DESCRIPTION"]
        assert path.startswith(MOVING_ADDRESSES) or read.value == found[path]["VALUE"], (path, read.value)
    assert reader.query_node("/binaural/layer/4/name") is None
    print(f"figure: python-oscquery reads {len(leaves)} addresses")


def statuses(host):
    """The answers of the proposal."""
    for path, expected in {
        "/binaural/layer/1/beat?VALUE": (200, {"VALUE": [10]}), "/binaural/layer/1/beat?TYPE": (200, {"TYPE": "f"}),
        "/binaural/layer/1/beat?RANGE": (200, {"RANGE": [{"MIN": -100, "MAX": 100}]}), "/binaural/play?ACCESS": (200, {"ACCESS": 2}),
        "/binaural/layer/selected/kind?VALUE": (200, {"VALUE": ["binaural"]}), "/binaural/l%61yer/1/name?VALUE": (200, {"VALUE": ["bed"]}),
        "/binaural/layer/1/?ACCESS": (200, {"ACCESS": 0}), "/binaural/play?VALUE": (204, None), "/binaural/layer?VALUE": (204, None),
        "/binaural/layer/1/beat?TAGS": (204, None), "/binaural/layer/1/name?RANGE": (204, None), "/binaural/layer/4/beat": (404, None),
        "/binaural/layer/2/beat": (404, None), "/binaural/layer/N/beat": (404, None), "/binaural/layer/*/beat": (404, None),
        "/binaural/layer/%7B1,2%7D/beat": (404, None), "/binaural/layer/0/beat": (404, None), "/binaural//layer": (404, None), "//": (404, None),
        "/etc/passwd": (404, None), "/../binaural": (404, None), "/binaural/%00": (404, None), "/binaural/%zz": (400, None),
        "/binaural/%ff": (400, None), "/binaural/%4": (400, None), "/?NONSENSE": (400, None), "/?VALUE&TYPE": (400, None),
        "/?" + "x" * 3000: (414, None),
    }.items():
        status, body = host.ask(path)
        assert status == expected[0], (path, status, body)
        assert expected[1] is None or json.loads(body) == expected[1], (path, body)
        assert status != 204 or body == b"", path
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"):
        assert host.ask("/binaural/quit", method)[0] == 405, method
    assert host.ask("/", "HEAD") == (200, b"")
    # A web page, and a domain name that resolves to this machine.
    assert host.ask("/", Origin="http://example.com")[0] == 403 and host.ask("/", Host="example.com")[0] == 403
    assert host.ask("/?HOST_INFO", Origin="http://localhost:8000")[0] == 200
    # One connection with many requests, also before the answers.
    client = host.raw(b"GET /binaural/layer/1/beat?VALUE HTTP/1.1\r\nHost: localhost\r\n\r\n" * 9 + b"GET /?HOST_INFO HTTP/1.0\r\n\r\n")
    answers = everything(client)
    assert answers.count(b"HTTP/1.1 200 OK") == 10 and answers.count(b'{"VALUE":[10]}') == 9, answers
    begin = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=PATIENCE)
    for _ in range(100):
        connection.request("GET", "/binaural/layer/1/beat?VALUE")
        connection.getresponse().read()
    connection.close()
    print(f"figure: an answer after {10 * (time.monotonic() - begin):.1f} ms")


def listening(host):
    """Values are sent when any peer changes them, and only for listened addresses; a change of item is reported."""
    beat, gain = "/binaural/layer/1/beat", "/binaural/layer/1/gain"
    client, other = host.listen(beat, gain, "/binaural/nothing", "/binaural/layer/*/beat", "/binaural/quit"), host.listen(beat)
    assert value(client, beat) == [10] and value(other, beat) == [10]
    client.send("no JSON"), client.send(json.dumps({"COMMAND": "LISTEN"})), client.send(json.dumps({"COMMAND": 1, "DATA": []}))
    client.send_binary(build_msg("/binaural/quit", []).dgram)
    host.peer.send("layer/1/beat", 7.5)
    assert value(client, beat, lambda received: received == [7.5]) and value(other, beat, lambda received: received == [7.5])
    client.send(json.dumps({"COMMAND": "IGNORE", "DATA": beat}))
    client.ping()
    # Everything sent before has been read when the pong comes.
    while client.recv_data(control_frame=True)[0] != websocket.ABNF.OPCODE_PONG:
        pass
    host.peer.send("layer/1/beat", 8.5)
    assert value(other, beat, lambda received: received == [8.5])
    host.peer.send("layer/1/gain", -33.0)
    while OscMessage(data := client.recv_data()[1]).address != gain or list(OscMessage(data)) != [-33]:
        assert OscMessage(data).address != beat, "received although it is ignored"

    host.peer.send("queue/next", 1)
    said = []
    while len(said) < 2:
        kind, data = client.recv_data()
        if kind == websocket.ABNF.OPCODE_TEXT:
            said.append(json.loads(data))
    assert said == [{"COMMAND": "PATH_CHANGED", "DATA": f"/binaural/{path}"} for path in ("layer", "touch/layer")], said
    assert "2" not in host.json("/binaural/layer")["CONTENTS"] and host.ask("/binaural/layer/3/gain")[0] == 404
    host.peer.send("queue/previous", 1)
    # The layer is back, and its listened address is sent again without a new request.
    assert value(other, beat, lambda received: received == [8.5])
    host.peer.send("layer/1/beat", 10.0), host.peer.sync()
    client.close(), other.close()


def sleeps(host):
    """The server's thread sleeps while nobody is connected, although clients have come and gone."""
    def switches():
        """How often each thread of the event loop has gone to sleep."""
        found = {}
        for task in Path(f"/proc/{host.running.process.pid}/task").iterdir():
            if "NIO" in (task / "comm").read_text():
                found[task.name] = int((task / "status").read_text().split("voluntary_ctxt_switches:")[1].split()[0])
        return found

    until("the thread does not sleep", lambda: (before := switches()) and (time.sleep(1) or switches() == before))
    assert len(switches()) == 1, switches()


def busy_port(host):
    """The second program reports it, and never becomes a client of JACK."""
    arguments = ["play", host.folder / "tone.yaml", "--session", host.folder / "second.yaml"]
    second = subprocess.run([host.program, *arguments, *host.arguments("--osc-query", host.port, name=f"{NAME}-second")], env=host.environment,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    assert second.returncode == 69, second
    assert f"TCP port {host.port} on 127.0.0.1 is in use by binaural (process {host.running.process.pid})." in second.stderr, second.stderr
    assert "another port with --osc-query" in second.stderr and "playing" not in second.stdout, second
    for wrong in ("0", "65536", "http", "-1"):
        third = subprocess.run([host.program, "play", f"--osc-query={wrong}"], env=host.environment, capture_output=True, text=True)
        assert third.returncode == 64 and "--osc-query" in third.stderr, third


def main(program):
    folder = Path(tempfile.mkdtemp(prefix="binaural-query-"))
    try:
        (folder / "moving.yaml").write_text(MOVING.replace("duration: 30\n", "").split("chapters:")[0])
        (folder / "tone.yaml").write_text(TONE)
        host = Host(program, folder, folder / "moving.yaml", folder / "tone.yaml", "--paused", "--osc-query", "auto")
        host.peer.sync()
        the_tree(host)
        statuses(host)
        listening(host)
        sleeps(host)
        busy_port(host)
        bad_input(host)
        client = host.listen("/binaural/layer/1/beat")
        value(client, "/binaural/layer/1/beat")
        port = host.port
        host.end()
        while (frame := client.recv_data(control_frame=True))[0] != websocket.ABNF.OPCODE_CLOSE:
            pass
        assert frame[1] == struct.pack(">H", 1001), frame
        # The port is free at once, although connections to it have only just ended; a read-only role is reported.
        host = Host(program, folder, folder / "moving.yaml", "--osc-query", port, "--osc-local-role", "view", "--session", folder / "b.yaml")
        assert all(node["ACCESS"] < 2 for node in nodes(host.json("/")) if not node["FULL_PATH"].startswith(
            ("/binaural/subscribe", "/binaural/unsubscribe", "/binaural/ping", "/binaural/hello", "/binaural/describe", "/binaural/replies"))) \
            or host.json("/binaural/layer/1/beat")["ACCESS"] == 1
        assert host.json("/binaural/quit?ACCESS") == {"ACCESS": 0} and host.json("/binaural/layer/1/beat?ACCESS") == {"ACCESS": 1}
        host.end()
        host = Host(program, folder, folder / "moving.yaml", "--osc-query", "auto", "--osc-query-ping", "2", "--session", folder / "c.yaml")
        vanished(host)
        host.end()
        wrong = subprocess.run([program, "play", "--osc-query-ping", "0"], env=host.environment, capture_output=True, text=True)
        assert wrong.returncode == 64 and "--osc-query-ping" in wrong.stderr, wrong
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
