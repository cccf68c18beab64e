import OSC
import Patches
import Playback

/// The values of all subscribed addresses at the last comparison.
struct WatchedValues {
    private(set) var values: [AddressTable.Key: [OSCArgument]] = [:]
    private var membersOfTopic: [Topic: Members] = [:]
    private var layout = Layout(kinds: [], effects: [], names: [], selected: 0)

    struct Members {
        let keys: [AddressTable.Key]
        let set: Set<AddressTable.Key>
        /// Whether any of them changes with time alone.
        let holdsClock: Bool
        /// Whether any of them belongs to a layer, which chapters may move.
        let holdsLayers: Bool
    }

    /// The number of topics whose members are known.
    var topicCount: Int { membersOfTopic.count }

    /// Whether anybody has subscribed to an address whose value changes with time alone.
    var holdsClock: Bool { membersOfTopic.values.contains { $0.holdsClock } }

    /// Whether anybody has subscribed to an address of a layer.
    var holdsLayers: Bool { membersOfTopic.values.contains { $0.holdsLayers } }

    /// The properties of the layers that determine which addresses exist.
    private struct Layout: Equatable {
        let kinds: [LayerKind]
        let effects: [Set<LayerEffect>]
        let names: [String]
        let selected: Int
    }

    /// Follows a change of the layers, which changes the members of topics.
    mutating func adopt(_ player: PlayerState) {
        let new = Layout(
            kinds: player.patch?.layers.map(\.kind) ?? [], effects: player.patch?.layers.map(\.effects) ?? [],
            names: player.patch?.layers.map(\.name) ?? [], selected: player.selectedLayer)
        guard new != layout else { return }
        layout = new
        membersOfTopic = [:]
        values = values.filter { key, _ in
            if case .index(let index)? = key.layer { index < new.kinds.count } else { true }
        }
    }

    mutating func dropCaches() { membersOfTopic = [:] }

    /// The addresses of a topic; none for topics that are sent as a set or at a rate.
    mutating func members(of topic: Topic, _ table: AddressTable, _ player: PlayerState) -> Members {
        if let known = membersOfTopic[topic] { return known }
        let keys = Self.keys(of: topic, table, player).filter { table.row($0).read != nil }
        let members = Members(
            keys: keys, set: Set(keys), holdsClock: keys.contains { table.row($0).followsTime },
            holdsLayers: keys.contains { $0.layer != nil })
        membersOfTopic[topic] = members
        return members
    }

    private static func keys(of topic: Topic, _ table: AddressTable, _ player: PlayerState) -> [AddressTable.Key] {
        switch topic {
        case .group(.now), .tick, .meters: return []
        case .group(let group): return table.keys(of: group, in: player)
        case .pattern(let text):
            guard AddressPattern.hasWildcards(text) else { return ((try? table.key(text, in: player)) ?? nil).map { [$0] } ?? [] }
            // A topic's pattern has been checked to be well formed.
            let reached = (try? AddressPattern(text)).map { table.keys(matching: $0, in: player, isUnlimited: true) } ?? []
            // Values that change with time would be sent endlessly, which the subscriber to a pattern may not have meant.
            return reached.filter { !table.row($0).followsTime }
        }
    }

    /// Forgets the members of all other topics: a peer can subscribe to any number of patterns, one after the other.
    mutating func keep(_ topics: some Collection<Topic>) {
        guard membersOfTopic.count > topics.count else { return }
        let kept = Set(topics)
        membersOfTopic = membersOfTopic.filter { kept.contains($0.key) }
    }

    /// Reads the members of topics again, those that may move by themselves only if requested, and returns the ones that changed.
    mutating func refresh(
        _ topics: some Sequence<Topic>, _ table: AddressTable, _ reading: Reading, includingMoving: Bool
    ) -> Set<AddressTable.Key> {
        var visited: Set<AddressTable.Key> = []
        var changed: Set<AddressTable.Key> = []
        for topic in topics {
            for key in members(of: topic, table, reading.player).keys
            where includingMoving || key.layer == nil && !table.row(key).followsTime {
                guard visited.insert(key).inserted else { continue }
                let value = table.value(of: key, reading)
                guard value != values[key] else { continue }
                values[key] = value
                if !table.row(key).isEvent { changed.insert(key) }
            }
        }
        return changed
    }
}
