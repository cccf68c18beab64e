import HTTP
import OSC
import POSIX

/// `--osc-query`: the port of the OSCQuery server.
enum QueryPort {
    /// - Throws: `ApplicationError` naming the process that holds the port.
    static func bind(_ query: PlayConfiguration.Query) throws -> WebServer {
        let port = query.port
        do {
            return try WebServer(port: port, pingInterval: query.pingInterval)
        } catch .portInUse {
            let owner = PortOwner.of(port: port, .tcp).map { "\($0.name) (process \($0.pid))" } ?? "another program"
            throw ApplicationError(
                .unavailable,
                "TCP port \(port) on 127.0.0.1 is in use by \(owner). Stop it, or choose another port with --osc-query, or auto.")
        } catch .failed(let call, let code) {
            throw ApplicationError(
                .unavailable,
                "Cannot open TCP port \(port) on 127.0.0.1: \(Errno(rawValue: code)) (\(call)). "
                    + "Choose another port with --osc-query, or off.")
        }
    }
}
