import OSC
import Patches
import Playback

/// Addresses for peers to exchange information about themselves and the server.
enum ConversationRows {
    static let all: [Row] = [
        Row(
            "ping", in: [Input("token", .exact(Input.anyInteger), isOptional: true)], "Answers pong with the token.", role: .view,
            action: .exchange(.ping)),
        Row(
            "info", out: "ssiiih",
            fields: [
                Field("name"), Field("version"), Field("API"), Field("minor"), Field("port"), Field("boot id"),
            ], "Name, version, API major and minor, port, boot id."
        ) { reading in
            let identity = reading.identity
            return [
                .text(identity.name), .text(identity.version), .int32(Int32(InstanceIdentity.apiVersion.major)),
                .int32(Int32(InstanceIdentity.apiVersion.minor)), .int32(Int32(identity.port)), .int64(identity.bootID),
            ]
        },
        Row(
            "status", out: "siiffii",
            fields: [
                Field("JACK"), Field("sample rate", "Hz"), Field("buffer", "frames"), Field("load", "%"), Field("peak load", "%"),
                Field("xruns"), Field("guard actions"),
            ], "JACK state, sample rate, buffer size, load and peak load in %, xruns, guard actions."
        ) { reading in
            let jack = reading.snapshot.jack
            return [
                .string(jack.state.rawValue), .count(jack.sampleRate), .count(jack.bufferSize), .float(Float(jack.load)),
                .float(Float(jack.peakLoad)), .count(jack.xruns), .count(jack.guardActions),
            ]
        },
        Row(
            "guards", out: "iii", fields: [Field("clipped samples"), Field("NaN samples"), Field("muted layers")],
            "Numbers of samples clipped at the ceiling, NaN samples, and layers muted for a DC offset."
        ) { reading in
            let jack = reading.snapshot.jack
            return [.count(jack.cutSamples), .count(jack.badSamples), .count(jack.mutedLayers)]
        },
        Row(
            "sync", in: [Input("token", .exact(Input.anyInteger))],
            "Answers synced with the token once every earlier command has reached the sound.", role: .view,
            action: .exchange(.sync)),
        Row(
            "replies", in: [Input("level", .index(0...2))], out: "i",
            "Replies to this peer's commands: 0 none, 1 errors, 2 all.",
            role: .view, read: { [.int32($0.replies)] },
            action: .exchange(.replies)),
        Row(
            "clock", in: [Input("sent", .timeTag)], out: "ttt",
            "Answers with sent, received, answered; a peer computes its clock's offset from them.", role: .view,
            action: .exchange(.clock)),
        Row(
            "hello", in: [Input("name", .text), Input("padding", .blob)],
            "Answers welcome with a cookie and its lifetime; pad the request to the length of the answer.", role: .view,
            action: .exchange(.hello)),
        Row(
            "subscribe",
            in: [
                Input("topic", .text), Input("port", .exact(0...65_535), isOptional: true),
                Input("ttl", .integer(0...300), isOptional: true),
                Input("cookie", .text, isOptional: true),
            ],
            "Answers subscribed with topic, id, ttl, port; then a snapshot that ends in snapshot/end.", role: .view,
            action: .exchange(.subscribe)),
        Row(
            "unsubscribe", in: [Input("topic", .text, isOptional: true)], "Ends one subscription, or all of them.", role: .view,
            action: .exchange(.unsubscribe)),
        Row(
            "peer/list", in: [.press], "Answers peer/item for each program that is connected, but no addresses; then peer/end.",
            role: .view, action: .exchange(.peers)),
        Row(
            "describe", in: [Input("path", .text, isOptional: true)],
            "Answers path, types, access, min, max, unit, doc of each address below (all); then describe/end.", role: .view,
            action: .exchange(.describe)),
    ]
}

extension Row {
    /// A row that can only be read.
    init(
        _ path: String, out outputs: String, as quantity: Quantity? = nil, fields: [Field] = [], _ summary: String,
        group: Topic.Group? = nil,
        isPatternTarget: Bool = false, needs: [Parameter] = [], isEvent: Bool = false, reading read: @escaping Reader
    ) {
        self.init(
            path, in: [], out: outputs, as: quantity, fields: fields, summary, group: group, isPatternTarget: isPatternTarget, needs: needs,
            isEvent: isEvent, read: read)
    }
}
