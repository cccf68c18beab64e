import OSC
import Patches
import Playback

/// The addresses of the queue, sessions, JACK and the program.
enum LibraryRows {
    static let all: [Row] = [
        Row(
            "queue/list", in: [.press], "Answers queue/item with index, patch, title for each; then queue/end with the count.",
            role: .view,
            action: .exchange(
                .list("queue") { reading in
                    reading.player.items.enumerated().map {
                        [.count($0 + 1), .text($1.reference), .text($1.listedTitle, limit: Text.titleLimit)]
                    }
                })),
        Row(
            "queue/select", in: [Input("item", .index(0...1_000_000))],
            "Selects the current item, from 1; it plays if the previous one was playing.",
            action: .commands { [.selectItem(($0.integer(0) ?? 0) - 1)] }),
        .enabled("queue/select", .selectItem),
        Row(
            "queue/add", in: [Input("patch", .text)], "Appends a patch of the library to the queue, by its name (one string).",
            action: .commands { request throws(Refusal) in
                let name = request.text(0) ?? ""
                guard name.isPlainName else { throw Refusal(.badArguments, "Send the patch's name as in 'binaural list', not a path.") }
                return [.addItem(name)]
            }),
        Row(
            "patch/save", in: [Input("name", .text), Input("overwrite", .flag, isOptional: true)],
            "Saves the item with its live edits as your patch; 1 replaces one so named.",
            action: .commands { request throws(Refusal) in
                let name = request.text(0) ?? ""
                if let fault = name.patchNameFault { throw Refusal(.badArguments, fault) }
                return [.savePatch(name, overwrites: request.flag(1))]
            }),
        Row(
            "session/list", in: [.press], "Answers session/item with index, name for each; then session/end with the count.",
            role: .view,
            action: .exchange(
                .list("session") { $0.snapshot.session.available.enumerated().map { [.count($0 + 1), .text($1)] } })),
        Row(
            "session/load", in: [Input("name", .text)], "Loads a session of the library by its name (one string).",
            action: .commands { request throws(Refusal) in [.loadSession(try sessionName(request.text(0) ?? "", request))] }),
        Row(
            "session/save", in: [Input("name", .text, isOptional: true)],
            "Saves the session, optionally under a name: one string, not -x, last-session or x.yaml.",
            action: .commands { request throws(Refusal) in
                guard let name = request.text(0) else { return [.saveSession(nil)] }
                return [.saveSession(try sessionName(name, request))]
            }),
        Row("session/dirty", out: "i", as: .norm, "1: the session has unsaved changes.", group: .session) {
            [.flag($0.snapshot.session.isDirty)]
        },
        Row("jack/state", out: "s", "running, away or stalled.", group: .jack) { [.string($0.snapshot.jack.state.rawValue)] },
        Row("transport/tempo", out: "f", "Tempo of JACK's transport, in quarter notes a minute; 0 if unknown.", group: .jack) {
            [.float(Float($0.player.tempo ?? 0))]
        },
        Row(
            "jack/reconnect", in: [.press], "Looks for the JACK server at once; answers 120 while there is none.",
            action: .commands { _ in [.reconnectJACK] }),
        Row(
            "jack/connections", out: "s…", "Each connection as two ports, from and to, as many as fit; a single empty text if none.",
            group: .jack
        ) { connections($0.snapshot.jack.connections + $0.snapshot.jack.inputConnections) },
        Row(
            "jack/connect", in: [Input("port", .text), Input("to", .text)],
            "Connects a port, such as out_left or in_left, to a port's full name; the session keeps it.",
            action: .commands { request throws(Refusal) in
                [.connectPort(try portName(request.text(0)), to: try portName(request.text(1)))]
            }),
        Row(
            "jack/disconnect", in: [Input("port", .text), Input("from", .text)],
            "Disconnects two ports; the session forgets the connection.",
            action: .commands { request throws(Refusal) in
                [.disconnectPort(try portName(request.text(0)), from: try portName(request.text(1)))]
            }),
        Row(
            "jack/forget", in: [Input("port", .text, isOptional: true)],
            "Forgets the connections of a missing port, by its full name, or of all missing ports.",
            action: .commands { request throws(Refusal) in
                [.forgetPort(request.values[0] == nil ? nil : try portName(request.text(0)))]
            }),
        Row(
            "lifecycle", out: "s", "Each step of the lifecycle, such as willSave; a read returns the last one.", group: .session,
            isEvent: true
        ) {
            [.text($0.snapshot.lifecycle)]
        },
        Row("log", out: "s", "Each notice to the user; a read returns the last one.", group: .log, isEvent: true) {
            [.text($0.snapshot.notice)]
        },
        Row("quit", in: [.press], "Fades out, saves and ends the program.", role: .admin, action: .commands { _ in [.quit] }),
    ]

    private static func portName(_ name: String?) throws(Refusal) -> String {
        guard let name, !name.isEmpty else {
            throw Refusal(.badArguments, "A port name is missing, as in jack/connect out_left system:playback_1.")
        }
        return name
    }

    /// The list is never empty: a message without arguments would be a question.
    private static func connections(_ all: [Snapshot.PortPair]) -> [OSCArgument] {
        var listed: [OSCArgument] = []
        for connection in all {
            let more = listed + [.text(connection.source), .text(connection.destination)]
            guard OSCMessage("\(AddressTable.root)/jack/connections", more).encoded.count <= AddressTable.maximumMessageSize else { break }
            listed = more
        }
        return listed.isEmpty ? [.string("")] : listed
    }

    /// A session's name, never a path. A reserved name is accepted only if there already is such a session.
    private static func sessionName(_ name: String, _ request: OSCRequest) throws(Refusal) -> String {
        guard name.isPlainName else { throw Refusal(.badArguments, "Send the session's name as in session/list, not a path.") }
        guard name.isSessionName || request.reading.snapshot.session.available.contains(name) else {
            throw Refusal(.badArguments, "This name is reserved: choose one without a leading - or an ending such as .yaml.")
        }
        return name
    }
}
