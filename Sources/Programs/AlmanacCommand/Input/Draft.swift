internal import AlmanacPOSIX

/// A text that a person edits, in a file that only they can read.
struct Draft {
    let path: String

    init(_ text: String, named name: String, ending: String) throws {
        let folder = Process.variable("TMPDIR") ?? "/tmp"
        let file: DraftFile
        do throws(SystemFailure) {
            (file, path) = try DraftFile.named("\(folder)/almanac-\(name)-", ending: ending)
        } catch {
            throw CommandFailure(description: "a file for the editor in \(folder): \(error)")
        }
        do { try file.write(text) } catch {
            File.remove(path)
            throw error
        }
    }

    /// Opens the editor, and hands over what is in the file afterwards; the file is kept when that fails.
    ///
    /// - Parameter keeps: whether it is kept in any case.
    func use<Result>(keeps: Bool = false, _ body: ([UInt8]) throws -> Result) throws -> Result {
        do {
            try edit()
            let result = try body(try File.read(path, limit: 64 << 20))
            if keeps { tellPlace() } else { File.remove(path) }
            return result
        } catch {
            tellPlace()
            throw error
        }
    }

    private func tellPlace() {
        Process.report("almanac: what was written in the editor is kept in \(path)")
    }

    private func edit() throws {
        let editor = Process.variable("VISUAL") ?? Process.variable("EDITOR") ?? "vi"
        // By a shell, because people put options into the variable.
        let child = try ChildProcess.start("/bin/sh", ["-c", "exec \(editor) \"$1\"", "sh", path])
        let status = child.waitInForeground()
        guard status == 0 else {
            throw CommandFailure(description: "the editor '\(editor)' ended with status \(status); nothing was changed")
        }
    }
}
