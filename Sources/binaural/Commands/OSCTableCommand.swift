import ArgumentParser
import OSCRemote

/// Writes the reference of all addresses, for `docs/osc.md`.
struct OSCTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "osc-table", abstract: "Write the reference of all OSC addresses, as Markdown.", shouldDisplay: false)

    func run() { print(AddressTable.standard.markdown, terminator: "") }
}
