import OSC
import Patches
import Playback

/// One line of the contract: an address, what it takes, what it answers, and what it does.
///
/// The dispatcher, `describe`, the feedback to subscribers, the reference in the docs and the tests are all made from these.
package struct Row: Sendable {
    /// Below the root, such as `layer/N/beat`; `N` stands for a layer's number or `selected`.
    package let path: String
    package let inputs: [Input]
    /// Type tags of what is answered on the same address; empty where there is nothing to get.
    package let outputs: String
    /// What a first number means, in or out; `nil` when it has no unit and no range.
    package let quantity: Quantity?
    /// One sentence, at most 96 bytes, for `describe` and the docs.
    package let summary: String
    /// The topic whose subscribers are told of changes.
    package let group: Topic.Group?
    /// What a peer must be allowed to set it or give the command; reading needs ``Role/view``.
    package let role: Role
    /// Whether address patterns reach it.
    package let isPatternTarget: Bool
    /// Of the layer's kind: where one is missing, the layer has no such address.
    let needs: [Parameter]
    /// What happens, not how something is: subscribers are told by `RemoteServer.tell(_:at:)`, a get answers with the last one.
    let isEvent: Bool
    let read: Reader?
    let action: Action?

    package enum Access: String, Sendable {
        case read = "r"
        case write = "w"
        case readWrite = "rw"
    }

    typealias Reader = @Sendable (Reading) throws(Refusal) -> [Argument]

    enum Action: Sendable {
        /// Becomes commands for the receiver.
        case commands(@Sendable (Request) throws(Refusal) -> [Command])
        /// Is carried out by the server itself.
        case exchange(Exchange)
    }

    init(
        _ path: String, in inputs: [Input] = [], out outputs: String = "", as quantity: Quantity? = nil, _ summary: String,
        group: Topic.Group? = nil, role: Role = .control, isPatternTarget: Bool = false, needs: [Parameter] = [],
        isEvent: Bool = false, read: Reader? = nil, action: Action? = nil
    ) {
        self.path = path
        self.inputs = inputs
        self.outputs = outputs
        self.quantity = quantity ?? inputs.first?.quantity
        self.summary = summary
        self.group = group
        self.role = role
        self.isPatternTarget = isPatternTarget
        self.needs = needs
        self.isEvent = isEvent
        self.read = read
        self.action = action
    }

    package var access: Access {
        if action == nil { return .read }
        return read == nil ? .write : .readWrite
    }

    /// Type tags for `describe`: what is answered, or what is taken where nothing is; the first even if it can be left out.
    package var typeTags: String {
        outputs.isEmpty ? (inputs.prefix(1) + inputs.dropFirst().filter { !$0.isOptional }).map(\.kind.typeTag).joined() : outputs
    }

    /// How many values are answered, at most.
    var outputCount: Int { outputs.hasSuffix("…") ? .max : outputs.count }

    /// Whether it may be another value because time has passed, though nothing has happened: no topic holds it but those with a rate.
    var followsTime: Bool { group.map(\.hasRate) ?? true }

    /// Whether these are the arguments of an answer on this address, which are at least one.
    func isAnswer(_ arguments: [Argument]) -> Bool {
        let tags = Message("", arguments).typeTags
        guard outputs.hasSuffix("…"), let repeated = outputs.first else { return !tags.isEmpty && tags == outputs }
        return !tags.isEmpty && tags.allSatisfy { $0 == repeated }
    }

    /// Which part of the path stands for a layer, counted from 0; `nil` where none does.
    var layerPart: Int? { path.hasPrefix("layer/N/") ? 1 : path.hasPrefix("touch/layer/N/") ? 2 : nil }
    package var isOfLayer: Bool { layerPart != nil }
}

/// What a number measures and which numbers there are.
package struct Quantity: Equatable, Sendable {
    /// Such as `Hz`; empty for a ratio or a count.
    package let unit: String
    package let range: ClosedRange<Double>

    package init(_ range: ClosedRange<Double>, _ unit: String = "") {
        self.unit = unit
        self.range = range
    }

    static let norm = Quantity(0...1)
}
