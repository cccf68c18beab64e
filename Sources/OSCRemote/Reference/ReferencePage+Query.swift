extension ReferencePage {
    /// The section of the docs about OSCQuery.
    var querySection: String {
        """

        ## OSCQuery

        With `--osc-query PORT`, or `auto` for any free port, the program serves all addresses over
        [OSCQuery](https://github.com/Vidvox/OSCQueryProposal) at `http://127.0.0.1:PORT/`. The port is printed at startup. Only programs on this
        machine can connect, unless `--osc-query-listen` names an address for other machines, which can only read; requests from web pages are refused.

        - `GET` of any path returns JSON with those of these attributes that the address has: \(QueryAttribute.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")).
          `?VALUE` and so on returns one of them, `?HOST_INFO` the ports of OSC and the WebSocket. Layers are those of the current item. An address such
          as `layer/N/beat` has contents (its twin) as well as a value. `CLIPMODE` is `both` if numbers are clamped, and `none` if numbers out of range
          are refused. Values that change with time, such as `now/elapsed`, are those of the moment of the answer.
        - `ACCESS` is 1 if the address can be read, 2 if it can be set, and 3 for both, as far as `--osc-local-role` allows it, and for other
          machines the role `view`. Values can be set over OSC only, not over HTTP or the WebSocket.
        - 204: the address does not have this attribute. 404: unknown path, or a pattern. 400: invalid request. 405: a method other than `GET`
          and `HEAD`. 403: the `Host` header has an unknown name, or the request comes from the page of another site.
        - Over a WebSocket at the same port, `{"COMMAND":"LISTEN","DATA":"\(OSCAddress.root)/layer/1/beat"}` subscribes to the value: it is sent as an OSC
          packet at once and whenever it changes, up to 50 times a second, or 20 if it changes with time. `IGNORE` ends this. A slow client gets only the latest values. The server
          sends `{"COMMAND":"PATH_CHANGED","DATA":"\(OSCAddress.root)/layer"}` when another item has other layers; the client should then read them again.
          Addresses that still exist remain subscribed. A client that is silent for 20 s is pinged; one that misses two pings is disconnected.
        - Limits: 16 connections, 8 of them from other machines; 8 KiB per request, 4 KiB per message, \(QueryListener.maximumCount) addresses per client. A client that reads nothing for
          10 s, or leaves a request unfinished for as long, is disconnected.

        """
    }
}
