import Patches

/// What somebody asks for, before anybody has decided who acts on it. Layers and items count from 0 here.
package enum Command: Equatable, Sendable {
    case play, pause, toggle, stop, next, previous
    /// Like `next` and `previous`, but never among chapters.
    case nextItem, previousItem
    case selectItem(Int)
    /// Seconds; negative goes back.
    case skip(by: Double)
    /// By an interval, in seconds.
    case skipForward(by: Double), skipBackward(by: Double)
    /// Seconds from the start of the item; clamped to it.
    case changePosition(to: Double)
    /// 0...1 of the item's duration.
    case changeNormalizedPosition(to: Double)
    /// Moves while held, faster the longer.
    case seek(SeekDirection, begins: Bool)
    /// Speed of the timeline, 1 is as written.
    case changeRate(to: Double)
    case changeRepeatMode(to: RepeatMode)
    /// The seed decides the order; whoever asks brings it along, because nothing here is random.
    case changeShuffleMode(to: ShuffleMode, seed: UInt64)
    /// 0...5, of the current item.
    case rate(Double)
    case like(Bool)
    case dislike(Bool)
    /// Marks the position, or takes the mark that is there away.
    case bookmark(Bool)
    case undo, redo
    case panic
    /// The one-button remote's button goes down or up.
    case button(isDown: Bool)
    /// What a shake is to do, whatever that is.
    case shake

    case set(Setting, ramp: Ramp?)
    /// Parameters of one layer that one control moves together: one step of undo.
    case setTogether([Setting])
    case mute(layer: Int, Bool)
    case changeWave(layer: Int, Waveform)
    case solo(layer: Int, Bool)
    /// Drops the live edits of a layer.
    case reset(layer: Int)
    /// Puts the sender's hand on a fader, or takes it off.
    case touch(Fader, Bool)
    /// The same with parameters of one layer that one control moves together.
    case touchTogether([Fader], Bool)
    case changeTouchMode(to: TouchMode)
    /// Makes a layer the first responder.
    case selectLayer(Int)

    /// dB, -120 is off.
    case setMasterGain(Double, ramp: Ramp?)
    case muteMaster(Bool)
    /// To silence in so many seconds, then stop; the master gain is left as it was.
    case fadeOut(seconds: Double)
    /// In so many seconds all will have faded away, over the last `fade` of them, and the player stops; 0 gives a timer up.
    case sleep(in: Double, fade: Double, Easing)
    /// Hz of the A above middle C.
    case tune(a4: Double)
    case changeTransportMode(to: TransportMode)

    /// The values of all parameters of the current item, under a plain name.
    case savePreset(String)
    case loadPreset(String)
    case removePreset(String)

    /// A patch of the library by its plain name, at the end of the queue.
    case addItem(String)
    case removeItem(Int)
    case moveItem(from: Int, to: Int)
    /// Drops the live edits of an item.
    case resetItem(Int)

    /// By name and with a value of its kind.
    case setPreference(String, StoredPreference)
    /// Looks for the JACK server now, if it is away.
    case reconnectJACK
    /// One of our ports, with or without the client's name, and the full name of another.
    case connectPort(String, to: String)
    case disconnectPort(String, from: String)

    case mapController(ControllerMapping)
    /// By the address that it moves.
    case forgetController(String)
    /// The next controller that moves moves this address from then on; `nil` is none.
    case learnController(String?)

    case loadSession(String)
    /// `nil` is the session that is open.
    case saveSession(String?)
    case quit
}

extension Command {
    /// Seconds from here to where a skip leads, negative backward; `nil` for what is no skip.
    var skipDistance: Double? {
        switch self {
        case .skip(let seconds), .skipForward(let seconds): seconds
        case .skipBackward(let seconds): -seconds
        default: nil
        }
    }

    /// What was held is let go, which can always be done.
    var isRelease: Bool {
        switch self {
        case .seek(_, begins: false), .button(isDown: false): true
        default: false
        }
    }
}
