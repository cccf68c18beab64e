import Bus
import Playback

/// org.freedesktop.DBus.Properties
extension MediaPlayerServer {
    func answerProperties(_ call: MethodCall, _ reply: @escaping Reply) {
        let names = call.arguments.compactMap(\.text)
        guard let name = names.first, let interface = InterfaceDescription.all.first(where: { $0.name == name }) else {
            return reply(.failure(BusError("UnknownInterface", "there is no \(names.first?.prefix(100) ?? "") here")))
        }
        if call.member == "GetAll" { return reply(.success([.dictionary(properties.values(of: name, receiver.snapshot()))])) }
        guard names.count > 1, let property = interface.property(names[1]) else {
            return reply(.failure(BusError("UnknownProperty", "\(name) has no property \(names.dropFirst().first?.prefix(100) ?? "")")))
        }
        guard call.member == "Set" else {
            let value = properties.values(of: name, receiver.snapshot())[property.name]
            return reply(value.map { .success([.variant($0)]) } ?? .failure(.failed("\(property.name) has no value")))
        }
        set(property, of: name, to: call.arguments[2].opened, call, reply)
    }

    private func set(
        _ property: InterfaceDescription.Property, of interface: String, to value: BusValue, _ call: MethodCall, _ reply: @escaping Reply
    ) {
        guard property.isWritable else { return reply(.failure(BusError("PropertyReadOnly", "\(property.name) cannot be set"))) }
        guard value.signature == property.type else {
            return reply(.failure(.invalidArguments("\(property.name) has the type '\(property.type)', not '\(value.signature)'")))
        }
        guard identity.mayControl else {
            return reply(.failure(BusError("AccessDenied", "the role of programs on this machine is view (--osc-local-role)")))
        }
        switch (property.name, value) {
        case ("LoopStatus", .string(let status)): setLoopStatus(status, call, reply)
        case ("Shuffle", .bool(let isOn)):
            perform(.changeShuffleMode(to: isOn ? .items : .off, seed: .random(in: .min ... .max)), call, reply)
        case ("Rate", .double(let rate)): setRate(rate, call, reply)
        case ("Volume", .double(let volume)): setVolume(volume, call, reply)
        // There is no window that could fill the screen.
        default: reply(.success([]))
        }
    }

    private func setLoopStatus(_ status: String, _ call: MethodCall, _ reply: @escaping Reply) {
        guard let mode = PlayerProperties.repeatMode(status) else {
            return reply(.failure(.invalidArguments("LoopStatus must be None, Track or Playlist, not '\(status.prefix(100))'")))
        }
        perform(.changeRepeatMode(to: mode), call, reply)
    }

    /// A rate of 0 is a pause; one beyond the limits is ignored.
    private func setRate(_ rate: Double, _ call: MethodCall, _ reply: @escaping Reply) {
        if rate == 0 { return perform(.pause, call, reply) }
        guard PlayerProperties.rates(receiver.snapshot()).contains(rate) else { return reply(.success([])) }
        perform(.changeRate(to: rate), call, reply)
    }

    private func setVolume(_ volume: Double, _ call: MethodCall, _ reply: @escaping Reply) {
        guard !volume.isNaN else { return reply(.failure(.invalidArguments("Volume is a number from 0 to 1"))) }
        let isMuted = receiver.snapshot().player.isMasterMuted
        attempt(.setMasterGain(PlayerProperties.gain(volume: volume), ramp: nil), call, reply) { [self] in
            // The volume that was set is to be heard.
            guard isMuted, volume > 0 else { return reply(.success([])) }
            perform(.muteMaster(false), call, reply)
        }
    }
}
