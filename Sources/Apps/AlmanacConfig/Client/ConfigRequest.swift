internal import AlmanacRevisions
internal import Foundation

/// One request for the config.
struct ConfigRequest {
    let options: ConfigOptions
    /// What is here already; nil asks for the whole config.
    let base: ConfigSnapshot?
    /// Where the answer is to end; nil for the newest revision.
    let end: Cursor?

    func answer() async throws(ConfigFailure) -> (ConfigSnapshot, isStale: Bool) {
        let headers: [String: String]
        do {
            headers = try await withDeadline(options.timeout) { try await options.headers(accept: "application/json") }
        } catch {
            throw ConfigFailure(transport: error)
        }
        let request = TransportRequest(url: url, headers: headers, byteLimit: options.byteLimit)
        let (response, body) = try await options.transport.load(request, within: options.timeout)
        let answer = ConfigAnswer(
            environment: options.environment.absoluteString, pin: options.version, base: base, date: options.clock.date)
        let snapshot = try answer.snapshot(response, body: body)
        return (snapshot, response.header("Almanac-Stale") == "true")
    }

    private var url: URL {
        var query: [URLQueryItem] = []
        if let base {
            query.append(URLQueryItem(name: "since", value: "\(base.cursor)"))
            // Both ends name an answer that never changes, as long as they are of one history.
            if let end, end.lineage == base.cursor.lineage, end.revision > base.cursor.revision {
                query.append(URLQueryItem(name: "revision", value: "\(end)"))
            }
        }
        if let version = options.version { query.append(URLQueryItem(name: "version", value: version)) }
        let url = options.environment.appending(path: "config")
        return query.isEmpty ? url : url.appending(queryItems: query)
    }
}

extension ConfigOptions {
    func headers(accept: String) async throws(ConfigFailure) -> [String: String] {
        var headers = ["Accept": accept]
        do {
            if let token = try await token() { headers["Authorization"] = "Bearer \(token)" }
        } catch {
            throw .unreachable("there is no token: \(error)")
        }
        return headers
    }
}
