// What its user does.
extension NoteRecord {
    /// Changes the text; an edit takes the note out of the trash, and one that was refused is sent again.
    mutating func edit(_ text: NoteText, at time: Int64) {
        guard text != self.text else { return }
        self.text = text
        isInTrash = false
        updatedAt = max(time, createdAt)
        problem = nil
    }

    mutating func putIntoTrash() {
        isInTrash = true
        wish = nil
    }

    mutating func takeOutOfTrash() {
        isInTrash = false
        if problem != nil { problem = nil }
    }

    /// Moves it behind another note, or with nil to the first place; in the trash there are no places.
    mutating func move(after other: String?, as number: Int64) {
        if !isInTrash { wish = Wish(number: number, after: other) }
    }

    /// Sends the next action on its way, with what it needs to be sent again.
    mutating func depart(_ actionID: String) -> Flight? {
        guard let kind = nextKind else { return nil }
        var flight = Flight(actionID: actionID, kind: kind, text: text)
        if kind == .move, let wish {
            flight.after = wish.after
            flight.wishNumber = wish.number
        }
        self.flight = flight
        return flight
    }
}
