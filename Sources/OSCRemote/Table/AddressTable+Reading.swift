import OSC
import Playback

extension AddressTable {
    /// The value of an address; `nil` if it has no value at the moment.
    func value(of key: Key, _ reading: Reading) -> [OSCArgument]? {
        try? read(key, reading)
    }

    func read(_ key: Key, _ reading: Reading) throws(Refusal) -> [OSCArgument]? {
        var reading = reading
        reading.layerIndex = key.layer?.index(in: reading.player)
        return try row(key).read?(reading)
    }
}

extension AddressTable {
    /// The address at which a value is set in its unit, with the layer's number.
    static func address(of fader: Fader) -> String {
        switch fader {
        case .parameter(let parameter, let layer): "\(OSCAddress.root)/layer/\(layer + 1)/\(parameter.rawValue)"
        case .masterGain: "\(OSCAddress.root)/master/gain"
        case .a4: "\(OSCAddress.root)/tuning/a4"
        }
    }
}
