import ArgumentParser
import RemoteClient

/// The options that select a running instance.
struct InstanceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Use the instance with this JACK client name.", valueName: "name"),
        completion: .custom { _, _, _ in RunningInstance.names() })
    var client: String?

    @Option(help: ArgumentHelp("Use the instance that listens at this address.", valueName: "host:port|unix:path"))
    var to: String?

    func validate() throws {
        guard client == nil || to == nil else {
            throw ValidationError("--client and --to both choose the instance: use only one of them.")
        }
    }

    func find() throws -> RunningInstance {
        if let to { try RunningInstance.at(to) } else { try RunningInstance.find(client: client) }
    }
}
