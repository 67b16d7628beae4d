internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacNotes
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The commands `almanac note attach` and `attachments`.
enum NoteAttaching {
    static let all = [attach, attachments]

    private static let json = """
        With --json, an array of {"id", "name", "type", "bytes", "path", "created_at", "here", "status"}.
        "status" is "kept", "sending", "stored", or "refused" with the "problem"; "here" says whether the file
        is on this machine.
        """

    private static let attach = Command(
        name: "note attach", summary: "Attach pictures and other files to a note.",
        operands: [NoteCommands.id, Operand(name: "FILE", isRepeated: true, completion: .file)],
        options: [
            Option(name: "--keep-metadata", help: "keep the location and camera data in pictures"), .json,
        ] + NoteCommands.server,
        details: """
            Copies each FILE into the notes of this machine, appends a reference to the note's text, and then
            sends both. A picture (PNG, JPEG, GIF, WebP, AVIF) is shown in the text: ![name](attachments/…).
            Another file is a link: [name](attachments/…). If the server cannot be reached, a later command sends
            the file, and a broken transfer resumes.

            Location, camera data, texts and thumbnails are removed from JPEG, PNG, WebP and GIF; AVIF and other
            files are stored as they are. A damaged picture needs --keep-metadata.

            """ + json,
        example: "$ almanac note attach n1 photo.jpg\nphoto.jpg: on the server"
    ) { arguments in
        let (id, paths) = (arguments.operand("ID"), arguments.all(of: "FILE"))
        let device = try DeviceNotes(arguments)
        // The note must exist before any file is copied.
        try device.withNote { store in
            guard try await store.note(id) != nil else { throw NotesFailure.noSuchNote(id) }
        }
        let store = device.store
        let keepsMetadata = arguments.has("--keep-metadata")
        let ids = try blockUntilDone {
            var added: [StoredAttachment] = []
            do {
                for path in paths { added.append(try await store.attach(path: path, keepsMetadata: keepsMetadata)) }
                let references = added.map(\.markdown).joined(separator: "\n\n")
                _ = try await store.edit(id) { $0.body = Self.separated($0.body) + references + "\n" }
            } catch {
                for attachment in added { try await store.remove(attachment: attachment.id) }
                throw error
            }
            return added.map(\.id)
        }
        try device.sync()
        let files = try blockUntilDone {
            var files: [StoredAttachment] = []
            for id in ids { if let file = try await store.attachment(id) { files.append(file) } }
            return files
        }
        if arguments.wantsJSON {
            try Output.json(.array(files.map(\.json)))
        } else {
            try Process.output(files.map { "\(TextTable.line($0.name)): \($0.place)\n" }.joined())
        }
        let status = try device.writeStatus([id])
        return reportRefused(files) ? .failed : status
    }

    /// Returns a text that ends with an empty line, or nothing for an empty text.
    private static func separated(_ body: String) -> String {
        if body.isEmpty || body.hasSuffix("\n\n") { return body }
        return body + (body.hasSuffix("\n") ? "\n" : "\n\n")
    }

    private static func reportRefused(_ files: [StoredAttachment]) -> Bool {
        var isAnyRefused = false
        for file in files {
            guard case .refused(let problem) = file.status else { continue }
            isAnyRefused = true
            Process.report(
                "almanac: the server refused the file '\(TextTable.line(file.name))': "
                    + "\(TextTable.line(problem.detail)); "
                    + "the file is saved on this machine; "
                    + "'almanac note attachments --retry \(file.id)' sends it again, '--remove \(file.id)' removes it")
        }
        return isAnyRefused
    }

    private static let attachments = Command(
        name: "note attachments", summary: "List, save or remove the files of your notes.",
        operands: [Operand(name: "ID", isOptional: true)],
        options: [
            Option(
                name: "--save", value: "FOLDER", help: "save the files in this folder, under their own names",
                completion: .file),
            Option(
                name: "--remove", value: "ATTACHMENT", help: "remove the file of this id for good; may be repeated",
                isRepeated: true),
            Option(
                name: "--retry", value: "ATTACHMENT", help: "send a refused file again; may be repeated",
                isRepeated: true), .yes, .json,
        ] + NoteCommands.server,
        details: """
            Lists the files that the text of the note ID names, or all files that this machine knows. Nobody can
            undo --remove, which asks first: the file is erased on the server, and every note that names it
            shows a placeholder. A file that no text names for 30 days is removed by the server. A reference
            removed from a text can so be restored for 30 days.

            """ + json + "\n" + NoteCommands.ownerDetails,
        example: """
            $ almanac note attachments n1 --save photos
            id                          size     name
            aebagbafaydqqcikbmga2dqpca  2.1 MiB  photo.jpg
            """
    ) { arguments in
        let (removed, retried) = (arguments.all("--remove"), arguments.all("--retry"))
        let confirmation = removed.isEmpty ? nil : try Confirmation(arguments, "removes files for good")
        let device = try DeviceNotes(arguments)
        let store = device.store
        try device.sync()
        if let confirmation {
            let count = "\(removed.count) \(removed.count == 1 ? "file" : "files")"
            guard confirmation.isGiven("Remove \(count) for good?") else { return .failed }
        }
        if !removed.isEmpty || !retried.isEmpty {
            try blockUntilDone {
                for id in removed + retried where try await store.attachment(id) == nil {
                    throw CallFailure(notFound: "you have no file '\(id)'")
                }
                for id in removed { try await store.remove(attachment: id) }
                for id in retried { try await store.sendAgain(attachment: id) }
            }
            try device.sync()
        }
        let body = try arguments.optional("ID").map { try device.note($0).body }
        let files = try blockUntilDone {
            if let body { return try await store.attachments(in: body).filter { $0.status != .removed } }
            return try await store.attachments()
        }
        if arguments.wantsJSON {
            try Output.json(.array(files.map(\.json)))
        } else {
            try Process.output(files.table(.ofOutput))
        }
        if let folder = arguments.option("--save") { try save(files, in: folder, device) }
        let isAnyRefused = reportRefused(files.filter { retried.contains($0.id) })
        let status = removed.isEmpty && retried.isEmpty ? try device.readStatus() : try device.writeStatus([])
        return isAnyRefused ? .failed : status
    }

    private static func save(_ files: [StoredAttachment], in folder: String, _ device: DeviceNotes) throws {
        do { try File.makePrivateFolder(folder) } catch { throw CommandFailure(description: "\(folder): \(error)") }
        var names = FileNames()
        for file in files {
            let dot = file.name.lastIndex(of: ".") ?? file.name.endIndex
            let stem = FileNames.name(of: String(file.name[..<dot]))
            let path = "\(folder)/\(names.unique(stem, String(file.name[dot...])))"
            try device.withFile(of: file.id) { try await $0.save(attachment: file.id, to: path) }
        }
    }
}

extension StoredAttachment {
    /// The state of the file, for people.
    fileprivate var place: String {
        switch status {
        case .kept: "on this machine"
        case .sending(let sent): "on this machine, \(Self.size(sent)) of \(Self.size(bytes)) sent"
        case .stored: "on the server"
        case .refused: "refused"
        case .removed: "removed"
        }
    }

    fileprivate var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(id)), ("name", .string(name)), ("type", .string(type)),
            ("bytes", .number(JSONNumber(bytes))), ("path", .string(path)),
            ("created_at", .string("\(Timestamp(createdAt))")), ("here", .boolean(isHere)),
        ]
        switch status {
        case .kept: members.append(("status", "kept"))
        case .sending: members.append(("status", "sending"))
        case .stored: members.append(("status", "stored"))
        case .removed: members.append(("status", "removed"))
        case .refused(let problem):
            members.append(("status", "refused"))
            members.append(("problem", ["type": .string(problem.type), "detail": .string(problem.detail)]))
        }
        return .object(JSONObject(members))
    }

    /// Formats a number of bytes with one decimal place.
    fileprivate static func size(_ bytes: Int64) -> String {
        var (tenths, unit) = (bytes * 10, "B")
        for larger in ["KiB", "MiB", "GiB"] where tenths >= 10_240 { (tenths, unit) = ((tenths + 512) / 1024, larger) }
        return unit == "B" ? "\(bytes) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}

extension [StoredAttachment] {
    /// Returns a table with a line per file. The column for the place is omitted if all files are on the server.
    fileprivate func table(_ style: OutputStyle) -> String {
        var columns: [(head: String, cell: (StoredAttachment) -> String)] = [
            ("id", \.id), ("size", { StoredAttachment.size($0.bytes) }),
        ]
        if contains(where: { $0.status != .stored }) { columns.append(("where", \.place)) }
        columns.append(("name", { TextTable.line($0.name) }))
        return TextTable.text(columns.map(\.head), map { file in columns.map { $0.cell(file) } }, style)
    }
}
