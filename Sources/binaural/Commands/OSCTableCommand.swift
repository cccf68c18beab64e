import ArgumentParser
import OSCRemote

/// Writes all addresses: the reference for `docs/osc.md`, or the input of `scripts/make-layouts`.
struct OSCTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "osc-table", abstract: "Write the reference of all OSC addresses, as Markdown.", shouldDisplay: false)

    @Flag(help: "Write the table as JSON.")
    var json = false

    func run() { print(json ? AddressTable.standard.json : AddressTable.standard.markdown, terminator: "") }
}
