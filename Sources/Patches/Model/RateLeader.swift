/// The rate of another layer that a beat, pulse, modulation, spin or orbit follows, such as `bed.beat`.
package struct RateLeader: Equatable, Sendable {
    /// The name of the layer.
    package let layer: String
    /// One of those that ``Parameter/canFollowTempo``.
    package let parameter: Parameter

    package init(layer: String, parameter: Parameter) {
        self.layer = layer
        self.parameter = parameter
    }

    package var text: String { "\(layer).\(parameter.rawValue)" }
}

extension Patch {
    /// The parameter that one of a layer follows; `nil` if it has a course of its own.
    package func leader(of parameter: Parameter, layer: Int) -> (layer: Int, parameter: Parameter)? {
        guard layers.indices.contains(layer), let leader = layers[layer].leaders[parameter],
            let index = layers.firstIndex(where: { $0.name == leader.layer })
        else { return nil }
        return (index, leader.parameter)
    }

    /// The parameters that follow one of a layer.
    package func followers(of parameter: Parameter, layer: Int) -> [(layer: Int, parameter: Parameter)] {
        guard layers.indices.contains(layer) else { return [] }
        let leader = RateLeader(layer: layers[layer].name, parameter: parameter)
        return layers.enumerated().flatMap { index, layer in
            layer.leaders.filter { $0.value == leader }.keys.map { (index, $0) }
        }
    }
}

extension ParameterDescription {
    /// The value while another rate is followed that has the value `rate`: where there are no negative ones, without its sign.
    package func following(_ rate: Double) -> Double {
        min(max(range.lowerBound < 0 ? rate : rate.magnitude, range.lowerBound), range.upperBound)
    }
}
