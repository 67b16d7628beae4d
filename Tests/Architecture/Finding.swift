/// A place in the source that breaks a rule.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    /// From 1.
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}
