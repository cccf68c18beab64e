import ArgumentParser
import Foundation
import OSC
import RemoteClient
import Terminal

struct MIDICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "midi",
        abstract: "Show and assign the MIDI controllers of a running instance.",
        discussion: """
            ADDRESS is as in 'binaural ctl', such as layer/1/beat. Connect the device to the JACK port midi_in. \(Documentation.page("midi.md")) \
            describes the effects of other MIDI messages. Assignments are saved in the session.

            EXAMPLES:
              binaural midi learn layer/1/beat       then turn the knob to assign
              binaural midi map 7 master/gain        controller 7 on any channel
              binaural midi map 64 toggle --channel 2
              binaural midi                          list them
              binaural midi forget layer/1/beat
            """,
        subcommands: [List.self, Learn.self, Map.self, Forget.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the controllers and their addresses.")

        @OptionGroup var instance: InstanceOptions

        func run() throws {
            let mappings = try ControllerChannel(instance.find()).mappings()
            if mappings.isEmpty { print("No controllers are assigned: use 'binaural midi learn ADDRESS'.") }
            for mapping in mappings { print(mapping.line) }
        }
    }

    struct Learn: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Assign the next controller that moves to an address.")

        @OptionGroup var instance: InstanceOptions

        @Option(parsing: .unconditional, help: ArgumentHelp("How long to wait for a controller.", valueName: "seconds"))
        var wait = 60.0

        @ArgumentParser.Argument(help: "The address to assign.", completion: CtlCompletion.ofAddress)
        var address: String

        func validate() throws {
            guard wait > 0, wait <= 3600 else {
                throw ValidationError("--wait takes seconds, more than 0 and at most 3600, not \(wait.formatted()).")
            }
        }

        func run() throws {
            let channel = try ControllerChannel(instance.find())
            let interruption = try Interruption()
            try channel.perform("midi/learn", .string(address))
            // So that it is visible at once in a pipe too.
            print("Move the controller to assign to \(address).")
            fflush(nil)
            let deadline = ContinuousClock.now + .seconds(wait)
            while try channel.isLearning() {
                if let signal = interruption.signal {
                    try channel.perform("midi/learn", .string(""))
                    throw ProgramError(signal: signal, "No controller was assigned.")
                }
                guard ContinuousClock.now < deadline else {
                    try channel.perform("midi/learn", .string(""))
                    throw ProgramError(
                        .refused,
                        "No controller moved within \(wait.formatted()) s. Is the device connected to midi_in (jack_connect, qjackctl)?")
                }
                Thread.sleep(forTimeInterval: 0.1)
            }
            let learnt = try channel.mappings().first { $0.address == ControllerChannel.belowRoot(address) }
            guard let learnt else { throw ProgramError(.refused, "Another client cancelled learning: try again.") }
            print(learnt.line)
        }
    }

    struct Map: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Assign a controller by number to an address.")

        @OptionGroup var instance: InstanceOptions

        @Option(help: ArgumentHelp("Only on this channel, 1 to 16.", valueName: "number"))
        var channel: Int?

        @ArgumentParser.Argument(help: "The controller's number, 0 to 127.")
        var controller: Int

        @ArgumentParser.Argument(help: "The address to assign.", completion: CtlCompletion.ofAddress)
        var address: String

        func validate() throws {
            guard (0...127).contains(controller) else {
                throw ValidationError("A controller number is 0 to 127, not \(controller).")
            }
            guard channel.map({ (1...16).contains($0) }) ?? true else { throw ValidationError("--channel takes a number from 1 to 16.") }
        }

        func run() throws {
            let controllers = try ControllerChannel(instance.find())
            try controllers.perform("midi/map", .int32(Int32(controller)), .string(address), .int32(Int32(channel ?? 0)))
            guard isatty(STDOUT_FILENO) == 1 else { return }
            let mapping = try controllers.mappings().first { $0.address == ControllerChannel.belowRoot(address) }
            if let mapping { print(mapping.line) }
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove the controller of an address.")

        @OptionGroup var instance: InstanceOptions

        @ArgumentParser.Argument(help: "The address, or its number in the list.")
        var mapping: String

        func run() throws {
            try ControllerChannel(instance.find()).perform("midi/forget", Int32(mapping).map(OSCArgument.int32) ?? .string(mapping))
            if isatty(STDOUT_FILENO) == 1 { print("Removed: \(mapping).") }
        }
    }
}
