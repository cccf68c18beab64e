"""The program is ended in the middle of a flood of packets: it saves and exits as if it were quiet.

    quitting.py PROGRAM

The server gets the name that JACK_DEFAULT_SERVER has, the program's client that of CLIENT_NAME.
"""
import os
import socket
import sys
import threading
import time

from servers import Server, server_environment, until
from program import Program
from wire import message

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
ROUNDS, SENDERS = 4, 2
# Packets that fill the program's queue.
FULL = 20_000


def flood(port, sent, is_over):
    question = message("now/title")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", port))
        sender.setblocking(False)
        while not is_over.is_set():
            try:
                sender.send(question)
                sent.append(None)
            except OSError:
                # Its buffer is full, or the program has ended.
                time.sleep(0.0001)


def main(path):
    os.environ.update(server_environment(SERVER))
    with Server(SERVER):
        for _ in range(ROUNDS):
            with Program(path, NAME) as program:
                sent, is_over = [], threading.Event()
                senders = [threading.Thread(target=flood, args=(program.port, sent, is_over), daemon=True) for _ in range(SENDERS)]
                for sender in senders:
                    sender.start()
                until("there is no flood", lambda: len(sent) > FULL)
                try:
                    program.end()
                finally:
                    is_over.set()
                for sender in senders:
                    sender.join()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
