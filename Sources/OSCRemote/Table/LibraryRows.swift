import OSC
import Patches
import Playback

/// The queue, sessions, JACK and the program.
enum LibraryRows {
    static let all: [Row] = [
        Row(
            "queue/list", in: [.press], "Answers queue/item with index, patch, title for each; then queue/end with their number.",
            role: .view,
            action: .exchange(
                .list("queue") { reading in
                    reading.player.items.enumerated().map {
                        [.count($0 + 1), .text($1.reference), .text($1.title, limit: Text.titleLimit)]
                    }
                })),
        Row(
            "queue/select", in: [Input("item", .index(0...1_000_000))],
            "Makes an item the current one, from 1; it plays if the one before did.",
            action: .commands { [.selectItem(($0.integer(0) ?? 0) - 1)] }),
        .enabled("queue/select", .selectItem),
        Row(
            "queue/add", in: [Input("patch", .text)], "Puts a patch of the library at the end of the queue, by its name, one string.",
            action: .commands { request throws(Refusal) in
                let name = request.text(0) ?? ""
                guard name.isPlainName else { throw Refusal(.badArguments, "A patch is named as binaural list names it, never by a path.") }
                return [.addItem(name)]
            }),
        Row(
            "session/list", in: [.press], "Answers session/item with index, name for each; then session/end with their number.",
            role: .view,
            action: .exchange(
                .list("session") { $0.snapshot.session.available.enumerated().map { [.count($0 + 1), .text($1)] } })),
        Row(
            "session/load", in: [Input("name", .text)], "Loads a session of the library by its name, one string.",
            action: .commands { request throws(Refusal) in [.loadSession(try sessionName(request.text(0) ?? "", request))] }),
        Row(
            "session/save", in: [Input("name", .text, isOptional: true)],
            "Saves the session, under a name if one is given: one string, not -x, last-session or x.yaml.",
            action: .commands { request throws(Refusal) in
                guard let name = request.text(0) else { return [.saveSession(nil)] }
                return [.saveSession(try sessionName(name, request))]
            }),
        Row("session/dirty", out: "i", as: .norm, "1: something is not yet on disk.", group: .session) {
            [.flag($0.snapshot.session.isDirty)]
        },
        Row("jack/state", out: "s", "running, away or stalled.", group: .jack) { [.string($0.snapshot.jack.state.rawValue)] },
        Row("transport/tempo", out: "f", "Quarter notes a minute of JACK's transport; 0 before anybody has said it.", group: .jack) {
            [.float(Float($0.player.tempo ?? 0))]
        },
        Row(
            "jack/reconnect", in: [.press], "Looks for the JACK server now instead of soon; 120 while there is none.",
            action: .commands { _ in [.reconnectJACK] }),
        Row(
            "jack/connections", out: "s…", "From port to port in turn, for each connection that fits into a packet; one empty text: none.",
            group: .jack
        ) { connections($0.snapshot.jack.connections + $0.snapshot.jack.inputConnections) },
        Row(
            "jack/connect", in: [Input("port", .text), Input("to", .text)],
            "Connects a port of ours, such as out_left or in_left, to a full name; the session keeps it.",
            action: .commands { request throws(Refusal) in
                [.connectPort(try portName(request.text(0)), to: try portName(request.text(1)))]
            }),
        Row(
            "jack/disconnect", in: [Input("port", .text), Input("from", .text)],
            "Disconnects them; the session forgets it.",
            action: .commands { request throws(Refusal) in
                [.disconnectPort(try portName(request.text(0)), from: try portName(request.text(1)))]
            }),
        Row("lifecycle", out: "s", "Each step of the program's life, such as willSave; read, the last one.", group: .session, isEvent: true)
        {
            [.text($0.snapshot.lifecycle)]
        },
        Row("log", out: "s", "Each notice to the user; read, the last one.", group: .log, isEvent: true) { [.text($0.snapshot.notice)] },
        Row("quit", in: [.press], "Fades out, saves and ends the program.", role: .admin, action: .commands { _ in [.quit] }),
    ]

    private static func portName(_ name: String?) throws(Refusal) -> String {
        guard let name, !name.isEmpty else { throw Refusal(.badArguments, "A port needs a name: jack/connect out_left system:playback_1.") }
        return name
    }

    /// Never empty: a message without arguments would be a question.
    private static func connections(_ all: [Snapshot.Connection]) -> [OSCArgument] {
        var told: [OSCArgument] = []
        for connection in all {
            let more = told + [.text(connection.source), .text(connection.destination)]
            guard OSCMessage("\(AddressTable.root)/jack/connections", more).encoded.count <= AddressTable.maximumMessageSize else { break }
            told = more
        }
        return told.isEmpty ? [.string("")] : told
    }

    /// A session's name, never a path. A reserved name is accepted only if there already is such a session.
    private static func sessionName(_ name: String, _ request: Request) throws(Refusal) -> String {
        guard name.isPlainName else { throw Refusal(.badArguments, "A session is named as session/list names it, never by a path.") }
        guard name.isSessionName || request.reading.snapshot.session.available.contains(name) else {
            throw Refusal(.badArguments, "This name is reserved: choose one without a leading - or an ending such as .yaml.")
        }
        return name
    }
}
