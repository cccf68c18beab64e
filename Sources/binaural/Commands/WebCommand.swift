import ArgumentParser
import Foundation
import Library
import OSCRemote
import Terminal
import WebPanel

struct WebCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web",
        abstract: "Pair devices with the panel in a browser, list them, and revoke them.",
        discussion: """
            A device opens the panel of an instance that was started with --web-listen. It is paired once, with a link that is valid for five \
            minutes, and keeps a key.

            EXAMPLES:
              binaural web pair                print a link for one device
              binaural web pair --role view    for one that only shows what is playing
              binaural web list                list the paired devices
              binaural web revoke 2            disconnect device 2 and refuse its key
            """,
        subcommands: [Pair.self, List.self, Revoke.self])

    fileprivate static var access: AccessFile { AccessFile(folder: Places.current.stateHome) }

    struct Pair: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link that pairs one device, within five minutes, and on a terminal its QR code.",
            discussion: """
                EXAMPLES:
                  binaural web pair --role view
                """)

        @Option(
            help: ArgumentHelp(
                "What the device may do: read only (view), control the player (control), or also quit the program (admin).",
                valueName: "view|control|admin"))
        var role = Role.control

        func run() throws {
            let urls = try WebCommand.access.urls()
            guard !urls.isEmpty else {
                throw ProgramError(.unavailable, "No panel for other devices is running: start binaural with --web-listen 0.0.0.0.")
            }
            let token = try WebCommand.access.addToken(for: role, at: Date().timeIntervalSince1970)
            for url in urls { print("\(url)#\(token)") }
            // The prompt follows.
            for line in QRCode.lines(for: "\(urls[0])#\(token)", beside: urls.count + 1) { print(line) }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the paired devices: number, role, date of pairing, name.",
            discussion: """
                EXAMPLES:
                  binaural web list
                """)

        func run() throws {
            let clients = try WebCommand.access.clients()
            if clients.isEmpty, isatty(STDOUT_FILENO) == 1 { print("No devices are paired: use 'binaural web pair'.") }
            for client in clients {
                let day = Date(timeIntervalSince1970: client.paired).formatted(.iso8601.year().month().day())
                print("\(client.id)\t\(client.access.rawValue)\t\(day)\t\(client.name)")
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a paired device: it is disconnected within two seconds, and its key is no longer valid.",
            discussion: """
                EXAMPLES:
                  binaural web revoke 2
                """)

        @Argument(help: "The number of the device, as in 'binaural web list'.")
        var number: Int

        func run() throws {
            guard let client = try WebCommand.access.revoke(number) else {
                throw ProgramError(.badFile, "No device has the number \(number): see 'binaural web list'.")
            }
            print("Revoked: \(client.name).")
        }
    }
}
