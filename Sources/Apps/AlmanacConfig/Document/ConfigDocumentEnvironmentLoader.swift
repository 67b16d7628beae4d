internal import AlmanacRevisions
internal import Foundation

/// Loads the config of an environment as one document, its keys split at their dots, and follows its changes.
public struct ConfigDocumentEnvironmentLoader: ConfigDocumentLoader {
    private let options: ConfigOptions

    /// Names the environment.
    ///
    /// - Parameter options: those of a ``ConfigClient``; the cache, the defaults and the interval don't count.
    public init(_ options: ConfigOptions) {
        self.options = options
    }

    /// Loads the document when it is another one.
    ///
    /// - Throws: ``ConfigFailure``.
    public func load(validator: String?) async throws -> LoadedConfigDocument? {
        var query = [URLQueryItem(name: "nested", value: "true")]
        if let version = options.version { query.append(URLQueryItem(name: "version", value: version)) }
        let url = options.environment.appending(path: "config.json").appending(queryItems: query)
        return try await options.withToken { authorization throws(ConfigFailure) in
            var request = options.request(url, accepting: "application/json", authorization)
            request.byteLimit = options.byteLimit
            request.deadline = options.timeout
            if let validator { request.headers.append((name: "If-None-Match", value: validator)) }
            let response: TransportResponse<[UInt8]>
            do throws(TransportFailure) {
                response = try await options.transport.send(request)
            } catch {
                throw ConfigFailure(error)
            }
            return try LoadedConfigDocument(response, after: validator, now: options.clock.date)
        }
    }

    /// Loads at once, and then soon after each change on the server.
    public func follow(_ update: @escaping @Sendable () async -> Bool) async {
        _ = await update()
        let place = ReachedPlace()
        let follower = options.follower(
            newest: { await place.cursor },
            catchUp: { cursor in if await update(), let cursor { await place.reach(cursor) } })
        await follower.run()
    }
}

/// How far a document is known to be in its environment's history.
private actor ReachedPlace {
    private(set) var cursor: Cursor?

    func reach(_ cursor: Cursor) {
        self.cursor = cursor
    }
}
