import AlmanacNotes
import AlmanacTerminalUI

/// The lower part of the screen: the notes. Typed text goes to the selected note.
struct NotesPage {
    let store: NotesStore
    private var chosen: String?

    init(store: NotesStore) { self.store = store }

    mutating func press(_ key: Key) async throws {
        let notes = try await store.summaries()
        let index = notes.firstIndex { $0.id == chosen }
        switch key {
        case .control("n"): chosen = try await store.create(title: "").id
        case .up: chosen = notes[safely: (index ?? 1) - 1]?.id ?? chosen
        case .down: chosen = notes[safely: (index ?? -1) + 1]?.id ?? chosen
        case .text(let character): try await edit { $0.append(character) }
        case .backspace: try await edit { _ = $0.popLast() }
        default: break
        }
    }

    private func edit(_ change: @Sendable (inout String) -> Void) async throws {
        guard let chosen, try await store.summary(chosen) != nil else { return }
        try await store.edit(chosen) { change(&$0.title) }
    }

    func lines(_ size: (columns: Int, rows: Int)) async throws -> [String] {
        let rows = try await store.summaries().map { note in
            let place =
                switch note.status {
                case .onServer: "on the server"
                case .onThisDevice: "on this device"
                case .needsAttention(let problem): "refused: \(problem.detail)"
                }
            return "\(note.id == chosen ? ">" : " ") \(note.title) · \(place)"
        }
        let unsynced = try await store.unsynced()
        return (rows.prefix(max(0, size.rows - 4)) + ["\(unsynced)"]).map {
            Shown.fitting(Shown.line($0), into: size.columns)
        }
    }
}

extension Array {
    fileprivate subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
