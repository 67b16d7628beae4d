public import AlmanacJSON

/// The server's word on what a write would do.
public struct ConfigForecast: Sendable {
    /// As it came.
    public let document: JSONObject

    public init(_ document: JSONObject) {
        self.document = document
    }

    /// The version that the release would get; the present one where nothing would change.
    public var version: String { document["version"]?.stringValue ?? "" }
    public var currentVersion: String { document["current_version"]?.stringValue ?? "" }
    /// What the server thinks may not have been meant.
    public var warnings: [String] { document["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// Why the version would be raised so: a phrase for each of the changes that raise it most.
    public var reasons: [String] {
        let changes = objects("changes")
        return changes.filter { $0["bump"] == document["bump"] }.map { Self.reason($0) }
    }

    /// The keys whose old value builds go on seeing that pin a major, because of the change.
    public var keeps: [(major: Int64, keys: [String])] {
        objects("majors").compactMap { major in
            let keys = major["keeps"]?.arrayValue?.compactMap { $0.objectValue?["key"]?.stringValue } ?? []
            guard let number = major["major"]?.numberValue?.int64, !keys.isEmpty else { return nil }
            return (number, keys)
        }
    }

    private func objects(_ name: String) -> [JSONObject] {
        document[name]?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    private static func reason(_ change: JSONObject) -> String {
        func text(_ name: String) -> String { change[name]?.stringValue ?? "?" }
        let key = text("key")
        return switch text("reason") {
        case "added": "\(key) is new"
        case "removed": "\(key) goes"
        case "retyped" where change["kind_before"] != nil:
            "\(key), \(text("from")), becomes \(text("to"))"
        case "retyped": "\(key), of type \(text("from")), becomes one of type \(text("to"))"
        case "member-removed": "\(key) loses \(text("path"))"
        case "member-retyped": "\(text("path")) of \(key), of type \(text("from")), becomes one of type \(text("to"))"
        case "member-added": "\(key) gets \(text("path"))"
        case "description-changed": "\(key) gets another description"
        default: "\(key) gets another value"
        }
    }
}

extension RemoteEnvironment {
    /// What the server says that some changes would do.
    ///
    /// - Returns: nil where it doesn't say: without a token that may change anything, and where the server has no such
    ///   call yet.
    public func forecast(
        _ difference: ConfigDifference, ifMatch tag: String? = nil
    ) throws(CallFailure) -> ConfigForecast? {
        let write = difference.write
        return try forecast("PATCH", ["config"], write.query, tag.map { [("If-Match", $0)] } ?? [], write.json)
    }

    /// The same of setting one entry.
    ///
    /// - Parameter description: nil leaves it as it is.
    public func forecast(
        setting key: String, to value: JSONValue, description: String?, kind: String? = nil
    ) throws(CallFailure) -> ConfigForecast? {
        var entry: [(name: String, value: JSONValue)] = [("value", value)]
        if let kind { entry.append(("kind", .string(kind))) }
        if let description { entry.append(("description", .string(description))) }
        let body = JSONValue.object(JSONObject([(key, .object(JSONObject(entry)))]))
        return try forecast("PATCH", ["config"], [("replace", "true"), ("form", "entries")], [], body)
    }

    /// The same of going back to a revision.
    public func forecast(restoring revision: String) throws(CallFailure) -> ConfigForecast? {
        try forecast("POST", ["releases", revision, "restore"], [], [], nil)
    }

    func forecast(
        _ method: String, _ path: [String], _ query: [(name: String, value: String)],
        _ headers: [(name: String, value: String)], _ json: JSONValue?
    ) throws(CallFailure) -> ConfigForecast? {
        guard hasToken else { return nil }
        do {
            let response = try send(method, path, query: query + [("dry_run", "true")], headers: headers, json: json)
            return ConfigForecast(try response.object())
        } catch {
            if ["scope-too-small", "invalid-parameter"].contains(error.problem) { return nil }
            throw error
        }
    }
}
