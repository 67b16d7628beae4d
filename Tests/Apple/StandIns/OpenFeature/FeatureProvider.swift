public import Combine

/// The protocol as declared in open-feature/swift-sdk 0.5.0, in which providers have no status.
public protocol FeatureProvider: EventPublisher {
    var hooks: [any Hook] { get }
    var metadata: ProviderMetadata { get }

    func initialize(initialContext: EvaluationContext?) async throws
    func onContextSet(oldContext: EvaluationContext?, newContext: EvaluationContext) async throws

    func getBooleanEvaluation(key: String, defaultValue: Bool, context: EvaluationContext?) throws
        -> ProviderEvaluation<Bool>
    func getStringEvaluation(key: String, defaultValue: String, context: EvaluationContext?) throws
        -> ProviderEvaluation<String>
    func getIntegerEvaluation(key: String, defaultValue: Int64, context: EvaluationContext?) throws
        -> ProviderEvaluation<Int64>
    func getDoubleEvaluation(key: String, defaultValue: Double, context: EvaluationContext?) throws
        -> ProviderEvaluation<Double>
    func getObjectEvaluation(key: String, defaultValue: Value, context: EvaluationContext?) throws
        -> ProviderEvaluation<Value>
}

public protocol EventPublisher { func observe() -> AnyPublisher<ProviderEvent?, Never> }

public protocol Hook { associatedtype HookValue }

public protocol ProviderMetadata {
    var name: String? { get }
}

public enum ProviderEvent: Equatable {
    case ready(ProviderEventDetails? = nil)
    case error(ProviderEventDetails? = nil)
    case configurationChanged(ProviderEventDetails? = nil)
    case stale(ProviderEventDetails? = nil)
    case reconciling(ProviderEventDetails? = nil)
    case contextChanged(ProviderEventDetails? = nil)
}

public struct ProviderEventDetails: Equatable {
    public let flagsChanged: [String]?
    public let message: String?
    public let errorCode: ErrorCode?
    public let eventMetadata: [String: MetadataValue]

    public init(
        flagsChanged: [String]? = nil, message: String? = nil, errorCode: ErrorCode? = nil,
        eventMetadata: [String: MetadataValue] = [:]
    ) {
        self.flagsChanged = flagsChanged
        self.message = message
        self.errorCode = errorCode
        self.eventMetadata = eventMetadata
    }
}

public struct ProviderEvaluation<T> {
    public var value: T
    public var flagMetadata: [String: MetadataValue]
    public var variant: String?
    public var reason: String?
    public var errorCode: ErrorCode?
    public var errorMessage: String?

    public init(
        value: T, flagMetadata: [String: MetadataValue] = [:], variant: String? = nil, reason: String? = nil,
        errorCode: ErrorCode? = nil, errorMessage: String? = nil
    ) {
        self.value = value
        self.flagMetadata = flagMetadata
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }
}

public enum ErrorCode: Int {
    case providerNotReady, flagNotFound, parseError, typeMismatch, targetingKeyMissing, invalidContext, general
    case providerFatal
}

public enum OpenFeatureError: Error, Equatable {
    case flagNotFoundError(key: String)
    case generalError(message: String)
    case invalidContextError
    case parseError(message: String)
    case targetingKeyMissingError
    case typeMismatchError
    case valueNotConvertableError
    case providerNotReadyError
    case providerFatalError(message: String)
}
