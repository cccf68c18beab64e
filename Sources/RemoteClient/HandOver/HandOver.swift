import Foundation
import OSC
import OSCRemote
import Terminal

/// Gives what was asked of `play` to an instance that is running already.
package struct HandOver {
    /// A patch or session, under the name or the absolute path that the instance finds it by.
    package struct Sound: Equatable, Sendable {
        package let reference: String
        /// For people.
        package let title: String
        package let isSession: Bool

        package init(_ reference: String, title: String, isSession: Bool = false) {
            (self.reference, self.title, self.isSession) = (reference, title, isSession)
        }
    }

    package enum Place: Sendable { case now, next, last }

    /// A sleep timer, in seconds; what is `nil` is left to the instance's preferences.
    package struct Sleep: Sendable {
        let seconds: Double
        let fade: Double?
        let easing: String?

        package init(seconds: Double, fade: Double?, easing: String?) { (self.seconds, self.fade, self.easing) = (seconds, fade, easing) }
    }

    package enum Outcome: Equatable, Sendable {
        case done
        /// The instance has ended before it took anything.
        case gone
    }

    package let instance: RunningInstance
    private let channel: InstanceChannel
    /// The process of the instance; `nil` if this user may not see it.
    private let process: Int32?

    /// Seconds that an instance has to show that it is there, and that it has to read a file.
    private static let patience = 5.0
    private static let longPatience = 60.0

    /// The instance with this JACK client name; `nil` if there is none that runs.
    ///
    /// - Throws: `RemoteClientError` if it runs and does not answer, `SocketError`.
    package static func find(client: String) throws -> HandOver? {
        guard let instance = try? RunningInstance.find(client: client) else { return nil }
        let owner = instance.address.udpPort.flatMap { PortOwner.of(port: $0) }
        let handOver = HandOver(instance: instance, channel: try InstanceChannel(to: instance.address), process: owner?.pid)
        switch handOver.answer(to: "info", within: patience) {
        case .success, .refused: return handOver
        case .gone: return nil
        case .silence:
            // The file may be left from an instance that was killed, and its port be another program's now.
            guard let owner, owner.name == ownName else { return nil }
            throw RemoteClientError(
                .unavailable,
                "The running instance (process \(owner.pid)) does not answer, so it plays on as it was. It may be suspended: 'kill -CONT "
                    + "\(owner.pid)' or 'fg' resumes it, 'kill -KILL \(owner.pid)' ends it. --new starts a second instance.")
        }
    }

    private static let ownName: String? = (try? String(contentsOfFile: "/proc/self/comm", encoding: .utf8))?
        .trimmingCharacters(in: .newlines)

    /// The seconds until the instance starts to play by itself; `nil` if it does not.
    package var pendingStart: Double? {
        value(of: "now/start").flatMap { $0.first?.number }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Plays or adds sounds; without any, the instance resumes.
    ///
    /// - Parameter say: gets a sentence for all that was done.
    /// - Throws: `RemoteClientError` with the sentence of a refusal.
    package func perform(
        _ sounds: [Sound], _ place: Place, sleep: Sleep?, say: (String) -> Void
    ) async throws(RemoteClientError) -> Outcome {
        var steps: [(sound: Sound?, message: OSCMessage)] = []
        switch place {
        case .now where sounds.isEmpty: steps = [(nil, OSCMessage(Conversation.root + "play"))]
        case .now:
            steps = [(sounds[0], message("queue/play", sounds[0]))]
            // Each goes directly behind the first one.
            steps += sounds.dropFirst().reversed().map { ($0, message("queue/add", $0, "next")) }
        case .next: steps = sounds.reversed().map { ($0, message("queue/add", $0, "next")) }
        case .last: steps = sounds.map { ($0, message("queue/add", $0)) }
        }
        for (number, step) in steps.enumerated() {
            guard let index = try await carryOut(step.message) else {
                if number == 0 { return .gone }
                throw RemoteClientError(.unavailable, "The running instance has ended meanwhile: play again.")
            }
            let plays = place == .now && number == 0
            say(plays ? sentence(onPlaying: step.sound) : Self.sentence(onAdding: step.sound, at: index, isNext: place != .last))
        }
        if let sleep {
            _ = try await carryOut(OSCMessage(Conversation.root + "sleep", arguments(of: sleep)))
            say("The running instance fades out and stops in \(ReadableText.value(.double(sleep.seconds), Self.time)).")
        }
        return .done
    }

    private static let time = Quantity(0...86_400, "s")

    /// Returns once the process of the instance has ended, or after ten seconds: until then it holds its session and its address.
    package func waitForEnd() async {
        for _ in 0..<200 where process != nil && isRunning() { try? await Task.sleep(for: .milliseconds(50)) }
    }

    /// Whether its process runs; a process that this user may not see counts as running.
    private func isRunning() -> Bool { process.map { kill($0, 0) == 0 } ?? true }

    // MARK: Messages

    private func message(_ path: String, _ sound: Sound, _ more: String...) -> OSCMessage {
        OSCMessage(Conversation.root + path, ([sound.reference] + more).map { .string($0) })
    }

    private func arguments(of sleep: Sleep) -> [OSCArgument] {
        let fade = sleep.fade.map { OSCArgument.double($0) } ?? (sleep.easing == nil ? nil : value(of: "preferences/sleepFade")?.first)
        return [.double(sleep.seconds)] + [fade, fade == nil ? nil : sleep.easing.map { .string($0) }].compactMap(\.self)
    }

    private enum Answer {
        /// The place in the queue from 1; 0 if there is none.
        case success(place: Int)
        case refused(Conversation.Refusal)
        case silence
        case gone
    }

    /// Sends a command, again and again while the instance is busy.
    ///
    /// - Returns: the place of the item, or `nil` if the instance has ended.
    private func carryOut(_ message: OSCMessage) async throws(RemoteClientError) -> Int? {
        for attempt in 0... {
            switch answer(to: message, within: Self.longPatience) {
            case .success(let place): return place
            case .gone: return nil
            // It reads many files, or is ending.
            case .refused(let refusal) where refusal.code == 409 && attempt < 50:
                do { try await Task.sleep(for: .milliseconds(200)) } catch { throw RemoteClientError(.refused, words(for: refusal)) }
            case .refused(let refusal): throw RemoteClientError(.refused, words(for: refusal))
            case .silence:
                throw RemoteClientError(
                    .unavailable,
                    "The running instance has not answered within \(Int(Self.longPatience)) s: 'binaural watch' shows what it plays.")
            }
        }
        return nil
    }

    private func words(for refusal: Conversation.Refusal) -> String {
        // Before it could take anything over.
        if refusal.code == 404 {
            return "The running instance is of another version and cannot play this. End it with 'binaural ctl quit' and play again, or "
                + "start a second instance with --new."
        }
        return "The running instance refused, and plays on as it was. \(refusal.reason)"
    }

    private func answer(to path: String, within seconds: Double) -> Answer {
        answer(to: OSCMessage(Conversation.root + path), within: seconds)
    }

    private func answer(to message: OSCMessage, within seconds: Double) -> Answer {
        var (place, hasEnded, hasValue) = (0, false, false)
        var conversation = Conversation(message)
        let outcome = conversation.hold(over: channel, wait: seconds, isRunning: isRunning) { received in
            switch received.address {
            case Conversation.root + "queue/place": place = received.arguments.first?.number.flatMap { Int(exactly: $0) } ?? 0
            case Conversation.root + "bye": hasEnded = true
            case message.address: hasValue = true
            default: break
            }
        }
        switch outcome {
        case .refused(let refusals): return .refused(refusals[0])
        case .nobodyThere: return .gone
        case .silence: return .silence
        case .done where hasValue || !conversation.successes.isEmpty: return .success(place: place)
        case .done: return hasEnded ? .gone : .silence
        }
    }

    private func value(of path: String) -> [OSCArgument]? {
        var conversation = Conversation(OSCMessage(Conversation.root + path))
        var value: [OSCArgument]?
        _ = conversation.hold(over: channel, wait: Self.patience) { received in
            if received.address == Conversation.root + path { value = received.arguments }
        }
        return value
    }

    // MARK: Words

    private func sentence(onPlaying sound: Sound?) -> String {
        let title = sound?.title ?? value(of: "now/title")?.first.map(ArgumentText.plain) ?? ""
        let name = title.isEmpty ? "" : "\(sound?.isSession == true ? "The session " : "")'\(title.printable)' "
        let state = value(of: "now/state")?.first
        let start = name.isEmpty ? "The running instance plays." : "\(name)plays in the running instance."
        if value(of: "master/mute")?.first?.number == 1 { return "\(start) It is muted: 'binaural ctl master/mute off' unmutes it." }
        return state == .string("interrupted") ? "\(start) It will be heard once a JACK server is running." : start
    }

    private static func sentence(onAdding sound: Sound?, at index: Int, isNext: Bool) -> String {
        let name = "'\((sound?.title ?? "").printable)'"
        let place = index > 0 ? ", as item \(index) of its queue" : ""
        return isNext ? "\(name) plays next in the running instance\(place)." : "\(name) was added in the running instance\(place)."
    }
}

extension PeerAddress {
    /// The port of an instance that is asked over UDP.
    package var udpPort: UInt16? {
        switch self {
        case .udp(let endpoint), .webSocket(let endpoint): endpoint.port
        case .unix: nil
        }
    }
}
