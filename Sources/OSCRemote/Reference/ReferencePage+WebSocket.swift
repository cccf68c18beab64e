extension ReferencePage {
    /// The section of the docs about OSC over WebSocket.
    var webSocketSection: String {
        """

        ## WebSocket

        With `--web PORT`, or `auto` for 7880 or any free port, browsers and other programs exchange OSC packets with the player over a WebSocket at
        `ws://127.0.0.1:PORT/osc`. A binary frame holds one packet. Everything on this page applies as over UDP: answers, subscriptions and
        leases, roles, rates, undo and touch. When the connection ends, what the client held is released.

        - The server first sends a text, `{"role":"admin","version":"0.1.0"}`; packets before it are an error. On this machine the role is that of
          `--osc-local-role`.
        - Other devices need `--web-listen`, and enter within 2 s with a text: `{"token":"…","name":"Phone"}` pairs the device with the token of
          `binaural web pair`, and the answer has the `key` for later connections, `{"key":"…"}`. An invalid token or key is answered with `{"error":"…"}` and
          close code 1008. After five failures, tokens from that address are refused for a minute. Two clients of an address, and four in all, can wait for
          admission; a newcomer takes the place of the one that has waited longest.
        - A device can prove its token or key instead of sending it: `{"challenge":true}` is answered with `{"challenge":"…"}`. With the SHA-256 of the token
          or key in hexadecimal as the key of an HMAC-SHA-256, that of `proof`, a space and the challenge is the `tokenProof` or `keyProof`, which is sent
          in place of `token` or `key`; after a `tokenProof`, that of `key`, a space and the challenge is the device's key. The answer has a `pass`, which
          admits to `/course.json` as the header `Binaural-Pass` while the WebSocket is open, as the key does as `Binaural-Key`.
        - A request with an `Origin` must come from the server's own page; programs other than browsers send none.
        - Feedback goes to the WebSocket: the port of `subscribe` must be omitted or 0. A client that reads too slowly loses packets, which `alive` reveals.
        - The text `{"listen":true}` while connected is answered with `{"ticket":"…"}`, with which `/listen.mp3?ticket=…`, `/listen.opus` or
          `/listen.flac` streams what plays; on this machine no ticket is needed. Other texts are ignored.
        - A silent client is pinged after 5 s, and disconnected after two pings without an answer.
        - Limits: 48 connections, half of them from other machines; 64 KiB per packet.

        This reads what is playing and moves a beat to 4 Hz in ten seconds:

        ```js
        const socket = new WebSocket("ws://127.0.0.1:7880/osc");
        socket.binaryType = "arraybuffer";
        const padded = (text) => [...new TextEncoder().encode(text), ...new Uint8Array(4 - (new TextEncoder().encode(text).length % 4))];
        const float = (value) => [...new Uint8Array(new Float32Array([value]).buffer)].reverse();
        const send = (address, types, ...data) => socket.send(new Uint8Array([padded(address), padded("," + types), ...data].flat()));
        const text = (bytes, from) => new TextDecoder().decode(bytes.subarray(from, bytes.indexOf(0, from)));
        function read(bytes) {
          if (text(bytes, 0) !== "#bundle") return console.log(text(bytes, 0), text(bytes, (text(bytes, 0).length + 4) & ~3));
          for (let place = 16, size; place < bytes.length; place += 4 + size) {
            size = new DataView(bytes.buffer).getUint32(bytes.byteOffset + place);
            read(bytes.subarray(place + 4, place + 4 + size));
          }
        }
        socket.onmessage = ({ data }) => {
          if (typeof data !== "string") return read(new Uint8Array(data));
          send("\(OSCAddress.root)/subscribe", "s", padded("now"));
          send("\(OSCAddress.root)/layer/1/beat", "ff", float(4), float(10));
        };
        ```

        """
    }
}
