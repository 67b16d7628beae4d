/// The order of the list with the moves that the server does not know of yet.
enum ListOrder {
    /// - Parameter records: in the order of the server.
    static func order(_ records: [NoteRecord]) -> [NoteRecord] {
        let moved = records.filter { $0.wish != nil }.sorted { $0.wish!.number < $1.wish!.number }
        guard !moved.isEmpty else { return records }
        var list = records
        for record in moved {
            guard let wish = record.wish, let index = list.firstIndex(where: { $0.id == record.id }) else { continue }
            guard let after = wish.after else {
                list.insert(list.remove(at: index), at: 0)
                continue
            }
            guard list.contains(where: { $0.id == after }) else { continue }
            let note = list.remove(at: index)
            let place = list.firstIndex { $0.id == after }.map { $0 + 1 } ?? index
            list.insert(note, at: place)
        }
        return list
    }
}
