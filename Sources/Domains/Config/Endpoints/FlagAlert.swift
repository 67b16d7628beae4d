internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON

/// The alerts of a call that disables a flag, as the webhooks of Alertmanager and Grafana send them.
struct FlagAlert {
    /// True if at least one alert of the group is firing; false if all are resolved.
    let isFiring: Bool
    /// The names of the firing alerts, for the history: one line of at most `ReleaseMessage.maxBytes`.
    let text: String

    private static let maxNames = 3
    /// The most Unicode scalars of a name, each of at most four bytes.
    private static let maxNameScalars = 80

    /// Returns nil for an empty body, and for an object without members, which some programs send instead.
    init?(_ request: Request, _ context: ConfigContext) throws(Problem) {
        let limits = context.service.settings.limits.json
        guard request.body.length != 0, case let bytes = try request.bytes(limit: limits.bytes), !bytes.isEmpty else {
            return nil
        }
        try request.contains("application/json")
        let object = try request.json(bytes, limits).objectValue
        if object?.isEmpty == true { return nil }
        guard let object, let status = object["status"]?.stringValue, ["firing", "resolved"].contains(status) else {
            throw Problem(
                .invalidValue,
                "expected no body, or the webhook body of Alertmanager, whose 'status' is 'firing' or 'resolved'")
        }
        isFiring = status == "firing"
        text = Self.text(of: object)
    }

    private static func text(of object: JSONObject) -> String {
        func name(_ labels: JSONValue?) -> String? { labels?.objectValue?["alertname"]?.stringValue }
        let alerts = object["alerts"]?.arrayValue?.compactMap(\.objectValue) ?? []
        let firing = alerts.filter { $0["status"] != "resolved" }.compactMap { name($0["labels"]) }
        let all = firing.isEmpty ? [name(object["commonLabels"]) ?? name(object["groupLabels"]) ?? ""] : firing
        let names = Set(all.map(line)).subtracting([""]).sorted()
        guard !names.isEmpty else { return "Alert without a name" }
        let others = names.count - maxNames
        return (names.count == 1 ? "Alert " : "Alerts ") + names.prefix(maxNames).joined(separator: ", ")
            + (others > 0 ? " and \(others) more" : "")
    }

    /// Returns the beginning of a name, without what a message cannot contain.
    private static func line(_ name: String) -> String {
        var line = String.UnicodeScalarView()
        let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        line.append(contentsOf: words.unicodeScalars.filter { ReleaseMessage.isValid("\($0)") }.prefix(maxNameScalars))
        return String(line)
    }
}
