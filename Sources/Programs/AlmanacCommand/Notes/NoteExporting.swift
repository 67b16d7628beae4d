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
            with front matter (title, id, created, updated, tags, pinned, trashed). The files that the texts
            name are in the folder attachments beside them, so that pictures show in every Markdown program.
            'almanac note import' and the notes page can import all of it.
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
        let references = notes.flatMap { AttachedFiles.references(in: $0.body) }
        let (attached, missing) = try write(MarkdownNotes.files(notes), references, to: place, device)
        try report(notes.count, attached, place, arguments)
        let status = try device.readStatus()
        return missing == 0 ? status : .failed
    }

    private static func isArchive(_ place: String) -> Bool { place.lowercased().hasSuffix(".zip") }

    /// Throws if the place is a folder that is not empty, or another file. Runs before anything is written.
    private static func checkIsFree(_ place: String) throws {
        guard !isArchive(place), let kind = try? File.kind(place) else { return }
        guard kind == .folder, (try? File.names(inFolder: place))?.isEmpty == true else {
            throw CommandFailure(description: "\(place): expected a new or empty folder, or a name that ends with .zip")
        }
    }

    /// Writes the notes and the files that they name.
    ///
    /// - Returns: the numbers of written and of missing files. The missing ones are reported.
    private static func write(
        _ notes: [ExchangedFile], _ references: [AttachedFiles.Reference], to place: String, _ device: DeviceNotes
    ) throws -> (attached: Int, missing: Int) {
        var known: Set<String> = []
        let references = references.filter { known.insert($0.path).inserted }
        do {
            if isArchive(place) { return try writeArchive(notes, references, to: place, device) }
            try File.makePrivateFolder(place)
            for file in notes {
                let folders = file.path.split(separator: "/").dropLast()
                if !folders.isEmpty { try File.makePrivateFolder("\(place)/\(folders.joined(separator: "/"))") }
                try File.createPrivate("\(place)/\(file.path)", contents: file.bytes)
            }
            if !references.isEmpty { try File.makePrivateFolder("\(place)/attachments") }
            let attached = try references.count { reference in
                try found(reference, device) {
                    try await $0.save(attachment: reference.id, to: "\(place)/\(reference.path)")
                } != nil
            }
            return (attached, references.count - attached)
        } catch let failure as any CustomStringConvertible & Error {
            throw CommandFailure(description: "\(place): \(failure)")
        }
    }

    private static func writeArchive(
        _ notes: [ExchangedFile], _ references: [AttachedFiles.Reference], to place: String, _ device: DeviceNotes
    ) throws -> (attached: Int, missing: Int) {
        let attached = try references.compactMap { reference -> (path: String, contents: ZipWriter.Contents)? in
            try found(reference, device) { try await $0.path(ofAttachment: reference.id) }
                .map { (reference.path, .file($0)) }
        }
        let seconds = WallClock.milliseconds / 1000
        if attached.isEmpty {
            let archive = try ZipWriter.archive(of: notes.map { ($0.path, $0.bytes) }, seconds: seconds)
            try File.replace(place, contents: archive, permissions: 0o600)
            return (0, references.count)
        }
        let target = try File.target(of: place)
        let (file, draft) = try DraftFile.named("\(target).")
        do {
            try ZipWriter.write(notes.map { ($0.path, .bytes($0.bytes)) } + attached, seconds: seconds, to: draft)
            try file.publish(draft, as: target, isDurable: false)
        } catch {
            File.remove(draft)
            throw error
        }
        return (attached.count, references.count - attached.count)
    }

    /// Does something with a file. Returns nil, and reports the reason, if neither this machine nor the server has it.
    private static func found<Result: Sendable>(
        _ reference: AttachedFiles.Reference, _ device: DeviceNotes,
        _ work: @escaping @Sendable (NotesStore) async throws -> Result
    ) throws -> Result? {
        do {
            return try device.withFile(of: reference.id, work)
        } catch let failure as NotesSyncFailure {
            Process.report("\(reference.path): not exported: \(DeviceNotes.reason(failure))")
            return nil
        }
    }

    private static func report(_ count: Int, _ attached: Int, _ place: String, _ arguments: Arguments) throws {
        if arguments.wantsJSON {
            try Output.json([
                "notes": .number(JSONNumber(Int64(count))), "files": .number(JSONNumber(Int64(count + attached))),
                "place": .string(place),
            ])
        } else {
            let files = attached == 0 ? "" : " and \(attached) \(attached == 1 ? "file" : "files")"
            let verb = count == 1 && attached == 0 ? "is" : "are"
            try Process.output("\(count) \(count == 1 ? "note" : "notes")\(files) \(verb) in \(place)\n")
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
