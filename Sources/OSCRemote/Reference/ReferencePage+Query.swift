extension ReferencePage {
    /// The section of the docs about OSCQuery.
    var querySection: String {
        """

        ## OSCQuery

        `--osc-query PORT`, or `auto` for any free port, shows all of this to programs that speak
        [OSCQuery](https://github.com/Vidvox/OSCQueryProposal), at `http://127.0.0.1:PORT/`; the port is printed at startup. Only programs on
        this machine are answered, and no web pages.

        - `GET` of any path returns JSON: \(QueryAttribute.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")), as far as the address
          has them; `?VALUE` and so on returns one of them, `?HOST_INFO` the ports of OSC and the WebSocket. Layers are those of the current
          item. An address such as `layer/N/beat` has contents, its twin, as well as a value. `CLIPMODE` is `both` if numbers are clamped,
          `none` if those out of range are refused.
        - `ACCESS` is 1 if the address can be read, 2 if it can be set, 3 for both, as far as `--osc-local-role` allows it. Values are set over
          OSC only, not over HTTP or the WebSocket.
        - 204: the address does not have this attribute. 404: unknown path, or a pattern. 400: invalid request. 405: a method other than `GET`
          and `HEAD`. 403: the request names another host.
        - On a WebSocket at the same port `{"COMMAND":"LISTEN","DATA":"\(AddressTable.root)/layer/1/beat"}` sends the value as an OSC packet, at once
          and whenever it changes, up to 50 times a second; `IGNORE` ends that. A slow client gets the latest values later.
          `{"COMMAND":"PATH_CHANGED","DATA":"\(AddressTable.root)/layer"}` says that another item has other layers: read them again. Addresses that still
          exist are listened to as before. A client that has been silent for 20 s is pinged; one that misses two pings is closed.
        - Limits: 16 connections, 8 KiB of a request, 4 KiB of a message, \(QueryListener.maximumCount) addresses a client; a client that
          reads nothing for 10 s, or leaves a request unfinished for as long, is closed.

        """
    }
}
