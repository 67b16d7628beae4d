internal import AlmanacClient
internal import JSON
internal import POSIX

/// `almanac note`
enum NoteCommands {
    static let all = [list, show, export]

    private static let whose = "They are those of the user whose token --token-file holds; nobody sees another's."

    private static let list = Command(
        name: "note list", summary: "List your own notes.",
        options: [
            Option(name: "--search", value: "WORDS", help: "only those that hold all of these words, the best first"), .json,
        ] + Option.server,
        details: whose,
        example: """
            $ almanac note list --token-file alice.token
            id  changed                   title
            n1  2026-01-01T09:00:00.000Z  Groceries
            """
    ) { arguments in
        let notes = try arguments.remote(writes: true).notes(matching: arguments.option("--search"))
        if arguments.wantsJSON {
            try Output.json(notes)
        } else {
            let rows = notes.map { note in
                ["id", "updated_at"].map { note[$0]?.stringValue ?? "" } + [note["title"].map(shown) ?? ""]
            }
            try Process.output(TextTable.text([["id", "changed", "title"]] + rows))
        }
        return .done
    }

    private static let show = Command(
        name: "note show", summary: "Print one note: its title, an empty line, its text.",
        operands: [Operand(name: "ID")], options: [.json] + Option.server, details: whose,
        example: "$ almanac note show n1 --token-file alice.token\nGroceries\n\nmilk"
    ) { arguments in
        let note = try arguments.remote(writes: true).note(arguments.operand("ID"))
        if arguments.wantsJSON {
            try Output.json(.object(note))
        } else {
            try Process.output("\(note["title"]?.stringValue ?? "")\n\n\(note["body"]?.stringValue ?? "")\n")
        }
        return .done
    }

    private static let export = Command(
        name: "note export", summary: "Print all of your notes as JSON.",
        options: [
            Option(
                name: "--output", short: "-o", value: "FILE", help: "write them to a file that only you can read",
                completion: .file), .json,
        ] + Option.server,
        details: whose + "\nAn array of objects in the order of the list, over several lines, or in one with --json.",
        example: "$ almanac note export --token-file alice.token --output notes.json"
    ) { arguments in
        let notes = JSONValue.array(try arguments.remote(writes: true).notes().map { .object($0) })
        let text = arguments.wantsJSON ? "\(notes)\n" : notes.pretty
        guard let path = arguments.option("--output") else {
            try Process.output(text)
            return .done
        }
        do { try File.replace(path, contents: Array(text.utf8), permissions: 0o600) } catch {
            throw CommandFailure(description: "\(path): \(error)")
        }
        return .done
    }

    /// A title in one line.
    private static func shown(_ title: JSONValue) -> String {
        let scalars = (title.stringValue ?? "").unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
