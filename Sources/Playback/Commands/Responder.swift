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
}

/// Selected layer -> patch -> item -> queue -> application; others can be put in front or taken out while it runs.
package final class ResponderChain {
    package let patch: any Responder = PatchResponder()
    package let item: any Responder = ItemResponder()
    package let queue: any Responder = QueueResponder()
    package let application: any Responder = ApplicationResponder()
    /// Asked before all others for play, pause, stop and position; the last one put in is asked first.
    private var front: [any Responder] = []

    package init() {
        patch.nextResponder = item
        item.nextResponder = queue
        queue.nextResponder = application
    }

    package func insertAtFront(_ responder: any Responder) { front.insert(responder, at: 0) }

    package func remove(_ responder: any Responder) { front.removeAll { $0 === responder } }

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

    /// Walks the chain from the deepest responder that the command names.
    package func send(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        for responder in front {
            if let result = responder.handle(command, on: &player, at: moment) { return result }
        }
        var asked: (any Responder)? = command.layer.map(layer) ?? firstResponder(in: player.state)
        while let responder = asked {
            if let result = responder.handle(command, on: &player, at: moment) { return result }
            asked = responder.nextResponder
        }
        return nil
    }
}

extension Command {
    /// The layer that the command is addressed to.
    var layer: Int? {
        switch self {
        case .set(let setting, _): setting.layer
        case .mute(let layer, _), .solo(let layer, _), .reset(let layer): layer
        default: nil
        }
    }
}
