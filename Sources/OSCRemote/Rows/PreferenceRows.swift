import OSC
import Patches
import Playback

/// One row for each declared preference, and a normalized one if it is continuous.
enum PreferenceRows {
    static let all: [Row] = PreferenceDescription.all.flatMap { preference in
        guard case .number(let range, _) = preference.kind else { return [row(of: preference)] }
        return [row(of: preference), twin(of: preference, .linear(range))]
    }

    /// The end of the sentence of a row whose value applies at the next start; `nil` if it applies at once, or is another row.
    static func startNote(of row: Row) -> String? {
        PreferenceDescription.all.first { row.path == "preferences/\($0.name)" }?.startNote
    }

    private static func row(of preference: PreferenceDescription) -> Row {
        Row(
            "preferences/\(preference.name)", in: preference.inputs, out: preference.outputs, preference.sentence, group: .session,
            role: preference.role, read: { preference.answer(to: $0) },
            action: .commands { request throws(Refusal) in
                [.application(.setPreference(preference.name, try preference.value(in: request)))]
            })
    }

    private static func twin(of preference: PreferenceDescription, _ curve: NormCurve) -> Row {
        Row(
            "preferences/\(preference.name)/norm", in: [Input("norm", .number(.norm))], out: "f", curve.summary(unit: preference.unit),
            group: .session, role: preference.role,
            read: {
                guard case .number(let number) = $0.snapshot.preferences[name: preference.name] else { return [] }
                return [.float(Float(curve.norm(of: number)))]
            },
            action: .commands { [.application(.setPreference(preference.name, .number(curve.value(atNorm: $0.number(0)).shortened)))] })
    }
}

extension Row {
    /// Whether a new value applies only when the program starts again.
    package var appliesAtNextStart: Bool {
        let parts = path.split(separator: "/")
        guard parts.count > 1, parts[0] == "preferences" else { return false }
        return PreferenceDescription.named(String(parts[1]))?.takesEffect == .atStart
    }
}

extension PreferenceDescription {
    fileprivate var role: Role { takesEffect == .atOnce ? .control : .admin }

    fileprivate var sentence: String {
        guard let startNote else { return summary }
        return (startNote.hasSuffix(").") ? summary.dropLast() : summary[...]) + startNote
    }

    /// The end of the sentence if a new value applies at the next start.
    fileprivate var startNote: String? {
        if takesEffect == .atOnce { return nil }
        return if case .number = kind { " (at the next start)." } else { " At the next start." }
    }

    fileprivate var unit: Unit {
        switch kind {
        case .number(_, let unit), .numbers(_, let unit, _): unit
        case .wholeNumber, .choice, .text, .texts: .ratio
        }
    }

    fileprivate var inputs: [Input] {
        switch kind {
        case .number(let range, let unit): [Input(name, .number(Quantity(range, unit.rawValue)))]
        case .wholeNumber(let range): [Input(name, .exact(range))]
        case .numbers(let range, let unit, let limit):
            (0..<limit).map { Input($0 == 0 ? "first" : "next", .number(Quantity(range, unit.rawValue)), isOptional: $0 > 0) }
        case .choice(let names): [Input(name, .choice(names))]
        case .text: [Input(name, .text)]
        case .texts(_, let limit): (0..<limit).map { Input($0 == 0 ? "first" : "next", .text, isOptional: $0 > 0) }
        }
    }

    fileprivate var outputs: String {
        switch kind {
        case .number: "f"
        case .wholeNumber: "i"
        case .numbers: "f…"
        case .choice, .text: "s"
        case .texts: "s…"
        }
    }

    fileprivate func answer(to reading: Reading) -> [OSCArgument] {
        switch reading.snapshot.preferences[name: name] {
        case .number(let number): if case .wholeNumber = kind { [.count(Int(number))] } else { [.float(Float(number))] }
        case .numbers(let numbers): numbers.map { .float(Float($0)) }
        case .text(let text): [.text(text)]
        // An empty list is read and set as an empty string, since a message without arguments is a question.
        case .texts(let texts): texts.isEmpty ? [.text("")] : texts.map { .text($0) }
        }
    }

    fileprivate func value(in request: OSCRequest) throws(Refusal) -> StoredPreference {
        switch kind {
        case .number: return .number(request.number(0).shortened)
        case .wholeNumber: return .number(Double(request.integer(0) ?? 0))
        case .numbers: return .numbers(request.values.indices.filter { request.values[$0] != nil }.map { request.number($0).shortened })
        case .choice(let names): return .text(names[request.integer(0) ?? 0])
        case .text(let content):
            let text = request.text(0) ?? ""
            guard content.accepts(text) else { throw Refusal(.badArguments, "\(name) has to be \(content.noun).") }
            return .text(text)
        case .texts(let content, _):
            let texts = request.values.indices.compactMap { request.text($0) }
            if texts == [""] { return .texts([]) }
            for text in texts {
                guard content.accepts(text) else { throw Refusal(.badArguments, "\(name) has to be a list of \(content.noun).") }
                if let fault = content.fault(in: text) { throw Refusal(.badArguments, fault) }
            }
            return .texts(texts)
        }
    }
}

extension PreferenceText {
    /// The error of a text of this form: an unknown role or topic; `nil` if it is valid.
    fileprivate func fault(in text: String) -> String? {
        switch self {
        case .access: AccessRule(text) == nil ? "there is no such role: use view, control or admin." : nil
        case .feedback: text.firstIndex(of: "=").flatMap { Topic.fault(inList: text[text.index(after: $0)...]) }
        case .address, .sessionName, .connection, .listening, .webPort, .hostName: nil
        }
    }
}

extension Double {
    /// The shortest number that gives the same float: 0.35, not 0.3499999940395355.
    fileprivate var shortened: Double { Double("\(Float(self))") ?? self }
}
