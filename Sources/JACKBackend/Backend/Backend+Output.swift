extension Backend {
    /// Starts copying the output. Any thread.
    ///
    /// - Returns: `nil` while no server is running, or it has stalled.
    package func openTap() -> OutputTap? {
        core.state.withLock { state in
            guard state.status.condition == .running else { return nil }
            return state.context?.openTap(sampleRate: Int(state.status.sampleRate))
        }
    }

    /// Whether the tap still receives the output: not if the server was lost, has stalled, or has another sample rate now, or the client was
    /// reopened. Any thread.
    package func feeds(_ tap: OutputTap) -> Bool {
        core.state.withLock { state in
            state.status.condition == .running && Int(state.status.sampleRate) == tap.sampleRate && state.context?.openedTap === tap
        }
    }

    /// Stops copying. Any thread.
    package func closeTaps() { core.state.withLock { $0.context?.closeTap() } }
}
