import Application
import ArgumentParser
import HTTP

/// The options of the OSCQuery server.
struct QueryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the OSC addresses over OSCQuery (HTTP and WebSocket) at this TCP port of 127.0.0.1; auto uses any free one. Default: off.",
            valueName: "port|auto|off"))
    var oscQuery: QueryOption?

    @Option(
        help: ArgumentHelp(
            "Also serve OSCQuery, read only, to other machines on this address, such as 0.0.0.0. May be repeated.", valueName: "address"))
    var oscQueryListen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also accept OSCQuery requests whose Host header has this name, such as a proxy's. May be repeated.", valueName: "name"))
    var oscQueryHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Ping an OSCQuery WebSocket after this many seconds of silence; one that misses two pings is closed.",
            valueName: "seconds", visibility: .hidden))
    var oscQueryPing = WebServer.pingInterval

    func validate() throws {
        guard (0.01...3600).contains(oscQueryPing) else {
            throw ValidationError("--osc-query-ping takes seconds, 0.01 to 3600, not \(oscQueryPing).")
        }
        if (oscQuery ?? .off) == .off, let option = oscQueryListen.isEmpty ? oscQueryHost.isEmpty ? nil : "host" : "listen" {
            throw ValidationError("--osc-query-\(option) needs --osc-query PORT, or auto.")
        }
    }

    /// `nil` is off.
    var configuration: PlayConfiguration.Query? {
        guard case .on(let port)? = oscQuery else { return nil }
        var query = PlayConfiguration.Query(port: port.number)
        (query.listen, query.hosts, query.pingInterval) = (oscQueryListen, oscQueryHost, oscQueryPing)
        return query
    }
}

enum QueryOption: ExpressibleByArgument, Equatable, Sendable {
    case off
    case on(PortOption)

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let port = PortOption(argument: argument) {
            self = .on(port)
        } else {
            return nil
        }
    }
}
