import PatchFiles
import Patches

/// A file of formulas of SBaGenX (`.sbgf`): parameters, what is solved for, and the courses of what a session moves.
struct CurveFile {
    /// The values that a formula can move; amplitudes are percent.
    enum Target: String, CaseIterable {
        case beat, carrier, amp, mixamp, mixam_hz, mixpulse_hz, mixpulse_amp, mixbeat_hz, mixbeat_amp, mixspin_hz, mixspin_width,
            mixspin_amp
    }

    /// A formula that holds while a comparison with the minute is true; always, without one.
    struct Piece {
        var comparison: (sign: String, limit: CurveFormula)?
        var formula: CurveFormula
    }

    /// The names of the session, before those of parameters: their values are given for each moment.
    static let ownNames = ["t", "m", "D", "H", "T", "U", "b0", "b1", "c0", "c1", "a0", "m0"]

    private(set) var names = CurveFile.ownNames
    /// The parameters' values.
    var parameters: [Double] = []
    private(set) var solved: (unknowns: [String], equations: [(CurveFormula, CurveFormula)])?
    private(set) var pieces: [Target: [Piece]] = [:]

    /// The effort of all formulas, in additions.
    var effort: Int {
        pieces.values.joined().reduce(0) { $0 + $1.formula.effort + ($1.comparison?.limit.effort ?? 0) }
            + (solved?.equations ?? []).reduce(0) { $0 + $1.0.effort + $1.1.effort }
    }
    /// The most effort that a file may take.
    static let effortLimit = 4096

    static let parameterLimit = 32
    static let pieceLimit = 64
    static let unknownLimit = 8

    /// - Parameters:
    ///   - overrides: Values of parameters from the session.
    ///   - session: The values of ``ownNames`` at the start, for ``solved``.
    /// - Throws: The first fault, with its line.
    init(_ bytes: [UInt8], overrides: [String: Double], session: [Double]) throws(CurveFormula.Failure) {
        guard bytes.count <= SBaGenSequence.formulaSize else {
            throw .init(sentence: "the file has more than \(SBaGenSequence.formulaSize) bytes")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let statements = lines.enumerated().map { (number: $0.offset + 1, text: Self.statement($0.element)) }.filter { !$0.text.isEmpty }
        // Parameters are known everywhere in the file.
        for (number, text) in statements where Self.isKeyword("param", text) {
            try Self.located(number) { () throws(CurveFormula.Failure) in
                let (name, value) = try Self.parameter(text)
                try define(name, overrides[name] ?? value)
            }
        }
        for (number, text) in statements where Self.isKeyword("solve", text) {
            try Self.located(number) { () throws(CurveFormula.Failure) in try readSolve(text, overrides) }
        }
        for name in overrides.keys.sorted() where !names.contains(name) || Self.ownNames.contains(name) {
            throw .init(sentence: "there is no parameter \(TextFault.quote(name))")
        }
        for (number, text) in statements where !Self.isKeyword("param", text) && !Self.isKeyword("solve", text) {
            try Self.located(number) { () throws(CurveFormula.Failure) in try readTarget(text) }
        }
        guard pieces[.beat] != nil else { throw .init(sentence: "there is no `beat = …`") }
        guard effort <= Self.effortLimit else {
            throw .init(sentence: "the formulas take \(effort) operations, counting a sine as 10; expected at most \(Self.effortLimit)")
        }
        try solve(session)
    }

    /// The value of a target; `nil` if the file does not move it.
    ///
    /// - Parameter session: The values of ``ownNames``.
    func value(of target: Target, _ session: [Double]) -> Double? {
        guard let pieces = pieces[target] else { return nil }
        let values = session + parameters
        let piece =
            pieces.first { piece in
                guard let (sign, limit) = piece.comparison else { return true }
                let (minute, value) = (session[1], limit.value(values))
                return switch sign {
                case "<": minute < value
                case "<=": minute <= value
                case ">": minute > value
                default: minute >= value
                }
            } ?? pieces[pieces.count - 1]
        return piece.formula.value(values)
    }

    // MARK: Lines

    /// A line without its comment and the spaces around it.
    private static func statement(_ line: Substring) -> Substring {
        var end = line.endIndex
        for mark in ["#", "//"] { if let range = line.firstRange(of: mark) { end = min(end, range.lowerBound) } }
        var text = line[..<end]
        // A `;` begins a comment, except between the equations of `solve`.
        if !isKeyword("solve", text), let mark = text.firstIndex(of: ";") { text = text[..<mark] }
        return trimmed(text)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text.drop(while: \.isWhitespace)
    }

    private static func isKeyword(_ word: String, _ text: Substring) -> Bool {
        trimmed(text).hasPrefix(word) && trimmed(text).dropFirst(word.count).first.map(\.isWhitespace) ?? true
    }

    private static func located(_ line: Int, _ body: () throws(CurveFormula.Failure) -> Void) throws(CurveFormula.Failure) {
        do throws(CurveFormula.Failure) { try body() } catch { throw .init(sentence: "line \(line): \(error.sentence)") }
    }

    private mutating func define(_ name: String, _ value: Double) throws(CurveFormula.Failure) {
        if names.contains(name) { throw .init(sentence: "\(TextFault.quote(name)) is defined already") }
        let isTaken = CurveFunction(rawValue: name) != nil || Target(rawValue: name) != nil
        guard CurveFormula.isName(name), !isTaken else {
            throw .init(sentence: "\(TextFault.quote(name)) cannot be the name of a parameter")
        }
        guard parameters.count < Self.parameterLimit else { throw .init(sentence: "there are more than \(Self.parameterLimit) parameters") }
        names.append(name)
        parameters.append(value)
    }

    /// Reads `param NAME = NUMBER[m|s]`: minutes, or seconds as minutes.
    private static func parameter(_ text: Substring) throws(CurveFormula.Failure) -> (String, Double) {
        let sides = text.dropFirst("param".count).split(separator: "=", omittingEmptySubsequences: false).map { String(trimmed($0)) }
        guard sides.count == 2, let last = sides[1].last else { throw .init(sentence: "expected `param NAME = NUMBER`") }
        let unit = last == "m" || last == "s" ? last : nil
        let digits = String(trimmed((unit == nil ? sides[1] : String(sides[1].dropLast()))[...]))
        guard digits.utf8.count <= 40, let number = NumberText.parse(digits), number.isFinite else {
            throw .init(sentence: "\(TextFault.quote(sides[1])) is not a number, with `m` or `s` behind it if it is a time")
        }
        return (sides[0], unit == "s" ? number / 60 : number)
    }

    /// Reads `solve A,B : lhs=rhs ; lhs=rhs`.
    private mutating func readSolve(_ text: Substring, _ overrides: [String: Double]) throws(CurveFormula.Failure) {
        guard solved == nil else { throw .init(sentence: "there is a second `solve`") }
        let parts = text.dropFirst("solve".count).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let unknowns = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { String(Self.trimmed($0)) }
        guard parts.count == 2, unknowns.allSatisfy(CurveFormula.isName) else {
            throw .init(sentence: "expected `solve A,B : lhs = rhs ; lhs = rhs`")
        }
        // A parameter, or an override, is where the search begins.
        for name in unknowns where !names.contains(name) { try define(name, overrides[name] ?? 0) }
        guard Set(unknowns).count == unknowns.count, Set(unknowns).isDisjoint(with: Self.ownNames) else {
            throw .init(sentence: "an unknown is listed twice, or is a name of the session")
        }
        var equations: [(CurveFormula, CurveFormula)] = []
        for equation in parts[1].split(separator: ";") where !Self.trimmed(equation).isEmpty {
            let sides = equation.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2 else { throw .init(sentence: "an equation has one `=`") }
            equations.append((try CurveFormula(sides[0], names: names), try CurveFormula(sides[1], names: names)))
        }
        guard equations.count == unknowns.count, unknowns.count <= Self.unknownLimit else {
            throw .init(sentence: "expected as many equations as unknowns, at most \(Self.unknownLimit)")
        }
        solved = (unknowns, equations)
    }

    /// Reads `beat = EXPR`, or a piece such as `beat<EXPR = EXPR`.
    private mutating func readTarget(_ text: Substring) throws(CurveFormula.Failure) {
        let word = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard let target = Target(rawValue: String(word)) else {
            let known = Target.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw .init(sentence: "found \(TextFault.quote(String(text.prefix(61)))), expected param, solve, or one of \(known)")
        }
        var rest = Self.trimmed(text.dropFirst(word.count))
        var comparison: (String, CurveFormula)?
        if let sign = ["<=", ">=", "<", ">"].first(where: rest.hasPrefix) {
            rest.removeFirst(sign.count)
            guard let equals = rest.firstIndex(of: "=") else { throw .init(sentence: "expected `=` and a formula") }
            comparison = (sign, try CurveFormula(rest[..<equals], names: names))
            rest = rest[equals...]
        }
        guard rest.first == "=" else { throw .init(sentence: "expected `=` and a formula") }
        let piece = Piece(comparison: comparison, formula: try CurveFormula(rest.dropFirst(), names: names))
        let known = pieces[target] ?? []
        guard known.isEmpty || comparison != nil && known[0].comparison != nil else {
            throw .init(sentence: "`\(target.rawValue)` has a formula already; pieces need a comparison each")
        }
        guard pieces.values.reduce(0, { $0 + $1.count }) < Self.pieceLimit else {
            throw .init(sentence: "there are more than \(Self.pieceLimit) formulas")
        }
        pieces[target] = known + [piece]
    }
}
