/// A place that breaks a rule.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    /// The line, from 1, or nil if the finding concerns the whole file.
    let line: Int?
    let message: String

    var description: String { line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)" }
}
