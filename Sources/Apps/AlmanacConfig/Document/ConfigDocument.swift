public import Observation
internal import Synchronization

/// A typed document that is loaded from a server as a whole and always has a value.
///
/// The value is the document of the last run, or the app's bundled document. ``update()`` loads a newer document. If
/// decoding fails, the old value remains and ``failure`` contains the error.
@Observable public final class ConfigDocument<Value: Codable & Sendable>: Sendable {
    /// Invariant: `validator` belongs to the document from which `value` was decoded.
    private struct State {
        var value: Value
        var failure: ConfigFailure?
        var validator: String?
    }

    @ObservationIgnored private let state: Mutex<State>
    @ObservationIgnored private let loading = SharedOperation<Result<Bool, ConfigFailure>>()
    @ObservationIgnored private let cache: (any ConfigDocumentCache)?
    @ObservationIgnored let loader: any ConfigDocumentLoader
    @ObservationIgnored private let decode: @Sendable (LoadedConfigDocument) throws -> Value
    @ObservationIgnored let broadcaster = ChangeBroadcaster()

    /// Creates a document with the cached value, or with the fallback.
    ///
    /// - Parameters:
    ///   - fallback: the app's bundled value.
    ///   - cache: stores the last document for the next run; nil starts every run with the fallback.
    ///   - loader: loads the newest document.
    ///   - decode: decodes a document, by default as JSON.
    public init(
        _ fallback: Value, cache: (any ConfigDocumentCache)? = nil, loader: any ConfigDocumentLoader,
        decode: @escaping @Sendable (LoadedConfigDocument) throws -> Value = json
    ) {
        self.cache = cache
        self.loader = loader
        self.decode = decode
        var first = State(value: fallback)
        do {
            if let document = try cache?.load() {
                first.value = try decode(document)
                first.validator = document.validator
            }
        } catch {
            first.failure = ConfigFailure(document: error)
        }
        state = Mutex(first)
    }

    /// Creates a document with the cached value, or with the app's bundled document.
    ///
    /// - Parameter bundled: the app's bundled document.
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` if the bundled document can't be decoded; see
    ///   ``validate(bundled:decode:)``.
    public convenience init(
        bundled: some Sequence<UInt8>, cache: (any ConfigDocumentCache)? = nil, loader: any ConfigDocumentLoader,
        decode: @escaping @Sendable (LoadedConfigDocument) throws -> Value = json
    ) throws(ConfigFailure) {
        self.init(try Self.validate(bundled: bundled, decode: decode), cache: cache, loader: loader, decode: decode)
    }

    deinit { broadcaster.finish() }

    /// Decodes the app's bundled document. Call this function in a test to find an invalid document before release.
    @discardableResult public static func validate(
        bundled: some Sequence<UInt8>, decode: (LoadedConfigDocument) throws -> Value = json
    ) throws(ConfigFailure) -> Value {
        do {
            return try decode(LoadedConfigDocument(bytes: Array(bundled)))
        } catch {
            throw ConfigFailure(document: error)
        }
    }

    /// The newest document that could be decoded.
    public var value: Value {
        access(keyPath: \.value)
        return state.withLock { $0.value }
    }

    /// The failure of the last load from the cache or the server; nil if it succeeded.
    public var failure: ConfigFailure? {
        access(keyPath: \.failure)
        return state.withLock { $0.failure }
    }

    /// Loads the newest document. Returns true if there was a newer one.
    ///
    /// Concurrent calls share one load, which continues if one of the calls is cancelled.
    ///
    /// - Throws: ``ConfigFailure`` if the load failed; the old value remains.
    @discardableResult public func update() async throws(ConfigFailure) -> Bool {
        guard let result = await loading.value({ await self.load() }) else { throw .cancelled }
        return try result.get()
    }

    private func load() async -> Result<Bool, ConfigFailure> {
        do {
            let document = try await loader.load(validator: state.withLock { $0.validator })
            guard let document else {
                end(failure: nil)
                return .success(false)
            }
            let value = try decode(document)
            state.withLock {
                $0.value = value
                $0.validator = document.validator
            }
            // Notify after the change, because an observer may read the new value at once.
            withMutation(keyPath: \.value) {}
            broadcaster.send(())
            // If the cache can't be written, the next run loads the document again. The value of this run is valid.
            do {
                try cache?.save(document)
                end(failure: nil)
            } catch {
                end(failure: .invalidValue("the document could not be stored: \(error)"))
            }
            return .success(true)
        } catch {
            // A cancelled load says nothing about the document, so the failure does not change.
            if Task.isCancelled { return .failure(.cancelled) }
            let failure = ConfigFailure(document: error)
            end(failure: failure)
            return .failure(failure)
        }
    }

    private func end(failure: ConfigFailure?) {
        state.withLock { $0.failure = failure }
        withMutation(keyPath: \.failure) {}
    }

    /// Decodes a JSON document. Dates are ISO 8601 times.
    public static func json(_ document: LoadedConfigDocument) throws -> Value {
        try ConfigJSON(json: document.bytes).decoded(as: Value.self)
    }
}

extension ConfigFailure {
    fileprivate init(document error: any Error) {
        self =
            if let error = error as? DecodingError {
                .invalidValue("expected a document that decodes: \(Self.reason(error))")
            } else {
                ConfigFailure(error)
            }
    }

    /// Returns the path and cause of a decoding error, once; the error's own description repeats them.
    private static func reason(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let place), .dataCorrupted(let place), .valueNotFound(_, let place): context = place
        case .keyNotFound(let key, let place):
            return "\((place.codingPath + [key]).map(\.stringValue).joined(separator: ".")) is missing"
        @unknown default: return "\(error)"
        }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return (path.isEmpty ? "" : "\(path): ") + context.debugDescription
    }
}
