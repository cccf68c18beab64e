/// The worked example at the beginning of the reference; a test sends what it sends and compares the answers.
enum WorkedExample {
    private static let root = OSCAddress.root

    static let text = """
        [remote.md](remote.md) explains roles, subscriptions and control surfaces.

        ## A worked example

        `binaural play welcome --paused` is running, and a client on the same machine sends UDP packets from its port 9000 to port \(OSCServerConfiguration.defaultPort).
        `→` marks a message that the client sends and `←` one that it receives, each with address, type tags and arguments.
        To try it, run `binaural ctl --repl --raw` and type the messages without `\(root)/` and without type tags, such as `layer/1/beat 4 10 sineInOut`.

        The client requests a reply to every command, then presses a button. Playback starts.

        ```
        → \(root)/replies ,i 2
        ← \(root)/reply ,sis "\(root)/replies" 0 "server"
        → \(root)/toggle
        ← \(root)/reply ,sis "\(root)/toggle" 0 "application"
        ```

        It reads the beat of the first layer and makes it glide to 4 Hz in ten seconds.

        ```
        → \(root)/layer/1/beat
        ← \(root)/layer/1/beat ,f 6
        → \(root)/layer/1/beat ,ffs 4 10 "sineInOut"
        ← \(root)/reply ,sis "\(root)/layer/1/beat" 0 "layer/1"
        ```

        In bytes, the first two of these packets are:

        ```
        2f 62 69 6e 61 75 72 61 6c 2f 6c 61 79 65 72 2f 31 2f 62 65 61 74 00 00 2c 00 00 00
        2f 62 69 6e 61 75 72 61 6c 2f 6c 61 79 65 72 2f 31 2f 62 65 61 74 00 00 2c 66 00 00 40 c0 00 00
        ```

        It subscribes to a topic. The answer is followed by a bundle with all values of the topic; `snapshot/end` marks the end.

        ```
        → \(root)/subscribe ,s "mixer"
        ← \(root)/subscribed ,siii "mixer" 1 30 9000
        ← \(root)/touch/master/gain ,i 0
        ← \(root)/touch/tuning/a4 ,i 0
        ← \(root)/master/gain ,f 0
        ← \(root)/master/gain/norm ,f 1
        ← \(root)/master/mute ,i 0
        ← \(root)/tuning/a4 ,f 440
        ← \(root)/tuning/a4/norm ,f 0.34285715
        ← \(root)/snapshot/end ,s "mixer"
        ← \(root)/alive ,hi 1791587119199739021 1
        ```

        It sets the level. Other subscribers get both values at once. The client itself gets `…/norm`, the same value as a number from 0 to 1, at
        once, and the value that it set after 150 ms, so that a fader does not jump under the finger. `alive` counts the packets with changes.

        ```
        → \(root)/master/gain ,f -12
        ← \(root)/reply ,sis "\(root)/master/gain" 0 "application"
        ← \(root)/master/gain/norm ,f 0.8
        ← \(root)/alive ,hi 1791587119199739021 2
        ← \(root)/master/gain ,f -12
        ← \(root)/alive ,hi 1791587119199739021 3
        ```

        A value out of range is clamped. The applied value is sent back at once, since it differs from the one that was set.

        ```
        → \(root)/master/gain ,f 20
        ← \(root)/reply ,sis "\(root)/master/gain" 0 "application"
        ← \(root)/master/gain ,f 0
        ← \(root)/master/gain/norm ,f 1
        ← \(root)/alive ,hi 1791587119199739021 4
        ```

        An error is answered with a code and a sentence, unless `replies` is 0.

        ```
        → \(root)/layer/9/beat
        ← \(root)/error ,sis "\(root)/layer/9/beat" 404 "There is no such layer: the current item has 3."
        ```

        """
}
