internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// Source code with keys, as the commands `generate` print it.
enum KeySource {
    static let language = Operand(name: "LANGUAGE", completion: .words(KeyLanguage.allCases.map(\.rawValue)))
    static let output = Option(
        name: "--output", short: "-o", value: "FILE", help: "write to this file, and replace an older one atomically",
        completion: .file)

    /// Returns the language that the command line names.
    static func language(_ arguments: Arguments) throws(UsageFailure) -> KeyLanguage {
        let word = arguments.operand(language.name)
        guard let language = KeyLanguage(rawValue: word) else {
            let known = KeyLanguage.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageFailure("unknown language '\(word)'; expected one of \(known)")
        }
        return language
    }

    /// Writes source code to the file that the command line names, or prints it.
    static func write(_ text: String, _ arguments: Arguments) throws {
        if let path = arguments.option(output.name) {
            do { try File.replace(path, contents: Array(text.utf8), permissions: 0o644) } catch {
                throw CommandFailure(description: "\(path): \(error)")
            }
        } else if arguments.wantsJSON {
            try Output.json(["source": .string(text)])
        } else {
            try Process.output(text)
        }
    }
}
