/// The MIDI messages that concern the player.
package enum MIDIMessage: Equatable, Sendable {
    /// A note-on with velocity 1...127.
    case noteOn(note: Int, velocity: Int, channel: Int)
    case noteOff(note: Int, channel: Int)
    /// A control change; controller and value are 0...127.
    case controlChange(controller: Int, value: Int, channel: Int)
    /// A program change, 0...127.
    case programChange(Int, channel: Int)
    /// The number of a song, 0...127.
    case songSelect(Int)
    /// The pitch wheel, -8192...8191; 0 is its centre.
    case pitchBend(Int, channel: Int)
    /// The realtime messages start (from the beginning), continue (from here) and stop.
    case start, `continue`, stop
    case machineControl(MachineControl)

    /// MIDI Machine Control, whatever device it is addressed to.
    package enum MachineControl: Equatable, Sendable {
        case stop, play, pause, fastForward, rewind
        /// Moves the position to this many seconds from the start.
        case locate(Double)
    }

    /// Parses a message; `nil` if it is malformed, truncated or of another kind. Channels count from 1.
    package init?(_ bytes: [UInt8]) {
        guard let status = bytes.first, status >= 0x80 else { return nil }
        let data = bytes.dropFirst().map(Int.init)
        let channel = Int(status & 0x0F) + 1
        switch status {
        case 0xFA: self = .start
        case 0xFB: self = .continue
        case 0xFC: self = .stop
        case 0xF0:
            guard let control = MachineControl(bytes) else { return nil }
            self = .machineControl(control)
        case 0xF3:
            guard data.count == 1, data[0] < 128 else { return nil }
            self = .songSelect(data[0])
        case 0xF1...0xFF: return nil
        default:
            guard data.count == (0xC0...0xDF ~= status ? 1 : 2), data.allSatisfy({ $0 < 128 }) else { return nil }
            switch status & 0xF0 {
            // A note-on with velocity 0 is a note-off.
            case 0x90 where data[1] > 0: self = .noteOn(note: data[0], velocity: data[1], channel: channel)
            case 0x80, 0x90: self = .noteOff(note: data[0], channel: channel)
            case 0xB0: self = .controlChange(controller: data[0], value: data[1], channel: channel)
            case 0xC0: self = .programChange(data[0], channel: channel)
            case 0xE0: self = .pitchBend(data[0] + data[1] << 7 - 8192, channel: channel)
            default: return nil
            }
        }
    }
}

extension MIDIMessage.MachineControl {
    /// Parses `F0 7F DEVICE 06 COMMAND … F7` (MMA RP-013); any device id is accepted.
    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count >= 6, bytes[1] == 0x7F, bytes[3] == 0x06, bytes.last == 0xF7 else { return nil }
        switch bytes[4] {
        case 0x01: self = .stop
        // Play, and deferred play, which waits for a locate: the same for this program.
        case 0x02, 0x03: self = .play
        case 0x04: self = .fastForward
        case 0x05: self = .rewind
        case 0x09: self = .pause
        case 0x44:
            guard bytes.count == 13, bytes[5] == 6, bytes[6] == 1 else { return nil }
            // The upper bits are flags; two bits of the hours are the frame rate.
            let parts = zip(bytes[7...11], [0x1F, 0x3F, 0x3F, 0x1F, 0x7F] as [UInt8]).map { Double($0 & $1) }
            self = .locate(Self.seconds(ofTimecode: parts, rate: Int(bytes[7] >> 5) & 3))
        default: return nil
        }
    }

    /// Converts hours, minutes, seconds, frames and hundredths of a frame to seconds.
    private static func seconds(ofTimecode parts: [Double], rate: Int) -> Double {
        let framesPerSecond = [24, 25, 30_000.0 / 1001, 30][rate]
        let seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
        return seconds + (parts[3] + parts[4] / 100) / framesPerSecond
    }
}
