import Playback

/// What lasts as long as somebody holds it: the one button, a seek.
extension RemoteServer {
    func pressButton() {
        button.pressWindow = snapshot.preferences.buttonWindow
        button.holdTime = snapshot.preferences.buttonHold
        performAsButton(button.press(at: now.seconds))
    }

    func releaseButton() { performAsButton(button.release(at: now.seconds)) }

    /// Time has passed: a press may have become a hold, or have been the last one.
    func advanceButton() { process { performAsButton(button.advance(to: now.seconds)) } }

    private func performAsButton(_ commands: [Command]) {
        for command in commands {
            noteChange()
            receiver?.perform(command, from: "button") { [logger] result in
                if result.status != .success { logger.info("OSC: the button did nothing: \(result.message)") }
            }
        }
    }

    /// A phone has moved, in g. Who may give no commands may shake it all the same.
    func feel(_ peer: Peer, x: Double, y: Double, z: Double) {
        guard peer.shakes.isShake(x: x, y: y, z: z, at: now.seconds), peer.role >= .control, let command = reading().shakeCommand else {
            return
        }
        noteChange()
        receiver?.perform(command, from: peer.endpoint.description) { [logger] result in
            if result.status != .success { logger.info("OSC: the shake did nothing: \(result.message)") }
        }
    }

    func noteHold(_ command: Command, by peer: Peer) {
        if case .seek(let direction, let begins) = command { peer.heldSeek = begins ? direction : nil }
    }

    /// Whoever has gone holds nothing any more.
    func endHolds(of peer: Peer) {
        guard let direction = peer.heldSeek else { return }
        peer.heldSeek = nil
        noteChange()
        receiver?.perform(.seek(direction, begins: false), from: peer.endpoint.description) { _ in }
    }
}
