import Playback

extension ReferencePage {
    /// The part of the page that is not in the tables: codes, answers, topics, and the rules of the conversation.
    var rules: String {
        """

        ## Codes

        | code | name | meaning |
        |---|---|---|
        \(CommandStatus.allCases.map { "| \($0.rawValue) | \($0) | \($0.meaning) |" }.joined(separator: "\n"))

        ## Answers

        Only the server sends these messages; it ignores them when it receives them. The type tags are those of the arguments.

        \(Answer.all.map { "- `\($0.path)` `,\($0.typeTags)` \($0.meaning)" }.joined(separator: "\n"))

        The responder in a `reply` is the part of the program that carried out the command. Each command is offered to these responders in this order,
        beginning with the layer in the address, or the selected layer:

        | responder | carries out |
        |---|---|
        | `transport` | play, pause, stop and position while JACK's transport is followed or led |
        | `layer/N` | parameters, wave, mute, solo, reset and touches of that layer |
        | `patch` | chapters and positions within the item |
        | `item` | rating, likes, bookmarks and presets of the item, changes of its chapters and cues |
        | `queue` | next and previous item, repeat, shuffle, and changes of the queue |
        | `application` | playing and stopping, rate, master, tuning, sleep timer, undo, MIDI, JACK, sessions, preferences, quitting |
        | `server` | settings of the connection itself, such as `replies` |

        ## Topics

        `subscribe ,s` topic [`,i` port] [`,i` seconds] [`,s` cookie]: feedback is sent to this port of the sender's address; 0 is the port that the
        message came from. The lease is \(Int(Peer.defaultLease)) s by default and \(Int(Peer.longestLease)) s at most, and every packet from the peer renews it. Subscribing
        again is allowed, and sends the snapshot again.

        \(Topic.Group.allCases.map { "- `\($0.form)`: \($0.meaning)" }.joined(separator: "\n"))
        - `/binaural/…`: an address that can be read, or a pattern. A pattern matches the addresses marked *patterns* that belong to a topic without a
          rate. It matches none of `jack/*`, `session/*` and `preferences/*`, and no address whose value changes merely because time passes. Without
          wildcards, any readable address is possible; if its value changes with time, as with `position`, `meter` and `status`, it is sent about 20
          times a second.

        Changes are sent at once, with only the latest value of each address, in at most 50 packets a second to each peer. Packets with changes are
        numbered, and `alive` carries the number of the last one: **a client that sees a gap, or another boot id, must subscribe again.** A
        client that pings sees in the boot id of `pong` that the program has been restarted, and must subscribe again, too. The sender of
        a change gets it back at once if the applied value differs, and otherwise after 150 ms without another change. Setting a value that is already set sends
        nothing to anybody. Packets that contain only messages of the kind that a server sends get no answer and renew no lease, so that two instances
        subscribed to each other do not loop. The same applies to a message to a read-only address whose arguments have the types of its answer; other
        arguments are an error (400). To read an address, send it without arguments.

        ## Rules

        - Roles: `view` can read and subscribe; `control` can also set values and send commands; `admin` can also quit the program and set
          preferences that apply at the next start. Loopback and Unix sockets have the role `admin` unless `--osc-local-role` lowers it. Other
          addresses need `--osc-allow CIDR=view|control|admin`; without it, only `hello` is answered.
        - Cookie: `hello` is answered with `welcome`, which has a cookie, if it is as long as the answer (48 bytes, for which a padding of 20 bytes is
          enough). By sending the cookie back in `subscribe`, a peer proves that it receives what is sent to its address. An address that is not allowed is then answered with error 401, which names the option that
          it needs; until then, the server never sends it more bytes than it received from it. An allowed address needs no cookie.
        - Limits: \(PeerTable.maximumCount) peers, \(Peer.maximumSubscriptionCount) topics each; \(Int(RateLimits.messagesPerSecond)) messages a second from an address beyond loopback, \(Int(RateLimits.burst)) in a burst; \(Int(Peer.errorsPerSecond)) errors a second to a
          peer; a pattern sets at most \(AddressTable.maximumTargetCount) addresses; the patterns of a peer, in messages and subscriptions, match at most
          \(Int(Peer.matchesPerSecond)) addresses a second, \(Int(Peer.matchBurst)) in a burst (429), also on this machine; the items of `course/point/list`
          count as well; outgoing packets have at most \(AddressTable.maximumPacketSize) bytes. A peer that was unreachable \(Peer.unreachableLimit) times is forgotten.
        - Layers by name: `layer/bed/gain` is `layer/1/gain` if the first layer of the current item is called `bed`; the same goes for all
          addresses of a layer, also below `touch/`, in `describe`, and for MIDI controllers, which then move the layer of that name in every
          item. A name is 1 to 64 letters, digits, `-` and `_`, and is compared exactly. Digits alone are always a number and `selected` is
          always the selected layer, whatever layers are called. A name that no layer has is an error (404), one that several layers have
          too (400, with their numbers). Questions and commands are answered with the name that was sent; feedback always has the number,
          also to a subscriber to `/binaural/layer/bed/gain`, which follows the name from item to item. Patterns match numbers and names,
          each layer once, and are answered by number.
        - Values below an address: an address with others below it, such as `layer/1`, is answered with all readable values below it, but not
          their twins, if it is sent without arguments; no command is run. `layer` answers the number of layers, the selected one, and the name and
          kind of each, at most \(AddressTable.maximumTargetCount) values. Where there are more than \(AddressTable.maximumTargetCount), as below `touch`, it is an error (400); `/binaural` alone is not an address.
        - A misspelt address is an error (404) whose sentence suggests the nearest address, if there is one.
        - Outgoing texts are cut at a character boundary: a title at \(Text.titleLimit) bytes, a comment at \(Text.commentLimit), a notice at \(Text.noticeLimit), others at \(Text.limit);
          in errors and notices, only the names are cut. A path (`now/artwork`) longer than \(Text.pathLimit) bytes is sent as an empty string; other machines get the
          name of the file only.
        - Errors and notices about an invalid patch, session or preferences file name the file and the position of its first mistake, but never
          quote its text, since the file may be a link to a private one. `binaural check` shows the line.
        - Bundles: all messages of a bundle take effect at the same frame, that of the time tag. An invalid message is answered with an error; the others
          are applied. A time tag can be at most \(Int(BundleSchedule.horizon)) s ahead; \(BundleSchedule.limitPerPeer) messages of a peer and \(BundleSchedule.limit) in all can wait. A late bundle is
          applied at once and counted in `bundles`. Messages that read or write files, and `quit`, are carried out after the others. JACK's transport,
          led or followed, starts and stops with the first cycle that begins at that frame or later. Where the master first falls because a layer would
          become [much louder](player.md#safe-levels), the change that makes it louder is heard 20 ms later, as are those after it in the bundle. With
          `--osc-timetags immediate`, time tags are ignored.
        - `session/load`, and `session/save` under another name, are answered when the session has been read or written. Until then, but at most
          \(Int(WaitingSenders.longestWait)) s, the sender's next packets wait, since they are meant for that session; other peers are not delayed.
        - Ramps: addresses with [*ramp*] move to the new value in the given time. Other properties have no ramp: a change of `rate` is crossfaded in 50 ms,
          and `tuning/a4` moves the notes of patches in 50 ms, unless a patch has a `tuning` of its own, and applies to notes that are set or struck after
          it.
        - `ramp/id`: for every bundle that contains one, subscribers of `layers` get `ramp/finished` exactly once: when the last of its ramps
          has ended, or at once if it starts none. This includes bundles whose commands were all refused, with any code; bundles that were
          refused as a whole (413, 414); and waiting bundles dropped by a panic or at the end of the sender's lease. Bundles beyond the rate limit
          get \(Int(Peer.finishesPerSecond)) a second. A `ramp/id` that is itself refused (400) gets none.

        """
    }
}
