// A JACK client that plays a sine of 440 Hz on the first two outputs until Enter is pressed.
import Foundation
import JACK

@main struct SineClient {
    static func main() throws {
        let inactive = try InactiveClient.open(name: "sine", serverName: nil) { notice in
            if case .shutdown(let reason) = notice { print("The server has shut down: \(reason)") }
        }
        let output = try inactive.registerOutput("out")
        let turnsPerFrame = 440 / inactive.sampleRate
        var turns = 0.0
        try inactive.onCycle { cycle in
            cycle.withSamples(of: output) { samples in
                for index in samples.indices {
                    samples[index] = Float(0.1 * sin(2 * .pi * turns))
                    turns += turnsPerFrame
                    if turns >= 1 { turns -= 1 }
                }
            }
        }
        let client = try inactive.activate()
        for port in client.ports(flags: [.physical, .input]).prefix(2) { try client.connect(output.name, to: port) }
        print("\(client.name) plays at \(Int(client.sampleRate)) Hz. Press Enter to stop.")
        _ = readLine()
        print("Missed cycles: \(client.missedCycles)")
    }
}
