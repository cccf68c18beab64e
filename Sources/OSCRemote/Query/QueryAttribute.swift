import OSC
import Playback

/// An attribute of an address in OSCQuery: https://github.com/Vidvox/OSCQueryProposal.
package enum QueryAttribute: String, CaseIterable, Sendable {
    case fullPath = "FULL_PATH"
    case contents = "CONTENTS"
    case type = "TYPE"
    case access = "ACCESS"
    case value = "VALUE"
    case range = "RANGE"
    case unit = "UNIT"
    case description = "DESCRIPTION"
    case clipMode = "CLIPMODE"

    /// Attributes of the proposal that no address here has.
    static let absent: Set<String> = ["TAGS", "EXTENDED_TYPE", "CRITICAL", "OVERLOADS", "HTML"]
}

/// One argument of an address, as OSCQuery describes it.
struct QueryArgument {
    let typeTag: Character
    let range: QueryJSON
    let unit: QueryJSON
    let clipMode: QueryJSON
}

extension Row {
    /// Type tags as in `describe`; for a list those of its present items; `N` if there are none.
    func queryTypeTags(_ value: [OSCArgument]?) -> String {
        if outputs.hasSuffix("…"), let value, !value.isEmpty { return OSCMessage("", value).typeTags }
        let tags = typeTags.filter { $0 != "…" }
        return tags.isEmpty ? "N" : tags
    }

    /// - Parameter typeTags: as returned by ``queryTypeTags(_:)``.
    func queryArguments(_ typeTags: String) -> [QueryArgument] {
        let required = inputs.filter { !$0.isOptional }
        let taken = required.isEmpty ? Array(inputs.prefix(1)) : required
        return typeTags.enumerated().map { index, tag in
            guard action != nil, taken.indices.contains(index) else {
                return QueryArgument(tag, index == 0 && tag != "N" ? quantity : nil, clipMode: .null)
            }
            switch taken[index].kind {
            case .choice(let names) where tag == "s":
                let values = QueryJSON.array(names.map(QueryJSON.text))
                return QueryArgument(typeTag: tag, range: .object(["VALS": values]), unit: .null, clipMode: .text("none"))
            case .press: return QueryArgument(tag, .norm, clipMode: .text("both"))
            case .number, .integer, .index, .flag: return QueryArgument(tag, taken[index].quantity, clipMode: .text("both"))
            case .bounded, .exact: return QueryArgument(tag, taken[index].quantity, clipMode: .text("none"))
            case .choice, .note: return QueryArgument(tag, index == 0 ? quantity : taken[index].quantity, clipMode: .text("both"))
            case .text, .entry, .timeTag, .blob: return QueryArgument(tag, nil, clipMode: .null)
            }
        }
    }
}

extension QueryArgument {
    fileprivate init(_ typeTag: Character, _ quantity: Quantity?, clipMode: QueryJSON) {
        self.typeTag = typeTag
        guard let quantity, "ihfd".contains(typeTag) else {
            (range, unit, self.clipMode) = (.null, .null, .null)
            return
        }
        range = .object([
            "MIN": QueryJSON(bound: quantity.range.lowerBound, typeTag: typeTag),
            "MAX": QueryJSON(bound: quantity.range.upperBound, typeTag: typeTag),
        ])
        unit = quantity.unit.isEmpty ? .null : .text(Self.unit(quantity.unit))
        self.clipMode = clipMode
    }

    /// The unit's name in the proposal, if it has one.
    private static func unit(_ unit: String) -> String {
        switch unit {
        case "Hz": "time.hz"
        case "dB": "gain.db"
        case "s": "time.second"
        case "degrees": "angle.degree"
        default: unit
        }
    }
}
