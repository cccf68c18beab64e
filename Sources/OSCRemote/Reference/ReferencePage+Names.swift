import Patches
import Playback

extension ReferencePage {
    /// The longest list of names that a table shows; longer ones are in a section of their own.
    static let shortList = 6

    /// The names of a choice with their indices.
    static func list(_ names: [String]) -> String {
        names.enumerated().map { "\($0) \($1)" }.joined(separator: ", ")
    }

    /// The names that stand for numbers and do not fit into a table.
    var names: String {
        let easings = Easing.allCases.map(\.rawValue)
        let choices = rows.compactMap { row -> String? in
            guard case .choice(let names)? = row.inputs.first?.kind, names.count > Self.shortList else { return nil }
            return "- `\(row.path)`: \(names == easings ? "an easing" : Self.list(names))."
        }
        return """

            ## Names

            A choice can be set by name or by index; `describe` lists both for an address.

            - Easings: \(Self.list(easings)).
            \(choices.joined(separator: "\n"))
            - `layer/N/kind`: \(LayerKind.allCases.map(\.rawValue).joined(separator: ", ")); see [files.md](files.md#kinds-of-layers).

            """
    }
}
