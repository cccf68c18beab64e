import Playback

extension CommandStatus {
    /// The meaning of the code, for peers and the docs.
    package var meaning: String {
        switch self {
        case .success: "Done."
        case .noSuchContent: "The queue is empty, or there is no such item, preset, chapter, cue, port or mapping."
        case .noActionableNowPlayingItem: "Enabled, but no responder handled it."
        case .deviceNotFound: "JACK is away; only for `jack/*` and `transport/*`."
        case .commandFailed: "It was attempted and failed; the text says why."
        case .badArguments:
            "Arguments of the wrong kind, too few, too many or not finite, a ramp out of range; a malformed packet, pattern or name."
        case .denied: "The role of the peer does not allow it, or the cookie is invalid."
        case .unknownAddress: "There is no such address, or no such layer."
        case .disabled: "Not possible now; the command's `enabled`, if it has one, is 0."
        case .busy: "Not now: someone else is touching it, it follows the tempo or another layer, or an earlier request is still running."
        case .queueFull: "Too many peers, topics of a peer, or waiting messages."
        case .tooFarInFuture: "The time tag is more than 60 s ahead."
        case .rateLimited: "Too many messages a second, or too many addresses matched by patterns."
        case .notSupported: "A layer of this kind has no such parameter or wave."
        }
    }
}

extension Topic.Group {
    /// The topic as written in a subscription.
    package var form: String {
        switch self {
        case .tick: "tick/HZ"
        case .meters: "meters/MS"
        default: rawValue
        }
    }

    /// The messages that subscribers to the topic get.
    package var meaning: String {
        switch self {
        case .now:
            "all of now playing in one bundle, whose time tag is the instant of `now/elapsed`; sent when something changes, not as time passes."
        case .commands: "which commands are enabled, and the playback properties."
        case .layers: "the layers of the current item and the ends of ramps; sent in full for another item."
        case .mixer: "master level, mute and tuning."
        case .session: "the session, the lifecycle, the preferences, the MIDI mappings."
        case .jack: "JACK's state, connections and tempo."
        case .log: "each notice to the user."
        case .tick:
            "the position, for displays that cannot compute it, \(Topic.tickRange.lowerBound) to \(Topic.tickRange.upperBound) times a second."
        case .meters: "the meter, every \(Topic.meterRange.lowerBound) to \(Topic.meterRange.upperBound) ms."
        }
    }
}
