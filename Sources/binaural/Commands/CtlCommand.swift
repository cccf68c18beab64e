import ArgumentParser
import Foundation
import OSC
import RemoteClient

struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Send one message to a running instance and print what it answers.",
        discussion: """
            ADDRESS is below /binaural unless it begins with a slash. Numbers are sent as such, T and F as true and false, all else, \
            and what stands in quotes, as a string. The addresses are in docs/osc.md; 'binaural ctl describe /' tells them too. An \
            answer is a line, ADDRESS VALUE..., and on a terminal the address below /binaural with values and unit.

            EXAMPLES:
              binaural ctl play
              binaural ctl layer/1/gain -20          set a level in dB
              binaural ctl layer/1/beat 4 10         glide to 4 Hz in 10 s
              binaural ctl now/title                 ask for a value
              binaural ctl 'layer/*/gain'            ask all layers
              binaural ctl preset/save 'my preset'   a text with spaces is one argument
              binaural ctl session/load '"7"'        a string, though it looks like a number
              binaural ctl --to 192.168.1.20:7830 pause
              binaural ctl --to unix:/run/user/1000/osc pause
              binaural ctl --repl < messages.txt     a message in each line; 1 when any was refused
              rlwrap binaural ctl --repl             a prompt with history

            Ends with 0 on success, 1 when the instance answers with an error, 69 when nobody answers.
            """
    )

    @OptionGroup var instance: InstanceOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Wait this long for the answer.", valueName: "seconds"))
    var wait = 1.0

    @Flag(inversion: .prefixedNo, help: "Show values with their units; on a terminal that is the default.")
    var units: Bool?

    @Flag(help: "Take messages line by line, from a prompt or from a pipe.")
    var repl = false

    @ArgumentParser.Argument(help: "What it is about, such as play or layer/1/gain.", completion: CtlCompletion.ofAddress)
    var address: String?

    // Negative numbers look like options: all unrecognized options are taken as arguments.
    @ArgumentParser.Argument(parsing: .allUnrecognized, help: "Values to send with it.", completion: CtlCompletion.ofArgument)
    var arguments: [String] = []

    func validate() throws {
        guard wait > 0, wait <= 3600 else {
            throw ValidationError("--wait takes seconds, more than 0 and at most 3600, not \(wait.formatted()).")
        }
        guard !repl else {
            guard let surplus = ([address].compactMap(\.self) + arguments).first else { return }
            throw ValidationError("With --repl the messages come from standard input: leave '\(surplus)' out.")
        }
        guard let address else { throw ValidationError("An address is missing, such as play, or --repl for a prompt.") }
        if let fault = MessageText.fault(inAddress: address) { throw ValidationError(fault) }
        let beforeTerminator = arguments.prefix { $0 != "--" }
        if let unknown = beforeTerminator.first(where: { $0.hasPrefix("-") && $0.count > 1 && !ArgumentText.isNumber($0) }) {
            throw ValidationError("Unknown option '\(unknown)'. Strings that begin with a dash come after '--'.")
        }
    }

    func run() throws {
        let showsUnits = units ?? (isatty(STDOUT_FILENO) == 1)
        guard let address else {
            var prompt = try Prompt(wait: wait, showsUnits: showsUnits, find: instance.find)
            prompt.run()
            // In a terminal the user has seen the error.
            if prompt.hasFailed, isatty(STDIN_FILENO) == 0 { throw ExitStatus.refused }
            return
        }
        let instance = try instance.find()
        let channel = try InstanceChannel(to: instance.address)
        var values = arguments
        if let terminator = values.firstIndex(of: "--") { values.remove(at: terminator) }
        var conversation = Conversation(MessageText.message(address, values))
        var answers: [OSCMessage] = []
        let outcome = conversation.hold(over: channel, wait: wait) { answer in
            // Units are requested once all answers have come.
            if showsUnits { answers.append(answer) } else { print(ArgumentText.line(answer)) }
        }
        var known = Units()
        known.learn(answers.map(\.address), over: channel, wait: wait)
        for answer in answers { print(known.text(answer)) }
        try conclude(outcome, instance)
    }

    private func conclude(_ outcome: Conversation.Outcome, _ instance: RunningInstance) throws {
        switch outcome {
        case .done: break
        case .refused(let refusals):
            for refusal in refusals.dropLast() { ErrorReport.write(refusal.text) }
            throw ProgramError(.refused, refusals.last?.text ?? "")
        case .silence:
            throw ProgramError(
                .unavailable, "Nobody answers at \(instance.address) within \(wait.formatted()) s (named by \(instance.source)).")
        case .nobodyThere:
            throw ProgramError(
                .unavailable,
                "Nobody listens at \(instance.address) (named by \(instance.source)). Start an instance with 'binaural play'.")
        }
    }
}
