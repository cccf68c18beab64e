import OSC
import Patches
import Playback

/// The addresses of sessions, and of the library's patches.
enum SessionRows {
    static let all: [Row] = [
        Row(
            "patch/list", in: [Input("words", .text, isOptional: true)],
            "Answers patch/item for patches with all words in name or title (one string); then patch/end.", role: .view,
            action: .exchange(.patches)),
        Row(
            "patch/save", in: [Input("name", .text), Input("overwrite", .flag, isOptional: true)],
            "Saves the item with its live edits as a patch; 1 overwrites an existing one.",
            action: .commands { request throws(Refusal) in
                let name = request.text(0) ?? ""
                if let fault = name.patchNameFault { throw Refusal(.badArguments, fault) }
                return [.savePatch(name, overwrites: request.flag(1))]
            }),
        Row(
            "session/list", in: [.press], "Answers session/item with index, name for each; then session/end with the count.",
            role: .view,
            action: .exchange(
                .list("session") { $0.snapshot.session.available.enumerated().map { [.count($0 + 1), .text($1)] } })),
        Row(
            "session/load", in: [Input("name", .text)], "Loads a session of the library by its name (one string).",
            action: .commands { request throws(Refusal) in [.application(.loadSession(try sessionName(request.text(0) ?? "", request)))] }),
        Row(
            "session/save", in: [Input("name", .text, isOptional: true)],
            "Saves the session, optionally under a name: one string, not -x, last-session or x.yaml.",
            action: .commands { request throws(Refusal) in
                guard let name = request.text(0) else { return [.application(.saveSession(nil))] }
                return [.application(.saveSession(try sessionName(name, request)))]
            }),
        Row("session/name", out: "s", "Name of the session that is open.", group: .session) { [.text($0.snapshot.session.name)] },
        Row("session/dirty", out: "i", as: .norm, "1: the session has unsaved changes.", group: .session) {
            [.flag($0.snapshot.session.isDirty)]
        },
    ]

    /// A session's name, never a path. A reserved name is accepted only if there already is such a session.
    private static func sessionName(_ name: String, _ request: OSCRequest) throws(Refusal) -> String {
        guard name.isPlainName else { throw Refusal(.badArguments, "Send the session's name as in session/list, not a path.") }
        guard name.isSessionName || request.reading.snapshot.session.available.contains(name) else {
            throw Refusal(.badArguments, "This name is reserved: choose one without a leading - or an ending such as .yaml.")
        }
        return name
    }
}
