/// One link of the chain along which a command looks for somebody who can act on it.
///
/// What a responder does not handle goes to its ``nextResponder``; a responder may also act and still pass on, by returning `nil`.
package protocol Responder: AnyObject {
    /// As it is told in replies.
    var name: String { get }
    /// Weak in those that live in a chain: who owns the chain owns its links.
    var nextResponder: (any Responder)? { get set }
    /// Acts on a command by changing the player; `nil` passes it on.
    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult?
}

extension Responder {
    package func success() -> CommandResult { CommandResult(.success, by: name) }

    package func failure(_ status: CommandStatus, _ message: String) -> CommandResult {
        CommandResult(status, by: name, message)
    }

    /// Asks those behind this one, until somebody acts.
    package func passOn(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        var asked = nextResponder
        while let responder = asked {
            if let result = responder.handle(command, on: &player, at: moment) { return result }
            asked = responder.nextResponder
        }
        return nil
    }
}

/// Selected layer -> patch -> item -> queue -> application; others can be put in front or taken out while it runs.
package final class ResponderChain {
    package let patch: any Responder = PatchResponder()
    package let item: any Responder = ItemResponder()
    package let queue: any Responder = QueueResponder()
    package let application: any Responder = ApplicationResponder()
    /// Asked before all others for play, pause, stop and position; the last one put in is asked first.
    private var front: [any Responder] = []
    /// The chain behind them.
    private lazy var standing = StandingChain(self)

    package init() {
        patch.nextResponder = item
        item.nextResponder = queue
        queue.nextResponder = application
    }

    package func insertAtFront(_ responder: any Responder) {
        front.insert(responder, at: 0)
        link()
    }

    package func remove(_ responder: any Responder) {
        front.removeAll { $0 === responder }
        responder.nextResponder = nil
        link()
    }

    private func link() {
        for (index, responder) in front.enumerated() { responder.nextResponder = index + 1 < front.count ? front[index + 1] : standing }
    }

    /// The responder of the selected layer, or the patch's when no layer is there.
    package func firstResponder(in state: PlayerState) -> any Responder {
        guard state.selectedLayer < state.layerCount else { return patch }
        return layer(state.selectedLayer)
    }

    /// The responder that an address's layer part is hit-tested to.
    package func layer(_ index: Int) -> any Responder {
        let responder = LayerResponder(index: index)
        responder.nextResponder = patch
        return responder
    }

    /// Walks the chain from its front.
    package func send(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        let first = front.first ?? standing
        return first.handle(command, on: &player, at: moment) ?? first.passOn(command, on: &player, at: moment)
    }
}

/// The chain as those in front of it see it: begins with the deepest responder that the command names.
private final class StandingChain: Responder {
    let name = ""
    weak var nextResponder: (any Responder)?
    private unowned let chain: ResponderChain

    init(_ chain: ResponderChain) { self.chain = chain }

    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        let deepest = command.layer.map(chain.layer) ?? chain.firstResponder(in: player.state)
        return deepest.handle(command, on: &player, at: moment) ?? deepest.passOn(command, on: &player, at: moment)
    }
}

extension Command {
    /// The layer that the command is addressed to.
    var layer: Int? {
        switch self {
        case .set(let setting, _): setting.layer
        case .setTogether(let settings): settings.first?.layer
        case .touch(.parameter(_, let layer), _): layer
        case .touchTogether(let faders, _): faders.first?.layer
        case .mute(let layer, _), .changeWave(let layer, _), .solo(let layer, _), .reset(let layer): layer
        default: nil
        }
    }
}
