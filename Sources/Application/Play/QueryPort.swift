import Glibc
import HTTP
import OSC
import POSIX

/// `--osc-query`: the port of the OSCQuery server, and where it listens.
enum QueryPort {
    /// - Throws: `ApplicationError` naming the process that holds the port.
    static func bind(_ query: PlayConfiguration.Query, on thread: WebThread) throws -> WebServer {
        let addresses = try query.listen.map { text in
            guard let address = IPAddress(text) else {
                throw ApplicationError(.usage, "--osc-query-listen takes a numeric address such as 0.0.0.0 or 192.168.1.5, not '\(text)'.")
            }
            return "\(address)"
        }
        do {
            var bounds = WebServer.Bounds()
            bounds.pingInterval = query.pingInterval
            return try WebServer(
                port: query.port, listeningOn: addresses, hosts: HostRule(machine: MachineName.text, named: query.hosts), bounds: bounds,
                on: thread)
        } catch .portInUse(let port, let address) {
            let owner = PortOwner.of(port: port, .tcp).map { "\($0.name) (process \($0.pid))" } ?? "another program"
            throw ApplicationError(
                .unavailable,
                "TCP port \(port) on \(address) is in use by \(owner). Stop it, or choose another port with --osc-query, or auto.")
        } catch .failed(_, let address, let code) where code == EADDRNOTAVAIL {
            throw ApplicationError(.usage, "This machine does not have the address \(address) of --osc-query-listen.")
        } catch .failed(let call, let address, let code) {
            throw ApplicationError(
                .unavailable,
                "Cannot open TCP port \(query.port) on \(address): \(Errno(rawValue: code)) (\(call)). "
                    + "Choose another port with --osc-query, or off.")
        } catch .invalidAddress(let address) {
            throw ApplicationError(.usage, "--osc-query-listen cannot use the address \(address).")
        }
    }

    /// The URLs of the server for programs on other machines.
    static func urls(_ query: PlayConfiguration.Query, port: UInt16) -> [String] {
        query.listen.compactMap(IPAddress.init).filter { !$0.isLoopback }.map { address in
            if address.isUnspecified { return "http://\(MachineName.text).local:\(port)/" }
            return "http://\(Endpoint(host: address, port: port))/"
        }
    }
}
