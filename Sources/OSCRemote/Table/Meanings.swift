import Playback

extension CommandStatus {
    /// The meaning of the code, for peers and the docs.
    package var meaning: String {
        switch self {
        case .success: "Done."
        case .noSuchContent: "The queue is empty, or there is no such item, preset or content of a layer."
        case .noActionableNowPlayingItem: "Enabled, but nobody in the chain of responders handled it."
        case .deviceNotFound: "JACK is away; only for `jack/*` and `transport/*`."
        case .commandFailed: "It was tried and failed; the sentence says why."
        case .badArguments:
            "Arguments of a wrong kind, too few, too many or not finite, a ramp out of its range; a malformed packet, pattern or name."
        case .denied: "The role of the peer does not allow it, or the cookie is invalid."
        case .unknownAddress: "There is no such address, or no such layer."
        case .disabled: "It makes no sense now; of a command that has `enabled`, that is 0."
        case .busy: "Another hand is on it."
        case .queueFull: "No room: peers, topics of a peer, or messages that wait."
        case .tooFarInFuture: "The time tag is more than 60 s ahead."
        case .rateLimited: "Too many messages a second."
        case .notSupported: "A layer of this kind has no such parameter."
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

    /// What subscribers to the topic are sent.
    package var meaning: String {
        switch self {
        case .now:
            "all of now playing in one bundle, whose time tag is the instant at which `now/elapsed` was true; when something happens, never because time passes."
        case .commands: "what can be commanded now, and the properties of playing."
        case .layers: "the layers of the current item and the ends of ramps; all of it anew with another item."
        case .mixer: "level, mute and tuning of the whole."
        case .session: "the session, the steps of the program's life, the preferences."
        case .jack: "JACK's state and connections."
        case .log: "each notice to the user."
        case .tick:
            "the clock for surfaces that cannot count, \(Topic.tickRange.lowerBound) to \(Topic.tickRange.upperBound) times a second."
        case .meters: "the meter, every \(Topic.meterRange.lowerBound) to \(Topic.meterRange.upperBound) ms."
        }
    }
}
