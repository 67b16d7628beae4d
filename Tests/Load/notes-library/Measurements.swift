import AlmanacNotes

/// One after the other, in processes of their own.
enum Measurements {
    private static let clock = ContinuousClock()

    static func fill(_ devices: Devices, _ count: Int) async throws {
        let (store, network) = try devices.writer()
        var texts = NoteTexts(seed: 1)
        let creating = try await clock.measure {
            for number in 1...count {
                try await store.create(title: "\(number) \(texts.word())", body: texts.text(bytes: 1024))
            }
        }
        let sending = try await clock.measure { try await store.sync() }
        Report.line("fill: \(count) notes made", Report.milliseconds(creating))
        Report.line("fill: sent to the server", describe(sending, network))
    }

    static func first(_ devices: Devices, _ count: Int) async throws {
        let (store, network) = try devices.measured()
        let time = try await clock.measure { try await store.sync() }
        let notes = try await store.notes().count
        guard notes == count else { throw Surprise("\(notes) notes arrived instead of \(count)") }
        Report.line("first: \(count) notes fetched", describe(time, network))
    }

    static func open(_ devices: Devices, _ count: Int) async throws {
        var (opening, listing): ([Duration], [Duration]) = ([], [])
        for _ in 0..<20 {
            let start = clock.now
            let store = try devices.measured().store
            opening.append(clock.now - start)
            var notes = 0
            listing.append(try await clock.measure { notes = try await store.notes().count })
            guard notes == count else { throw Surprise("the file holds \(notes) notes instead of \(count)") }
        }
        Report.line("open: the first time", Report.milliseconds(opening[0]))
        Report.line("open: later", Report.spread(opening))
        Report.line("open: first list of all notes", Report.milliseconds(listing[0]))
        Report.line("open: list of all notes", Report.spread(listing))
    }

    /// Fills the file of the measured device without a server.
    static func make(_ devices: Devices, _ count: Int) async throws {
        let store = try devices.measured(isDurable: false).store
        var texts = NoteTexts(seed: 1)
        for number in 1...count {
            try await store.create(title: "\(number) \(texts.word())", body: texts.text(bytes: 1024))
        }
    }

    static func list(_ devices: Devices, _ count: Int) async throws {
        let store = try devices.measured().store
        let before = Report.mostMemory
        let lists = [
            ("all summaries", NotesQuery(), count), ("a page of 50", NotesQuery(offset: count / 2, limit: 50), 50),
            ("all, the latest change first", NotesQuery(order: .latestFirst), count),
            ("50, the latest change first", NotesQuery(order: .latestFirst, limit: 50), 50),
        ]
        for (name, query, expected) in lists {
            var times: [Duration] = []
            for _ in 0..<50 {
                var found = 0
                times.append(try await clock.measure { found = try await store.summaries(query).count })
                guard found == expected else { throw Surprise("\(found) summaries instead of \(expected)") }
            }
            Report.line("list: \(name)", "\(Report.milliseconds(times[0])) first, \(Report.spread(times))")
        }
        Report.line("list: memory that the lists took", "\((Report.mostMemory - before) / 1024) MB")
    }

    static func search(_ devices: Devices) async throws {
        let store = try devices.measured().store
        var texts = NoteTexts(seed: 2)
        let rare = (0..<300).map { _ in NoteTexts.words[2000 + texts.number(below: 2000)] }
        let common = (0..<300).map { _ in NoteTexts.words[texts.number(below: 20)] }
        let two = (0..<300).map { _ in "\(texts.word()) \(texts.word())" }
        let beginnings = (0..<300).map { _ in String(texts.word().prefix(2 + texts.number(below: 2))) }
        for (name, queries) in [
            ("a rare word", rare), ("a word of most notes", common), ("two words", two), ("2 or 3 letters", beginnings),
        ] {
            var times: [Duration] = []
            var found = 0
            for query in queries {
                times.append(try await clock.measure { found += try await store.search(query).count })
            }
            Report.line("search: \(name)", "\(Report.spread(times)), \(found / queries.count) found")
        }
    }

    static func edit(_ devices: Devices) async throws {
        let store = try devices.measured().store
        let ids = try await store.notes().map(\.id)
        var texts = NoteTexts(seed: 3)
        var times: [Duration] = []
        for _ in 0..<500 {
            let (id, word) = (ids[texts.number(below: ids.count)], texts.word())
            times.append(try await clock.measure { try await store.edit(id) { $0.body += " " + word } })
        }
        Report.line("edit: one, to the disk", Report.spread(times))
        try await store.sync()
    }

    static func again(_ devices: Devices) async throws {
        let (store, network) = try devices.measured()
        _ = try await store.sync()
        _ = network.take()
        Report.line("again: nothing new", describe(try await clock.measure { try await store.sync() }, network))

        let writer = try devices.writer().store
        try await writer.sync()
        let ids = try await writer.notes().map(\.id)
        for number in 0..<10 { try await writer.edit(ids[number * ids.count / 10]) { $0.body += " changed" } }
        try await writer.sync()
        Report.line("again: ten changes", describe(try await clock.measure { try await store.sync() }, network))
        let changed = try await store.notes().count { $0.body.hasSuffix(" changed") }
        guard changed >= 10 else { throw Surprise("\(changed) changes arrived instead of 10") }
    }

    private static func describe(_ time: Duration, _ network: CountingTransport) -> String {
        let (requests, bytes) = network.take()
        return "\(Report.milliseconds(time)), \(requests) requests, \(bytes / 1024) KB of responses"
    }
}

/// Something that makes the measurement worthless.
struct Surprise: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
