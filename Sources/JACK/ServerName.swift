import CJACK
import Foundation

/// The server that a client connects to by default: JACK_DEFAULT_SERVER, else "default", as in JACK itself.
public func defaultServerName(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    environment["JACK_DEFAULT_SERVER"].flatMap { $0.isEmpty ? nil : $0 } ?? "default"
}

/// The version of the loaded library, as it reports it: "1.9.21", or "3.0.0.0 (using PipeWire 0.3.65)" under pw-jack.
/// jack_get_version_string
public func libraryVersion() -> String {
    jack_get_version_string().map { String(cString: $0) } ?? ""
}

/// Whether the loaded library is PipeWire's.
public func libraryIsPipeWire() -> Bool {
    libraryVersion().contains("PipeWire")
}

/// Keeps every JACK library in this process and in programs it starts from starting a server by itself. Call it before other threads read
/// the environment. setenv
package func forbidStartingServers() {
    setenv("JACK_NO_START_SERVER", "1", 1)
}
