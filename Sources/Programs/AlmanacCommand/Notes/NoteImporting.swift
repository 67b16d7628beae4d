internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The command `almanac note import`.
enum NoteImporting {
    static let command = Command(
        name: "note import", summary: "Import notes from an export of Almanac.",
        operands: [Operand(name: "FILE", completion: .file)], options: [.dryRun, .json] + NoteCommands.server,
        details: """
            FILE is an export of 'almanac note export', or a Markdown export of the notes page:

            an archive          its name ends with .zip
            a folder            the folders in it are read too
            one note            its name ends with .md

            Each note is a Markdown file (.md) whose front matter has the note's id. The notes page can also
            import files without an id, and exports of Google Keep, Evernote, Bear, Obsidian, Joplin and
            Simplenote. Files in a folder attachments that the notes name are imported too, cleaned as by 'note
            attach'. The same export can be imported again: existing notes and files stay as they are. Standard
            error names everything that was skipped or changed, with the reason.
            With --json: {"added", "same", "notes", "files", "remarks", "synced"}.

            """ + NoteCommands.ownerDetails,
        example: """
            $ almanac note import notes.zip --dry-run
            12 notes would be imported; 3 already exist
            """
    ) { arguments in
        let path = arguments.operand("FILE")
        let found = try ImportSource.read(path)
        let device = try DeviceNotes(arguments)
        // A sync first makes the comparison with existing notes complete.
        try device.sync()
        let store = device.store
        let known = try blockUntilDone { try await store.notes() + store.trash() }
        var plan = ImportPlan(found, known: known.map(ExchangedNote.init))
        let isTrial = arguments.has(Option.dryRun.name)
        var ids = plan.added.map(\.id)
        var files = found.files.count
        if !isTrial {
            if !ids.isEmpty {
                let notes = plan.added.map(ImportedNote.init)
                ids = try blockUntilDone { try await store.add(notes) }
            }
            files = try addFiles(of: found, in: path, to: store, &plan)
            if !ids.isEmpty || files > 0 { try device.sync() }
            let inTrash = try discardTrashed(ids, device)
            plan.same += inTrash.count
            ids.removeAll(where: inTrash.contains)
        }
        try report(plan, ids, files, isTrial: isTrial, device, arguments)
        return isTrial ? try device.readStatus() : try device.writeStatus(ids)
    }

    /// Adds the files that the notes name. Returns the number of new ones.
    private static func addFiles(
        of found: FoundNotes, in path: String, to store: NotesStore, _ plan: inout ImportPlan
    ) throws -> Int {
        var (count, remarks) = (0, [ImportRemark]())
        let unread = try ImportSource.readFiles(of: found, in: path) { reference, source, file in
            if case .removed? = try blockUntilDone({ try await store.attachment(reference.id)?.status }) {
                return remarks.append(ImportRemark(source: source, reason: .removedFile))
            }
            do {
                let added = try blockUntilDone {
                    try await store.add(path: file, attachment: reference.id, name: reference.name)
                }
                if added != nil { count += 1 }
                if added == .damagedPicture { remarks.append(ImportRemark(source: source, reason: .fileAsIs)) }
            } catch NotesFailure.attachmentRefused {
                remarks.append(ImportRemark(source: source, reason: .emptyFile))
            }
        }
        plan.remarks += unread + remarks
        return count
    }

    /// Discards imported notes that are already in the account's trash, which a new machine doesn't have.
    ///
    /// - Returns: the ids of the discarded notes.
    private static func discardTrashed(_ ids: [String], _ device: DeviceNotes) throws -> Set<String> {
        let store = device.store
        var found: Set<String> = []
        for id in ids {
            guard case .needsAttention(let problem)? = try blockUntilDone({ try await store.note(id)?.status }),
                problem.type == "note-exists"
            else { continue }
            try blockUntilDone { try await store.discard(id) }
            found.insert(id)
        }
        return found
    }

    private static func report(
        _ plan: ImportPlan, _ ids: [String], _ files: Int, isTrial: Bool, _ device: DeviceNotes, _ arguments: Arguments
    ) throws {
        if arguments.wantsJSON {
            let remarks = plan.remarks.map { remark in
                [
                    "source": .string(remark.source), "reason": .string(remark.reason.rawValue),
                    "detail": .string(remark.detail), "text": .string(remark.text),
                ] as JSONValue
            }
            return try Output.json([
                "added": .number(JSONNumber(Int64(ids.count))), "same": .number(JSONNumber(Int64(plan.same))),
                "notes": .array(ids.map { .string($0) }), "files": .number(JSONNumber(Int64(files))),
                "remarks": .array(remarks),
                "synced": .boolean(device.failure == nil),
            ])
        }
        for remark in plan.remarks {
            Process.report("\(TextTable.line(remark.source)): \(TextTable.line(remark.text))")
        }
        let count =
            "\(ids.count) \(ids.count == 1 ? "note" : "notes")"
            + (files == 0 ? "" : " and \(files) \(files == 1 ? "file" : "files")")
        let same = plan.same == 0 ? "" : "; \(plan.same) already \(plan.same == 1 ? "exists" : "exist")"
        try Process.output("\(count) \(isTrial ? "would be " : "")imported\(same)\n")
    }
}

extension ImportedNote {
    init(_ note: ExchangedNote) {
        self.init(
            id: note.id,
            text: StoredNote.Text(title: note.title, body: note.body, tags: note.tags, isPinned: note.isPinned),
            createdAt: note.createdAt.map { Timestamp(milliseconds: $0).date },
            updatedAt: note.updatedAt.map { Timestamp(milliseconds: $0).date }, isInTrash: note.isInTrash)
    }
}
