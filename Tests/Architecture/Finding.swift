/// A place that breaks a rule.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    /// From 1; nil where it is the whole file.
    let line: Int?
    let message: String

    var description: String { line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)" }
}
