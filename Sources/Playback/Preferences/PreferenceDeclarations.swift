import Patches

/// All preferences. To add one, add a property here: files, OSC and the docs use the property's name. Those of a group are its properties, too.
@dynamicMemberLookup
package struct PreferenceDeclarations: Sendable {
    package let skipIntervals = Preference(
        [15, 30, 60], in: 0.1...86_400, .seconds, upTo: 4, "Lengths of a skip; skip/forward and skip/backward use the first one.")
    package let buttonWindow = Preference(
        0.35, in: 0.1...2, .seconds, "One-button remote: presses at most this far apart belong together.")
    package let buttonHold = Preference(0.5, in: 0.1...5, .seconds, "One-button remote: a button pressed for this long counts as held.")
    package let shortFade = Preference(0.02, in: 0.005...1, .seconds, "Fade for play, pause, stop, seek and a change of item.")
    package let crossfade = Preference(
        0, in: 0...30, .seconds, "How long an item overlaps the next one; 0: no overlap.")
    package let sleepFade = Preference(60, in: 0...3600, .seconds, "Default fade time of the sleep timer.")
    package let sleepEasing = Preference(Easing.sineIn, "Default easing of the sleep timer's fade, in dB.")
    package let softStart = Preference(
        1, in: 0...10, .seconds, .atStart, "Shortest fade-in time of the first sound; 0: at once.")
    package let maximumLevel = Preference(
        0, in: -60...0, .decibels, .atStart, "Highest master level: no command, key, controller or session exceeds it.")
    package let shake = Preference(ShakeAction.undo, "Command that a shake runs.")
    package let oscPort = Preference(7830, in: 0...65_535, .atStart, "UDP port of the remote control; 0 chooses any free one.")
    package let oscAddress = Preference(
        "127.0.0.1", .address, .atStart, "Address to listen on besides 127.0.0.1.")
    package let oscListen = Preference(
        upTo: 8, .listening, .atStart, "Addresses and Unix sockets to listen on; if not empty, instead of oscAddress.")
    package let oscAllow = Preference(upTo: 8, .access, .atStart, "Networks that may connect, each with its role.")
    package let oscFeedback = Preference(upTo: 8, .feedback, .atStart, "Control surfaces that cannot subscribe, each with its topics.")
    package let zeroconf = Preference(
        NetworkAnnouncing.auto, .atStart, "Announce OSC and OSCQuery in the network (zeroconf).")
    let panel = PanelPreferences()
    package let startSession = Preference("", .sessionName, .atStart, "Session to start with; if empty, the last one resumes.")
    package let connect = Preference(
        "auto", .connection, .atStart, "Ports to connect the outputs to in a session that was never connected.")
    package let transport = Preference(
        StartTransport.session, .atStart, "Mode of JACK's transport; session: as the session was saved.")
    package let outputs = Preference(OutputPorts.mix, .atStart, "Ports for the mix only, or also a pair for each layer.")
    package let mpris = Preference(
        MediaControls.auto, .atStart, "Media keys and lock screens: auto, if there is a session bus, or off.")
    package let inhibitSleep = Preference(
        SleepInhibition.auto, "Keep the machine from suspending while it plays; auto: with a sleep timer or --at.")

    package subscript<Value>(dynamicMember path: KeyPath<PanelPreferences, Preference<Value>>) -> Preference<Value> { panel[keyPath: path] }
}

/// The preferences of the panel in a browser.
package struct PanelPreferences: Sendable {
    package let web = Preference(
        "off", .webPort, .atStart, "TCP port of the panel in a browser; auto: 7880, or any free one; off: none.")
    package let webListen = Preference(upTo: 8, .address, .atStart, "Addresses on which other devices reach the panel, unless web is off.")
    package let webHost = Preference(upTo: 8, .hostName, .atStart, "Host names that browsers may use for this machine, such as a proxy's.")
    package let webProxy = Preference(
        0, in: 0...65_535, .atStart, "TCP port of 127.0.0.1 for a proxy before the panel; 0: none.")
}

/// Whether the program appears on the session bus as a media player.
package enum MediaControls: String, PreferenceValue, CaseIterable {
    /// If there is a session bus.
    case auto
    case off
}

/// The conditions under which the machine is kept from suspending.
package enum SleepInhibition: String, PreferenceValue, CaseIterable {
    /// While something plays with a sleep timer, or was started at a time.
    case auto
    /// While something plays.
    case on
    case off
}

/// The mode of JACK's transport at the start of the program.
package enum StartTransport: String, PreferenceValue, CaseIterable {
    /// The session's own mode.
    case session
    case none, follow, lead
}

/// Whether the program is announced in the network.
package enum NetworkAnnouncing: String, PreferenceValue, CaseIterable {
    /// If it listens beyond this machine, and Avahi runs.
    case auto
    case off
}

/// The JACK ports that the program has for its sound.
package enum OutputPorts: String, PreferenceValue, CaseIterable {
    case mix
    /// Also a pair for each of the first layers.
    case layers

    /// The number of layers with ports of their own.
    package var layerCount: Int { self == .layers ? 16 : 0 }
}

extension Easing: PreferenceValue {}

/// The action of a shake: a command, or none.
package enum ShakeAction: String, PreferenceValue, CaseIterable {
    case none, undo, redo, play, pause, toggle, stop, next, previous, nextItem, previousItem, skipForward, skipBackward, panic
}
