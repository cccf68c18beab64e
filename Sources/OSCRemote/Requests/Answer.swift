/// An address that only the server sends.
package struct Answer: Sendable {
    /// The address below the root.
    package let path: String
    package let typeTags: String
    /// The arguments in words, and when it is sent.
    package let meaning: String

    private init(_ path: String, _ typeTags: String, _ meaning: String) {
        (self.path, self.typeTags, self.meaning) = (path, typeTags, meaning)
    }

    package static let all: [Answer] = [
        Answer("reply", "sis", "address, 0, name of the responder that handled it: a command has succeeded; for peers with `replies` 2."),
        Answer("error", "sis", "address, code, a sentence with the remedy; for peers with `replies` 1, the default, or 2."),
        Answer(
            "progress", "sf",
            "address, progress of `session/load`, `session/save`, `patch/save`, `queue/add` or `queue/play` from 0 (started) to 1 (finished); the result is in reply or error."
        ),
        Answer("pong", "ih", "the token of the `ping`, boot id."),
        Answer("synced", "i", "the token of the `sync`."),
        Answer("welcome", "si", "cookie, seconds for which it is valid: answers `hello`."),
        Answer(
            "subscribed", "siii", "topic, id, seconds of the lease, port that gets feedback: answers `subscribe`; the snapshot follows."),
        Answer("snapshot/end", "s", "topic: every value has been sent once; from now on only changes are sent."),
        Answer("unsubscribed", "s", "topic: answers `unsubscribe`, once for each topic."),
        Answer("expired", "s", "topic: its lease has expired, since the peer sent nothing."),
        Answer("alive", "hi", "boot id, number of the last change sent to this peer: every 5 s, and every 250 ms for 2 s after a change."),
        Answer("bye", "s", "reason: the program is ending."),
        Answer("ramp/done", "s", "address: a requested ramp has ended; to subscribers of `layers`."),
        Answer(
            "ramp/finished", "i",
            "the `ramp/id` of a bundle: its last ramp has ended, or none was started; to subscribers of `layers`."),
        Answer("describe/value", "sis", "path, index, name: one for each name that the property at the path accepts."),
        Answer("describe/end", "si", "path, number of `describe` messages before it."),
        Answer(
            "queue/item", "iss", "index from 1, patch, title, marked if its file is missing or invalid: one for each item of `queue/list`."),
        Answer("queue/end", "i", "number of items."),
        Answer(
            "queue/place", "is",
            "index from 1, patch: where `queue/add` has added an item, or the item that `queue/play` plays; for peers with `replies` 1 or 2."
        ),
        Answer("chapter/item", "ifs", "index from 1, start in s, title: one for each chapter of `chapter/list`, at most 256."),
        Answer("chapter/end", "i", "number of chapters."),
        Answer("bookmark/item", "if", "index from 1, time in s: one for each bookmark of `bookmark/list`, at most 256."),
        Answer("bookmark/end", "i", "number of bookmarks."),
        Answer(
            "course/place/item", "isffs",
            "index from 1, `chapter` or `cue`, start in s, time that its moves take in s (-1: that of each parameter), title: one for each place of `course/place/list`."
        ),
        Answer("course/place/end", "i", "number of places."),
        Answer(
            "course/point/item", "iiisff",
            "index from 1, place (0: the start of the patch), layer, parameter, value, time at which it is reached in s: one for each value of `course/point/list`."
        ),
        Answer("course/point/end", "i", "number of points."),
        Answer("session/item", "is", "index from 1, name: one for each session of `session/list`."),
        Answer("session/end", "i", "number of sessions."),
        Answer(
            "patch/item", "issfs",
            "index from 1, name, title, duration in s (0 if endless), where it was found: one for each patch of `patch/list`, at most 200."),
        Answer("patch/end", "ii", "number of patches that were listed, and of all that match."),
        Answer(
            "peer/item", "isssfi",
            "index from 1, name (may be empty), role, `udp`, `unix` or `websocket`, seconds since its first packet, 1 for the asking peer: one for each peer of `peer/list`."
        ),
        Answer("peer/end", "i", "number of peers."),
        Answer("preset/item", "iss", "index from 1, name, patch: one for each preset of `preset/list`."),
        Answer("preset/end", "i", "number of presets."),
        Answer("midi/item", "isii", "index from 1, address, controller, channel (0 any): one for each address of `midi/list`."),
        Answer("midi/end", "i", "number of addresses that a controller moves."),
    ]
}
