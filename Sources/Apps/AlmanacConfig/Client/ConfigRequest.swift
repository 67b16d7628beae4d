internal import AlmanacJSONReader
internal import AlmanacRevisions
internal import Foundation

/// A request for the config, and the conversion of its response into a snapshot.
struct ConfigRequest {
    let options: ConfigOptions
    /// The snapshot to update; nil requests the complete config.
    let base: ConfigSnapshot?
    /// The revision at which the response ends; nil for the newest.
    let end: Cursor?

    /// Sends the request. Returns the snapshot, and true if the server was cut off from its database.
    func send() async throws(ConfigFailure) -> (snapshot: ConfigSnapshot, isStale: Bool) {
        let response = try await options.withToken { authorization throws(ConfigFailure) in
            var request = options.request(url, accepting: "application/json", authorization)
            request.byteLimit = options.maxResponseBytes
            request.timeout = options.timeout
            let response: TransportResponse<[UInt8]>
            do throws(TransportFailure) {
                response = try await options.transport.send(request)
            } catch {
                throw ConfigFailure(error)
            }
            if response.status != 200 { throw ConfigFailure(refusal: response, now: options.clock.date) }
            return response
        }
        return (try snapshot(of: response), response.headers["Almanac-Stale"] == "true")
    }

    private var url: URL {
        var query: [URLQueryItem] = []
        if let base {
            query.append(URLQueryItem(name: "since", value: "\(base.cursor)"))
            // A response between two cursors of one history never changes, so caches can store it.
            if let end, end.lineage == base.cursor.lineage, end.revision > base.cursor.revision {
                query.append(URLQueryItem(name: "revision", value: "\(end)"))
            }
        }
        if let version = options.version { query.append(URLQueryItem(name: "version", value: version)) }
        let url = options.environment.appending(path: "config")
        return query.isEmpty ? url : url.appending(queryItems: query)
    }

    private func snapshot(of response: TransportResponse<[UInt8]>) throws(ConfigFailure) -> ConfigSnapshot {
        guard let cursor = response.headers["Almanac-Cursor"].flatMap({ Cursor($0) }), let lineage = cursor.lineage,
            let version = response.headers["Almanac-Version"]
        else { throw .unexpectedResponse("expected the headers Almanac-Cursor and Almanac-Version") }
        let pin = options.version
        if let pin, response.headers["Almanac-Major"] != pin.split(separator: ".").first.map(String.init) {
            throw .unexpectedResponse("expected the header Almanac-Major to name the pinned version \(pin)")
        }
        let isFull = base == nil || response.headers["Almanac-Full"] == "true"
        if let base {
            if lineage == base.cursor.lineage, cursor.revision < base.cursor.revision {
                throw .olderRevision(seen: base.cursor.revision, received: cursor.revision)
            }
            if !isFull, lineage != base.cursor.lineage { throw .wrongHistory }
        }
        var entries = isFull ? [:] : base?.entries ?? [:]
        for (key, value) in try Self.changes(in: response.body[...]) { entries[key] = value }
        return ConfigSnapshot(
            environment: options.environment.absoluteString, pin: pin, cursor: cursor, version: version,
            fetchedAt: options.clock.date, entries: entries)
    }

    /// Parses the response's changes. A tombstone and a flag have a nil value, because a flag is not a config value.
    private static func changes(in body: ArraySlice<UInt8>) throws(ConfigFailure) -> [(key: String, value: ConfigJSON?)]
    {
        do {
            return try JSONReader.elements(in: body).map { element throws(JSONFault) in
                try change(JSONReader.members(in: element), at: element.startIndex)
            }
        } catch {
            throw .unexpectedResponse("expected \(error.expected) at byte \(error.offset) of the config")
        }
    }

    private static func change(
        _ members: [(name: String, value: ArraySlice<UInt8>)], at offset: Int
    ) throws(JSONFault) -> (key: String, value: ConfigJSON?) {
        var key: String?
        var value: String?
        var deleted = false
        var isFlag = false
        for member in members {
            switch member.name {
            case "key": key = member.value.first == UInt8(ascii: "\"") ? JSONString.text(of: member.value) : nil
            case "value": value = String(validating: member.value, as: UTF8.self)
            case "deleted": deleted = member.value.elementsEqual("true".utf8)
            case "kind": isFlag = !member.value.elementsEqual("\"value\"".utf8)
            default: continue
            }
        }
        if let key, deleted || isFlag { return (key, nil) }
        guard let key, let value, value != "null" else {
            throw JSONFault(expected: "an entry with key and value", offset: offset)
        }
        return (key, ConfigJSON(checked: value))
    }
}

extension ConfigOptions {
    /// Creates a request to the environment that follows at most 5 redirects.
    func request(
        _ url: URL, accepting type: String? = nil, _ authorization: [(name: String, value: String)]
    ) -> TransportRequest {
        var request = TransportRequest("GET", url.absoluteString, headers: authorization)
        if let type { request.headers.append((name: "Accept", value: type)) }
        request.redirectLimit = 5
        return request
    }

    /// Sends a request with a token, and retries once with another token if the server responds 401.
    ///
    /// - Parameter send: sends the request with the `Authorization` header; without one if the config is public.
    func withToken<Response>(
        _ send: (_ authorization: [(name: String, value: String)]) async throws(ConfigFailure) -> Response
    ) async throws(ConfigFailure) -> Response {
        guard let tokens else { return try await send([]) }
        let token = try await token(from: tokens, replacing: nil)
        do throws(ConfigFailure) {
            return try await send([(name: "Authorization", value: "Bearer \(token)")])
        } catch {
            guard case .refused(401, _, _) = error else { throw error }
            let other = try await self.token(from: tokens, replacing: token)
            if other == token { throw error }
            return try await send([(name: "Authorization", value: "Bearer \(other)")])
        }
    }

    private func token(from tokens: any TokenProvider, replacing refused: String?) async throws(ConfigFailure) -> String
    {
        do throws(TokenFailure) {
            return try await tokens.accessToken(replacing: refused, within: timeout, clock: clock)
        } catch {
            switch error {
            case .signInRequired: throw .signInRequired
            case .timedOut: throw .timedOut
            case .unavailable(let reason): throw .unreachable(reason)
            }
        }
    }
}
