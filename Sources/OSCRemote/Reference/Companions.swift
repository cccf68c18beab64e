/// An address that accompanies another one. The reference describes each kind once, and marks the addresses that have it.
enum Companion: String, CaseIterable {
    /// `ADDRESS/enabled`: whether a command makes sense now.
    case enabled
    /// `ADDRESS/norm`: the twin from 0 to 1.
    case norm
    /// `touch/ADDRESS`: whether someone touches a control.
    case touch
}

/// The rows of the table that accompany others, and what the reference says about them.
struct Companions {
    let rows: [Row]

    /// The kind of a row that accompanies another one; `nil` if it stands for itself.
    ///
    /// A twin with a role, a topic or arguments other than those of its address also stands for itself, as does the `enabled` of a twin.
    func kind(of row: Row) -> Companion? {
        let suffix = Companion.allCases.first { row.path.hasSuffix("/\($0.rawValue)") }
        if row.path.hasPrefix("touch/"), listed(String(row.path.dropFirst("touch/".count))) != nil { return .touch }
        guard let suffix, let owner = listed(String(row.path.dropLast(suffix.rawValue.count + 1))) else { return nil }
        switch suffix {
        case .enabled:
            let isUsual = row.group == .commands && row.isPatternTarget && row.outputs == "i"
            return isUsual && kind(of: owner) == nil ? .enabled : nil
        case .norm:
            let isLike =
                row.role == owner.role && row.group == owner.group && row.isPatternTarget == owner.isPatternTarget
                && row.inputs.contains(.ramp) == owner.inputs.contains(.ramp)
            return isLike ? .norm : nil
        case .touch: return nil
        }
    }

    /// The row with a path as the table has it, with `N` for a layer.
    private func listed(_ path: String) -> Row? { rows.first { $0.path == path } }

    /// The companions of a row.
    func kinds(around row: Row) -> [Companion] {
        Companion.allCases.filter { kind in
            let path = kind == .touch ? "touch/\(row.path)" : "\(row.path)/\(kind.rawValue)"
            return listed(path).flatMap { self.kind(of: $0) } == kind
        }
    }

    /// The meaning of the marks in the tables.
    var marks: String {
        """

        ## Marks

        The column *marks* in the tables below shows what else an address has:

        - *patterns*: the address, and its twin, can be matched by patterns with `?`, `*`, `[]` and `{}`. **A pattern without arguments only reads**: it
          never presses the commands that it matches. With arguments, it sets or presses everything that it matches.
        - *enabled*: `ADDRESS/enabled` `,i` is 1 if the command is possible now, and 0 if it would be refused (405, or 100 while the queue is empty).
          Role `view`, topic `commands`; patterns match it.
        - *norm*: `ADDRESS/norm` `,f` is the twin of the address: the same value as a number from 0 to 1, for faders. Role, topic, patterns and ramp are
          those of the address. [Twins](#\(ReferencePage.anchor("Twins"))) lists the curves.
        - *touch*: send `touch/ADDRESS` `,i` 1 when a control is touched and 0 when it is released. Reading it returns 1 while any peer touches it. Role
          `control`, topic as for the address. `touch/ADDRESS/norm` is the same for a fader of the twin, and is not reported. Patterns match neither.
          While an address is touched, no other peer can move it, and chapters do not move an address of a layer. A level can still be lowered,
          which ends the touch: the peer that touched it is sent 0, and 1 before that if its touch has not been reported to it yet.
        - *restart*: a new value applies at the next start of the program.

        """
    }

    /// The curves of the twins.
    var twins: String {
        let prefix = "0 to 1 is "
        let lines = rows.filter { kind(of: $0) == .norm }.map { row in
            "| `\(row.path)` | \(row.summary.hasPrefix(prefix) ? String(row.summary.dropFirst(prefix.count)) : row.summary) |"
        }
        return """

            ## Twins

            | address | 0 to 1 is |
            |---|---|
            \(lines.joined(separator: "\n"))

            """
    }
}
