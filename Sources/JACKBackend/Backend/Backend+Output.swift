extension Backend {
    /// Begins to copy what is output. Any thread.
    ///
    /// - Returns: `nil` while there is no server that calls this program.
    package func openTap() -> OutputTap? {
        core.state.withLock { state in
            guard state.status.condition == .running else { return nil }
            return state.context?.openTap(sampleRate: Int(state.status.sampleRate))
        }
    }

    /// Whether the tap still gets what is output: not if the server was lost, has stalled, or has another sample rate now, or the client was
    /// reopened. Any thread.
    package func feeds(_ tap: OutputTap) -> Bool {
        core.state.withLock { state in
            state.status.condition == .running && Int(state.status.sampleRate) == tap.sampleRate && state.context?.openedTap === tap
        }
    }

    /// Ends copying. Any thread.
    package func closeTaps() { core.state.withLock { $0.context?.closeTap() } }
}
