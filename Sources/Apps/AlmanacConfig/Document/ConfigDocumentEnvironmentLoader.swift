internal import AlmanacRevisions
internal import Foundation

/// A loader of an environment's config as one document with nested keys. The loader follows the event stream.
public struct ConfigDocumentEnvironmentLoader: ConfigDocumentLoader {
    private let options: ConfigOptions

    /// Creates a loader for an environment.
    ///
    /// - Parameter options: the options of a ``ConfigClient``; `cache`, `defaults` and `minimumInterval` are ignored.
    public init(_ options: ConfigOptions) { self.options = options }

    /// Loads the document if it differs from the validator's document.
    ///
    /// - Throws: ``ConfigFailure``.
    public func load(validator: String?) async throws -> LoadedConfigDocument? {
        var query = [URLQueryItem(name: "nested", value: "true")]
        if let version = options.version { query.append(URLQueryItem(name: "version", value: version)) }
        let url = options.environment.appending(path: "config.json").appending(queryItems: query)
        return try await options.withToken { authorization throws(ConfigFailure) in
            var request = options.request(url, accepting: "application/json", authorization)
            request.byteLimit = options.maxResponseBytes
            request.timeout = options.timeout
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

    /// Loads the document at once, and then soon after each change on the server.
    public func follow(_ update: @escaping @Sendable () async -> Bool) async {
        _ = await update()
        let place = LoadedCursor()
        let follower = options.follower(
            newest: { await place.cursor },
            catchUp: { cursor in if await update(), let cursor { await place.reach(cursor) } })
        await follower.run()
    }
}

/// The cursor of the last loaded document.
private actor LoadedCursor {
    private(set) var cursor: Cursor?

    func reach(_ cursor: Cursor) { self.cursor = cursor }
}
