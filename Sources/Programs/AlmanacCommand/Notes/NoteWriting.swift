internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX

/// The commands `almanac note create`, `edit`, `tag`, `pin`, `unpin`, `move`, `delete` and `restore`.
enum NoteWriting {
    static let all = [create, edit, tag, pin, unpin, move, delete, restore]

    private static let keptText = """
        A change is saved on this machine first, and then sent. If the server cannot be reached, the next
        command that reaches it sends the change, and the server merges it with the changes of others.
        """

    private static let create = Command(
        name: "note create", summary: "Create a note, and print its id.",
        operands: [Operand(name: "TITLE"), Operand(name: "TEXT", isOptional: true)],
        options: [.json] + NoteCommands.server, details: "If TEXT is -, it is read from standard input.\n" + keptText,
        example: "$ almanac note create Groceries 'milk'\n$ fortune | almanac note create Fortune -"
    ) { arguments in
        let title = arguments.operand("TITLE")
        let body = try text(arguments.optional("TEXT") ?? "")
        let device = try DeviceNotes(arguments)
        let store = device.store
        let note = try blockUntilDone { try await store.create(title: title, body: body) }
        try device.sync()
        if arguments.wantsJSON {
            try Output.json(device.note(note.id).json(isSynced: device.failure == nil))
        } else {
            try Process.output(note.id + "\n")
        }
        return try device.writeStatus([note.id])
    }

    private static let edit = Command(
        name: "note edit", summary: "Edit a note, in an editor or with options.", operands: [NoteCommands.id],
        options: [
            Option(name: "--title", value: "TEXT", help: "the new title"),
            Option(name: "--text", value: "TEXT", help: "the new text; - reads standard input"),
            Option(name: "--append", value: "TEXT", help: "append this to the text; - reads standard input"), .json,
        ] + NoteCommands.server,
        details: """
            Without --title, --text and --append, the command opens $VISUAL, $EDITOR or vi. The editor shows the
            title on the first line, an empty line, and the text. Tags and a pin have lines of their own after
            the title: tags: ["two words", "work"] and pinned: true. Changes that others make meanwhile are
            merged with yours.

            """ + keptText,
        example: "$ almanac note edit n1 --append $'\\nbread'"
    ) { arguments in
        let id = arguments.operand("ID")
        if arguments.has("--text"), arguments.has("--append") {
            throw UsageFailure("--text and --append exclude each other")
        }
        let title = arguments.option("--title")
        let body = try arguments.option("--text").map(text)
        let end = try arguments.option("--append").map(text)
        let device = try DeviceNotes(arguments)
        if title == nil, body == nil, end == nil {
            try edit(id, device)
        } else {
            try device.withNote { store in
                _ = try await store.edit(id) { text in
                    if let title { text.title = title }
                    if let body { text.body = body }
                    if let end { text.body += end }
                }
            }
        }
        return try finishChange([id], device, arguments)
    }

    /// Syncs a note and opens it in an editor.
    private static func edit(_ id: String, _ device: DeviceNotes) throws {
        try device.sync()
        let note = try device.note(id)
        guard !note.title.contains(where: \.isNewline) else {
            throw UsageFailure(
                "the title of '\(id)' has several lines, so the editor cannot separate it from the text; use --title")
        }
        let before = NoteText.written(note.text)
        let draft = try Draft(before, named: "note", ending: ".txt")
        let store = device.store
        try draft.use { bytes in
            guard let after = InputFile.text(bytes) else {
                throw CommandFailure(description: "\(draft.path): expected UTF-8")
            }
            if after.utf8.elementsEqual(before.utf8) { return }
            let text = try NoteText.read(after)
            _ = try blockUntilDone {
                try await store.edit(note, title: text.title, body: text.body, tags: text.tags, isPinned: text.isPinned)
            }
        }
    }

    private static let tag = Command(
        name: "note tag", summary: "Add tags to a note, or remove tags from it.", operands: [NoteCommands.id],
        options: [
            Option(name: "--add", value: "TAG", help: "a tag to add; may be repeated", isRepeated: true),
            Option(name: "--remove", value: "TAG", help: "a tag to remove; may be repeated", isRepeated: true), .json,
        ] + NoteCommands.server,
        details: """
            A tag is any text of up to 64 characters, and a note has up to 32 tags. 'almanac note search
            tag:work' finds the notes with a tag. If one user adds a tag while another removes it, the tag
            stays.

            """ + keptText,
        example: "$ almanac note tag n1 --add work --remove 'two words'"
    ) { arguments in
        let (id, added, removed) = (arguments.operand("ID"), arguments.all("--add"), arguments.all("--remove"))
        if added.isEmpty, removed.isEmpty { throw UsageFailure("expected --add TAG or --remove TAG") }
        if let both = added.first(where: { tag in removed.contains { $0.utf8.elementsEqual(tag.utf8) } }) {
            throw UsageFailure("--add and --remove name the same tag '\(TextTable.line(both))'")
        }
        let device = try DeviceNotes(arguments)
        try device.withNote { _ = try await $0.tag(id, add: added, remove: removed) }
        return try finishChange([id], device, arguments)
    }

    private static let pin = Command(
        name: "note pin", summary: "Pin notes to the top of the list.",
        operands: [NoteCommands.ids], options: [.json] + NoteCommands.server, details: keptText,
        example: "$ almanac note pin n1"
    ) { arguments in
        try change(arguments) { store, id in _ = try await store.pin(id) }
    }

    private static let unpin = Command(
        name: "note unpin", summary: "Unpin notes.",
        operands: [NoteCommands.ids], options: [.json] + NoteCommands.server, details: keptText,
        example: "$ almanac note unpin n1"
    ) { arguments in
        try change(arguments) { store, id in _ = try await store.pin(id, false) }
    }

    private static let move = Command(
        name: "note move", summary: "Move a note to another position in the list.", operands: [NoteCommands.id],
        options: [
            Option(name: "--after", value: "ID", help: "move the note behind this one"),
            Option(name: "--first", help: "move the note to the top"), .json,
        ] + NoteCommands.server, details: keptText, example: "$ almanac note move n1 --after n2"
    ) { arguments in
        let (id, other) = (arguments.operand("ID"), arguments.option("--after"))
        guard (other != nil) != arguments.has("--first") else { throw UsageFailure("expected --after ID or --first") }
        let device = try DeviceNotes(arguments)
        try device.withNote { try await $0.move(id, after: other) }
        return try finishChange([id], device, arguments)
    }

    private static let delete = Command(
        name: "note delete", summary: "Move notes to the trash.",
        operands: [NoteCommands.ids], options: [.json] + NoteCommands.server,
        details:
            "If somebody edits the note before seeing that it was deleted, the note is restored. "
            + "'almanac note list --trash' shows the trash.\n"
            + keptText,
        example: "$ almanac note delete n1"
    ) { arguments in
        try change(arguments) { store, id in _ = try await store.delete(id) }
    }

    private static let restore = Command(
        name: "note restore", summary: "Restore notes from the trash.",
        operands: [NoteCommands.ids], options: [.json] + NoteCommands.server, details: keptText,
        example: "$ almanac note restore n1"
    ) { arguments in
        try change(arguments) { store, id in try await store.restore(id) }
    }

    private static func change(
        _ arguments: Arguments, _ work: @escaping @Sendable (NotesStore, String) async throws -> Void
    ) throws -> ExitStatus {
        let ids = arguments.all(of: "ID")
        let device = try DeviceNotes(arguments)
        // Every note must exist before any is changed.
        for id in ids {
            try device.withNote { store in
                guard try await store.note(id) != nil else { throw NotesFailure.noSuchNote(id) }
            }
        }
        let store = device.store
        for id in ids { try blockUntilDone { try await work(store, id) } }
        return try finishChange(ids, device, arguments)
    }

    /// Syncs a change, and prints the state of the changed notes.
    static func finishChange(_ ids: [String], _ device: DeviceNotes, _ arguments: Arguments) throws -> ExitStatus {
        try device.sync()
        let store = device.store
        let notes = try ids.compactMap { id in try blockUntilDone { try await store.note(id) } }
        if arguments.wantsJSON {
            try Output.json(.array(notes.map { $0.json(isSynced: device.failure == nil) }))
        } else {
            try Process.output(notes.map { "\($0.id): \($0.isInTrash ? "in the trash, " : "")\($0.place)\n" }.joined())
        }
        return try device.writeStatus(ids)
    }

    private static func text(_ word: String) throws -> String {
        guard word == "-" else { return word }
        guard let text = InputFile.text(try InputFile.read("-")) else {
            throw CommandFailure(description: "standard input: expected UTF-8")
        }
        return text
    }
}
