import ArgumentParser
import Foundation
import Library
import OSC
import Patches
import RemoteClient
import Terminal

struct SaveAsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save-as",
        abstract: "Save what a running instance plays, with its live edits, as a patch.",
        discussion: """
            Writes a new patch that sounds as the current item does now, in your folder of the library. The item itself is unchanged. Layers \
            that are muted, or not among the soloed ones, are written with a gain of -120 dB.

            EXAMPLES:
              binaural save-as dusk
              binaural save-as dusk --force        replace your patch of that name
              binaural save-as dusk --client studio
            """)

    @OptionGroup var instance: InstanceOptions

    @Flag(help: "Replace your patch of that name, or use the name of one that came with the program.")
    var force = false

    @ArgumentParser.Argument(help: "The name of the new patch.", completion: PatchCompletion.ofPatch)
    var name: String

    /// Seconds to wait for the answer: a disk may be slow.
    private static let wait = 10.0

    func validate() throws {
        if let fault = name.patchNameFault { throw ValidationError(fault) }
    }

    func run() throws {
        let instance = try instance.find()
        let channel = try InstanceChannel(to: instance.address)
        let message = OSCMessage(Conversation.root + "patch/save", [.string(name), .int32(force ? 1 : 0)])
        var conversation = Conversation(message)
        let outcome = conversation.hold(over: channel, wait: Self.wait) { _ in }
        let isAnswered = !conversation.successes.isEmpty
        try ConversationEnd.conclude(
            isAnswered || outcome != .done ? outcome : .silence, instance, wait: Self.wait,
            text: isatty(STDERR_FILENO) == 1 ? \.reason : \.text)
        print("Saved. Play it with 'binaural play \(ShellQuoting.word(name))'.")
        let own = try? Library(places: .current).find(.patches, plainName: name).path
        if let path = SavedPlace.path(over: channel, wait: Self.wait, expected: own) { print("Its file is \(path).") }
    }
}
