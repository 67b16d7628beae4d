internal import AlmanacTargeting

/// A flag system with one of its environments, as metadata names it: `unleash/production`.
public struct ImportOrigin: Sendable, Equatable, CustomStringConvertible {
    public let description: String

    /// The metadata of a flag that names its origin and its key there: `unleash/production/new ui`.
    static let sourceName = "almanac.source"
    /// The metadata of a flag that records its parts as they were imported.
    static let partsName = "almanac.source.parts"

    init(_ system: String, environment: String?) {
        description =
            "\(system)/"
            + (environment ?? "").unicodeScalars.map { $0 == "/" ? "%2F" : $0 == "%" ? "%25" : String($0) }.joined()
    }

    /// The metadata of `_flags` that records the shared rules and the plain entries of this origin.
    var recordName: String { "\(Self.sourceName).\(self)" }

    /// Returns the value of `almanac.source` of a flag.
    func text(of source: String) -> String { "\(self)/\(source)" }

    /// Returns the key that a flag has in this origin; nil for a flag of another one.
    func source(of definition: FlagObject) -> String? {
        guard case .object(let metadata)? = definition["metadata"], case .string(let text)? = metadata[Self.sourceName],
            text.utf8.starts(with: "\(self)/".utf8)
        else { return nil }
        return String(decoding: text.utf8.dropFirst(description.utf8.count + 1), as: UTF8.self)
    }
}
