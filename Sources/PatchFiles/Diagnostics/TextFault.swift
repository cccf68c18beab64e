import Patches

/// A fault in YAML text: a patch, a session or the preferences. The sentences are in `TextFault+Words.swift`.
package enum TextFault: Fault {
    // The file as a whole
    /// The limit is in bytes.
    case tooLarge(limit: Int)
    /// The file holds something other than text; `file` is its path.
    case foreign(ForeignContent, file: String)
    case notUTF8(byte: Int)
    case emptyFile(expected: String)
    case cutShort
    case newerFormat(Double, supported: Int)

    // YAML
    case syntax(problem: String, context: String?)
    case tabIndent
    /// It looks like a space, like nothing, or like the dash of a list's item.
    case misleadingCharacter(Unicode.Scalar)
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
    case wrongCount(Int, Int, of: String)
    case unknownName(String, of: String, choices: [String])
    case unknownEasing(String)
    case controlCharacter(of: String)
    case tooLong(of: String, count: Int, limit: Int)

    // Patches
    case badLayerName(String)
    /// The end of a band in Hz is not above the one before it.
    case bandOrder(Double, previous: Double)
    case layerKind(found: [String])
    case duplicateLayer(String, firstLine: Int?)
    case badTarget(String)
    case unknownParameter(String, layer: String, kind: String, choices: [String])
    /// The layer could have the parameter, but does not; the value is its default.
    case missingEffect(String, layer: String, value: Double)
    /// A parameter that is not a rate of the layer is to be followed.
    case noRate(String, layer: String, rates: [String])
    /// A rate that follows another one or the tempo is to be followed.
    case lockedRate(String, lock: String)
    /// Rates that follow each other.
    case circularRate(String)
    /// A parameter that follows a rate is to be set.
    case followingRate(String, leader: String)
    case chapterOrder(start: Double, previous: Double)
    case cueOrder(start: Double, previous: Double)
    case chapterBeyondEnd(start: Double, duration: Double)
    case fadesTooLong(fades: Double, duration: Double)

    /// The value that was found instead of the expected one.
    package enum Found: Equatable, Sendable {
        case nothing, list, mapping
        case text(String)
        /// Text in quotes, which is not a number even if it looks like one.
        case quoted(String)
    }

    package enum Expectation: Equatable, Sendable {
        case duration, timeOfDay, day, note, truth
        case number(Unit)
        case wholeNumber(ClosedRange<UInt64>)
        /// Text, with a noun for it: "a title".
        case text(String)
        case list(of: String)
        case mapping(of: String)
    }

    /// Whether something is missing that has to be there.
    var isLack: Bool {
        switch self {
        case .missingKey, .unexpected(found: .nothing, expected: _): true
        case .layerKind(let found): found.isEmpty
        default: false
        }
    }
}
