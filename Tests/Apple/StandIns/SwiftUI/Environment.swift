public import Observation

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    public subscript<T: AnyObject & Observable>(objectType: T.Type) -> T? {
        get { values[ObjectIdentifier(objectType)] as? T }
        set { values[ObjectIdentifier(objectType)] = newValue }
    }
}

// Safe because views are drawn on the main actor.
extension Environment: @unchecked Sendable where Value: Sendable {}

/// A property that is set from the environment before the view's body is evaluated.
protocol EnvironmentReader { func read(_ values: EnvironmentValues) }

@propertyWrapper public struct Environment<Value>: DynamicProperty, EnvironmentReader {
    private final class Box: @unchecked Sendable {
        // Safe because views are drawn on the main actor.
        var value: Value?
    }

    private let box = Box()
    private let find: (EnvironmentValues) -> Value?

    public init(_ path: KeyPath<EnvironmentValues, Value>) { find = { $0[keyPath: path] } }

    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        find = { $0[objectType] }
    }

    public init<T: AnyObject & Observable>(_ objectType: T.Type) where Value == T? {
        find = { .some($0[objectType]) }
    }

    public var wrappedValue: Value {
        guard let value = box.value ?? find(EnvironmentValues()) else {
            fatalError("no \(Value.self) in the environment")
        }
        return value
    }

    func read(_ values: EnvironmentValues) { box.value = find(values) }
}

extension View {
    public func environment<V>(_ path: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        ModifiedView(content: self) { drawing, content in
            drawing.with({ $0[keyPath: path] = value }) { drawing.draw(content) }
        }
    }

    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        ModifiedView(content: self) { drawing, content in
            drawing.with({ $0[T.self] = object }) { drawing.draw(content) }
        }
    }
}
