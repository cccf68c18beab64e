import Patches

/// Checks the rates that parameters of layers follow, once all layers are known.
struct LeaderReader {
    let source: YAMLSource
    let layers: [ReadLayer]

    /// The layers, in which what follows a rate begins with the rate's value.
    func resolved() -> [ReadLayer] {
        layers.map { read in
            var read = read
            for (parameter, place) in read.leaderPlaces {
                let own = RateLeader(layer: read.layer.name, parameter: parameter)
                guard let leader = read.layer.leaders[parameter], let rate = rate(leader, of: own, at: place),
                    let description = read.layer.description(of: parameter)
                else { continue }
                read.layer.values[parameter] = description.following(rate)
            }
            return read
        }
    }

    /// The value of a rate at the start; `nil` if it cannot be followed, which is reported.
    private func rate(_ leader: RateLeader, of follower: RateLeader, at place: YAMLTree.Place) -> Double? {
        guard let other = layers.first(where: { $0.layer.name == leader.layer }) else {
            source.report(.unknownName(leader.layer, of: "layer", choices: layers.map(\.layer.name)), at: place)
            return nil
        }
        guard other.hasKind else { return nil }
        let rates = other.layer.parameters.map(\.parameter).filter(\.canFollowTempo)
        guard rates.contains(leader.parameter) else {
            source.report(.noRate(leader.text, layer: leader.layer, rates: rates.map(\.rawValue)), at: place)
            return nil
        }
        guard leader != follower, other.layer.leaders[leader.parameter] != follower else {
            source.report(.circularRate(follower.text), at: place)
            return nil
        }
        if let lock = other.layer.leaders[leader.parameter]?.text ?? other.layer.notes[leader.parameter]?.text {
            source.report(.lockedRate(leader.text, lock: lock), at: place)
            return nil
        }
        return other.layer.value(of: leader.parameter)
    }
}
