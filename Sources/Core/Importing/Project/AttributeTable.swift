/// The places in a context of Almanac of the attributes that the rules of another system read.
public struct AttributeTable: Sendable {
    /// The path in the context by the name in the files. A path of two names is a member of an object.
    public private(set) var paths: [String: [String]]
    private var taken: Set<[String]>
    /// The newest number behind a path.
    private var numbers: [[String]: Int] = [:]

    /// - Parameter unit: The name of the attribute that identifies a user there, which becomes `targetingKey`.
    public init(unit: String) {
        paths = [unit: ["targetingKey"]]
        taken = [["targetingKey"]]
    }

    /// The attributes that have another name in Almanac than in the files, sorted by the name in the files. An app must
    /// send them under the new name.
    public var renamed: [(source: String, attribute: String)] {
        paths.filter { $0.value != [$0.key] }.map { ($0.key, $0.value.joined(separator: ".")) }.sorted { $0.0 < $1.0 }
    }

    /// Returns the path of an attribute. A path is given on the first call, and characters that a rule cannot read
    /// become underscores.
    ///
    /// - Parameter preferred: The path, or nil for an attribute of the same name at the top.
    mutating func path(of source: String, preferred: [String]? = nil) -> [String] {
        if let path = paths[source] { return path }
        var path = (preferred ?? [source]).map(Self.readable)
        if path.last?.isEmpty != false { path = path.dropLast() + ["attribute"] }
        let wanted = path
        while taken.contains(path) {
            numbers[wanted, default: 1] += 1
            path[path.count - 1] = "\(wanted[wanted.count - 1])_\(numbers[wanted, default: 2])"
        }
        paths[source] = path
        taken.insert(path)
        return path
    }

    /// Returns a name without dots, which JSON Logic reads as paths, and without slashes.
    private static func readable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.map { ["." as Unicode.Scalar, "/"].contains($0) ? "_" : $0 }))
    }
}
