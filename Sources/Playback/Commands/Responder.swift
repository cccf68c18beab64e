/// A link of the chain along which a command is passed until a responder handles it.
///
/// Commands that a responder does not handle go to its ``nextResponder``; a responder may also act and still pass a command on, by
/// returning `nil`.
package protocol Responder: AnyObject {
    /// The name shown in replies.
    var name: String { get }
    /// The responder that unhandled commands are passed to. Responders of a chain hold it weakly, since the chain's owner owns them.
    var nextResponder: (any Responder)? { get set }
    /// Handles a command by changing the player; `nil` passes it on.
    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult?
}

extension Responder {
    package func success() -> CommandResult { CommandResult(.success, by: name) }

    package func failure(_ status: CommandStatus, _ message: String) -> CommandResult {
        CommandResult(status, by: name, message)
    }

    /// Passes the command along the rest of the chain until a responder handles it.
    package func passOn(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        var asked = nextResponder
        while let responder = asked {
            if let result = responder.handle(command, on: &player, at: moment) { return result }
            asked = responder.nextResponder
        }
        return nil
    }
}

/// The chain: selected layer -> patch -> item -> queue -> application. Others can be added at the front or removed at any time.
package final class ResponderChain {
    package let patch: any Responder = PatchResponder()
    package let item: any Responder = ItemResponder()
    package let queue: any Responder = QueueResponder()
    package let application: any Responder = ApplicationResponder()
    /// Responders asked before all others for play, pause, stop and position; the last one added is asked first.
    private var front: [any Responder] = []
    /// The rest of the chain.
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

    /// The responder of the selected layer, or the patch's if there is no such layer.
    package func firstResponder(in state: PlayerState) -> any Responder {
        guard state.selectedLayer < state.layerCount else { return patch }
        return layer(state.selectedLayer)
    }

    /// The responder of the layer that an address names.
    package func layer(_ index: Int) -> any Responder {
        let responder = LayerResponder(index: index)
        responder.nextResponder = patch
        return responder
    }

    /// Sends a command along the chain, beginning at its front. If it makes layers louder at once, the master makes up for that.
    package func send(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        let first = front.first ?? standing
        return LayerBalance(moment: moment).keep(in: &player) { player in
            first.handle(command, on: &player, at: moment) ?? first.passOn(command, on: &player, at: moment)
        }
    }
}

/// The chain behind the front responders. It begins with the most specific responder for the command.
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
