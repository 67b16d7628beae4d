// What other processes do with the same file.
extension NotesStore {
    /// How often to look; SQLite tells nobody, and the look costs no more than one read of shared memory.
    private static let interval = Duration.seconds(1)

    func watchOthers() async {
        while !Task.isCancelled {
            // A file that cannot be read now may be read the next time.
            try? tellOfOthers()
            try? await surroundings.sleep(Self.interval)
        }
    }

    /// Tells of the notes that others have changed since the last look, with those changed here in the same time.
    private func tellOfOthers() throws {
        let now = try FileState(of: database)
        guard now != told else { return }
        if now.others != told.others { announce(try table.changed(after: told.version)) }
        told = now
    }
}
