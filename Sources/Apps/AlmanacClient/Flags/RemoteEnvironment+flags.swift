internal import AlmanacClientRuntime
public import AlmanacJSON

/// The calls about flags.
extension RemoteEnvironment {
    /// The flags as an operator lists them: their types and variants, and when each was last evaluated.
    public func flags() throws(CallFailure) -> JSONObject { try send("GET", ["flags"]).object() }

    /// A flag's entry.
    public func flag(_ key: String, version: String? = nil) throws(CallFailure) -> FlagEntry {
        let (entry, tag) = try entry(key, version: version)
        guard entry["kind"] == "flag", let definition = entry["value"]?.objectValue else {
            throw CallFailure(notFound: "'\(key)' is no flag")
        }
        return FlagEntry(entry: entry, definition: definition, tag: tag)
    }

    /// Who gets which branch of a flag's rule, and why.
    ///
    /// - Parameter definition: evaluated in place of the one that is stored.
    public func explanation(
        of key: String, for context: JSONObject, definition: JSONValue? = nil
    ) throws(CallFailure) -> JSONObject {
        var body: [(name: String, value: JSONValue)] = [("context", .object(context))]
        if let definition { body.append(("definition", definition)) }
        return try send("POST", ["flags", key, "explain"], json: .object(JSONObject(body))).object()
    }

    /// What a sample of callers gets.
    ///
    /// - Parameter question: members of the request: `context`, `definition`, `fractional`, `count`.
    public func sample(
        of key: String, _ question: [(name: String, value: JSONValue?)]
    ) throws(CallFailure) -> FlagSampling {
        let members = question.compactMap { member in member.value.map { (name: member.name, value: $0) } }
        return FlagSampling(
            try send("POST", ["flags", key, "sample"], json: .object(JSONObject(members))).object())
    }

    /// Switches a flag on or off.
    public func switchFlag(_ key: String, on isOn: Bool, message: String?) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(
            send("POST", ["flags", key, isOn ? "enable" : "disable"], headers: headers(message, nil)))
    }

    /// All flags as flagd reads them.
    public func flagSet(at revision: String? = nil, version: String? = nil) throws(CallFailure) -> StoredFlagSet {
        let response = try send("GET", ["flags.json"], query: pairs(("at", revision), ("version", version)))
        return StoredFlagSet(
            document: try response.object(), fractional: response.headers["Almanac-Fractional"],
            tag: response.headers["ETag"])
    }

    /// Puts a set in the place of all flags, in one release.
    ///
    /// - Parameters:
    ///   - fractional: the version of its splits; nil for the environment's.
    ///   - isLenient: stores flags with faults too.
    public func replaceFlags(
        by document: JSONObject, fractional: String?, isLenient: Bool, message: String?, ifMatch tag: String?
    ) throws(CallFailure) -> WriteOutcome {
        try WriteOutcome(
            send(
                "PUT", ["flags.json"], query: query(fractional, isLenient), headers: headers(message, tag),
                json: .object(document)))
    }

    /// What the server says that replacing all flags would do.
    public func forecastOfReplacingFlags(
        by document: JSONObject, fractional: String?, isLenient: Bool
    ) throws(CallFailure) -> ConfigForecast? {
        try forecast("PUT", ["flags.json"], query(fractional, isLenient), [], .object(document))
    }

    private func query(_ fractional: String?, _ isLenient: Bool) -> [(name: String, value: String)] {
        pairs(("fractional", fractional), ("lenient", isLenient ? "true" : nil))
    }

    /// The flags with their types and defaults, as OpenFeature's tools read them.
    public func flagManifest() throws(CallFailure) -> JSONObject {
        try send("GET", ["openfeature", "v0", "manifest"]).object()
    }

    /// Whether the server marks the environment as one in which to take care; nil where it doesn't say.
    public func needsCaution() throws(CallFailure) -> Bool? {
        let response = try send("GET", outside: ["environments"])
        if [401, 403].contains(response.status) { throw refusal(response) }
        guard response.isSuccess else { return nil }
        return try response.list().first { $0["name"] == .string(name) }?["caution"]?.boolValue
    }
}

/// A flag as an entry of the config.
public struct FlagEntry: Sendable {
    /// As it came.
    public let entry: JSONObject
    public let definition: JSONObject
    /// For `If-Match`.
    public let tag: String?
}

/// The flags of an environment as one document.
public struct StoredFlagSet: Sendable {
    /// In flagd's format.
    public let document: JSONObject
    /// The version of its splits, 2 or 3.
    public let fractional: String?
    /// For `If-Match`.
    public let tag: String?

    public init(document: JSONObject, fractional: String?, tag: String?) {
        (self.document, self.fractional, self.tag) = (document, fractional, tag)
    }

    /// The keys with their definitions, and under `_flags` what the flags share, as states of a config to compare.
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

/// What a sample of callers gets of a flag.
public struct FlagSampling: Sendable {
    /// As it came.
    public let document: JSONObject

    init(_ document: JSONObject) {
        self.document = document
    }

    public var count: Int64 { document["sampled"]?.numberValue?.int64 ?? 0 }
    /// How many get something else than now.
    public var moved: Int64 { document["moved"]?.numberValue?.int64 ?? 0 }
    /// How many get each variant.
    public var variants: [(name: String, count: Int64)] {
        objects("variants").map { ($0["name"]?.stringValue ?? "", $0["count"]?.numberValue?.int64 ?? 0) }
    }
    /// Those who get something else, by what they had and what they get.
    public var moves: [(from: String, to: String, count: Int64)] {
        objects("moves").map {
            ($0["from"]?.stringValue ?? "", $0["to"]?.stringValue ?? "", $0["count"]?.numberValue?.int64 ?? 0)
        }
    }

    private func objects(_ name: String) -> [JSONObject] {
        document[name]?.arrayValue?.compactMap(\.objectValue) ?? []
    }
}
