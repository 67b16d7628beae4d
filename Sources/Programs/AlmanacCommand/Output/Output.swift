internal import AlmanacJSON
internal import AlmanacPOSIX

/// The output of commands for programs.
enum Output {
    /// Prints a JSON document in one line.
    static func json(_ document: JSONValue) throws(SystemFailure) { try Process.output("\(document)\n") }

    static func json(_ documents: [JSONObject]) throws(SystemFailure) {
        try json(.array(documents.map { .object($0) }))
    }
}

extension JSONObject {
    /// The name of a release's or audit line's author; without a known name, the token's label or the user's subject.
    var authorText: String { self["author_name"]?.stringValue ?? self["author"]?.stringValue ?? "" }
}

extension JSONValue {
    /// The value as indented JSON with two spaces per level and a final line break.
    var pretty: String { lines(indent: "") + "\n" }

    private func lines(indent: String) -> String {
        let deeper = indent + "  "
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { deeper + $0.lines(indent: deeper) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let object) where !object.isEmpty:
            let lines = object.members.map {
                "\(deeper)\(JSONValue.string($0.name)): \($0.value.lines(indent: deeper))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        default: return description
        }
    }

    /// A string without quotes, or any other value as JSON.
    var plain: String { stringValue ?? description }
}
