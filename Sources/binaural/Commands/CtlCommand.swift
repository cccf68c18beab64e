import ArgumentParser
import Foundation
import OSC
import RemoteClient

struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Send one message to a running instance and print the answer.",
        discussion: """
            ADDRESS is relative to /binaural unless it starts with a slash. Numbers are sent as numbers, T and F as true and false, and \
            everything else, or anything in quotes, as a string. The addresses are in docs/osc.md and in 'binaural ctl describe /'. An \
            answer is printed as ADDRESS VALUE..., and on a terminal as the relative address with values and unit.

            EXAMPLES:
              binaural ctl play
              binaural ctl layer/1/gain -20          set a level in dB
              binaural ctl layer/1/beat 4 10         glide to 4 Hz in 10 s
              binaural ctl now/title                 read a value
              binaural ctl 'layer/*/gain'            read a value of all layers
              binaural ctl preset/save 'my preset'   a text with spaces is one argument
              binaural ctl session/load '"7"'        a string that looks like a number
              binaural ctl --to 192.168.1.20:7830 pause
              binaural ctl --to unix:/run/user/1000/osc pause
              binaural ctl --repl < messages.txt     one message per line; exits with 1 if any was refused
              rlwrap binaural ctl --repl             a prompt with history

            Exits with 0 on success, 1 if the instance answers with an error, 69 if there is no answer.
            """
    )

    @OptionGroup var instance: InstanceOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("How long to wait for the answer.", valueName: "seconds"))
    var wait = 1.0

    @Flag(inversion: .prefixedNo, help: "Show values with units; the default on a terminal.")
    var units: Bool?

    @Flag(help: "Read messages line by line, from a prompt or a pipe.")
    var repl = false

    @ArgumentParser.Argument(help: "The address, such as play or layer/1/gain.", completion: CtlCompletion.ofAddress)
    var address: String?

    // Negative numbers look like options: all unrecognized options are taken as arguments.
    @ArgumentParser.Argument(parsing: .allUnrecognized, help: "Values to send.", completion: CtlCompletion.ofArgument)
    var arguments: [String] = []

    func validate() throws {
        guard wait > 0, wait <= 3600 else {
            throw ValidationError("--wait takes seconds, more than 0 and at most 3600, not \(wait.formatted()).")
        }
        guard !repl else {
            guard let surplus = ([address].compactMap(\.self) + arguments).first else { return }
            throw ValidationError("With --repl the messages come from standard input: remove '\(surplus)'.")
        }
        guard let address else { throw ValidationError("An address is missing, such as play, or --repl for a prompt.") }
        if let fault = MessageText.fault(inAddress: address) { throw ValidationError(fault) }
        let beforeTerminator = arguments.prefix { $0 != "--" }
        if let unknown = beforeTerminator.first(where: { $0.hasPrefix("-") && $0.count > 1 && !ArgumentText.isNumber($0) }) {
            throw ValidationError("Unknown option '\(unknown)'. Put strings that start with a dash after '--'.")
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
                .unavailable, "No answer from \(instance.address) within \(wait.formatted()) s (address from \(instance.source)).")
        case .nobodyThere:
            throw ProgramError(
                .unavailable,
                "Nothing is listening at \(instance.address) (address from \(instance.source)). Start an instance with 'binaural play'.")
        }
    }
}
