import OSC
import Patches

/// A topic that a peer can subscribe to.
package enum Topic: Hashable, Sendable {
    /// The topic of a group of rows.
    case group(Group)
    /// The position, for surfaces that cannot extrapolate, at this rate.
    case tick(hertz: Int)
    /// The meter, at this interval.
    case meters(milliseconds: Int)
    /// All addresses that an address or an address pattern matches.
    case pattern(String)

    package enum Group: String, CaseIterable, Sendable {
        case now, commands, layers, mixer, session, jack, log
        /// Topics subscribed to with a rate: `tick/HZ`, `meters/MS`.
        case tick, meters

        var hasRate: Bool { self == .tick || self == .meters }
    }

    static let tickRange = 1...20
    static let meterRange = 40...10_000

    /// Parses the topic of a subscription; a rate out of range is clamped. `nil` if there is no such topic.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            guard (try? AddressPattern(text)) != nil else { return nil }
            self = .pattern(text)
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let group = Group(rawValue: String(parts[0])), group.hasRate == (parts.count == 2) else { return nil }
        guard group.hasRate else {
            self = .group(group)
            return
        }
        guard let rate = Int(parts[1]) else { return nil }
        let range = group == .tick ? Self.tickRange : Self.meterRange
        let clamped = min(max(rate, range.lowerBound), range.upperBound)
        self = group == .tick ? .tick(hertz: clamped) : .meters(milliseconds: clamped)
    }

    /// The sentence about the first of several topics, with commas between them, that does not exist; `nil` if all do.
    static func fault(inList topics: Substring) -> String? {
        guard let unknown = topics.split(separator: ",", omittingEmptySubsequences: false).first(where: { Topic(String($0)) == nil }) else {
            return nil
        }
        let name = String(unknown.prefix { $0 != "/" })
        if let group = Group(rawValue: name) { return "Write the topic '\(name)' as \(group.form), not '\(unknown)'." }
        let near = closest(to: name, among: Group.allCases.map(\.rawValue)).map { " Did you mean '\($0)'?" } ?? ""
        return "There is no topic '\(unknown)'.\(near) The topics are \(Group.allCases.map(\.form).joined(separator: ", "))."
    }

    package var name: String {
        switch self {
        case .group(let group): group.rawValue
        case .tick(let hertz): "tick/\(hertz)"
        case .meters(let milliseconds): "meters/\(milliseconds)"
        case .pattern(let text): text
        }
    }

    /// Whether it is a pattern, which may match any number of addresses.
    var isPattern: Bool {
        guard case .pattern(let text) = self else { return false }
        return AddressPattern.hasWildcards(text)
    }

    /// The time in seconds between two messages; `nil` for topics that are sent on change.
    var interval: Double? {
        switch self {
        case .tick(let hertz): 1 / Double(hertz)
        case .meters(let milliseconds): Double(milliseconds) / 1000
        case .group, .pattern: nil
        }
    }
}
