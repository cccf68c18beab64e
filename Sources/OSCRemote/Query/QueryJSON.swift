import Foundation
import OSC

/// A JSON value in an OSCQuery answer.
enum QueryJSON: Encodable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Separate from doubles, so that 0.1 is written as 0.1.
    case float(Float)
    case number(Double)
    case text(String)
    case array([QueryJSON])
    case object([String: QueryJSON])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        // JSON has no infinity or NaN.
        case .float(let value): if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
        case .number(let value): if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
        case .text(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The value contains nothing that JSON cannot represent.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }

    /// Converts an argument as the proposal specifies; types without a JSON form become null.
    init(_ argument: OSCArgument) {
        switch argument {
        case .int32(let value): self = .integer(Int64(value))
        case .int64(let value): self = .integer(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .number(value)
        case .string(let text), .symbol(let text): self = .text(text)
        case .character(let code): self = .text(String(UnicodeScalar(code)))
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .blob, .timeTag, .midi, .nil, .infinitum: self = .null
        }
    }

    /// Converts a bound of an argument with this type tag.
    init(bound: Double, typeTag: Character) {
        self = "ih".contains(typeTag) && bound.rounded() == bound && abs(bound) < 1e15 ? .integer(Int64(bound)) : .number(bound)
    }
}
