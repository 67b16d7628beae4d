internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX
internal import AlmanacTimestamps
internal import AlmanacZip

/// The command `almanac note export`.
enum NoteExporting {
    static let command = Command(
        name: "note export", summary: "Export all of your notes to files, or print them as JSON.",
        operands: [Operand(name: "PLACE", isOptional: true, completion: .file)],
        options: [
            Option(
                name: "--output", short: "-o", value: "FILE",
                help: "write the JSON to a file that only you can read", completion: .file), .json,
        ] + NoteCommands.server,
        details: NoteCommands.ownerDetails + "\n" + """
            With PLACE, each note becomes a Markdown file, in a new or empty folder, or in an archive if PLACE
            ends with .zip. Notes in the trash are included, as far as this machine knows them. The files begin
            with front matter (title, id, created, updated, tags, pinned, trashed). 'almanac note import' and
            the notes page can import them.
            Without PLACE, the notes that are not in the trash are printed as an array of JSON objects, over
            several lines, or on one line with --json. With PLACE, --json prints the number of notes and of
            files.

            """ + NoteReading.json,
        example: "$ almanac note export notes.zip\n12 notes are in notes.zip"
    ) { arguments in
        let device = try DeviceNotes(arguments)
        guard let place = arguments.optional("PLACE") else {
            try device.sync()
            return try print(device, arguments)
        }
        if arguments.has("--output") { throw UsageFailure("--output and PLACE exclude each other") }
        try checkIsFree(place)
        try device.sync()
        let store = device.store
        let notes = try blockUntilDone { try await store.notes() + store.trash() }.map(ExchangedNote.init)
        try write(MarkdownNotes.files(notes), to: place)
        try report(notes.count, place, arguments)
        return try device.readStatus()
    }

    private static func isArchive(_ place: String) -> Bool { place.lowercased().hasSuffix(".zip") }

    /// Throws if the place is a folder that is not empty, or another file. Runs before anything is written.
    private static func checkIsFree(_ place: String) throws {
        guard !isArchive(place), let kind = try? File.kind(place) else { return }
        guard kind == .folder, (try? File.names(inFolder: place))?.isEmpty == true else {
            throw CommandFailure(description: "\(place): expected a new or empty folder, or a name that ends with .zip")
        }
    }

    private static func write(_ files: [ExchangedFile], to place: String) throws {
        do {
            if isArchive(place) {
                let now = WallClock.milliseconds / 1000
                let archive = try ZipWriter.archive(of: files.map { ($0.path, $0.bytes) }, seconds: now)
                return try File.replace(place, contents: archive, permissions: 0o600)
            }
            try File.makePrivateFolder(place)
            for file in files {
                let folders = file.path.split(separator: "/").dropLast()
                if !folders.isEmpty { try File.makePrivateFolder("\(place)/\(folders.joined(separator: "/"))") }
                try File.createPrivate("\(place)/\(file.path)", contents: file.bytes)
            }
        } catch let failure as any CustomStringConvertible & Error {
            throw CommandFailure(description: "\(place): \(failure)")
        }
    }

    private static func report(_ count: Int, _ place: String, _ arguments: Arguments) throws {
        if arguments.wantsJSON {
            try Output.json([
                "notes": .number(JSONNumber(Int64(count))), "files": .number(JSONNumber(Int64(count))),
                "place": .string(place),
            ])
        } else {
            try Process.output("\(count) \(count == 1 ? "note is" : "notes are") in \(place)\n")
        }
    }

    private static func print(_ device: DeviceNotes, _ arguments: Arguments) throws -> ExitStatus {
        let store = device.store
        let list = try blockUntilDone { try await store.notes() }
        let notes = JSONValue.array(list.map { $0.json(isSynced: device.failure == nil) })
        let text = arguments.wantsJSON ? "\(notes)\n" : notes.pretty
        guard let path = arguments.option("--output") else {
            try Process.output(text)
            return try device.readStatus()
        }
        do { try File.replace(path, contents: Array(text.utf8), permissions: 0o600) } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
        return try device.readStatus()
    }
}

extension ExchangedNote {
    init(_ note: StoredNote) {
        self.init(
            id: note.id, title: note.title, body: note.body, tags: note.tags, isPinned: note.isPinned,
            isInTrash: note.isInTrash, createdAt: Timestamp(note.createdAt).milliseconds,
            updatedAt: Timestamp(note.editedAt).milliseconds)
    }
}
