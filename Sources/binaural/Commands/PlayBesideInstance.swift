import Application
import Foundation
import RemoteClient
import Terminal

/// `play` on a machine on which an instance may be running already: then that one plays.
struct PlayBesideInstance {
    let options: PlayOptions

    /// - Returns: Whether the running instance has taken over what was asked for.
    /// - Throws: the sentence for what it refuses, or cannot do while it runs. Its sound is then as it was.
    func handOver(to client: String) async throws -> Bool {
        guard let running = try HandOver.find(client: client) else { return false }
        if let port = options.oscPort?.number, port != running.instance.address.udpPort { return false }
        try refuseStartOptions(client)
        let place = options.handingOver.place
        let sounds = try NamedSound.all(options.items, mayBeSession: place == .now, warn: StandardError.write(lines:))
        if !options.items.isEmpty, sounds.isEmpty {
            throw ProgramError(.badFile, "The session '\(options.items[0])' has nothing to play: name a patch or another session.")
        }
        if place == .now, let seconds = running.pendingStart { throw waiting(seconds) }
        let outcome = try await running.perform(
            sounds.map { HandOver.Sound($0.reference, title: $0.title, isSession: $0.isSession) }, place, sleep: options.sleepTimer
        ) { sentence in
            if !options.report.quiet { print(sentence) }
        }
        guard outcome == .gone else { return true }
        // It was ending: what was asked for is played by an instance of its own.
        await running.waitForEnd()
        return false
    }

    private func refuseStartOptions(_ client: String) throws {
        let names = options.startOptions
        guard let last = names.last else { return }
        let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
        let (verb, pronoun) = names.count == 1 ? ("takes", "it") : ("take", "them")
        let quit = client == "binaural" ? "binaural ctl quit" : "binaural ctl --client \(ShellQuoting.word(client)) quit"
        throw ProgramError(
            .unavailable,
            "\(list) \(verb) effect only when an instance starts, and one is running already: leave \(pronoun) out to play there, add --new "
                + "to start a second instance, or end the running one first with '\(quit)'.")
    }

    private func waiting(_ seconds: Double) -> ProgramError {
        let name = options.items.first.map { " " + ShellQuoting.word($0) } ?? ""
        return ProgramError(
            .unavailable,
            "The running instance waits to start by itself (--at), in \(Int(seconds.rounded())) s, and would not if it played before. "
                + "Add --new to play beside it, or play there all the same with 'binaural ctl play\(name)'.")
    }
}
