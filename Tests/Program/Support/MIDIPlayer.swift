import Foundation
import TestSupport

/// Plays MIDI into the program, to the frame: Tests/Peers/acceptance/midi_player.c.
package final class MIDIPlayer: Sendable {
    private let folder: TemporaryFolder
    private let process: RunningProgram
    private let name: String

    /// Connected when this returns.
    package init(to program: PlayingProgram) async throws {
        folder = try TemporaryFolder()
        let executable = folder.file("midi_player")
        try await compile("midi_player.c", options: ["-o", executable], libraries: ["-ljack"])
        name = "keys-\(program.server.clientName)"
        process = try RunningProgram(
            executable, [name, program.midiPort],
            environment: ProcessInfo.processInfo.environment.merging(program.server.environment) { $1 })
        _ = try await process.line(containing: "ready")
    }

    /// The audio port that has a sample of 1 on the frame of each event.
    package var markPort: String { "\(name):mark" }

    /// Sends a message this many frames after the previous one.
    package func send(_ bytes: UInt8..., after frames: Int = 0) { send(bytes, after: frames) }

    package func send(_ bytes: [UInt8], after frames: Int = 0) {
        process.write("\(frames) " + bytes.map { String($0, radix: 16) }.joined(separator: " ") + "\n")
    }

    /// Sends many, each with its delay.
    package func send(_ messages: [(delay: Int, bytes: [UInt8])]) {
        process.write(messages.map { "\($0) " + $1.map { String($0, radix: 16) }.joined(separator: " ") + "\n" }.joined())
    }

    /// Waits until this many have been sent in all.
    package func hasSent(_ count: Int) async throws {
        _ = try await process.line { line in
            line.hasPrefix("sent ") && (Int(line.dropFirst(5)) ?? 0) >= count
        }
    }

    package func end() async { await process.end() }
}

extension PlayingProgram {
    package var midiPort: String { ports[0].replacing(":out_left", with: ":midi_in") }
}
