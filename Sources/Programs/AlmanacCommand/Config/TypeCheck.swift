internal import AlmanacClient
internal import AlmanacJSON

/// The check that a value has the type of its key, so that no type is changed by mistake.
enum TypeCheck {
    static let retype = Option(name: "--retype", help: "permit a value of another type, which makes a new major")

    /// Refuses a value of another type than the entry's, unless `--retype` is given.
    ///
    /// - Parameters:
    ///   - kind: `value` or `flag`; nil for the entry's present kind.
    ///   - isParsed: True if the value was parsed from text, so that a string may be what is meant.
    static func run(
        _ key: String, _ value: JSONValue, kind: String?, isParsed: Bool, _ remote: RemoteEnvironment,
        _ arguments: Arguments
    ) throws {
        guard !arguments.has(retype.name), let entry = try remote.existingEntry(key) else { return }
        let present = entry["kind"]?.stringValue ?? "value"
        // The server refuses a flag that is no definition.
        guard let old = type(of: entry["value"] ?? .null, present), let new = type(of: value, kind ?? present),
            old != new
        else { return }
        let string = isParsed && entry["value"]?.stringValue != nil ? "--string to store it as a string, or " : ""
        throw UsageFailure("\(key) is \(old), and the new value is \(new): give \(string)--retype to change the type")
    }

    /// Returns the type of a value or of a flag, with its article; nil for a flag without variants.
    private static func type(of value: JSONValue, _ kind: String) -> String? {
        guard kind == "flag" else {
            let article = [.array, .object].contains(value.type) ? "an" : "a"
            return "\(article) \(value.type.rawValue)"
        }
        let variants = value.objectValue?["variants"]?.objectValue?.members ?? []
        let types = Set(variants.map(\.value.type.rawValue)).sorted().joined(separator: " and ")
        return types.isEmpty ? nil : "a flag with values of the type \(types)"
    }
}
