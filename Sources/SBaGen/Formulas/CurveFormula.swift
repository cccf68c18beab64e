import PatchFiles
import Patches

/// A formula of SBaGenX's curves: numbers, names, functions, `+ - * / % ^` and parentheses, evaluated as a tree.
struct CurveFormula {
    private indirect enum Node {
        case number(Double)
        /// The place of a name's value.
        case name(Int)
        case negative(Node)
        case pair(Character, Node, Node)
        case call(CurveFunction, [Node])
    }

    private let root: Node
    /// The approximate cost of evaluating it, in additions.
    let effort: Int

    /// A reason why a text is not a formula.
    struct Failure: Error, Equatable {
        let sentence: String
    }

    /// Signs, brackets and functions that may be nested.
    static let deepest = 64

    /// The longest formula, in characters: a chain of operators is a tree as deep as it is long.
    static let longest = 2000

    /// - Parameter names: Those that have values, in their order in ``value(_:)``.
    init(_ text: some StringProtocol, names: [String]) throws(Failure) {
        guard text.unicodeScalars.count <= Self.longest else {
            throw Failure(sentence: "the formula is longer than \(Self.longest) characters")
        }
        var parser = Parser(text: Array(text.unicodeScalars), names: names)
        root = try parser.all()
        effort = Self.effort(of: root)
    }

    /// The value; infinite or NaN where the formula is undefined.
    ///
    /// - Parameter values: One for each name.
    func value(_ values: [Double]) -> Double { Self.value(of: root, values) }

    private static func effort(of node: Node) -> Int {
        switch node {
        case .number, .name: 1
        case .negative(let node): 1 + effort(of: node)
        case .pair(let sign, let a, let b): (sign == "^" ? 10 : 1) + effort(of: a) + effort(of: b)
        case .call(let function, let nodes): nodes.reduce(function.effort) { $0 + effort(of: $1) }
        }
    }

    private static func value(of node: Node, _ values: [Double]) -> Double {
        switch node {
        case .number(let number): return number
        case .name(let place): return values[place]
        case .negative(let node): return -value(of: node, values)
        case .call(let function, let nodes): return function.value(nodes.map { value(of: $0, values) })
        case .pair(let sign, let a, let b):
            let (a, b) = (value(of: a, values), value(of: b, values))
            switch sign {
            case "+": return a + b
            case "-": return a - b
            case "*": return a * b
            case "/": return a / b
            case "%": return CurveMath.remainder(a, b)
            case "^": return CurveMath.power(a, b)
            default: return b
            }
        }
    }

    // MARK: Reading

    private struct Parser {
        let text: [Unicode.Scalar]
        let names: [String]
        var index = 0
        var depth = 0

        mutating func all() throws(Failure) -> Node {
            let node = try sum()
            if index < text.count {
                let advice = text[index] == "," ? "; decimals have a point, as in 7.5" : ""
                throw Failure(sentence: "found \(TextFault.quote(String(text[index]))), expected an operator or the end\(advice)")
            }
            return node
        }

        private mutating func sum() throws(Failure) -> Node {
            var node = try product()
            while let sign = takeOne(of: "+-") { node = .pair(sign, node, try product()) }
            return node
        }

        private mutating func product() throws(Failure) -> Node {
            var node = try signed()
            while let sign = takeOne(of: "*/%") { node = .pair(sign, node, try signed()) }
            return node
        }

        /// A sign binds less than `^`, which is read from the right: -2^2 is -4.
        private mutating func signed() throws(Failure) -> Node {
            try deeper { parser throws(Failure) in
                if let sign = parser.takeOne(of: "+-") {
                    let node = try parser.signed()
                    return sign == "-" ? .negative(node) : node
                }
                let base = try parser.atom()
                return parser.take("^") ? .pair("^", base, try parser.signed()) : base
            }
        }

        private mutating func deeper(_ read: (inout Parser) throws(Failure) -> Node) throws(Failure) -> Node {
            depth += 1
            defer { depth -= 1 }
            guard depth <= CurveFormula.deepest else { throw Failure(sentence: "it is nested more than \(CurveFormula.deepest) deep") }
            return try read(&self)
        }

        private mutating func atom() throws(Failure) -> Node {
            skipSpaces()
            guard index < text.count else { throw Failure(sentence: "it ends where a number, a name or `(` is expected") }
            if take("(") {
                let node = try sum()
                try close()
                return node
            }
            if ("0"..."9").contains(text[index]) || text[index] == "." { return .number(try number()) }
            let name = word()
            if name.isEmpty { throw Failure(sentence: "found \(TextFault.quote(String(text[index]))), expected a number, a name or `(`") }
            // A name of the session before a function of that name.
            if let place = names.firstIndex(of: name) { return .name(place) }
            guard let function = CurveFunction(rawValue: name) else { throw Failure(sentence: "unknown name \(TextFault.quote(name))") }
            return .call(function, try arguments(of: function))
        }

        private mutating func arguments(of function: CurveFunction) throws(Failure) -> [Node] {
            if function.count == 0 {
                // `pi` and `pi()`
                if take("(") { try close() }
                return []
            }
            guard take("(") else { throw Failure(sentence: "`\(function.rawValue)` needs `(`") }
            var nodes = [try sum()]
            while take(",") { nodes.append(try sum()) }
            try close()
            guard nodes.count == function.count else {
                throw Failure(sentence: "`\(function.rawValue)` has \(nodes.count) arguments, expected \(function.count)")
            }
            return nodes
        }

        private mutating func close() throws(Failure) {
            guard take(")") else { throw Failure(sentence: "a `)` is missing") }
        }

        private mutating func number() throws(Failure) -> Double {
            let start = index
            func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) || scalar == "." }
            while index < text.count, isDigit(text[index]) { index += 1 }
            // 1e-3, unless the `e` begins a name.
            if index < text.count, text[index] == "e" || text[index] == "E" {
                var end = index + 1
                if end < text.count, text[end] == "+" || text[end] == "-" { end += 1 }
                if end < text.count, isDigit(text[end]) {
                    while end < text.count, isDigit(text[end]) { end += 1 }
                    index = end
                }
            }
            let word = String(scalars: text[start..<index])
            guard word.utf8.count <= 40, let number = NumberText.parse(word), number.isFinite else {
                throw Failure(sentence: "\(TextFault.quote(word)) is not a number")
            }
            return number
        }

        private mutating func word() -> String {
            let start = index
            while index < text.count, CurveFormula.isPartOfName(text[index], isFirst: index == start) { index += 1 }
            return String(scalars: text[start..<index])
        }

        private mutating func skipSpaces() { while index < text.count, text[index] == " " || text[index] == "\t" { index += 1 } }

        private mutating func take(_ sign: Unicode.Scalar) -> Bool {
            skipSpaces()
            guard index < text.count, text[index] == sign else { return false }
            index += 1
            return true
        }

        private mutating func takeOne(of signs: String) -> Character? {
            skipSpaces()
            guard index < text.count, signs.unicodeScalars.contains(text[index]) else { return nil }
            index += 1
            return Character(text[index - 1])
        }
    }

    /// Whether it can be part of a name: a letter, then letters, digits, `_` and `.`.
    static func isPartOfName(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        case "0"..."9", ".": !isFirst
        default: false
        }
    }

    static func isName(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return !scalars.isEmpty && scalars.count <= 64 && scalars.indices.allSatisfy { isPartOfName(scalars[$0], isFirst: $0 == 0) }
    }
}
