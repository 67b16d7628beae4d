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
    @ObservationIgnored private let loader: any ConfigDocumentLoader

    /// - Parameters:
    ///   - fallback: the value that the app ships with.
    ///   - cache: keeps the last document for the next run; nil begins every run with the fallback.
    ///   - loader: brings the newest document.
    public init(_ fallback: Value, cache: (any ConfigDocumentCache)? = nil, loader: any ConfigDocumentLoader) {
        self.cache = cache
        self.loader = loader
        var first = State(value: fallback)
        do {
            if let document = try cache?.load() {
                first.value = try Self.decode(document.bytes)
                first.validator = document.validator
            }
        } catch {
            first.failure = ConfigFailure(document: error)
        }
        state = Mutex(first)
    }

    /// - Parameter bundled: the document that the app ships with.
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` when it does not decode; see ``validate(bundled:)``.
    public convenience init(
        bundled: some Sequence<UInt8>, cache: (any ConfigDocumentCache)? = nil, loader: any ConfigDocumentLoader
    ) throws(ConfigFailure) {
        self.init(try Self.validate(bundled: bundled), cache: cache, loader: loader)
    }

    /// Decodes the document that the app ships with. A test that calls this finds a broken one before users do.
    @discardableResult
    public static func validate(bundled: some Sequence<UInt8>) throws(ConfigFailure) -> Value {
        do {
            return try decode(bundled)
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
            let value = try Self.decode(document.bytes)
            withMutation(keyPath: \.value) {
                state.withLock {
                    $0.value = value
                    $0.validator = document.validator
                }
            }
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
        withMutation(keyPath: \.failure) {
            state.withLock { $0.failure = failure }
        }
    }

    private static func decode(_ document: some Sequence<UInt8>) throws -> Value {
        try ConfigJSON(json: document).decoded(as: Value.self)
    }
}

extension ConfigFailure {
    fileprivate init(document error: any Error) {
        self =
            if error is DecodingError {
                .invalidValue("expected a document that decodes: \(error)")
            } else {
                ConfigFailure(error)
            }
    }
}
