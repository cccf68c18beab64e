import OSC
import Playback

/// The addresses of JACK: its server, connections and transport.
enum JACKRows {
    static let all: [Row] = [
        Row("jack/state", out: "s", "running, away or stalled.", group: .jack) { [.string($0.snapshot.jack.state.rawValue)] },
        Row(
            "transport/mode", in: [Input("mode", .choice(TransportMode.allCases.map(\.rawValue)))], out: "s",
            "JACK's transport: none (ignore it), follow (follow it) or lead (drive it).",
            group: .commands, isPatternTarget: true, read: { [.string($0.player.transportMode.rawValue)] },
            action: .commands { [.changeTransportMode(to: TransportMode.allCases[$0.integer(0) ?? 0])] }),
        Row("transport/tempo", out: "f", "Tempo of JACK's transport, in quarter notes a minute; 0 if unknown.", group: .jack) {
            [.float(Float($0.player.tempo ?? 0))]
        },
        Row(
            "jack/reconnect", in: [.press], "Looks for the JACK server at once; answers 120 if none is running.",
            action: .commands { _ in [.application(.reconnectJACK)] }),
        Row(
            "jack/connections", out: "s…", "Each connection as two ports, from and to, as many as fit; a single empty text if none.",
            group: .jack
        ) { connections($0.snapshot.jack.connections + $0.snapshot.jack.inputConnections) },
        Row(
            "jack/connect", in: [Input("port", .text), Input("to", .text)],
            "Connects a port, such as out_left or in_left, to a port's full name; the session keeps it.",
            action: .commands { request throws(Refusal) in
                [.application(.connectPort(try portName(request.text(0)), to: try portName(request.text(1))))]
            }),
        Row(
            "jack/disconnect", in: [Input("port", .text), Input("from", .text)],
            "Disconnects two ports; the session forgets the connection.",
            action: .commands { request throws(Refusal) in
                [.application(.disconnectPort(try portName(request.text(0)), from: try portName(request.text(1))))]
            }),
        Row(
            "jack/forget", in: [Input("port", .text, isOptional: true)],
            "Forgets the connections of a missing port, by its full name, or of all missing ports.",
            action: .commands { request throws(Refusal) in
                [.application(.forgetPort(request.values[0] == nil ? nil : try portName(request.text(0))))]
            }),
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
            guard OSCMessage("\(OSCAddress.root)/jack/connections", more).encoded.count <= OSCAddress.maximumMessageSize else { break }
            listed = more
        }
        return listed.isEmpty ? [.string("")] : listed
    }
}
