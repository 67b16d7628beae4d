internal import AlmanacClientRuntime
internal import AlmanacJSONReader

/// The server's evaluation of one flag.
struct FlagEvaluation: Sendable, Hashable {
    /// The value; nil if the flag defers to the app's default.
    var value: JSONText?
    /// The name of the chosen variant; nil if there is none.
    var variant: String?
    var reason: String?
    var error: FlagError?
    var metadata: [String: FlagData] = [:]
}

/// The response to a bulk evaluation (OFREP 0.3).
struct BulkEvaluation: Sendable {
    var flags: [String: FlagEvaluation] = [:]
    /// The first event stream of the response.
    var stream: EventEndpoint?

    struct EventEndpoint: Sendable, Hashable {
        /// The scheme, host and port; nil for those of the environment.
        var origin: String?
        /// The path and query.
        var requestURI: String
        /// True if the URI contains a ticket, which is valid for a limited time and one device.
        var hasTicket: Bool { requestURI.contains("?") }
    }

    /// Parses a response body.
    ///
    /// An invalid flag does not affect other flags. A flag without a key is omitted.
    init(_ body: [UInt8]) throws(JSONFault) {
        if String(validating: body, as: UTF8.self) == nil { throw JSONFault(expected: "UTF-8", offset: 0) }
        var flags: ArraySlice<UInt8>?
        for (name, value) in try JSONReader.members(in: body[...]) {
            switch name {
            case "flags": flags = value
            case "eventStreams": stream = Self.stream(in: value)
            default: continue
            }
        }
        guard let flags else { throw JSONFault(expected: "the member flags", offset: 0) }
        for element in try JSONReader.elements(in: flags) {
            guard let (key, answer) = Self.flag(in: element) else { continue }
            self.flags[key] = answer
        }
    }

    private static func flag(in element: ArraySlice<UInt8>) -> (key: String, FlagEvaluation)? {
        guard let members = try? JSONReader.members(in: element) else { return nil }
        let texts = Dictionary(members.map { ($0.name, JSONText($0.value)) }) { $1 }
        guard let key = texts["key"]?.string else { return nil }
        var answer = FlagEvaluation()
        answer.value = texts["value"].flatMap { $0.kind == .null ? nil : $0 }
        answer.variant = texts["variant"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        answer.reason = texts["reason"]?.string
        if case .object(let metadata)? = texts["metadata"].flatMap({ FlagData($0) }) { answer.metadata = metadata }
        if let code = texts["errorCode"]?.string {
            answer.error = FlagError(code: FlagError.Code(rawValue: code), details: texts["errorDetails"]?.string ?? "")
        }
        return (key, answer)
    }

    private static func stream(in value: ArraySlice<UInt8>) -> EventEndpoint? {
        struct Stream: Decodable {
            struct Endpoint: Decodable {
                var origin: String?
                var requestUri: String
            }
            var type: String
            var endpoint: Endpoint
        }
        let streams = (try? JSONReader.elements(in: value)) ?? []
        return streams.lazy.compactMap { try? JSONText($0).decoded(as: Stream.self) }.first { $0.type == "sse" }
            .map { EventEndpoint(origin: $0.endpoint.origin, requestURI: $0.endpoint.requestUri) }
    }
}
