import Application
import ArgumentParser

/// The options of the panel in a browser.
struct WebOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Serve a page that controls the player, and OSC over WebSocket, at this TCP port of 127.0.0.1; auto uses 7880 or any free one. \
            Default: the preference web, off.
            """, valueName: "off|auto|port"))
    var web: WebPort?

    @Option(
        help: ArgumentHelp(
            """
            Serve the page to paired devices on this address as well, such as 0.0.0.0. May be repeated. Default: the preference webListen.
            """, valueName: "address"))
    var webListen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also accept requests for the page whose Host header has this name, such as a proxy's. May be repeated. Default: the preference webHost.",
            valueName: "name"))
    var webHost: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Serve the page at this TCP port of 127.0.0.1 as well, for a proxy on this machine: everybody who comes through it has to be paired. \
            Without it, --web-host lets nobody in unpaired. Default: the preference webProxy, none.
            """, valueName: "port"))
    var webProxy: UInt16?

    func validate() throws {
        guard web == .off, !webListen.isEmpty || webProxy != nil else { return }
        let other = webListen.isEmpty ? "--web-proxy" : "--web-listen"
        throw ValidationError("--web off and \(other) contradict each other: use only one of them.")
    }

    var configuration: PlayConfiguration.Web {
        var configuration = PlayConfiguration.Web()
        (configuration.port, configuration.listen, configuration.hosts, configuration.proxy) = (web, webListen, webHost, webProxy)
        return configuration
    }
}

extension WebPort: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
