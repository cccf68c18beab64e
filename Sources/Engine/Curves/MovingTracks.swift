/// The courses of a plan that move, each once: layers often have the same beat.
struct MovingTracks {
    private var tracks: [Key: [(value: Double, track: ParameterTrack)]] = [:]

    /// Equal in equal courses, and seldom in others.
    private struct Key: Hashable {
        let value: Double
        let start: Int64
        let target: Double
        let count: Int
    }

    /// The track of a course, made unless another layer has the same.
    mutating func track(
        _ form: ParameterTrack.Form, _ value: Double, _ moves: [Move], _ make: () -> ParameterTrack
    ) -> ParameterTrack {
        guard let last = moves.last else { return make() }
        let key = Key(value: value, start: last.start, target: last.target, count: moves.count)
        if let known = tracks[key]?.first(where: { $0.track.form == form && $0.value == value && $0.track.moves == moves }) {
            return known.track
        }
        let track = make()
        tracks[key, default: []].append((value, track))
        return track
    }
}
