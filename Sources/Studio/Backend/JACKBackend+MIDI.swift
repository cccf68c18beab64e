extension JACKBackend {
    /// What has come to the MIDI port since the last call, in order, and how much more there was no room for.
    package func takeMIDI() -> (arrivals: [MIDIArrival], lost: Int) {
        core.state.withLock { $0.status.condition == .running ? $0.context?.takeMIDI() : nil } ?? ([], 0)
    }
}
