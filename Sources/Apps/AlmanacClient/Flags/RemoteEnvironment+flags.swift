internal import AlmanacClientRuntime
public import AlmanacJSON

extension RemoteEnvironment {
    /// Fetches the list of flags with their types, variants and last evaluation times.
    public func flags() throws(CallFailure) -> JSONObject { try send("GET", ["flags"]).object() }

    /// Fetches a flag's entry.
    public func flag(_ key: String, version: String? = nil) throws(CallFailure) -> FlagEntry {
        let (entry, tag) = try entry(key, version: version)
        guard entry["kind"] == "flag", let definition = entry["value"]?.objectValue else {
            throw CallFailure(notFound: "'\(key)' is not a flag")
        }
        return FlagEntry(entry: entry, definition: definition, tag: tag)
    }

    /// Fetches the evaluation steps of a flag's rule for a context.
    ///
    /// - Parameter question: the members of the request: `context`, `definition`, `time`.
    public func explanation(of key: String, _ question: FlagQuestion) throws(CallFailure) -> JSONObject {
        try ask("explain", of: key, question)
    }

    /// Fetches the evaluations of a flag for a sample of callers.
    ///
    /// - Parameter question: the members of the request: `context`, `definition`, `time`, `fractional`, `count`.
    public func sample(of key: String, _ question: FlagQuestion) throws(CallFailure) -> FlagSampling {
        FlagSampling(try ask("sample", of: key, question))
    }

    private func ask(_ call: String, of key: String, _ question: FlagQuestion) throws(CallFailure) -> JSONObject {
        let members = question.compactMap { member in member.value.map { (name: member.name, value: $0) } }
        return try send("POST", ["flags", key, call], json: .object(JSONObject(members))).object()
    }

    /// Enables or disables a flag.
    public func switchFlag(_ key: String, on isOn: Bool, message: String?) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(send("POST", ["flags", key, isOn ? "enable" : "disable"], headers: headers(message, nil)))
    }

    /// Fetches all flags in flagd's format.
    public func flagSet(at revision: String? = nil, version: String? = nil) throws(CallFailure) -> StoredFlagSet {
        let response = try send("GET", ["flags.json"], query: pairs(("at", revision), ("version", version)))
        return StoredFlagSet(
            document: try response.object(), fractional: response.headers["Almanac-Fractional"],
            tag: response.headers["ETag"])
    }

    /// Replaces all flags in one release.
    ///
    /// - Parameters:
    ///   - fractional: the version of the set's splits; nil for the environment's.
    ///   - isLenient: true to store invalid flags too.
    public func replaceFlags(
        by document: JSONObject, fractional: String?, isLenient: Bool, message: String?, ifMatch tag: String?
    ) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(
            send(
                "PUT", ["flags.json"], query: query(fractional, isLenient), headers: headers(message, tag),
                json: .object(document)))
    }

    /// Requests a forecast of replacing all flags.
    public func forecastOfReplacingFlags(
        by document: JSONObject, fractional: String?, isLenient: Bool
    ) throws(CallFailure) -> ConfigForecast? {
        try forecast("PUT", ["flags.json"], query(fractional, isLenient), [], .object(document))
    }

    private func query(_ fractional: String?, _ isLenient: Bool) -> [(name: String, value: String)] {
        pairs(("fractional", fractional), ("lenient", isLenient ? "true" : nil))
    }

    /// Fetches the flags with types and defaults in the format of OpenFeature's tools.
    public func flagManifest() throws(CallFailure) -> JSONObject {
        try send("GET", ["openfeature", "v0", "manifest"]).object()
    }

    /// Returns true if the server marks the environment as needing caution; nil if the server doesn't say.
    public func needsCaution() throws(CallFailure) -> Bool? {
        let response = try send("GET", outside: ["environments"])
        if [401, 403].contains(response.status) { throw refusal(response) }
        guard response.isSuccess else { return nil }
        return try response.list().first { $0["name"] == .string(name) }?["caution"]?.boolValue
    }
}

/// A flag as an entry of the config.
public struct FlagEntry: Sendable {
    /// The response.
    public let entry: JSONObject
    public let definition: JSONObject
    /// The `ETag` for `If-Match`.
    public let tag: String?
}

/// The flags of an environment as one document.
public struct StoredFlagSet: Sendable {
    /// The document in flagd's format.
    public let document: JSONObject
    /// The version of the set's splits, 2 or 3.
    public let fractional: String?
    /// The `ETag` for `If-Match`.
    public let tag: String?

    public init(document: JSONObject, fractional: String?, tag: String?) {
        (self.document, self.fractional, self.tag) = (document, fractional, tag)
    }

    /// A config state for comparisons: the flags' definitions by key, and their shared members under `_flags`.
    public var state: ConfigState {
        var values: [(name: String, value: JSONValue)] = []
        switch document["flags"] {
        case .object(let flags)?: values = flags.members
        case .array(let flags)?:
            values = flags.compactMap { flag in
                guard let flag = flag.objectValue, let key = flag["key"]?.stringValue else { return nil }
                return (key, .object(flag.removing("key")))
            }
        default: break
        }
        let kinds = values.map { ($0.name, "flag") } + [("_flags", "flag-set")]
        let shared = document.removing("flags")
        if !shared.isEmpty { values.append(("_flags", .object(shared))) }
        return ConfigState(
            values: JSONObject(values), kinds: Dictionary(kinds) { first, _ in first }, tag: tag, revision: nil,
            version: nil)
    }
}

/// The members of a request for evaluations of a flag. Members without a value are left out.
public typealias FlagQuestion = [(name: String, value: JSONValue?)]

/// The evaluations of a flag for a sample of callers.
public struct FlagSampling: Sendable {
    /// The response.
    public let document: JSONObject

    init(_ document: JSONObject) { self.document = document }

    public var count: Int64 { document["sampled"]?.numberValue?.int64 ?? 0 }
    /// The number of callers whose variant would change.
    public var moved: Int64 { document["moved"]?.numberValue?.int64 ?? 0 }
    /// The number of callers for each variant.
    public var variants: [(name: String, count: Int64)] {
        objects("variants").map { ($0["name"]?.stringValue ?? "", $0["count"]?.numberValue?.int64 ?? 0) }
    }
    /// The number of callers for each change of variant.
    public var moves: [(from: String, to: String, count: Int64)] {
        objects("moves").map {
            ($0["from"]?.stringValue ?? "", $0["to"]?.stringValue ?? "", $0["count"]?.numberValue?.int64 ?? 0)
        }
    }

    private func objects(_ name: String) -> [JSONObject] { document[name]?.arrayValue?.compactMap(\.objectValue) ?? [] }
}
