import Engine

/// The frame of requests that are made together. Until it has passed, no later request takes effect before it.
struct CommonFrame {
    /// The frame of the requests being made; ``Engine/EngineFrame/asSoonAsPossible`` otherwise.
    private(set) var frame = EngineFrame.asSoonAsPossible
    /// The frame of the last requests made together.
    private var heldFrame = EngineFrame.asSoonAsPossible

    /// Whether requests are being made together.
    var isOpen: Bool { frame > .asSoonAsPossible }

    /// Begins requests at a frame, or at the earliest possible one.
    ///
    /// - Returns: False if the frame is too early, so that they take effect as soon as possible.
    mutating func open(at asked: EngineFrame?, _ engine: EngineControl) -> Bool {
        let earliest = max(engine.earliestFrame(), heldFrame)
        let asked = asked ?? earliest
        frame = max(asked, earliest)
        return asked >= earliest
    }

    /// Ends the requests.
    ///
    /// - Parameter hasChanged: Whether any was made.
    /// - Returns: Their frame.
    mutating func close(_ hasChanged: Bool) -> EngineFrame {
        defer { frame = .asSoonAsPossible }
        if hasChanged { heldFrame = frame }
        return frame
    }

    /// The frame for a request made now.
    func frame(_ engine: EngineControl?) -> EngineFrame {
        if isOpen { return frame }
        guard let engine, heldFrame >= engine.status.engineFrame else { return .asSoonAsPossible }
        return heldFrame
    }

    /// Lets no later request take effect before a frame, also if it is made together with those before it.
    mutating func hold(until held: EngineFrame) {
        if isOpen { frame = max(frame, held) } else { heldFrame = max(heldFrame, held) }
    }

    /// Lets later requests take effect as soon as possible.
    mutating func forget() { heldFrame = .asSoonAsPossible }
}
