public import AlmanacTargeting

/// A flag system whose files can be read.
public enum SourceSystem: String, Sendable, CaseIterable {
    case unleash, launchdarkly, firebase, goff, flipt, configcat, growthbook, flagsmith

    /// Reads files of the system, and translates them to flags and entries.
    ///
    /// - Parameters:
    ///   - files: The parsed files, in any order.
    ///   - environment: The name of the system's own environment, where files have several; nil if the files have one.
    /// - Throws: ``ImportFailure`` if a file is not one of the system. A flag that cannot be kept is no failure: the
    ///   report of the project names it.
    public func project(_ files: [SourceFile], environment: String?) throws(ImportFailure) -> ImportedProject {
        switch self {
        default: throw ImportFailure(file: files.first?.name ?? "", "files of \(rawValue) cannot be read yet")
        }
    }
}

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
}
