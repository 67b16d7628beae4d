internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX

/// The commands `almanac note sync`, `keep` and `discard`.
enum NoteSyncing {
    static let all = [sync, keep, discard]

    private static let sync = Command(
        name: "note sync", summary: "Bring this machine and the server level.",
        options: [
            Option(
                name: "--missing", value: "WHAT",
                help:
                    "what becomes of notes that the server does not have any more, "
                    + "when it asks: keep sends them again, "
                    + "trash puts them into the trash", completion: .words(["keep", "trash"])), .json,
        ] + Option.server,
        details: """
            Every command about notes does this too. This one does nothing else, and fails when it cannot. With --json:
            {"synced", "notes", "unsent", "refused"}, and "reason" where it was not done.
            """,
        example: "$ almanac note sync\n12 notes, level with the server"
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
        if arguments.wantsJSON {
            var document: [(name: String, value: JSONValue)] = [
                ("synced", .boolean(device.failure == nil)), ("notes", .number(JSONNumber(Int64(count)))),
                ("unsent", .number(JSONNumber(Int64(unsent)))), ("refused", .number(JSONNumber(Int64(refused)))),
            ]
            if let failure = device.failure { document.append(("reason", .string(DeviceNotes.reason(failure)))) }
            try Output.json(.object(JSONObject(document)))
        } else {
            let rest = [(unsent, "not sent yet"), (refused, "refused by the server")].filter { $0.0 > 0 }
            let text = rest.map { "\($0) \($1)" } + (device.failure == nil ? ["level with the server"] : [])
            try Process.output("\(count) \(count == 1 ? "note" : "notes"), \(text.joined(separator: ", "))\n")
        }
        guard let failure = device.failure else { return refused > 0 ? .failed : .success }
        device.report(DeviceNotes.reason(failure))
        return device.status(of: failure, otherwise: .failed)
    }

    private static let keep = Command(
        name: "note keep", summary: "Make a new note of one whose change the server refuses.",
        operands: [NoteCommands.id], options: [.json] + NoteCommands.server,
        details: "The text stays as it is here, under a new id, which is printed; the old note is let go of.",
        example: "$ almanac note keep n1"
    ) { arguments in
        let id = arguments.operand("ID")
        let device = try DeviceNotes(arguments)
        try refused(id, device)
        let new = try device.withNote { try await $0.keepAsNew(id) }
        return try NoteWriting.finishChange([new.id], device, arguments)
    }

    private static let discard = Command(
        name: "note discard", summary: "Let go of a change that the server refuses.",
        operands: [NoteCommands.id], options: [.json] + NoteCommands.server,
        details: "The note is again what the server has, or gone where it has none.",
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
            throw CommandFailure(description: "the server refuses nothing of '\(id)', so nothing was done")
        }
    }
}
