"""The panel behind nginx, configured as docs/panel.md says: only paired devices come in through it, whatever host their requests name.

    panel_proxy.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME is the name of the program's client.
"""
import contextlib
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

import websocket
from patience import PATIENCE
from program import Program
from raw_client import HANDSHAKE, Client, head
from servers import Running, until

NAME = os.environ.get("CLIENT_NAME", "binaural")
PAGE = Path(__file__).parents[2] / "docs/panel.md"
SITE = "studio.example.org"
# Requests of somebody who knows that the panel trusts programs on its own computer.
INTRUDING = [f"GET /course.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode() for host in ("127.0.0.1", "localhost")]
INTRUDING.append(b"GET /course.json HTTP/1.0\r\n\r\n")
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE


def free_ports(count):
    """Different ones, since all are held until the last one is chosen."""
    with contextlib.ExitStack() as held:
        return [held.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(count)]


def is_open(port):
    with contextlib.closing(socket.socket()) as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def proxy_port(program):
    """The port for a proxy, once the program has printed it."""
    return next((int(found[1]) for line in program.lines if (found := re.search(r"for a proxy.*:(\d+)/", line))), 0)


def documented(folder, port, proxied):
    """The block of the docs, with the certificate and the ports of this test."""
    block = re.search(r"```nginx\n(.*?)```", PAGE.read_text(), re.DOTALL)[1]
    for old, new in (("/etc/ssl", str(folder)), ("listen 443", f"listen 127.0.0.1:{port}"), ("127.0.0.1:7881", f"127.0.0.1:{proxied}")):
        assert old in block, old
        block = block.replace(old, new)
    return block


def careless(port, proxied):
    """A proxy that passes on whatever host a request names, and says nothing of itself."""
    return (f"server {{ listen 127.0.0.1:{port} ssl; location / {{ proxy_pass http://127.0.0.1:{proxied}; proxy_http_version 1.1; "
            "proxy_set_header Host $http_host; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; }}\n")


def nginx(folder, *servers):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={SITE}", "-keyout", folder / "studio.key",
                    "-out", folder / "studio.pem"], check=True, capture_output=True)
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{''.join(servers)}}}\n")
    command = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    assert command, "this test needs nginx"
    return Running(command, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log")


class Through(Client):
    """A client of the proxy."""

    def __init__(self, port, data=b""):
        plain = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket = TRUSTING.wrap_socket(plain, server_hostname=SITE)
        self.socket.sendall(data)


def status(port, request):
    """The status of an answer; 0 if the connection is closed without one."""
    answer = Through(port, request).rest()
    return int(answer.split()[1]) if answer else 0


def paired(program, port):
    """A WebSocket of the site's page, with the token of a new link."""
    done = subprocess.run([program.path, "web", "pair"], env=program.environment, capture_output=True, text=True, timeout=PATIENCE)
    link = done.stdout.splitlines()[0]
    assert link.startswith(f"https://{SITE}/#"), done
    page = websocket.create_connection(f"ws://{SITE}/osc", socket=Through(port).socket, origin=f"https://{SITE}")
    page.send(json.dumps({"token": link.split("#")[1], "name": "Phone"}))
    return page, json.loads(page.recv())


def behind(program, port, careless_port):
    for request in INTRUDING:
        assert status(port, request) == 0, request
        # A proxy that lets it pass does not make its client a program on this computer either.
        assert status(careless_port, request) in (400, 403), request
    for host in ("127.0.0.1", "localhost"):
        request = head("/osc", host, None, HANDSHAKE)
        assert status(port, request) == 0, host
        client = Through(careless_port, request)
        # It is closed since it shows no key, and nothing comes before.
        assert client.answer() == 101 and client.rest() == b"\x88\x02\x03\xf0", host
    ends = "Connection: close\r\n"
    assert [status(port, head(path, SITE, None, ends)) for path in ("/", "/course.json", "/listen.mp3")] == [200, 403, 403]
    page, answer = paired(program, port)
    assert answer["role"] == "control", answer
    assert status(port, head("/course.json", SITE, None, f"Binaural-Key: {answer['key']}\r\n{ends}")) in (200, 204)
    page.send(json.dumps({"listen": True}))
    listener = Through(port, head(f"/listen.mp3?ticket={json.loads(page.recv())['ticket']}", SITE))
    assert listener.answer() == 200 and listener.socket.recv(1), "nothing is heard through the proxy"
    listener.socket.close()
    page.close()
    # Programs on this computer enter as before.
    assert Client(program.panel_port, head("/course.json", "localhost")).answer() in (200, 204)


def main(path):
    folder = Path(tempfile.mkdtemp(prefix="binaural-proxy-"))
    try:
        with Program(path, NAME, "--web", "auto", "--web-host", SITE, "--web-proxy", "0") as program:
            proxied = until("the panel does not come up", lambda: program.panel_port and proxy_port(program))
            port, careless_port = free_ports(2)
            with nginx(folder, documented(folder, port, proxied), careless(careless_port, proxied)) as proxy:
                until(lambda: f"nginx does not come up: {proxy.lines}", lambda: is_open(port) and is_open(careless_port))
                behind(program, port, careless_port)
            program.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
