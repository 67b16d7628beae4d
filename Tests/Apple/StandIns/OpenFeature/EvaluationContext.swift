public import Foundation

public protocol Structure {
    func keySet() -> Set<String>
    func getValue(key: String) -> Value?
    func asMap() -> [String: Value]
}

public protocol EvaluationContext: Structure { func getTargetingKey() -> String }

public struct ImmutableContext: EvaluationContext {
    private let targetingKey: String
    private let attributes: [String: Value]

    public init(attributes: [String: Value]) { self.init(targetingKey: "", attributes: attributes) }

    public init(targetingKey: String, attributes: [String: Value]) {
        self.targetingKey = targetingKey
        self.attributes = attributes
    }

    public func getTargetingKey() -> String { targetingKey }
    public func keySet() -> Set<String> { Set(attributes.keys) }
    public func getValue(key: String) -> Value? { attributes[key] }
    public func asMap() -> [String: Value] { attributes }
}

public enum Value: Equatable {
    case boolean(Bool)
    case string(String)
    case integer(Int64)
    case double(Double)
    case date(Date)
    case list([Value])
    case structure([String: Value])
    case null
}

public enum MetadataValue: Equatable {
    case boolean(Bool)
    case string(String)
    case integer(Int64)
    case double(Double)
}
