import OSC
import Patches
import Playback

/// The assignments of MIDI controllers to addresses.
enum MIDIRows {
    static let all: [Row] = [
        Row(
            "midi/list", in: [.press],
            "Answers midi/item with index, address, controller, channel (0 any) for each; then midi/end.", role: .view,
            action: .exchange(
                .list("midi") { reading in
                    reading.player.controllers.enumerated().map {
                        [.count($0 + 1), .text($1.address), .count($1.controller), .count($1.channel ?? 0)]
                    }
                })),
        Row("midi/count", out: "i", "Number of addresses that a controller moves.", group: .session) {
            [.count($0.player.controllers.count)]
        },
        Row(
            "midi/learn", in: [Input("address", .text)], out: "s",
            "Maps the next controller that moves to this address; an empty text cancels learning.",
            group: .session, read: { [.text($0.player.learning ?? "")] },
            action: .commands { request throws(Refusal) in
                let text = request.text(0) ?? ""
                return [.learnController(text.isEmpty ? nil : try AddressTable.standard.controllerAddress(text))]
            }),
        Row(
            "midi/map",
            in: [
                Input("controller", .exact(0...127)), Input("address", .text),
                Input("channel", .exact(0...16), isOptional: true),
            ],
            "Maps a controller, on one channel or any (0), to an address, replacing another.",
            action: .commands { request throws(Refusal) in
                let channel = request.integer(2) ?? 0
                return [
                    .mapController(
                        ControllerMapping(
                            controller: request.integer(0) ?? 0, channel: channel == 0 ? nil : channel,
                            address: try AddressTable.standard.controllerAddress(request.text(1) ?? "")))
                ]
            }),
        Row(
            "midi/forget", in: [Input("mapping", .entry)], "Removes the mapping of an address, or the one with an index of midi/list.",
            action: .commands { request throws(Refusal) in [.forgetController(try request.controllerAddress())] }),
    ]
}

extension OSCRequest {
    fileprivate func controllerAddress() throws(Refusal) -> String {
        let mappings = reading.player.controllers
        guard let number = integer(0) else { return OSCAddress.belowRoot(text(0) ?? "") }
        guard mappings.indices.contains(number - 1) else {
            throw Refusal(.noSuchContent, "There is no mapping \(number): the session has \(mappings.count).")
        }
        return mappings[number - 1].address
    }
}

extension AddressTable {
    /// The address below the root for a controller, given with or without the root.
    func controllerAddress(_ text: String) throws(Refusal) -> String {
        let address = OSCAddress.belowRoot(text)
        if let refusal = refusal(ofController: address) { throw refusal }
        return address
    }

    /// Why a controller cannot move an address; `nil` if it can. Whether the layer exists is not checked, since that changes with the item:
    /// a controller of a layer's name moves the layer of that name in every item that has one.
    package func fault(ofController address: String) -> String? { refusal(ofController: address)?.message }

    private func refusal(ofController address: String) -> Refusal? {
        guard address.utf8.count <= Text.limit, let row = row(at: address) else {
            let near = AddressSuggestion(rows: rows).address(near: address)
            return Refusal(
                .unknownAddress,
                "No controller can move '\(address)': \(near.map { "did you mean \($0)?" } ?? "describe lists all addresses.")")
        }
        guard case .commands? = row.action, row.role <= .control, !row.path.hasPrefix("touch/"), row.path != "midi/learn",
            row.inputs.first?.kind.isMovable == true, row.inputs.dropFirst().allSatisfy(\.isOptional)
        else {
            return Refusal(.badArguments, "\(address) cannot be moved by a controller: it does not take a single number.")
        }
        return nil
    }
}

extension Input.Kind {
    /// Whether a controller can move the argument from one end of its range to the other.
    fileprivate var isMovable: Bool {
        switch self {
        case .press, .flag, .number, .bounded, .integer, .index, .exact, .choice, .note, .entry: true
        case .text, .timeTag, .blob: false
        }
    }
}
