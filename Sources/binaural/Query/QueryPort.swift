import Foundation
import HTTP
import OSC

/// `--osc-query`: the port of the OSCQuery server.
enum QueryPort {
    /// - Parameter pingInterval: Seconds of silence after which a WebSocket is pinged.
    /// - Returns: `nil` if it is off.
    /// - Throws: `ProgramError` 69, naming the process that holds the port.
    static func bind(_ option: QueryOption, pingInterval: Double) throws -> WebServer? {
        let port: UInt16
        switch option {
        case .off: return nil
        case .on(.any): port = 0
        case .on(.number(let number)): port = number
        }
        do {
            return try WebServer(port: port, pingInterval: pingInterval)
        } catch .portInUse {
            let owner = PortOwner.of(port: port, .tcp).map { "\($0.name) (process \($0.pid))" } ?? "another program"
            throw ProgramError(
                .unavailable,
                "TCP port \(port) on 127.0.0.1 is in use by \(owner). Stop it, or choose another port with --osc-query, or auto.")
        } catch .failed(let call, let code) {
            throw ProgramError(
                .unavailable,
                "Cannot open TCP port \(port) on 127.0.0.1: \(String(cString: strerror(code))) (\(call)). "
                    + "Choose another port with --osc-query, or off.")
        }
    }
}
