import ArgumentParser
import Foundation
import RemoteClient
import Synchronization
import Terminal

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show what a running instance plays, and follow it.",
        discussion: """
            On a terminal two lines that move, elsewhere a line for every change. An instance that ends is waited for; q or Ctrl-C \
            leaves.

            EXAMPLES:
              binaural watch
              binaural watch --client studio --meters
              binaural watch --to 192.168.1.20:7830
            """)

    @OptionGroup var instance: InstanceOptions

    @Flag(help: "Show the level of the sound too.")
    var meters = false

    func run() async throws {
        // A host name is looked up once; an instance's file is read again whenever nobody answers.
        let named = try instance.to.map { try RunningInstance.at($0) }
        let terminal = TerminalView()
        defer { terminal.restore() }
        let signals = Signals(terminal: terminal)
        let end = End()
        let (client, showsPeak) = (instance.client, meters)
        let thread = Thread {
            var watching = Watching(terminal, showsPeak: showsPeak) { try named ?? RunningInstance.find(client: client) }
            watching.run { !end.isWanted.load(ordering: .relaxed) }
            end.hasCome.signal()
        }
        thread.name = "watch"
        thread.start()
        await withTaskGroup { group in
            group.addTask { for await key in terminal.keys where key == .leave { return } }
            group.addTask { for await _ in signals.requests { return } }
            await group.next()
            group.cancelAll()
        }
        end.isWanted.store(true, ordering: .relaxed)
        end.wait()
    }

    private final class End: Sendable {
        let isWanted = Atomic(false)
        let hasCome = DispatchSemaphore(value: 0)

        /// The last thing to be done.
        func wait() { hasCome.wait() }
    }
}
