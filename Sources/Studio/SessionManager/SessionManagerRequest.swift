import OSC

/// What a session manager says to a client: NSM's protocol, version 1, as its public description has it.
package enum SessionManagerRequest: Equatable, Sendable {
    /// It has taken us in: what it says to that, its name, and what it can do.
    case welcome(String, manager: String, capabilities: Set<String>)
    /// It has not.
    case refusal(code: Int32, String)
    /// Make or open the project of that path, which is ours alone; be called `displayName` before users and `clientID` in JACK.
    case open(path: String, displayName: String, clientID: String)
    case save
    /// All clients of the session are there.
    case sessionIsLoaded

    /// `nil` for what is not of the protocol, or of a part of it that is not for us.
    package init?(_ message: Message) {
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

/// What a client says to a session manager.
package enum SessionManagerNotice: Equatable, Sendable {
    /// Of the program that is run without arguments; capabilities as in ":switch:dirty:".
    case announcement(name: String, capabilities: String, program: String, pid: Int32)
    case opened(String)
    case saved(String)
    case openFailed(Failure, String)
    case saveFailed(Failure, String)
    case isDirty(Bool)
    /// Of opening or saving, 0...1.
    case progress(Double)
    /// 0 is of the least importance, 3 of the greatest.
    case text(String, importance: Int32)

    package enum Failure: Int32, Sendable {
        case general = -1
        /// What is open would be lost.
        case unsavedChanges = -7
        /// It may go later: the session is in use, or JACK is away.
        case notNow = -8
        /// It is there and cannot be read.
        case badProject = -9
        case cannotCreate = -10
    }

    package var message: Message {
        switch self {
        case .announcement(let name, let capabilities, let program, let pid):
            Message(
                SessionManagerRequest.announce,
                [.string(name), .string(capabilities), .string(program), .int32(1), .int32(2), .int32(pid)])
        case .opened(let text): Message("/reply", [.string("/nsm/client/open"), .string(text)])
        case .saved(let text): Message("/reply", [.string("/nsm/client/save"), .string(text)])
        case .openFailed(let failure, let text):
            Message("/error", [.string("/nsm/client/open"), .int32(failure.rawValue), .string(text)])
        case .saveFailed(let failure, let text):
            Message("/error", [.string("/nsm/client/save"), .int32(failure.rawValue), .string(text)])
        case .isDirty(let isDirty): Message(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean")
        case .progress(let part): Message("/nsm/client/progress", [.float(Float(part))])
        case .text(let text, let importance): Message("/nsm/client/message", [.int32(importance), .string(text)])
        }
    }
}
