import ArgumentParser
import Foundation
import OSC
import RemoteClient
import Terminal

struct CtlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Send one message to a running instance and print the answer.",
        discussion: """
            ADDRESS is relative to /binaural unless it starts with a slash. Numbers are sent as numbers, times as 1:30, switches as on and \
            off, and everything else, or anything in quotes, as text; paths become absolute. 'binaural ctl describe /' lists the addresses, and \
            \(Documentation.page("osc.md")) describes them. On a terminal, a command prints the value that was reached with its unit, or \
            what is playing now; in a pipe, and with --raw, the messages are printed as they arrive: ADDRESS VALUE...

            EXAMPLES:
              binaural ctl play                      resume
              binaural ctl play rain                 crossfade to a patch or session, also ./mine.yaml
              binaural ctl queue/add rain next       add a patch behind the current item
              binaural ctl layer/1/gain -20          set a level in dB
              binaural ctl layer/1/beat 4 10         glide to 4 Hz in 10 s
              binaural ctl layer/bed/gain -20        the same for the layer named bed
              binaural ctl position 1:30             go to 1 minute 30
              binaural ctl now/title                 read a value
              binaural ctl layer/1                   read all values of a layer
              binaural ctl 'layer/*/gain'            read a value of all layers
              binaural ctl preset/save 'my preset'   a text with spaces is one argument
              binaural ctl session/load '"7"'        send a string that looks like a number
              binaural ctl --to 192.168.1.20:7830 pause
              binaural ctl --to unix:/run/user/1000/osc pause
              binaural ctl --repl < messages.txt     one message per line; exits with 1 if any was refused
              rlwrap binaural ctl --repl             a prompt with history
              binaural ctl --find                    list the instances that are announced in the network

            Exits with 0 on success, 1 if the instance answers with an error or has nothing to describe, 69 if there is no answer. --find \
            needs Avahi, and prints in a pipe a line for each instance: its address for --to, name, version and OSCQuery URL, separated by tabs.
            """
    )

    @OptionGroup var instance: InstanceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to wait for the answer (default: 1; with --find 5, if the network does not answer before).", valueName: "seconds"))
    var wait: Double?

    @Flag(inversion: .prefixedNo, help: "Show answers in words, with units, or as they arrive (default: in words only on a terminal).")
    var units: Bool?

    @Flag(help: "Print the messages as they arrive (default: only in a pipe).")
    var raw = false

    @Flag(help: "Read messages line by line, from a prompt or a pipe.")
    var repl = false

    @Flag(help: "List the instances that are announced in the network.")
    var find = false

    @ArgumentParser.Argument(help: "The address, such as play or layer/1/gain.", completion: CtlCompletion.ofAddress)
    var address: String?

    // Negative numbers look like options: all unrecognized options are taken as arguments.
    @ArgumentParser.Argument(parsing: .allUnrecognized, help: "Values to send.", completion: CtlCompletion.ofArgument)
    var arguments: [String] = []

    private var isReadable: Bool { !raw && (units ?? (isatty(STDOUT_FILENO) == 1)) }

    func validate() throws {
        guard !raw || units != true else { throw ValidationError("--raw and --units contradict each other: use only one of them.") }
        if let wait, wait <= 0 || wait > 3600 || wait.isNaN {
            throw ValidationError("--wait takes seconds, more than 0 and at most 3600, not \(wait.formatted()).")
        }
        let surplus = ([address].compactMap(\.self) + arguments).first
        guard !find else {
            guard !repl, instance.to == nil, instance.client == nil else {
                throw ValidationError("--find looks for all instances: remove --repl, --to and --client.")
            }
            guard let surplus else { return }
            throw ValidationError("--find sends no message: remove '\(surplus)'.")
        }
        guard !repl else {
            guard let surplus else { return }
            throw ValidationError("With --repl the messages come from standard input: remove '\(surplus)'.")
        }
        guard let address else {
            throw ValidationError(
                "An address is missing, such as play, or --repl for a prompt, or --find for the instances in the network.")
        }
        if let fault = OSCMessageText.fault(inAddress: address) { throw ValidationError(fault) }
        if let fault = OSCMessageText.fault(in: arguments, to: address) { throw ValidationError(fault) }
    }

    func run() throws {
        if find { return try listInstances() }
        let wait = wait ?? 1
        guard let address else {
            var prompt = try Prompt(wait: wait, isReadable: isReadable, find: instance.find)
            prompt.run()
            // In a terminal the user has seen the error.
            if prompt.hasFailed, isatty(STDIN_FILENO) == 0 { throw ExitStatus.refused }
            return
        }
        let instance = try instance.find()
        let channel = try InstanceChannel(to: instance.address)
        var values = arguments
        if let terminator = values.firstIndex(of: "--") { values.remove(at: terminator) }
        let typed = OSCMessageText.message(address, values)
        let message = isReadable ? ReadableText.question(typed) : typed
        var conversation = Conversation(message)
        let outcome = conversation.hold(over: channel, wait: wait) { show($0) }
        if isReadable {
            let report = CommandReport(over: channel, wait: wait)
            for line in report.lines(conversation.successes, to: message) { print(line) }
        } else {
            for success in conversation.successes { show(success) }
        }
        try ConversationEnd.conclude(outcome, instance, wait: wait, text: isReadable ? \.shellText : \.text)
    }

    private func listInstances() throws {
        let found = try NetworkSearch.instances(within: wait ?? 5)
        guard !found.isEmpty else { throw RemoteClientError(.unavailable, "No instance is announced in the network.") }
        let rows = found.map { instance in
            [instance.address, instance.name, instance.version, instance.query ?? ""].map(\.printable)
        }
        for line in isReadable ? Table(rows: rows).lines : rows.map({ $0.joined(separator: "\t") }) { print(line) }
    }

    private func show(_ message: OSCMessage) {
        for line in isReadable ? ReadableText.lines(message) : [ArgumentText.line(message)] { print(line) }
    }
}
