import Foundation

extension ReferencePage {
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let rows = sections.flatMap { section in section.rows.map { RowJSON($0, section: section.title) } }
        // It contains no number that JSON cannot represent.
        guard let data = try? encoder.encode(rows) else { return "[]" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

private struct RowJSON: Encodable {
    let path: String
    let section: String
    let access: String
    let role: String
    let topic: String?
    let inputs: [InputJSON]
    let outputs: String
    let unit: String?

    init(_ row: Row, section: String) {
        path = row.path
        self.section = section
        access = row.access.rawValue
        role = row.role.rawValue
        topic = row.group?.rawValue
        inputs = row.inputs.map(InputJSON.init)
        outputs = row.outputs
        unit = row.quantity?.unit
    }
}

private struct InputJSON: Encodable {
    let name: String
    let kind: String
    /// The type tag of the argument.
    let type: String
    let isOptional: Bool
    let range: [Double]?
    /// The names of a choice.
    let names: [String]?

    init(_ input: Input) {
        name = input.name
        type = input.kind.typeTag
        isOptional = input.isOptional
        range = input.quantity.map { [$0.range.lowerBound, $0.range.upperBound] }
        var names: [String]?
        switch input.kind {
        case .press: kind = "press"
        case .flag: kind = "flag"
        case .number, .bounded: kind = "number"
        case .integer, .index, .exact: kind = "integer"
        case .choice(let choices):
            kind = "choice"
            names = choices
        case .text, .entry: kind = "text"
        case .note: kind = "note"
        // Arguments that no control on a surface sends.
        default: kind = "other"
        }
        self.names = names
    }
}
