import AlmanacNotes
import AlmanacTerminalUI

/// A note's text with its caret, and their display.
struct EditorPage {
    private(set) var text: StoredNote.Text
    /// The caret's offset from the start of the body, in UTF-16 code units, the unit of deltas.
    private var caret: Int

    init(text: StoredNote.Text) {
        self.text = text
        caret = text.body.utf16.count
    }

    /// Applies the changes of other devices. The caret keeps its position in the text.
    mutating func take(_ change: NotesStore.Editor.Change) {
        caret = change.body.map(position: caret)
        text = change.text
    }

    mutating func press(_ key: Key) {
        let body = text.body
        let lineStart = body[..<place].lastIndex(where: \.isNewline).map(body.index(after:)) ?? body.startIndex
        let lineEnd = body[place...].firstIndex(where: \.isNewline) ?? body.endIndex
        switch key {
        case .text(let character): type(character)
        case .enter: type("\n")
        case .backspace:
            guard place > body.startIndex else { break }
            remove(body.index(before: place)..<place)
        case .delete:
            guard place < body.endIndex else { break }
            remove(place..<body.index(after: place))
        case .left: if place > body.startIndex { place = body.index(before: place) }
        case .right: if place < body.endIndex { place = body.index(after: place) }
        case .home: place = lineStart
        case .end: place = lineEnd
        case .up:
            guard lineStart > body.startIndex else { break }
            let end = body.index(before: lineStart)
            let start = body[..<end].lastIndex(where: \.isNewline).map(body.index(after:)) ?? body.startIndex
            place = body.index(start, offsetBy: body[lineStart..<place].count, limitedBy: end) ?? end
        case .down:
            guard lineEnd < body.endIndex else { break }
            let start = body.index(after: lineEnd)
            let end = body[start...].firstIndex(where: \.isNewline) ?? body.endIndex
            place = body.index(start, offsetBy: body[lineStart..<place].count, limitedBy: end) ?? end
        case .control: break
        }
    }

    /// The screen: the title with the status, as much of the text as fits around the caret, and the keys.
    func lines(
        _ size: (columns: Int, rows: Int), status: StoredNote.Status, sync: NotesSyncStatus
    ) -> (lines: [String], caret: (column: Int, row: Int)) {
        let title = Shown.fitting(
            Shown.line(" \(text.title) · \(describe(status)), \(describe(sync))"), into: size.columns)
        let fill = String(repeating: " ", count: max(0, size.columns - Shown.width(title)))
        let rows = max(1, size.rows - 2)
        let before = text.body[..<place].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let all = text.body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let top = max(0, before.count - rows)
        // A line wider than the screen scrolls horizontally to keep the caret visible.
        let shift = max(0, Shown.width(before.last ?? "") - size.columns + 1)
        let shown = (top..<top + rows).map { row in
            row < all.count ? Shown.fitting(Shown.line(all[row]).dropFirst(shift), into: size.columns) : ""
        }
        let help = Shown.fitting("Ctrl-Q quits, Ctrl-R tries the server at once.", into: size.columns)
        let caret = (Shown.width(before.last ?? "") - shift, before.count - top)
        return (["\u{1B}[7m" + title + fill] + shown + [help], caret)
    }

    private func describe(_ status: StoredNote.Status) -> String {
        switch status {
        case .onThisDevice: "on this device"
        case .onServer: "on the server"
        case .needsAttention(let problem): "refused: \(problem.detail)"
        }
    }

    private func describe(_ sync: NotesSyncStatus) -> String {
        switch sync {
        case .notStarted, .syncing: "syncing"
        case .upToDate: "synced"
        case .unsynced(let notes): "\(notes)"
        case .failed(.unreachable): "offline"
        case .failed(let failure): "\(failure)"
        }
    }

    /// The caret's index in the text. An offset inside a character counts as the start of that character.
    private var place: String.Index {
        get {
            let index = String.Index(utf16Offset: min(caret, text.body.utf16.count), in: text.body)
            return text.body.index(
                text.body.startIndex, offsetBy: text.body[..<index].count, limitedBy: text.body.endIndex)
                ?? text.body.endIndex
        }
        set { caret = newValue.utf16Offset(in: text.body) }
    }

    private mutating func type(_ character: Character) {
        let offset = place.utf16Offset(in: text.body)
        text.body.insert(character, at: place)
        caret = offset + character.utf16.count
    }

    private mutating func remove(_ range: Range<String.Index>) {
        let offset = range.lowerBound.utf16Offset(in: text.body)
        text.body.removeSubrange(range)
        caret = offset
    }
}
