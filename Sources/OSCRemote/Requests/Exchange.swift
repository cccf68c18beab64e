import OSC

/// A request that the server carries out itself: it concerns the peer, or needs more than one answer.
enum Exchange: Sendable {
    case ping, sync, replies, clock, hello, subscribe, unsubscribe, describe, acceleration, rampID, peers, patches
    /// `NAME/item` for each item, then `NAME/end` with their number.
    case list(String, @Sendable (Reading) -> [[OSCArgument]])
    /// A list that may be long and is asked for often: its items are charged like the addresses that a pattern matches.
    case chargedList(String, @Sendable (Reading) -> [[OSCArgument]])
}
