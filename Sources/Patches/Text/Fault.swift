/// A fault at a place in a file: facts only; `FaultWords.swift` makes the sentences.
package enum Fault: Equatable, Sendable {
    // The file as a whole
    /// The limit is in bytes.
    case tooLarge(limit: Int)
    case notUTF8(byte: Int)
    case emptyFile(expected: String)
    case cutShort
    case newerFormat(Double, supported: Int)

    // YAML
    case syntax(problem: String, context: String?)
    case tabIndent
    case severalDocuments
    case sharedNode
    case tooDeep(limit: Int)

    // Keys
    case unknownKey(String, owner: String, expected: [String])
    case duplicateKey(String, firstLine: Int)
    case missingKey(String, owner: String, hint: String)
    case conflictingKeys(String, String, owner: String)
    case keyNotText(found: Found)

    // Values
    case unexpected(found: Found, expected: Expectation)
    case notFinite(String)
    case outOfRange(Double, ClosedRange<Double>, of: String, unit: Unit)
    case unknownName(String, of: String, choices: [String])
    case unknownEasing(String)
    case controlCharacter(of: String)
    case tooLong(of: String, count: Int, limit: Int)

    // Patches
    case badLayerName(String)
    case layerKind(found: [String])
    case duplicateLayer(String, firstLine: Int?)
    case badTarget(String)
    case unknownParameter(String, layer: String, kind: String, choices: [String])
    case chapterOrder(start: Double, previous: Double)
    case cueOrder(start: Double, previous: Double)
    case chapterBeyondEnd(start: Double, duration: Double)
    case fadesTooLong(fades: Double, duration: Double)

    // Sequences of SBaGen
    case sequence(SequenceFault)

    /// What was found instead of what was expected.
    package enum Found: Equatable, Sendable {
        case nothing, list, mapping
        case text(String)
        /// Text in quotes, which is not a number even if it looks like one.
        case quoted(String)
    }

    package enum Expectation: Equatable, Sendable {
        case duration, timeOfDay, note, truth
        case number(Unit)
        case wholeNumber(ClosedRange<UInt64>)
        /// Text, with a noun for it: "a title".
        case text(String)
        case list(of: String)
        case mapping(of: String)
    }
}

/// A fault with its place, as shown to the user.
package struct Diagnostic: Equatable, Sendable {
    package let fault: Fault
    /// The path as it was given.
    package let file: String
    /// 0:0 if it is about the file as a whole.
    package let place: YAMLTree.Place
    /// The line at that place, without its end.
    package let sourceLine: String

    package init(fault: Fault, file: String, place: YAMLTree.Place, sourceLine: String) {
        self.fault = fault
        self.file = file
        self.place = place
        self.sourceLine = sourceLine
    }
}

/// All faults found in one file, in the order of the lines; at least one.
package struct Diagnostics: Error, Equatable, Sendable {
    package let all: [Diagnostic]
    /// How many more faults there are than ``all``, which stops at ``limit``.
    package let omitted: Int

    package static let limit = 50

    package init(_ found: [Diagnostic]) {
        let sorted = found.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset) < ($1.element.place.line, $1.element.place.column, $1.offset)
        }
        all = sorted.prefix(Self.limit).map(\.element)
        omitted = max(0, found.count - Self.limit)
    }
}
