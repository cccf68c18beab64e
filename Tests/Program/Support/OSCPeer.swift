import Foundation
import OSC
import Synchronization
import TestSupport

/// A peer on genuine liblo, in Python: Tests/Peers/osc/osc_peer.py.
package final class OSCPeer: Sendable {
    /// One message that it received.
    package struct Received: Sendable {
        /// The address without `/binaural/`.
        package let address: String
        package let typeTags: String
        package let numbers: [Double?]
        package let texts: [String?]
        /// The number of the bundle that it came in, from 1; 0 outside of bundles.
        package let bundle: Int
        /// The bundle's time tag in seconds of Unix time; 0 outside of bundles.
        package let tag: Double
        /// The Unix time of its arrival, in seconds.
        package let at: Double
    }

    private let process: RunningProgram
    private let sent = Mutex(ContinuousClock.now)

    package init() async throws {
        let python = try PackageRoot.python()
        process = try RunningProgram(python, ["-u", PackageRoot.file("Tests/Peers/osc/osc_peer.py")])
        _ = try await process.line { $0.hasPrefix("{\"port\"") }
    }

    package func target(_ port: Int) async throws {
        write(["op": "target", "port": port])
        _ = try await process.line(containing: "{\"target\"")
    }

    /// A place in what was received, to wait from.
    package var mark: Int { process.lines.count }

    package func end() async { await process.end() }

    // MARK: Out

    package func send(_ address: String, _ arguments: OSCArgument...) { send([OSCMessage(address, arguments)], bundle: false) }

    /// Sends all in one bundle, `delay` seconds ahead; without a delay, for immediate execution.
    package func sendBundle(_ messages: [OSCMessage], delay: Double? = nil) { send(messages, bundle: true, delay: delay) }

    /// The time tag of the first bundle sent from a mark on with a delay, unix time.
    package func sentTag(from mark: Int) async throws -> Double {
        Self.object(try await process.line(containing: "{\"sent\"", from: mark).text)["sent"] as? Double ?? .nan
    }

    private func send(_ messages: [OSCMessage], bundle: Bool, delay: Double? = nil) {
        var request: [String: Any] = ["op": "send", "bundle": bundle, "messages": messages.map(Self.parts)]
        request["delay"] = delay
        sent.withLock { $0 = .now }
        write(request)
    }

    /// Asks for replies again if a busy machine may have let the lease of 30 s end.
    private func renewLease() async throws {
        guard sent.withLock({ ContinuousClock.now - $0 > .seconds(10) }) else { return }
        let mark = mark
        send("replies", .int32(2))
        _ = try await code(of: "replies", from: mark)
    }

    /// Sends meaningless packets and queries.
    ///
    /// - Returns: Packets a second that were sent.
    package func flood(count: Int, rate: Int, seed: Int) async throws -> Double {
        let mark = mark
        write(["op": "flood", "count": count, "rate": rate, "seed": seed])
        let line = try await process.line(containing: "{\"done\": \"flood\"", from: mark)
        struct Done: Decodable { let rate: Double }
        return try JSONDecoder().decode(Done.self, from: Data(line.text.utf8)).rate
    }

    private func write(_ request: [String: Any]) {
        guard let data = try? JSONSerialization.data(withJSONObject: request) else { return }
        process.write(String(decoding: data, as: UTF8.self) + "\n")
    }

    private static func full(_ address: String) -> String { address.hasPrefix("/") ? address : "/binaural/\(address)" }

    private static func parts(_ message: OSCMessage) -> [Any] {
        [full(message.address)]
            + message.arguments.map { argument -> Any in
                switch argument {
                case .int32(let value): ["i", value] as [Any]
                case .int64(let value): ["h", value] as [Any]
                case .float(let value): ["f", value] as [Any]
                case .double(let value): ["d", value] as [Any]
                case .string(let value): ["s", value] as [Any]
                case .true: ["T", true] as [Any]
                case .false: ["F", false] as [Any]
                default: preconditionFailure("the peer does not send \(argument)")
                }
            }
    }

    // MARK: In

    /// All that it received from a mark on.
    package func received(from mark: Int = 0) -> [Received] {
        process.lines.dropFirst(mark).compactMap { Self.parse($0.text) }
    }

    /// Waits for a message from a mark on; one that is there already counts.
    package func message(
        _ address: String, from mark: Int, at file: StaticString = #fileID, _ number: UInt = #line,
        where satisfies: @escaping @Sendable (Received) -> Bool = { _ in true }
    ) async throws -> Received {
        let line = try await process.line(from: mark, at: file, number) { text in
            Self.parse(text).map { $0.address == address && satisfies($0) } ?? false
        }
        guard let received = Self.parse(line.text) else { throw ProgramFailure("\(line.text) is not a message") }
        return received
    }

    /// Sends a command and waits for its code. The peer must have asked for all replies.
    package func command(_ address: String, _ arguments: OSCArgument...) async throws -> Int {
        try await renewLease()
        let mark = mark
        send([OSCMessage(address, arguments)], bundle: false)
        return try await code(of: address, from: mark)
    }

    /// Sends a command and returns the Unix time at which it was sent.
    package func stampedSend(_ address: String, _ arguments: OSCArgument...) async throws -> Double {
        let mark = mark
        send([OSCMessage(address, arguments)], bundle: false)
        let line = try await process.line(containing: "{\"sent\": \"\(Self.full(address))\"", from: mark)
        return Self.object(line.text)["at"] as? Double ?? .nan
    }

    package func code(of address: String, from mark: Int) async throws -> Int {
        let full = Self.full(address)
        let line = try await process.line(from: mark) { text in
            Self.parse(text).map { ["reply", "error"].contains($0.address) && $0.texts.first == full } ?? false
        }
        return Self.parse(line.text)?.numbers[1].map(Int.init) ?? -1
    }

    /// Reads a property.
    package func value(_ address: String) async throws -> Received {
        let mark = mark
        send(address)
        return try await message(address, from: mark)
    }

    /// Waits until every command sent so far has reached the sound.
    package func sync(_ token: Int32 = 7) async throws {
        let mark = mark
        send("sync", .int32(token))
        _ = try await message("synced", from: mark) { $0.numbers == [Double(token)] }
    }

    private static func object(_ text: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    private static func parse(_ text: String) -> Received? {
        guard text.hasPrefix("{\"received\"") else { return nil }
        let object = object(text)
        guard let address = object["received"] as? String else { return nil }
        let arguments = object["args"] as? [Any] ?? []
        func number(_ name: String) -> Double { (object[name] as? NSNumber)?.doubleValue ?? 0 }
        return Received(
            address: address.hasPrefix("/binaural/") ? String(address.dropFirst(10)) : address,
            typeTags: object["types"] as? String ?? "",
            numbers: arguments.map { $0 is String ? nil : ($0 as? NSNumber)?.doubleValue },
            texts: arguments.map { $0 as? String }, bundle: Int(number("bundle")), tag: number("tag"), at: number("at"))
    }
}
