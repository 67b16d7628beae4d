public import AlmanacTargeting

/// A parsed file of a flag system. YAML is parsed to the same values as JSON.
public struct SourceFile: Sendable {
    /// The name for messages, such as a path.
    public let name: String
    public let content: FlagValue

    public init(name: String, content: FlagValue) {
        self.name = name
        self.content = content
    }
}

/// A file that is not what the system exports.
public struct ImportFailure: Error, CustomStringConvertible {
    public let description: String

    /// - Parameters:
    ///   - pointer: The place in the file as a JSON pointer (RFC 6901), or an empty text for the whole file.
    ///   - message: What was expected.
    init(file: String, at pointer: String = "", _ message: String) {
        description = pointer.isEmpty ? "\(file): \(message)" : "\(file): \(message) at \(pointer)"
    }

    init(description: String) { self.description = description }
}
