import Library

/// The session as it was saved on request last, or opened: a session manager can have what has changed since discarded.
struct RequestedSession {
    var session: Session
    /// Where it was playing then; `nil` if unknown.
    var position: SavedPosition?

    init(_ session: Session, at position: SavedPosition?) { (self.session, self.position) = (session, position) }

    init(_ opened: SessionStore.Opened) { self.init(opened.session, at: opened.position) }

    /// The position once `present`, which is playing at `place`, is discarded: the same while it is in the same item.
    func place(insteadOf place: SavedPosition, in present: Session) -> SavedPosition {
        func patch(in session: Session) -> String? { session.items.indices.contains(place.item) ? session.items[place.item].patch : nil }
        if session.current == present.current, patch(in: session) == patch(in: present) { return place }
        return position ?? SavedPosition(item: session.current ?? 0, elapsed: 0)
    }
}
