import Bus
import Playback

/// org.freedesktop.DBus.Properties
extension MediaPlayerServer {
    func values(_ call: MethodCall) -> Result<[BusValue], BusError> {
        interface(call).map { [.dictionary(properties.values(of: $0.name, receiver.snapshot()))] }
    }

    func value(_ call: MethodCall) -> Result<[BusValue], BusError> {
        property(call).flatMap { property in
            let value = properties.values(of: call.text(0), receiver.snapshot())[property.name]
            return value.map { .success([.variant($0)]) } ?? .failure(.failed("\(property.name) has no value"))
        }
    }

    private func interface(_ call: MethodCall) -> Result<InterfaceDescription, BusError> {
        let interface = InterfaceDescription.all.first { $0.name == call.text(0) }
        return interface.map { .success($0) } ?? .failure(BusError("UnknownInterface", "there is no \(call.text(0).prefix(100)) here"))
    }

    private func property(_ call: MethodCall) -> Result<InterfaceDescription.Property, BusError> {
        interface(call).flatMap { interface in
            interface.property(call.text(1)).map { .success($0) }
                ?? .failure(BusError("UnknownProperty", "\(interface.name) has no property \(call.text(1).prefix(100))"))
        }
    }

    func set(_ call: MethodCall, _ reply: @escaping Reply) {
        let property: InterfaceDescription.Property
        do throws(BusError) { property = try self.property(call).get() } catch { return reply(.failure(error)) }
        let value = call.arguments[2].opened
        guard property.isWritable else { return reply(.failure(BusError("PropertyReadOnly", "\(property.name) cannot be set"))) }
        guard value.signature == property.type else {
            return reply(.failure(.invalidArguments("\(property.name) has the type '\(property.type)', not '\(value.signature)'")))
        }
        guard identity.mayControl else { return reply(.failure(.mayOnlyView)) }
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
