import Foundation
import OSC
import Terminal

/// `ctl --repl`: sends lines of input and prints the instance's answers until the input ends.
package struct Prompt {
    private let find: () throws -> RunningInstance
    private let wait: Double
    private let isReadable: Bool
    private let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    private var channel: InstanceChannel
    private var input = LineReader()
    /// Messages that arrived while an answer was awaited.
    private var waiting: [OSCMessage] = []
    private var isShown = false
    private var hasSubscribed = false
    private var hasEnded = false
    /// Whether a line was refused or not answered.
    package private(set) var hasFailed = false

    private static let sign = "> "
    /// The interval of packets that renew the lease, which lasts 30 s.
    private static let renewal = Duration.seconds(10)

    /// - Parameters:
    ///   - wait: Seconds to wait for an answer.
    ///   - isReadable: Answers are shown for people, not as messages.
    ///   - find: returns the instance's present address, which may change when it is restarted.
    package init(wait: Double, isReadable: Bool, find: @escaping () throws -> RunningInstance) throws {
        self.find = find
        self.wait = wait
        self.isReadable = isReadable
        channel = try InstanceChannel(to: try find().address)
    }

    package mutating func run() {
        if isInteractive { write(line: "Enter an address and values, such as: layer/1/beat 6 10. Type 'help' for help, Ctrl-D to exit.") }
        var nextRenewal = ContinuousClock.now + Self.renewal
        ask()
        while !hasEnded {
            for line in input.read() where !hasEnded {
                isShown = false
                follow(line)
            }
            hear()
            show()
            if input.isOver { break }
            ask()
            if hasSubscribed, .now >= nextRenewal {
                nextRenewal = .now + Self.renewal
                channel.send(Conversation.repliesWanted)
            }
            channel.wait(until: nextRenewal, orFor: STDIN_FILENO)
            if !hasSubscribed { nextRenewal = .now + Self.renewal }
        }
        if hasSubscribed { channel.send(OSCMessage(Conversation.root + "unsubscribe")) }
        if isInteractive, isShown { write("\n") }
    }

    // MARK: Lines

    private mutating func follow(_ line: String) {
        let words = OSCMessageText.words(line)
        guard let address = words.first, !address.hasPrefix("#") else { return }
        switch address {
        case "help": write(line: Self.help)
        case "exit": hasEnded = true
        case "quit": write(line: "'exit' or Ctrl-D closes the prompt; '/binaural/quit' ends the instance.")
        default:
            if let fault = OSCMessageText.fault(inAddress: address) { return complain(fault) }
            if let fault = OSCMessageText.fault(in: Array(words.dropFirst()), to: address) { return complain(fault) }
            send(OSCMessageText.message(address, words.dropFirst()))
        }
    }

    private mutating func send(_ typed: OSCMessage) {
        let message = isReadable ? ReadableText.question(typed) : typed
        if message.address == Conversation.root + "subscribe" { hasSubscribed = true }
        var conversation = Conversation(message)
        var answers: [OSCMessage] = []
        let outcome = conversation.hold(over: channel, wait: wait) { answers.append($0) }
        waiting += answers
        if !isReadable { waiting += conversation.successes }
        show()
        if isReadable {
            let report = CommandReport(over: channel, wait: wait)
            var others: [OSCMessage] = []
            let lines = report.lines(conversation.successes, to: message) { others.append($0) }
            waiting += others.filter(isWorthALine)
            for line in lines { write(line: line) }
        }
        switch outcome {
        case .done: break
        case .refused(let refusals): for refusal in refusals { complain(isReadable ? refusal.readableText : refusal.text) }
        case .silence: complain("No answer from \(channel.address) within \(wait.formatted()) s.")
        case .nobodyThere:
            complain("Nothing is listening at \(channel.address).")
            // The instance may come back at another address.
            if let address = try? find().address, let other = try? InstanceChannel(to: address) { channel = other }
        }
    }

    // MARK: Received messages

    private mutating func hear() {
        while case .packet(let packet)? = channel.receive() { waiting += packet.messages.filter(isWorthALine) }
    }

    /// Whether a message is shown: not `alive`, nor the answers to requests of this program's own.
    private func isWorthALine(_ message: OSCMessage) -> Bool {
        switch message.address {
        case Conversation.root + "alive", Conversation.root + "synced", Conversation.root + "progress": false
        case Conversation.root + "reply": message.arguments.first != .string(Conversation.repliesWanted.address)
        default: true
        }
    }

    private mutating func show() {
        let messages = waiting
        waiting = []
        for message in messages {
            for line in isReadable ? ReadableText.lines(message) : [ArgumentText.line(message)] { write(line: line) }
        }
    }

    private mutating func ask() {
        guard isInteractive, !isShown else { return }
        isShown = true
        write(Self.sign)
    }

    /// Writes a line, above the prompt if that is shown.
    private mutating func write(line: String) {
        write((isShown ? "\r\u{1B}[K" : "") + line + "\n")
        isShown = false
    }

    private func write(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }

    private mutating func complain(_ sentence: String) {
        hasFailed = true
        StandardError.write(lines: "error: \(sentence)")
    }

    private static let help = """
        A line is a message: an address relative to /binaural, then values. Numbers are sent as numbers, 1:30 as a time, on and off as
        switches, and everything else, or anything in quotes, as text. An address without values reads the property.

          next                         the next chapter, or the next item
          play rain                    crossfade to a patch or session, also ./mine.yaml
          layer/1/beat 6 10 sineInOut  glide to 6 Hz in 10 s
          layer/bed/gain -20           set a layer by its name
          layer/1                      read everything of a layer
          layer/*/gain                 read the gain of all layers
          describe layer/1             list the addresses of a layer
          subscribe now                print changes of what is playing; unsubscribe stops it
          help, exit                   show this help; close the prompt, like Ctrl-D
        """
}
