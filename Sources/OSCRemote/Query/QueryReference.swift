extension AddressTable {
    /// The section of the docs about OSCQuery.
    var querySection: String {
        """

        ## OSCQuery

        `--osc-query PORT`, or `auto` for any free port, shows all of this to programs that speak
        [OSCQuery](https://github.com/Vidvox/OSCQueryProposal), at `http://127.0.0.1:PORT/`; the port is told at the start. Nobody beyond this
        machine, and no page of the web, is answered.

        - `GET` of any path gives JSON: \(QueryAttribute.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")), as far as the address
          has them; `?VALUE` and so on one of them alone; `?HOST_INFO` where OSC and the WebSocket are reached. Layers are those of the current
          item. An address such as `layer/N/beat` has contents, its twin, as well as a value. `CLIPMODE` is `both` where numbers are clamped,
          `none` where those out of range are refused.
        - `ACCESS` is 1 for what can be read, 2 for what can be set, 3 for both, less what `--osc-local-role` does not allow. Setting is done over
          OSC: nothing is taken over HTTP or the WebSocket.
        - 204 is an attribute that the address has not, 404 an unknown path or a pattern, 400 nonsense, 405 any method but `GET` and `HEAD`,
          403 a request that names another host.
        - On a WebSocket at the same port `{"COMMAND":"LISTEN","DATA":"\(Self.root)/layer/1/beat"}` has the value sent as an OSC packet, at once
          and whenever it changes, up to 50 times a second, `IGNORE` no more. Who does not keep up gets the last values later.
          `{"COMMAND":"PATH_CHANGED","DATA":"\(Self.root)/layer"}` says that another item has brought other layers: read them anew. What was
          listened to goes on where it is still there. A client that has been silent for 20 s is pinged; one that answers neither of two
          pings is closed.
        - Limits: 16 connections, 8 KiB of a request, 4 KiB of a message, \(QueryListener.maximumCount) addresses that one listens to; a client that
          takes nothing for 10 s, or leaves a request unfinished for as long, is let go.

        """
    }
}
