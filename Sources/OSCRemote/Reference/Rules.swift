import Playback

extension AddressTable {
    /// What the tables do not contain: codes, answers, topics, and the rules of the conversation.
    var rules: String {
        """

        ## Codes

        | code | name | meaning |
        |---|---|---|
        \(CommandStatus.allCases.map { "| \($0.rawValue) | \($0) | \($0.meaning) |" }.joined(separator: "\n"))

        ## Answers

        What only the server says, with the type tags of its arguments. It ignores them when they are sent to it.

        \(Answer.all.map { "- `\($0.path)` `,\($0.typeTags)` \($0.meaning)" }.joined(separator: "\n"))

        ## Topics

        `subscribe ,s` topic [`,i` port] [`,i` seconds] [`,s` cookie]: the port is another one of the same address, 0 the one that it came
        from; the lease is \(Int(Peer.defaultLease)) s unless asked, \(Int(Peer.longestLease)) s at most, and every packet of the peer renews it. To subscribe again is
        harmless and sends the snapshot anew.

        \(Topic.Group.allCases.map { "- `\($0.form)`: \($0.meaning)" }.joined(separator: "\n"))
        - `/binaural/…`: an address that can be read, or a pattern, which reaches what *patterns* marks and a topic without a rate holds:
          nothing of `jack/*`, `session/*` and `preferences/*`, and nothing that changes because time passes. An address without wildcards
          is told whatever it is; where it follows the time, as `position`, `meter` and `status` do, about 20 times a second.

        Changes are sent at once, the latest value wins, at most 50 packets a second to a peer. Each packet with a change in it has a number,
        one more than the last one's, which `alive` tells: **whoever sees a gap, or another boot id, subscribes again.** A change is told to
        its sender only if the value came out different, or after 150 ms without another set; a set that changes nothing is told to nobody.
        What only says what a server says is answered by nothing and renews no lease, so that two programs may be told of each other. So is
        what is sent to an address that can only be read, with just the kinds of arguments that it answers with; other arguments are
        refused (400). Ask without arguments.

        ## Rules

        - Roles: `view` reads and subscribes, `control` gives commands and sets, `admin` also ends the program and sets what counts at the
          next start. Loopback and Unix sockets are `admin` unless `--osc-local-role` says less; others need
          `--osc-allow CIDR=view|control|admin`, and get silence without it.
        - Cookie: `hello` with enough padding is answered by `welcome`, also beyond `--osc-allow`; the cookie in `subscribe` proves the
          address that it was sent to. Until then such an address never receives more bytes than it sent.
        - Limits: \(PeerTable.maximumCount) peers, \(Peer.maximumSubscriptionCount) topics each; \(Int(Gates.messagesPerSecond)) messages a second from an address beyond loopback, \(Int(Gates.burst)) in a burst; \(Int(Peer.errorsPerSecond)) errors a second to a
          peer; a pattern reaches \(Self.maximumTargetCount) addresses; packets out hold at most \(Self.maximumPacketSize) bytes. After \(Peer.unreachableLimit) unreachable answers a peer is forgotten.
        - Texts out are cut where a character ends: a title at \(Text.titleLimit) bytes, a comment at \(Text.commentLimit), others at \(Text.limit); of errors, the names in
          them. A path (`now/artwork`) is left out when it is longer than \(Text.pathLimit).
        - Errors and notices about a file that cannot be read as a patch, a session or preferences name the file and the place of its first
          mistake, and quote none of its text: the name may be a link to a private file. `binaural check` shows the line.
        - Bundles: all messages of one take effect at one frame, that of the time tag; a bad one gets its error, the others stand. At most
          \(Int(BundleSchedule.horizon)) s ahead; \(BundleSchedule.limitPerPeer) messages of a peer and \(BundleSchedule.limit) in all may wait. A late one is applied at once and counted in `bundles`. Session
          and file work and `quit` come after the others. JACK's transport, led or followed, starts and stops with the first cycle that begins
          at that frame or behind it. `--osc-timetags immediate` ignores the tags.
        - Ramps: \(rows.filter { $0.inputs.contains(.ramp) }.map { "`\($0.path)`" }.joined(separator: ", "))
          take seconds and an easing after the value. Others sound on, or nothing of them sounds: a change of `rate` is heard over 50 ms,
          `tuning/a4` tunes the notes that are set or struck from then on.
        - `ramp/id`: for every bundle that holds one, subscribers of `layers` get `ramp/finished` exactly once: when the last of its ramps has
          ended, or at once if none began. So they do if all its commands were refused, whatever the code; if the bundle itself was (413, 414);
          and if it waited and was dropped by a panic or at the end of its sender's lease. Bundles beyond the rate of messages get
          \(Int(Peer.finishesPerSecond)) a second. A `ramp/id` that is refused itself (400) gets none.

        """
    }
}
