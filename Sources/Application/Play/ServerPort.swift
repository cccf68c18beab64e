import Glibc
import HTTP
import OSC
import OperatingSystem

/// The TCP port of a web server: that of `--osc-query` or `--web`.
struct ServerPort {
    /// The option that names the port, without the dashes; `-listen` after it names the addresses.
    let option: String
    /// 0 is any free port.
    let port: UInt16
    /// Numeric addresses to listen on besides 127.0.0.1.
    let listen: [String]
    /// Names of this machine that requests may use.
    let hosts: [String]
    /// A port of 127.0.0.1 for a proxy, that of the option with `-proxy` after it; `nil` for none.
    var proxy: UInt16?

    /// - Throws: `ApplicationError` naming the process that holds the port.
    func bind(_ bounds: WebServer.Bounds, on thread: WebThread) throws(ApplicationError) -> WebServer {
        let addresses = try listen.map { text throws(ApplicationError) in
            guard let address = IPAddress(text) else {
                throw ApplicationError(.usage, "--\(option)-listen takes a numeric address such as 0.0.0.0 or 192.168.1.5, not '\(text)'.")
            }
            return "\(address)"
        }
        do throws(ListenError) {
            return try WebServer(
                port: port, listeningOn: addresses, proxyPort: proxy, hosts: HostRule(machine: MachineName.text, named: hosts),
                bounds: bounds,
                on: thread)
        } catch {
            throw words(for: error)
        }
    }

    private func words(for error: ListenError) -> ApplicationError {
        switch error {
        case .portInUse(let port, let address):
            let owner = PortOwner.of(port: port, .tcp).map { "\($0.name) (process \($0.pid))" } ?? "another program"
            let remedy = port == proxy && port != self.port ? "--\(option)-proxy." : "--\(option), or auto."
            return ApplicationError(
                .unavailable,
                "TCP port \(port) on \(address) is in use by \(owner). Stop it, or choose another port with \(remedy)")
        case .failed(_, let address, let code) where code == EADDRNOTAVAIL:
            return ApplicationError(.usage, "This machine does not have the address \(address) of --\(option)-listen.")
        case .failed(let call, let address, let code):
            return ApplicationError(
                .unavailable,
                "Cannot open TCP port \(port) on \(address): \(Errno(rawValue: code)) (\(call)). "
                    + "Choose another port with --\(option), or off.")
        case .invalidAddress(let address): return ApplicationError(.usage, "--\(option)-listen cannot use the address \(address).")
        }
    }
}

extension PlayConfiguration.Query {
    /// - Throws: `ApplicationError` naming the process that holds the port.
    func bind(on thread: WebThread) throws(ApplicationError) -> WebServer {
        var bounds = WebServer.Bounds()
        bounds.pingInterval = pingInterval
        return try ServerPort(option: "osc-query", port: port, listen: listen, hosts: hosts).bind(bounds, on: thread)
    }

    /// The URLs of the server at this port for programs on other machines.
    func urls(port: UInt16) -> [String] {
        listen.compactMap(IPAddress.init).filter { !$0.isLoopback }.map { address in
            if address.isUnspecified { return "http://\(MachineName.text).local:\(port)/" }
            return "http://\(Endpoint(host: address, port: port))/"
        }
    }
}
