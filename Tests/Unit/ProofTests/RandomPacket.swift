import OSC
import OSCRemote
import TestSupport

/// Any packet that a controller might send: a message, a pattern with or without arguments, an immediate or a future bundle.
enum RandomPacket {
    /// The address that ends the program, and those that change what a peer is sent, which the watching peers leave alone.
    private static let left: Set = ["quit", "subscribe", "unsubscribe"]

    private static let conversing = AddressTable.standard.rows.filter {
        ["subscribe", "unsubscribe", "hello", "replies"].contains($0.path)
    }

    /// Topics and patterns that another peer than the watching ones subscribes to and leaves.
    private static let topics = [
        "now", "commands", "layers", "mixer", "session", "jack", "log", "tick/20", "meters/40", "/binaural/layer/*/gain", "/binaural/*/*",
        "/binaural/position", "/binaural/layer/{1,bed}/*", "/binaural/no/such", "/binaural/layer/selected/*", "nothing",
    ]
    private static let texts = ["", "ß", "x.yaml", "../x", "a b", "🎧", "-x", "last-session", String(repeating: "long ", count: 60)]

    static let rows = AddressTable.standard.rows.filter { $0.access != .read && !left.contains($0.path) }

    static func next(at now: Instant, _ random: inout SplitMix64) -> [UInt8] {
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            let ahead = [0, 0.01, 0.05, 0.2].randomElement(using: &random)!
            let tag = ahead == 0 ? TimeTag.immediate : now.timeTag.advanced(bySeconds: ahead)
            let messages = (0..<Int.random(in: 1...6, using: &random)).map { _ in message(rows.randomElement(using: &random)!, &random) }
            return OSCBundle(timeTag: tag, messages: messages).encoded
        case 1, 2: return pattern(&random).encoded
        default: return message(rows.randomElement(using: &random)!, &random).encoded
        }
    }

    /// A message of a peer that comes and goes, and whose feedback nobody compares.
    static func conversation(_ random: inout SplitMix64) -> [UInt8] { message(conversing.randomElement(using: &random)!, &random).encoded }

    /// A message to a row, and a valid one for commands.
    static func message(_ row: Row, _ random: inout SplitMix64) -> OSCMessage {
        let count = row.inputs.filter { !$0.isOptional }.count + (Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0)
        return OSCMessage(address(row, &random), row.inputs.prefix(count).map { argument($0, row, &random) })
    }

    /// Some parts of an address, or all of them, as a pattern.
    private static func pattern(_ random: inout SplitMix64) -> OSCMessage {
        let row = rows.filter(\.isPatternTarget).randomElement(using: &random)!
        var parts = address(row, &random).split(separator: "/").map(String.init)
        for index in parts.indices.dropFirst() where Int.random(in: 0..<2, using: &random) == 0 {
            let part = parts[index]
            let forms = ["*", "\(part.first!)*", "[a-z0-9]*", "{\(part),gain,touch}", String(repeating: "?", count: part.count)]
            parts[index] = forms.randomElement(using: &random)!
        }
        let count = Int.random(in: 0...1, using: &random) == 0 ? 0 : row.inputs.filter { !$0.isOptional }.count
        return OSCMessage("/" + parts.joined(separator: "/"), row.inputs.prefix(count).map { argument($0, row, &random) })
    }

    private static func address(_ row: Row, _ random: inout SplitMix64) -> String {
        let layer = ["1", "2", "3", "4", "5", "selected"].randomElement(using: &random)!
        return "/binaural/" + row.path.replacing("/N/", with: "/\(layer)/")
    }

    private static func argument(_ input: Input, _ row: Row, _ random: inout SplitMix64) -> OSCArgument {
        switch input.kind {
        case .press: .true
        case .flag: .int32(Int32.random(in: 0...1, using: &random))
        case .number(let quantity) where quantity.range.upperBound > 10_000: .float(Float.random(in: -20...20, using: &random))
        case .number(let quantity):
            .float(Float(Double.random(in: quantity.range.lowerBound...quantity.range.upperBound, using: &random)))
        case .bounded: .float(Float.random(in: 0...20, using: &random))
        case .integer, .index, .exact, .entry: .int32(Int32.random(in: 0...9, using: &random))
        case .choice(let names): .string(names.randomElement(using: &random)!)
        case .note: .int32(Int32.random(in: 30...90, using: &random))
        case .text where ["subscribe", "unsubscribe"].contains(row.path):
            .string(topics.randomElement(using: &random)!)
        case .text where row.path == "queue/add":
            .string(["deep", "short", "tone", "brief 1", "brief 2", "brief 5", "high"].randomElement(using: &random)!)
        case .text: .string((["x", "x", "night-2"] + texts).randomElement(using: &random)!)
        case .timeTag, .blob: .blob([])
        }
    }
}
