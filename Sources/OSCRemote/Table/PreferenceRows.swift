import OSC
import Patches
import Playback

/// One row for each declared preference, and a normalized one if it is continuous.
enum PreferenceRows {
    static let all: [Row] = PreferenceDescription.all.flatMap { preference in
        guard case .number(let range, _) = preference.kind else { return [row(of: preference)] }
        return [row(of: preference), twin(of: preference, .linear(range))]
    }

    private static func row(of preference: PreferenceDescription) -> Row {
        Row(
            "preferences/\(preference.name)", in: preference.inputs, out: preference.outputs, preference.sentence, group: .session,
            role: preference.role, read: { preference.answer(to: $0) },
            action: .commands { request throws(Refusal) in [.setPreference(preference.name, try preference.value(in: request))] })
    }

    private static func twin(of preference: PreferenceDescription, _ curve: NormCurve) -> Row {
        Row(
            "preferences/\(preference.name)/norm", in: [Input("norm", .number(.norm))], out: "f", curve.summary(unit: preference.unit),
            group: .session, role: preference.role,
            read: {
                guard case .number(let number) = $0.snapshot.preferences[name: preference.name] else { return [] }
                return [.float(Float(curve.norm(of: number)))]
            },
            action: .commands { [.setPreference(preference.name, .number(curve.value(atNorm: $0.number(0)).shortened))] })
    }
}

extension PreferenceDescription {
    fileprivate var role: Role { takesEffect == .atOnce ? .control : .admin }

    fileprivate var sentence: String { takesEffect == .atOnce ? summary : summary + " At the next start." }

    fileprivate var unit: Unit {
        switch kind {
        case .number(_, let unit), .numbers(_, let unit, _): unit
        case .wholeNumber, .choice, .text: .ratio
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
        }
    }

    fileprivate var outputs: String {
        switch kind {
        case .number: "f"
        case .wholeNumber: "i"
        case .numbers: "f…"
        case .choice, .text: "s"
        }
    }

    fileprivate func answer(to reading: Reading) -> [OSCArgument] {
        switch reading.snapshot.preferences[name: name] {
        case .number(let number): if case .wholeNumber = kind { [.count(Int(number))] } else { [.float(Float(number))] }
        case .numbers(let numbers): numbers.map { .float(Float($0)) }
        case .text(let text): [.text(text)]
        }
    }

    fileprivate func value(in request: Request) throws(Refusal) -> StoredPreference {
        switch kind {
        case .number: return .number(request.number(0).shortened)
        case .wholeNumber: return .number(Double(request.integer(0) ?? 0))
        case .numbers: return .numbers(request.values.indices.filter { request.values[$0] != nil }.map { request.number($0).shortened })
        case .choice(let names): return .text(names[request.integer(0) ?? 0])
        case .text(let content):
            let text = request.text(0) ?? ""
            guard content.accepts(text) else { throw Refusal(.badArguments, "\(name) has to be \(content.noun).") }
            return .text(text)
        }
    }
}

extension Double {
    /// The shortest number that gives the same float: 0.35, not 0.3499999940395355.
    fileprivate var shortened: Double { Double("\(Float(self))") ?? self }
}
