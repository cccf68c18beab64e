import ArgumentParser
import Foundation
import Patches

struct NotesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes",
        abstract: "Print the notes of the MIDI range with their frequencies.",
        discussion: """
            A patch accepts a note name instead of a carrier in Hz: {note: A3, beat: 10}.

            EXAMPLES:
              binaural notes
              binaural notes --a4 432
            """
    )

    @Option(name: .customLong("a4"), parsing: .unconditional, help: ArgumentHelp("Frequency of A4, 200 to 900.", valueName: "hz"))
    var a4 = 440.0

    func validate() throws {
        guard Tuning.range.contains(a4) else {
            throw ValidationError("--a4 takes a frequency from 200 to 900 Hz, not \(NumberText.string(from: a4)).")
        }
    }

    func run() {
        let tuning = Tuning(a4: a4)
        print("MIDI  note            Hz")
        for number in 0...127 {
            guard let note = Note(rawValue: number) else { continue }
            let frequency = tuning.frequency(ofNote: Double(number))
            let name = note.name.padding(toLength: 4, withPad: " ", startingAt: 0)
            print(String(format: "%4d  ", number) + name + String(format: "  %12.4f", frequency))
        }
    }
}
