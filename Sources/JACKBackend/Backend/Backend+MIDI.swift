extension Backend {
    /// The MIDI events since the last call, in order, and the number of events that were dropped.
    package func takeMIDI() -> (arrivals: [MIDIArrival], lost: Int) {
        core.state.withLock { $0.status.condition == .running ? $0.context?.takeMIDI() : nil } ?? ([], 0)
    }
}
