internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX

/// The commands `almanac note sync`, `keep` and `discard`.
enum NoteSyncing {
    static let all = [sync, keep, discard]

    private static let sync = Command(
        name: "note sync", summary: "Sync the notes on this machine with the server.",
        options: [
            Option(
                name: "--missing", value: "WHAT",
                help: "if the command reports that notes are no longer on the server: keep sends these notes again, "
                    + "trash moves them to the trash", completion: .words(["keep", "trash"])), .json,
        ] + Option.server,
        details: """
            Every command about notes syncs too. This command only syncs, and fails if it cannot. With --json:
            {"synced", "notes", "unsent", "refused", "unsent_files", "refused_files"}, and "reason" if the sync
            failed.
            """,
        example: "$ almanac note sync\n12 notes, in sync with the server"
    ) { arguments in
        let decision: NotesStore.Decision? =
            switch arguments.option("--missing") {
            case nil: nil
            case "keep": .keep
            case "trash": .moveToTrash
            case let word?: throw UsageFailure("--missing must be keep or trash, not '\(word)'")
            }
        let device = try DeviceNotes(arguments)
        let store = device.store
        try device.sync()
        if case .decisionNeeded? = device.failure, let decision {
            try blockUntilDone { try await store.decide(decision) }
            try device.sync()
        }
        return try report(device, arguments)
    }

    private static func report(_ device: DeviceNotes, _ arguments: Arguments) throws -> ExitStatus {
        let store = device.store
        let notes = try blockUntilDone { try await store.notes() + store.trash() }
        let count = notes.count { !$0.isInTrash }
        let unsent = notes.count { $0.status == .onThisDevice }
        let refused = notes.count { if case .needsAttention = $0.status { true } else { false } }
        let unsynced = try blockUntilDone { try await store.unsynced() }
        let (unsentFiles, refusedFiles) = (unsynced.waitingAttachments, unsynced.refusedAttachments)
        if arguments.wantsJSON {
            var document: [(name: String, value: JSONValue)] = [
                ("synced", .boolean(device.failure == nil)), ("notes", .number(JSONNumber(Int64(count)))),
                ("unsent", .number(JSONNumber(Int64(unsent)))), ("refused", .number(JSONNumber(Int64(refused)))),
                ("unsent_files", .number(JSONNumber(Int64(unsentFiles)))),
                ("refused_files", .number(JSONNumber(Int64(refusedFiles)))),
            ]
            if let failure = device.failure { document.append(("reason", .string(DeviceNotes.reason(failure)))) }
            try Output.json(.object(JSONObject(document)))
        } else {
            func files(_ count: Int) -> String { count == 1 ? "file" : "files" }
            let rest = [
                (unsent, "not sent yet"), (refused, "refused by the server"),
                (unsentFiles, "\(files(unsentFiles)) not sent yet"),
                (refusedFiles, "\(files(refusedFiles)) refused by the server"),
            ].filter { $0.0 > 0 }
            let text = rest.map { "\($0) \($1)" } + (device.failure == nil ? ["in sync with the server"] : [])
            try Process.output("\(count) \(count == 1 ? "note" : "notes"), \(text.joined(separator: ", "))\n")
        }
        guard let failure = device.failure else { return refused + refusedFiles > 0 ? .failed : .success }
        device.report(DeviceNotes.reason(failure))
        return device.status(of: failure, otherwise: .failed)
    }

    private static let keep = Command(
        name: "note keep", summary: "Copy a note whose change the server refused into a new note.",
        operands: [NoteCommands.id], options: [.json] + NoteCommands.server,
        details: "The new note has the text of this machine and a new id, which is printed. "
            + "The refused change is discarded.", example: "$ almanac note keep n1"
    ) { arguments in
        let id = arguments.operand("ID")
        let device = try DeviceNotes(arguments)
        try refused(id, device)
        let new = try device.withNote { try await $0.keepAsNew(id) }
        return try NoteWriting.finishChange([new.id], device, arguments)
    }

    private static let discard = Command(
        name: "note discard", summary: "Discard a change that the server refused.",
        operands: [NoteCommands.id], options: [.json] + NoteCommands.server,
        details: "The note becomes the server's version, or is removed if the server has none.",
        example: "$ almanac note discard n1"
    ) { arguments in
        let id = arguments.operand("ID")
        let device = try DeviceNotes(arguments)
        try refused(id, device)
        try device.withNote { try await $0.discard(id) }
        return try NoteWriting.finishChange([id], device, arguments)
    }

    private static func refused(_ id: String, _ device: DeviceNotes) throws {
        guard case .needsAttention = try device.note(id).status else {
            throw CommandFailure(description: "note '\(id)' has no refused change; nothing was done")
        }
    }
}
