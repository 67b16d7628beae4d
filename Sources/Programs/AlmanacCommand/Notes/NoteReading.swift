internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX

/// The commands `almanac note list`, `show` and `search`.
enum NoteReading {
    static let all = [list, show, search]

    static let json = """
        With --json, a note also has "status": "server", "device" if some changes are not sent yet, or
        "refused" with the "problem". "synced" says whether this command reached the server. "edited_at" is
        the time of the last edit of title or body, and "updated_at" the same time.
        """

    private static let list = Command(
        name: "note list", summary: "List your own notes.",
        options: [
            Option(
                name: "--search", value: "WORDS",
                help: "list only the notes that 'note search' finds with these words, best matches first"),
            Option(name: "--trash", help: "list the notes in the trash, as far as this machine knows them"), .json,
        ] + NoteCommands.server, details: NoteCommands.ownerDetails + "\n" + json,
        example: """
            $ almanac note list
            id  edited                    title
            n1  2026-01-01T09:00:00.000Z  Groceries
            """
    ) { arguments in
        let words = arguments.option("--search")
        if words != nil, arguments.has("--trash") { throw UsageFailure("--search and --trash exclude each other") }
        let isTrash = arguments.has("--trash")
        return try print(arguments) { store in
            if let words { return try await store.search(words, limit: maxResults) }
            return isTrash ? try await store.trash() : try await store.notes()
        }
    }

    private static let search = Command(
        name: "note search", summary: "List the notes that contain words or have tags.",
        operands: [Operand(name: "WORD", isRepeated: true)], options: [.json] + NoteCommands.server,
        details:
            """
            A note must contain every WORD, or a word that begins with WORD. Case, accents and
            punctuation do not matter. The best matches come first.

            '"oat milk"'        exactly these words, one after the other
            -soy                without this word; -soy* also without words that begin with it
            tag:work            with this tag; 'tag:"two words"' for a tag of two words
            -tag:work           without this tag
            oat or soy          either word

            """ + NoteCommands.ownerDetails,
        example: """
            $ almanac note search brea milk
            $ almanac note search '"oat milk"' -soy
            $ almanac note search tag:work milk or tag:home
            """
    ) { arguments in
        let words = arguments.all(of: "WORD").joined(separator: " ")
        return try print(arguments) { try await $0.search(words, limit: maxResults) }
    }

    private static let maxResults = 10_000

    private static func print(
        _ arguments: Arguments, _ notes: @escaping @Sendable (NotesStore) async throws -> [StoredNote]
    ) throws -> ExitStatus {
        let device = try DeviceNotes(arguments)
        try device.sync()
        let store = device.store
        let list = try blockUntilDone { try await notes(store) }
        if arguments.wantsJSON {
            try Output.json(.array(list.map { $0.json(isSynced: device.failure == nil) }))
        } else {
            try Process.output(list.table(.ofOutput))
        }
        return try device.readStatus()
    }

    private static let show = Command(
        name: "note show", summary: "Print one note: the title, any tags and pin, an empty line, and the text.",
        operands: [NoteCommands.id], options: [.json] + NoteCommands.server,
        details: NoteCommands.ownerDetails + "\n" + json, example: "$ almanac note show n1\nGroceries\n\nmilk"
    ) { arguments in
        let device = try DeviceNotes(arguments)
        try device.sync()
        let note = try device.note(arguments.operand("ID"))
        if arguments.wantsJSON {
            try Output.json(note.json(isSynced: device.failure == nil))
        } else {
            let text = NoteText.written(note.text)
            // The text may come from another person, so control sequences must not reach the terminal.
            try Process.output(Terminal.isOutput ? TextTable.visible(text) : text)
        }
        return try device.readStatus()
    }
}
