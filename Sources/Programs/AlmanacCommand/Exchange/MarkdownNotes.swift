internal import AlmanacNotes

/// The Markdown files of an export, one per note with front matter, those in the trash included.
enum MarkdownNotes {
    private static let ending = ".md"

    static func isNote(_ path: String) -> Bool {
        String(decoding: path.utf8.suffix(ending.utf8.count), as: UTF8.self).lowercased() == ending
    }

    static func files(_ notes: [ExchangedNote]) -> [ExchangedFile] {
        var names = FileNames()
        return notes.map { note in
            let path = names.unique(FileNames.name(of: note.title), ending)
            return ExchangedFile(path: path, bytes: Array(FrontMatter.file(of: note).utf8))
        }
    }

    /// Reads the notes of an export, in the order of its files.
    static func read(_ files: [ExchangedFile]) -> FoundNotes {
        var found = FoundNotes()
        var attached: [(id: String, source: String)] = []
        for file in files {
            func remark(_ reason: ImportRemark.Reason, _ detail: String = "") {
                found.remarks.append(ImportRemark(source: file.path, reason: reason, detail: detail))
            }
            guard isNote(file.path) else {
                if let id = AttachedFiles.id(of: file.path) {
                    attached.append((id, file.path))
                } else {
                    remark(.notANote)
                }
                continue
            }
            guard let text = InputFile.text(file.bytes) else {
                remark(.notText)
                continue
            }
            do throws(FrontMatter.Unexpected) {
                guard let note = try FrontMatter.note(InputFile.withPlainLineBreaks(text)), ImportedNote.isID(note.id)
                else {
                    remark(.notANote)
                    continue
                }
                found.notes.append((note, file.path))
            } catch {
                remark(.frontMatter, error.line)
            }
        }
        let references = found.notes.flatMap { AttachedFiles.references(in: $0.note.body) }
        let named = Dictionary(references.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (id, source) in attached {
            if let reference = named[id] {
                found.files.append((reference, source))
            } else {
                found.remarks.append(ImportRemark(source: source, reason: .notANote))
            }
        }
        return found
    }
}
