internal import AlmanacPOSIX

/// A file that a command is given to read.
enum InputFile {
    /// Reads a file to its end, or standard input for `-`.
    static func read(_ path: String) throws -> [UInt8] {
        let limit = 64 << 20
        do {
            return path == "-" ? try Terminal.readInput(limit: limit) : try File.read(path, limit: limit)
        } catch {
            throw CommandFailure(description: "\(path == "-" ? "standard input" : path): \(error)")
        }
    }
}
