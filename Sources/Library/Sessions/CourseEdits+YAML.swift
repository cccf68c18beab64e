import PatchFiles
import Patches
import Playback

// The changes of chapters and cues in a session's file, such as `{chapter: 2:00, start: 2:10}` and `{cue: 3:00, set: {bed.beat: 6}}`.

extension CourseEdits {
    /// In the order of the patch, so that the same changes have the same text.
    var tree: YAMLTree {
        .list(
            sorted { $0.key.order < $1.key.order }.map { quantity, value in
                var pairs: [YAMLTree.Pair] = []
                switch quantity.place {
                case .start: break
                case .chapter(let start): pairs.append(.init("chapter", .time(start)))
                case .cue(let start, let number):
                    pairs.append(.init("cue", .time(start)))
                    if number > 0 { pairs.append(.init("number", .text("\(number + 1)"))) }
                }
                switch quantity {
                case .start: pairs.append(.init("start", .time(value)))
                case .over: pairs.append(.init("over", .time(value)))
                case .value(_, let layer, let parameter):
                    pairs.append(.init("set", .mapping([.init("\(layer).\(parameter)", .number(value))], flow: true)))
                }
                return .mapping(pairs, flow: true)
            })
    }
}

extension CourseQuantity {
    /// Sorts by kind of place, its start, its number, and what is changed there.
    fileprivate var order: (Int, Double, Int, String) {
        let what =
            switch self {
            case .start: ""
            case .over: " "
            case .value(_, let layer, let parameter): "\(layer).\(parameter)"
            }
        return switch place {
        case .start: (0, 0, 0, what)
        case .chapter(let start): (1, start, 0, what)
        case .cue(let start, let number): (2, start, number, what)
        }
    }
}

struct CourseReader {
    let source: YAMLSource

    /// - Parameter values: reads the values of a mapping's `set`.
    func course(_ list: [YAMLTree], values: (Fields) -> [NamedSetting]) -> CourseEdits {
        var course: CourseEdits = [:]
        for (index, tree) in list.enumerated() {
            guard
                let fields = Fields(
                    tree, of: "change \(index + 1)", content: "`chapter` or `cue`, and `start`, `over` or `set`", in: source)
            else { continue }
            let place = place(fields)
            if let start = fields.duration("start"), place != .start { course[.start(place)] = start }
            if let over = fields.duration("over"), place != .start { course[.over(place)] = over }
            for setting in values(fields) { course[.value(place, layer: setting.layer, parameter: setting.parameter)] = setting.value }
        }
        return course
    }

    private func place(_ fields: Fields) -> CoursePlace {
        if let start = fields.duration("chapter") { return .chapter(at: start) }
        guard let start = fields.duration("cue") else { return .start }
        return .cue(at: start, number: Int(fields.wholeNumber("number", in: 1...1_000_000) ?? 1) - 1)
    }
}
