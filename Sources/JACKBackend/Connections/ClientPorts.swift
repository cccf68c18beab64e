import JACK

/// The ports of the present client; none while there is no client.
struct ClientPorts {
    /// The output ports, those of the mix first.
    var outputs: [OutputPort] = []
    /// The input ports, for sound and for MIDI.
    var inputs: [any ClientPort] = []

    var all: [any ClientPort] {
        var ports: [any ClientPort] = outputs
        ports += inputs
        return ports
    }

    /// The program's own port in a connection; `nil` if no port has that name.
    func port(of link: PortLink) -> (any ClientPort)? { all.first { $0.shortName == link.port } }

    /// The port of that name, with or without the client's.
    func port(named name: String) -> (any ClientPort)? { all.first { $0.shortName == name || $0.name == name } }

    /// The properties that other programs show.
    var properties: [Property] {
        var properties = [Property(.client, .prettyName, "Binaural"), Property(.client, .iconName, "audio-headphones")]
        for (order, port) in outputs.enumerated() {
            let (layer, ear) = (order / 2, order % 2 == 0 ? "Left" : "Right")
            properties += [
                Property(.port(port), .prettyName, layer == 0 ? ear : "Layer \(layer) \(ear)"),
                Property(.port(port), .portGroup, layer == 0 ? "Mix" : "Layer \(layer)"), Property(.port(port), .order, String(order)),
            ]
        }
        // Sorted after all possible outputs.
        for (order, (port, name)) in zip(inputs, ["In Left", "In Right", "MIDI In"]).enumerated() {
            properties += [
                Property(.port(port), .prettyName, name), Property(.port(port), .portGroup, "In"),
                Property(.port(port), .order, String(100 + order)),
            ]
        }
        return properties
    }
}
