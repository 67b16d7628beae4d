internal import AlmanacPOSIX

/// A text to edit, in a file that only the user can read.
struct Draft {
    let path: String

    init(_ text: String, named name: String, ending: String) throws {
        let folder = Process.variable("TMPDIR") ?? "/tmp"
        let file: DraftFile
        do throws(SystemFailure) {
            (file, path) = try DraftFile.named("\(folder)/almanac-\(name)-", ending: ending)
        } catch {
            throw CommandFailure(description: "cannot create a file for the editor in \(folder): \(error)")
        }
        do { try file.write(text) } catch {
            File.remove(path)
            throw error
        }
    }

    /// Opens the editor, and passes the edited text on. The file stays if an error occurs.
    ///
    /// - Parameter keeps: true if the file stays in any case.
    func use<Result>(keeps: Bool = false, _ body: ([UInt8]) throws -> Result) throws -> Result {
        do {
            try edit()
            let result = try body(try File.read(path, limit: 64 << 20))
            if keeps { printPath() } else { File.remove(path) }
            return result
        } catch {
            printPath()
            throw error
        }
    }

    private func printPath() { Process.report("almanac: the edited text is kept in \(path)") }

    private func edit() throws {
        let editor = Process.variable("VISUAL") ?? Process.variable("EDITOR") ?? "vi"
        // A shell runs the editor, because the variable may contain options.
        let child = try ChildProcess.start("/bin/sh", ["-c", "exec \(editor) \"$1\"", "sh", path])
        let status = child.waitInForeground()
        guard status == 0 else {
            throw CommandFailure(description: "the editor '\(editor)' ended with status \(status); nothing was changed")
        }
    }
}
