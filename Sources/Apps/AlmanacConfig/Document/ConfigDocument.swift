public import Observation
internal import Synchronization

/// A whole typed document that is loaded from a server and always has a value.
///
/// The value is that of the last run, else the one that the app ships with. ``update()`` loads a newer one; a document
/// that does not decode leaves the old value in place and shows in ``failure``.
@Observable
public final class ConfigDocument<Value: Codable & Sendable>: Sendable {
    /// Invariant: `validator` is that of the document which `value` was decoded from.
    private struct State {
        var value: Value
        var failure: ConfigFailure?
        var validator: String?
    }

    @ObservationIgnored private let state: Mutex<State>
    @ObservationIgnored private let loading = SharedWork<Result<Bool, ConfigFailure>>()
    @ObservationIgnored private let cache: (any ConfigDocumentCache)?
    @ObservationIgnored let loader: any ConfigDocumentLoader
    @ObservationIgnored private let decode: @Sendable (LoadedConfigDocument) throws -> Value
    /// Says that there is another value.
    @ObservationIgnored let broadcaster = ChangeBroadcaster()

    /// Begins with the document of the last run.
    ///
    /// - Parameters:
    ///   - fallback: the value that the app ships with.
    ///   - cache: keeps the last document for the next run; nil begins every run with the fallback.
    ///   - loader: brings the newest document.
    ///   - decode: reads documents of another form than JSON, or as another decoder does.
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

    /// Begins with the document of the last run, else with the one that the app ships with.
    ///
    /// - Parameter bundled: the document that the app ships with.
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` when it does not decode; see ``validate(bundled:decode:)``.
    public convenience init(
        bundled: some Sequence<UInt8>, cache: (any ConfigDocumentCache)? = nil, loader: any ConfigDocumentLoader,
        decode: @escaping @Sendable (LoadedConfigDocument) throws -> Value = json
    ) throws(ConfigFailure) {
        self.init(try Self.validate(bundled: bundled, decode: decode), cache: cache, loader: loader, decode: decode)
    }

    deinit {
        broadcaster.finish()
    }

    /// Decodes the document that the app ships with. A test that calls this finds a broken one before users do.
    @discardableResult
    public static func validate(
        bundled: some Sequence<UInt8>, decode: (LoadedConfigDocument) throws -> Value = json
    ) throws(ConfigFailure) -> Value {
        do {
            return try decode(LoadedConfigDocument(bytes: Array(bundled)))
        } catch {
            throw ConfigFailure(document: error)
        }
    }

    /// The newest document that decoded.
    public var value: Value {
        access(keyPath: \.value)
        return state.withLock { $0.value }
    }

    /// Why the last load, from the device or the server, failed; nil when it succeeded.
    public var failure: ConfigFailure? {
        access(keyPath: \.failure)
        return state.withLock { $0.failure }
    }

    /// Loads the newest document. Calls at the same time share one load, and a cancelled one leaves it
    /// to the others.
    ///
    /// - Returns: whether there was a new document.
    /// - Throws: why there is none; the old value stays.
    @discardableResult
    public func update() async throws(ConfigFailure) -> Bool {
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
            // Told afterwards: a view that is drawn as soon as it hears of a change has to find it.
            withMutation(keyPath: \.value) {}
            broadcaster.send(())
            // A document that can't be kept is loaded again in the next run; its value is here all the same.
            do {
                try cache?.save(document)
                end(failure: nil)
            } catch {
                end(failure: .invalidValue("expected to keep the document: \(error)"))
            }
            return .success(true)
        } catch {
            // Nobody waits any more; that says nothing about the document.
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

    /// Reads a document of JSON; dates in it are times of ISO 8601.
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

    /// Where and why a document does not decode, once: the error's own description says it twice.
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
