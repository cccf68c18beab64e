"""Lets the cases speak OSC over WebSocket: each UDP packet is passed on in a binary frame, and each frame in a packet."""
import contextlib
import socket
import threading

import websocket

from patience import PATIENCE


class Bridge:
    """A UDP port in front of the program's WebSocket; each sender has a connection of its own."""

    def __init__(self, panel_port):
        self.url = f"ws://127.0.0.1:{panel_port}/osc"
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.connections, self.lock = {}, threading.Lock()
        threading.Thread(target=self._pass_in, daemon=True).start()

    def _pass_in(self):
        with contextlib.suppress(OSError):
            while True:
                data, sender = self.socket.recvfrom(65536)
                # A connection that the program has closed is opened again, as a client would.
                for _ in range(2):
                    try:
                        self._connection(sender).send_binary(data)
                        break
                    except (OSError, websocket.WebSocketException):
                        with self.lock:
                            self.connections.pop(sender, None)

    def _connection(self, sender):
        with self.lock:
            connection = self.connections.get(sender)
            if not connection:
                connection = self.connections[sender] = websocket.create_connection(self.url, timeout=PATIENCE, enable_multithread=True)
                threading.Thread(target=self._pass_out, args=(connection, sender), daemon=True).start()
            return connection

    def _pass_out(self, connection, sender):
        with contextlib.suppress(OSError, websocket.WebSocketException):
            while True:
                kind, data = connection.recv_data()
                if kind == websocket.ABNF.OPCODE_BINARY:
                    self.socket.sendto(data, sender)

    def end_connections(self):
        """Closes all connections, after a case."""
        with self.lock:
            connections, self.connections = self.connections, {}
        for connection in connections.values():
            with contextlib.suppress(OSError, websocket.WebSocketException):
                connection.close(timeout=PATIENCE)

    def close(self):
        self.end_connections()
        self.socket.close()
