import OSC
import Patches
import Playback

/// One line of the contract: an address, its arguments, its answer, and what it does.
///
/// The dispatcher, `describe`, the feedback to subscribers, the reference in the docs and the tests are all made from these rows.
package struct Row: Sendable {
    /// The path below the root, such as `layer/N/beat`; `N` stands for a layer's number or `selected`.
    package let path: String
    package let inputs: [Input]
    /// Type tags of the answer on the same address; empty if it cannot be read.
    package let outputs: String
    /// The unit and range of the first number, in or out; `nil` if it has none.
    package let quantity: Quantity?
    /// The names of the answer's values; empty for a single value, or values of one kind.
    package let fields: [Field]
    /// One sentence, at most 96 bytes, for `describe` and the docs.
    package let summary: String
    /// The topic whose subscribers are sent changes.
    package let group: Topic.Group?
    /// The role required to set it or give the command; reading needs ``Role/view``.
    package let role: Role
    /// Whether address patterns match it.
    package let isPatternTarget: Bool
    /// The parameters that a layer's kind must have; without them the layer has no such address.
    let needs: [Parameter]
    /// Whether its value is the path of a file, of which other machines get the last part only.
    let isPath: Bool
    /// Whether it is an event, not a state: subscribers are sent it by `OSCServer.publish(_:at:)`, and reading returns the last one.
    let isEvent: Bool
    let read: Reader?
    let action: Action?

    package enum Access: String, Sendable {
        case read = "r"
        case write = "w"
        case readWrite = "rw"
    }

    typealias Reader = @Sendable (Reading) throws(Refusal) -> [OSCArgument]

    enum Action: Sendable {
        /// Makes commands for the receiver.
        case commands(@Sendable (OSCRequest) throws(Refusal) -> [Command])
        /// Concerns the peer itself, or needs more than one answer.
        case exchange(Exchange)
    }

    init(
        _ path: String, in inputs: [Input] = [], out outputs: String = "", as quantity: Quantity? = nil, fields: [Field] = [],
        _ summary: String, group: Topic.Group? = nil, role: Role = .control, isPatternTarget: Bool = false, needs: [Parameter] = [],
        isPath: Bool = false, isEvent: Bool = false, read: Reader? = nil, action: Action? = nil
    ) {
        self.path = path
        self.inputs = inputs
        self.outputs = outputs
        self.quantity = quantity ?? inputs.first?.quantity
        self.fields = fields
        self.summary = summary
        self.group = group
        self.role = role
        self.isPatternTarget = isPatternTarget
        self.needs = needs
        self.isPath = isPath
        self.isEvent = isEvent
        self.read = read
        self.action = action
    }

    package var access: Access {
        if action == nil { return .read }
        return read == nil ? .write : .readWrite
    }

    /// Type tags for `describe`: those of the answer, or of the arguments if there is no answer; the first argument is included even if it
    /// is optional.
    package var typeTags: String {
        outputs.isEmpty ? (inputs.prefix(1) + inputs.dropFirst().filter { !$0.isOptional }).map(\.kind.typeTag).joined() : outputs
    }

    /// Whether its answer is 0 or 1 for off or on.
    package var isFlag: Bool { outputs == "i" && quantity == .norm }

    /// Maximum number of values in the answer.
    var outputCount: Int { outputs.hasSuffix("…") ? .max : outputs.count }

    /// Whether the value changes with time alone; only topics with a rate hold such rows.
    var followsTime: Bool { group.map(\.hasRate) ?? true }

    /// Whether these arguments, at least one, are those of an answer on this address.
    func isAnswer(_ arguments: [OSCArgument]) -> Bool {
        let tags = OSCMessage("", arguments).typeTags
        guard outputs.hasSuffix("…"), let repeated = outputs.first else { return !tags.isEmpty && tags == outputs }
        return !tags.isEmpty && tags.allSatisfy { $0 == repeated }
    }

    /// A value as it is shown to programs on other machines.
    func valueForOthers(_ value: [OSCArgument]) -> [OSCArgument] {
        guard isPath else { return value }
        return value.map { argument in
            guard case .string(let path) = argument else { return argument }
            return .string(path.split(separator: "/").last.map(String.init) ?? "")
        }
    }

    /// The index, from 0, of the path component that names a layer; `nil` if the address does not belong to a layer.
    var layerPart: Int? { path.hasPrefix("layer/N/") ? 1 : path.hasPrefix("touch/layer/N/") ? 2 : nil }
    package var isOfLayer: Bool { layerPart != nil }
}

/// One of several values of an answer.
package struct Field: Equatable, Sendable {
    /// The name in words, such as `sample rate`.
    package let name: String
    package let quantity: Quantity?

    init(_ name: String, _ quantity: Quantity? = nil) {
        self.name = name
        self.quantity = quantity
    }

    init(_ name: String, _ unit: String) { self.init(name, Quantity(0...Double(Int32.max), unit)) }
}

/// The unit and range of a number.
package struct Quantity: Equatable, Sendable {
    /// The unit, such as `Hz`; empty for a ratio or a count.
    package let unit: String
    package let range: ClosedRange<Double>

    package init(_ range: ClosedRange<Double>, _ unit: String = "") {
        self.unit = unit
        self.range = range
    }

    static let norm = Quantity(0...1)
}
