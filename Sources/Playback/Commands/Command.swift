import Patches

/// A request to the player, before the responder chain has decided who handles it. Layers and items count from 0 here.
package enum Command: Equatable, Sendable {
    case play, pause, toggle, stop, next, previous
    /// Always change the item, never the chapter; otherwise like `next` and `previous`.
    case nextItem, previousItem
    case selectItem(Int)
    /// Moves the position by this many seconds; a negative number moves it back.
    case skip(by: Double)
    /// Move the position by this many seconds.
    case skipForward(by: Double), skipBackward(by: Double)
    /// Seeks to this many seconds from the start of the item, clamped to its length.
    case changePosition(to: Double)
    /// Seeks to this fraction of the item's duration, 0...1.
    case changeNormalizedPosition(to: Double)
    /// Seeks for as long as it is held, faster with time.
    case seek(SeekDirection, begins: Bool)
    /// Sets the speed of the timeline; 1 is normal.
    case changeRate(to: Double)
    case changeRepeatMode(to: RepeatMode)
    /// Turns shuffle on or off. The seed determines the order; the sender supplies it, because nothing here is random.
    case changeShuffleMode(to: ShuffleMode, seed: UInt64)
    /// Rates the current item with 0...5 stars.
    case rate(Double)
    case like(Bool)
    case dislike(Bool)
    /// Adds a bookmark at the position, or removes the one there.
    case bookmark(Bool)
    case undo, redo
    case panic
    /// The one-button remote's button goes down or up.
    case button(isDown: Bool)
    /// The device was shaken; a preference decides what that does.
    case shake

    case set(Setting, ramp: Ramp?)
    /// Sets several parameters of one layer that one control moves together, as one step of undo.
    case setTogether([Setting])
    case mute(layer: Int, Bool)
    case changeWave(layer: Int, Waveform)
    case solo(layer: Int, Bool)
    /// Drops the live edits of a layer.
    case reset(layer: Int)
    /// Changes a chapter or cue of the current item.
    case changeCourse(CourseChange)
    /// Drops the changes of the current item's chapters and cues.
    case resetCourse
    /// Gives the sender hold of a fader, or releases it.
    case touch(Fader, Bool)
    /// Gives the sender hold of several parameters of one layer that one control moves together, or releases them.
    case touchTogether([Fader], Bool)
    case changeTouchMode(to: TouchMode)
    /// Selects a layer, which makes it the first responder: it gets each command before the other responders.
    case selectLayer(Int)

    /// Sets the gain in dB; -120 is off.
    case setMasterGain(Double, ramp: Ramp?)
    case muteMaster(Bool)
    /// Fades to silence over this many seconds, then stops; the master gain setting is unchanged.
    case fadeOut(seconds: Double)
    /// Starts the sleep timer: after this many seconds the sound has faded out, over the last `fade` seconds, and the player stops. 0
    /// cancels the timer.
    case sleep(in: Double, fade: Double, Easing)
    /// Sets the frequency of A4 in Hz.
    case tune(a4: Double)
    case changeTransportMode(to: TransportMode)

    /// Saves the values of all parameters of the current item under a plain name.
    case savePreset(String)
    case loadPreset(String)
    case removePreset(String)

    /// Adds a patch of the library to the queue, by its plain name.
    case addItem(String, AddingPlace = .last)
    /// Adds a patch to the queue, by the absolute path of its file. Only for programs on this machine.
    case addFile(String, AddingPlace = .last)
    /// Plays the patch or opens the session of the library with this plain name, and plays. A patch that is not in the queue is added behind the
    /// current item.
    case openItem(String)
    /// Does the same with the patch or session in a file, by its absolute path. Only for programs on this machine.
    case openFile(String)
    /// Crossfades to an item of the queue and plays it from its start, whatever played before.
    case playItem(Int)
    case removeItem(Int)
    /// Puts the item that was removed last back in its place.
    case restoreItem
    case moveItem(from: Int, to: Int)
    /// Drops the live edits of an item, and the changes of its chapters and cues.
    case resetItem(Int)
    /// Gives an item another patch and keeps the changes to it: one of the library, by its plain name, or a file beside the item's own.
    case relinkItem(Int, String)

    case mapController(ControllerMapping)
    /// Removes the controller mapped to this address.
    case forgetController(String)
    /// Maps the next controller that moves to this address; `nil` cancels learning.
    case learnController(String?)

    /// Saves the current item with its live edits as a patch of the user's library, under a plain name; only with `overwrites` under one that is
    /// in use.
    case savePatch(String, overwrites: Bool)
    /// Asks the program around the player for something that the player has no say in.
    case application(ApplicationRequest)
}

extension Command {
    /// The length of a skip in seconds, negative backward; `nil` for other commands.
    var skipDistance: Double? {
        switch self {
        case .skip(let seconds), .skipForward(let seconds): seconds
        case .skipBackward(let seconds): -seconds
        default: nil
        }
    }

    /// Whether the command is carried out however little memory is left: it softens or ends the sound, releases or saves something, or stands
    /// for another command.
    ///
    /// - Parameter isPlaying: Whether something plays, so that a toggle pauses it.
    package func isPossibleWithoutMemory(whilePlaying isPlaying: Bool) -> Bool {
        switch self {
        case .pause, .stop, .panic, .setMasterGain, .muteMaster, .fadeOut, .sleep, .touch(_, false), .touchTogether(_, false), .button,
            .shake, .application(.saveSession), .application(.quit):
            true
        case .toggle: isPlaying
        default: isRelease
        }
    }

    /// Whether the command releases something that was held, which is always allowed.
    var isRelease: Bool {
        switch self {
        case .seek(_, begins: false), .button(isDown: false): true
        default: false
        }
    }
}
