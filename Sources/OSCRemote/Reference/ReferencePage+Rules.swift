import Playback

extension ReferencePage {
    /// What the tables do not contain: codes, answers, topics, and the rules of the conversation.
    var rules: String {
        """

        ## Codes

        | code | name | meaning |
        |---|---|---|
        \(CommandStatus.allCases.map { "| \($0.rawValue) | \($0) | \($0.meaning) |" }.joined(separator: "\n"))

        ## Answers

        Messages that only the server sends, with the type tags of their arguments. It ignores them when it receives them.

        \(Answer.all.map { "- `\($0.path)` `,\($0.typeTags)` \($0.meaning)" }.joined(separator: "\n"))

        The responder in a `reply` is the part of the program that carried the command out. A command is passed along them in this order, from the
        selected layer, or the one in the address, to the application:

        | responder | carries out |
        |---|---|
        | `transport` | play, pause, stop and position while JACK's transport is followed or led |
        | `layer/N` | parameters, wave, mute, solo, reset and touches of that layer |
        | `patch` | chapters and positions within the item |
        | `item` | rating, likes, bookmarks and presets of the item |
        | `queue` | next and previous item, repeat, shuffle, and changes of the queue |
        | `application` | playing and stopping, rate, master, tuning, sleep timer, undo, MIDI, JACK, sessions, preferences, quitting |
        | `server` | settings of the conversation itself, such as `replies` |

        ## Topics

        `subscribe ,s` topic [`,i` port] [`,i` seconds] [`,s` cookie]: the feedback goes to that port of the sender's address; 0 is the port that the
        message came from. The lease is \(Int(Peer.defaultLease)) s by default and \(Int(Peer.longestLease)) s at most, and every packet from the peer renews it. Subscribing
        again is harmless and sends the snapshot again.

        \(Topic.Group.allCases.map { "- `\($0.form)`: \($0.meaning)" }.joined(separator: "\n"))
        - `/binaural/…`: an address that can be read, or a pattern. A pattern matches the addresses marked under *patterns* that belong to a
          topic without a rate: none of `jack/*`, `session/*` and `preferences/*`, and none whose value changes merely because time passes.
          An address without wildcards can be any readable one; if its value follows the time, as with `position`, `meter` and `status`, it is
          sent about 20 times a second.

        Changes are sent at once, only the latest value of each address, in at most 50 packets a second to a peer. Packets with changes are
        numbered, and `alive` carries the number of the last one: **a client that sees a gap, or another boot id, subscribes again.** The sender
        of a change gets it back only if the applied value differs, or after 150 ms without another set. A set that changes nothing is sent to
        nobody. Packets with nothing but a server's own messages get no answer and renew no lease, so that two instances subscribed to each
        other do not loop. The same goes for a message to a read-only address whose arguments have the types of its answer; other
        arguments are an error (400). To read an address, send it without arguments.

        ## Rules

        - Roles: `view` may read and subscribe, `control` may also set values and give commands, `admin` may also end the program and set
          preferences that apply at the next start. Loopback and Unix sockets have the role `admin` unless `--osc-local-role` lowers it. Other
          addresses need `--osc-allow CIDR=view|control|admin`; without it they get no answer.
        - Cookie: `hello` with enough padding is answered with `welcome`, even for addresses not in `--osc-allow`. The cookie, sent back in
          `subscribe`, proves that the peer owns the address. Until then the server never sends an address more bytes than it received from it.
        - Limits: \(PeerTable.maximumCount) peers, \(Peer.maximumSubscriptionCount) topics each; \(Int(Gates.messagesPerSecond)) messages a second from an address beyond loopback, \(Int(Gates.burst)) in a burst; \(Int(Peer.errorsPerSecond)) errors a second to a
          peer; a pattern sets at most \(AddressTable.maximumTargetCount) addresses; outgoing packets have at most \(AddressTable.maximumPacketSize) bytes. After \(Peer.unreachableLimit) unreachable answers a peer is forgotten.
        - Outgoing texts are cut at a character boundary: a title at \(Text.titleLimit) bytes, a comment at \(Text.commentLimit), others at \(Text.limit); in errors, only the
          names are cut. A path (`now/artwork`) is empty if it is longer than \(Text.pathLimit).
        - Errors and notices about an invalid patch, session or preferences file name the file and the place of its first mistake, but never
          quote its text, since the name may be a link to a private file. `binaural check` shows the line.
        - Bundles: all messages of a bundle take effect at the same frame, that of the time tag; an invalid one gets its error, the others are
          applied. A time tag is at most
          \(Int(BundleSchedule.horizon)) s ahead; \(BundleSchedule.limitPerPeer) messages of a peer and \(BundleSchedule.limit) in all may wait. A late bundle is applied at once and counted in `bundles`. Session
          and file work and `quit` run after the other messages. JACK's transport, led or followed, starts and stops with the first cycle that
          begins at that frame or later. `--osc-timetags immediate` ignores the tags.
        - Ramps: addresses with [*ramp*] move to the new value in that time. Other properties have no ramp: a change of `rate` is crossfaded in 50 ms,
          and `tuning/a4` applies to notes that are set or struck from then on.
        - `ramp/id`: for every bundle that contains one, subscribers of `layers` get `ramp/finished` exactly once: when the last of its ramps
          has ended, or at once if none started. This includes bundles whose commands were all refused, whatever the code, bundles that were
          refused themselves (413, 414), and waiting bundles dropped by a panic or at the end of the sender's lease. Bundles beyond the rate limit
          get \(Int(Peer.finishesPerSecond)) a second. A `ramp/id` that is refused itself (400) gets none.

        """
    }
}
