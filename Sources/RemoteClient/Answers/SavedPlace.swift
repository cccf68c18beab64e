import OSC

/// The path under which an instance has saved a patch.
package enum SavedPlace {
    /// The path as the instance's last notice has it; `nil` if another notice has come meanwhile.
    ///
    /// - Parameter expected: the path that it has if the instance is on this machine, since a notice that is too long is cut.
    package static func path(over channel: InstanceChannel, wait: Double, expected: String?) -> String? {
        let log = Conversation.root + "log"
        var conversation = Conversation(OSCMessage(log))
        var notice: String?
        _ = conversation.hold(over: channel, wait: wait) { message in
            if message.address == log, let text = message.arguments.first { notice = ArgumentText.plain(text) }
        }
        return notice.flatMap { path(in: $0, expected: expected) }
    }

    static func path(in notice: String, expected: String?) -> String? {
        let beginning = "The patch is saved in "
        guard notice.hasPrefix(beginning) else { return nil }
        if notice.hasSuffix(".yaml.") { return String(notice.dropFirst(beginning.count).dropLast()) }
        return expected.flatMap { "\(beginning)\($0).".hasPrefix(notice) ? $0 : nil }
    }
}
