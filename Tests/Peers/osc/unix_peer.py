"""An OSC peer on a Unix datagram socket, without liblo.

unix_peer.py SERVER [OWN]: sends from OWN, a path or "" for a name without a file; without it, from a socket that has no name.
In:  [address, [type, value], ...]      each type as in wire.py
Out: {"ready": true}, {"received": address, "args": [...]}, {"failed": errno name}
"""
import errno
import json
import os
import socket
import sys
import threading

from wire import decode, message


def print_event(**event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def listen(peer):
    while True:
        for address, values in decode(peer.recv(65536)):
            print_event(received=address, args=values)


peer = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
if len(sys.argv) > 2:
    peer.bind(sys.argv[2])
    threading.Thread(target=listen, args=(peer,), daemon=True).start()
print_event(ready=True)
for line in sys.stdin:
    address, *arguments = json.loads(line)
    try:
        peer.sendto(message(address, *map(tuple, arguments)), sys.argv[1])
    except OSError as error:
        print_event(failed=errno.errorcode[error.errno])
os._exit(0)
