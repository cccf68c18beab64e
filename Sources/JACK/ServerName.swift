import CJACK
import Foundation

/// The server that a client reaches when none is named: JACK_DEFAULT_SERVER, else "default", as JACK itself chooses.
package func defaultServerName(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    environment["JACK_DEFAULT_SERVER"].flatMap { $0.isEmpty ? nil : $0 } ?? "default"
}

/// The library that was loaded, in its own words: "1.9.21", or "3.0.0.0 (using PipeWire 0.3.65)" under pw-jack. jack_get_version_string
package func libraryVersion() -> String {
    jack_get_version_string().map { String(cString: $0) } ?? ""
}

/// Whether the library that was loaded is PipeWire's.
package func libraryIsPipeWire() -> Bool {
    libraryVersion().contains("PipeWire")
}

/// Tells every JACK library in this process, and those in programs it starts, never to start a server by themselves. Call it before other threads
/// read the environment. setenv
package func forbidStartingServers() {
    setenv("JACK_NO_START_SERVER", "1", 1)
}
