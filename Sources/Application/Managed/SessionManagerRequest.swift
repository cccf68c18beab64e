import OSC

/// A message from a session manager to a client (NSM protocol, version 1).
package enum SessionManagerRequest: Equatable, Sendable {
    /// The manager accepts the client: its message, its name, and its capabilities.
    case welcome(String, manager: String, capabilities: Set<String>)
    /// The manager refuses the client.
    case refusal(code: Int32, String)
    /// Open or create the project at that path, which is the client's own; show `displayName` to users, and use `clientID` as the JACK
    /// client name.
    case open(path: String, displayName: String, clientID: String)
    case save
    /// All clients of the session have been started.
    case sessionIsLoaded

    /// Parses a message; `nil` if it is not part of the protocol, or of a part that does not concern this client.
    package init?(_ message: OSCMessage) {
        let texts = message.arguments.map { if case .string(let text) = $0 { text } else { nil as String? } }
        func text(_ index: Int) -> String? { texts.indices.contains(index) ? texts[index] : nil }
        switch message.address {
        case "/reply":
            guard text(0) == Self.announce else { return nil }
            let capabilities = (text(3) ?? "").split(separator: ":").map(String.init)
            self = .welcome(text(1) ?? "", manager: text(2) ?? "", capabilities: Set(capabilities))
        case "/error":
            guard text(0) == Self.announce, message.arguments.count >= 3, case .int32(let code) = message.arguments[1] else { return nil }
            self = .refusal(code: code, text(2) ?? "")
        case "/nsm/client/open":
            guard let path = text(0), let name = text(1), let client = text(2) else { return nil }
            self = .open(path: path, displayName: name, clientID: client)
        case "/nsm/client/save": self = .save
        case "/nsm/client/session_is_loaded": self = .sessionIsLoaded
        default: return nil
        }
    }

    static let announce = "/nsm/server/announce"
}

/// A message from a client to a session manager.
package enum SessionManagerNotice: Equatable, Sendable {
    /// The client announces itself: the program's name without arguments, and capabilities such as ":switch:dirty:".
    case announcement(name: String, capabilities: String, program: String, pid: Int32)
    case opened(String)
    case saved(String)
    case openFailed(Failure, String)
    case saveFailed(Failure, String)
    case isDirty(Bool)
    /// Progress of opening or saving, 0...1.
    case progress(Double)
    /// A message for the user; importance 0 is lowest, 3 highest.
    case text(String, importance: Int32)

    package enum Failure: Int32, Sendable {
        case general = -1
        /// Unsaved changes would be lost.
        case unsavedChanges = -7
        /// It may work later: the session is in use, or JACK is away.
        case notNow = -8
        /// The project exists but cannot be read.
        case badProject = -9
        case cannotCreate = -10
    }

    package var message: OSCMessage {
        switch self {
        case .announcement(let name, let capabilities, let program, let pid):
            OSCMessage(
                SessionManagerRequest.announce,
                [.string(name), .string(capabilities), .string(program), .int32(1), .int32(2), .int32(pid)])
        case .opened(let text): OSCMessage("/reply", [.string("/nsm/client/open"), .string(text)])
        case .saved(let text): OSCMessage("/reply", [.string("/nsm/client/save"), .string(text)])
        case .openFailed(let failure, let text):
            OSCMessage("/error", [.string("/nsm/client/open"), .int32(failure.rawValue), .string(text)])
        case .saveFailed(let failure, let text):
            OSCMessage("/error", [.string("/nsm/client/save"), .int32(failure.rawValue), .string(text)])
        case .isDirty(let isDirty): OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")
        case .progress(let part): OSCMessage("/nsm/client/progress", [.float(Float(part))])
        case .text(let text, let importance): OSCMessage("/nsm/client/message", [.int32(importance), .string(text)])
        }
    }
}
