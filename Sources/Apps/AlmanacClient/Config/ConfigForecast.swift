public import AlmanacJSON

/// The server's forecast of a write.
public struct ConfigForecast: Sendable {
    /// The response.
    public let document: JSONObject

    public init(_ document: JSONObject) { self.document = document }

    /// The version of the release; the current version if nothing would change.
    public var version: String { document["version"]?.stringValue ?? "" }
    public var currentVersion: String { document["current_version"]?.stringValue ?? "" }
    /// Hints about changes that may be unintended.
    public var warnings: [String] { document["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// The reasons for the version's increment: one phrase for each change with the largest increment.
    public var reasons: [String] {
        let changes = objects("changes")
        return changes.filter { $0["bump"] == document["bump"] }.map { Self.reason($0) }
    }

    /// The keys whose old value remains visible to builds that pin an earlier major.
    public var keeps: [(major: Int64, keys: [String])] {
        objects("majors").compactMap { major in
            let keys = major["keeps"]?.arrayValue?.compactMap { $0.objectValue?["key"]?.stringValue } ?? []
            guard let number = major["major"]?.numberValue?.int64, !keys.isEmpty else { return nil }
            return (number, keys)
        }
    }

    /// The flags that builds of an earlier major do not get, each with the reason.
    public var withheld: [(major: Int64, flags: [(key: String, reason: String)])] {
        objects("majors").compactMap { major in
            let flags = major["withheld"]?.arrayValue?.compactMap(\.objectValue) ?? []
            guard let number = major["major"]?.numberValue?.int64, !flags.isEmpty else { return nil }
            return (number, flags.map { ($0["key"]?.stringValue ?? "", $0["reason"]?.stringValue ?? "") })
        }
    }

    private func objects(_ name: String) -> [JSONObject] { document[name]?.arrayValue?.compactMap(\.objectValue) ?? [] }

    private static func reason(_ change: JSONObject) -> String {
        func text(_ name: String) -> String { change[name]?.stringValue ?? "?" }
        let key = text("key")
        return switch text("reason") {
        case "added": "\(key) is new"
        case "removed": "\(key) is removed"
        case "retyped" where change["kind_before"] != nil: "\(key) changes from \(text("from")) to \(text("to"))"
        case "retyped": "the type of \(key) changes from \(text("from")) to \(text("to"))"
        case "member-removed": "\(text("path")) is removed from \(key)"
        case "member-retyped": "the type of \(text("path")) in \(key) changes from \(text("from")) to \(text("to"))"
        case "member-added": "\(text("path")) is added to \(key)"
        case "description-changed": "the description of \(key) changes"
        default: "the value of \(key) changes"
        }
    }
}

extension RemoteEnvironment {
    /// Requests a forecast of changes.
    ///
    /// - Returns: nil without a token that may write, and from a server without forecasts.
    public func forecast(
        _ difference: ConfigDifference, ifMatch tag: String? = nil
    ) throws(CallFailure) -> ConfigForecast? {
        let write = difference.write
        return try forecast("PATCH", ["config"], write.query, tag.map { [("If-Match", $0)] } ?? [], write.json)
    }

    /// Requests a forecast of setting one entry.
    ///
    /// - Parameter description: the new description; nil leaves it unchanged.
    public func forecast(
        setting key: String, to value: JSONValue, description: String?, kind: String? = nil
    ) throws(CallFailure) -> ConfigForecast? {
        var entry: [(name: String, value: JSONValue)] = [("value", value)]
        if let kind { entry.append(("kind", .string(kind))) }
        if let description { entry.append(("description", .string(description))) }
        let body = JSONValue.object(JSONObject([(key, .object(JSONObject(entry)))]))
        return try forecast("PATCH", ["config"], [("replace", "true"), ("form", "entries")], [], body)
    }

    /// Requests a forecast of restoring a revision.
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
