package enum RepeatMode: String, CaseIterable, Sendable {
    case off, one, all
}

package enum ShuffleMode: String, CaseIterable, Sendable {
    case off, items
}
