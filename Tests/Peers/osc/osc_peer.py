"""An OSC peer on genuine liblo: sends the messages read from standard input, and prints those that it receives, one JSON object a line.

In:  {"op": "target", "port": n}
     {"op": "send", "messages": [[address, [type, value], ...], ...], "bundle": false, "delay": seconds}
     {"op": "flood", "count": n, "rate": hz, "seed": s}                          packets that mean nothing
Out: {"port": n}, {"target": port}, {"received": address, "args": [...], "bundle": n, "tag": unix seconds, "at": unix seconds},
     {"done": op, "count": n}, {"sent": time tag of a bundle with a delay, unix seconds}
"""
import json
import random
import socket
import struct
import sys
import threading
import time

import pyliblo3 as liblo

from wire import NTP_TO_UNIX

lock = threading.Lock()
bundle = {"number": 0, "open": False, "tag": 0.0}
seen = set()
ahead = []  # bundles whose time had not come: liblo hands their messages over later, outside of them


def print_event(**event):
    with lock:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()


def bundle_begins(tag, _):
    bundle.update(number=bundle["number"] + 1, open=True, tag=tag - NTP_TO_UNIX if tag > 1 else tag)
    if bundle["tag"] > time.time() - 0.001:
        ahead.append((bundle["number"], bundle["tag"]))


def bundle_ends(_):
    bundle["open"] = False


def received(path, args, types, source):
    now = time.time()
    number, tag = (bundle["number"], bundle["tag"]) if bundle["open"] else (0, 0)
    while ahead and ahead[0][1] < now - 0.05:
        ahead.pop(0)
        seen.clear()
    # liblo is up to 10 ms early.
    if number == 0 and ahead and ahead[0][1] < now + 0.011:
        if path in seen:  # the next one begins
            seen.clear()
            ahead.pop(0)
        if ahead:
            number, tag = ahead[0]
            seen.add(path)
    args = [list(a) if isinstance(a, (bytes, bytearray)) else a for a in args]
    print_event(received=path, types=types, args=args, bundle=number, tag=tag, at=now)


def message(parts):
    return liblo.Message(parts[0], *[(kind, value) for kind, value in parts[1:]])


def garbage(dice):
    """A packet that is not a command by any lenient reading."""
    kind = dice.randrange(9)
    if kind == 0:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(1, 200)))
    if kind == 1:
        return b"/*?*?*?*?*?*?*?*?*?#\0\0\0\0,\0\0\0"
    if kind == 2:  # nested bundles, with a wrong size
        return (b"#bundle\0" + bytes(7) + b"\1" + b"\0\0\0\x10") * dice.randrange(1, 40) + struct.pack(">i", dice.randrange(-9, 1 << 30))
    if kind == 3:  # NaN
        return b"/binaural/master/gain\0\0\0,f\0\0" + struct.pack(">f", dice.choice([float("nan"), float("inf"), -float("inf")]))
    if kind == 4:  # a string for a number
        return b"/binaural/position\0\0,s\0\0" + bytes(dice.randrange(97, 123) for _ in range(7)) + b"\0"
    if kind == 5:  # argument missing
        return b"/binaural/layer/1/gain\0\0,fff" + b"\0" * 4 + b"\0\0"
    if kind == 8:  # a query whose answer nobody reads
        return dice.choice([b"/binaural/now/title\0,\0\0\0", b"/binaural/layer/1/beat\0\0,\0\0\0", b"/binaural/status\0\0\0\0,\0\0\0"])
    if kind == 6:  # a blob longer than the packet
        return b"/binaural/ping\0\0,b\0\0" + struct.pack(">i", dice.randrange(1, 1 << 31)) + b"abcd"
    return b"/binaural/" + bytes(dice.randrange(97, 123) for _ in range(dice.randrange(1, 900))) + b"zz\0\0,\0\0\0"


def flood(target, count, rate, seed):
    dice = random.Random(seed)
    packets = [garbage(dice) for _ in range(min(count, 1 << 14))]
    raw = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    raw.connect(("127.0.0.1", target))
    began = time.monotonic()
    for number in range(count):
        if number % 64 == 0:
            time.sleep(max(0, began + number / rate - time.monotonic()))
        try:
            raw.send(packets[number % len(packets)])
        except OSError:
            pass
    raw.close()
    return count / (time.monotonic() - began)


def main():
    server = liblo.ServerThread()
    server.add_bundle_handlers(bundle_begins, bundle_ends)
    server.add_method(None, None, received)
    server.start()
    print_event(port=server.port)
    target = 0
    for line in sys.stdin:
        request = json.loads(line)
        operation = request["op"]
        if operation == "target":
            target = request["port"]
            address = liblo.Address("127.0.0.1", target)
            print_event(target=target)
        elif operation == "send":
            messages = [message(parts) for parts in request["messages"]]
            if request.get("bundle"):
                delay = request.get("delay")
                tag = liblo.time() + delay if delay is not None else None
                server.send(address, liblo.Bundle(*([tag] if tag is not None else []), *messages))
                if tag is not None:
                    print_event(sent=tag - NTP_TO_UNIX)
            else:
                for each, parts in zip(messages, request["messages"]):
                    at = time.time()
                    server.send(address, each)
                    print_event(sent=parts[0], at=at)
        elif operation == "flood":
            print_event(done="flood", rate=flood(target, request["count"], request["rate"], request["seed"]))
    server.stop()


main()
