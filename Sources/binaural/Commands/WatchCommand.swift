import ArgumentParser
import Foundation
import RemoteClient
import Synchronization
import Terminal

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show what a running instance plays, and control it with keys.",
        discussion: """
            Shows chapters, layers, levels and meters on a terminal, and takes the same keys as play, which ? lists; otherwise prints a line \
            for every change. If the instance ends, waits for it to come back. Press q or Ctrl-C to exit.

            EXAMPLES:
              binaural watch
              binaural watch --client studio --meters
              binaural watch --to 192.168.1.20:7830
            """)

    @OptionGroup var instance: InstanceOptions

    @Flag(help: "Show the output level also as numbers.")
    var meters = false

    func run() async throws {
        // A host name is looked up once; an instance's file is read again whenever nobody answers.
        let named = try instance.to.map { try RunningInstance.at($0) }
        let terminal = TerminalView()
        defer { terminal.restore() }
        let signals = try Signals(terminal: terminal)
        let end = End()
        let (client, showsPeak) = (instance.client, meters)
        let keys = WaitingKeys()
        let thread = Thread {
            var watching = Watching(terminal, keys: keys, showsPeak: showsPeak) { try named ?? RunningInstance.find(client: client) }
            watching.run { !end.isWanted.load(ordering: .relaxed) }
            end.hasCome.signal()
        }
        thread.name = "watch"
        thread.start()
        await withTaskGroup { group in
            group.addTask {
                for await key in terminal.keys {
                    if key == .leave { return }
                    keys.add(key)
                }
            }
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

        /// Returns when the program may end.
        func wait() { hasCome.wait() }
    }
}
