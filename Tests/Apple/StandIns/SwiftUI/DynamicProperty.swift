public import Combine
public import Observation

/// A property of a view that is updated before the view's body is evaluated.
public protocol DynamicProperty { mutating func update() }

extension DynamicProperty {
    public mutating func update() {}
}

/// A value that tracks its readers.
final class Storage<Value>: Observable, @unchecked Sendable {
    // Safe because views and their changes run on the main actor.
    private var current: Value
    private let registrar = ObservationRegistrar()
    var subscription: AnyCancellable?

    init(_ value: Value) { current = value }

    var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return current
        }
        set { registrar.withMutation(of: self, keyPath: \.value) { current = newValue } }
    }

    fileprivate func change() { registrar.withMutation(of: self, keyPath: \.value) {} }
}

extension Storage where Value: ObservableObject {
    func follow() { subscription = value.objectWillChange.sink { [weak self] _ in self?.change() } }
}

/// A reference to a property's storage: its own until the view is drawn, then that of the previous drawing.
final class Location<Value>: @unchecked Sendable {
    // Safe because views are drawn on the main actor.
    var storage: Storage<Value>

    init(_ storage: Storage<Value>) { self.storage = storage }
}

/// A property whose storage persists from one drawing to the next.
protocol PersistentProperty {
    var storage: AnyObject { get }
    func setStorage(_ storage: AnyObject)
}

@propertyWrapper public struct State<Value>: DynamicProperty, PersistentProperty {
    private let location: Location<Value>

    public init(wrappedValue: Value) { location = Location(Storage(wrappedValue)) }

    public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

    public var wrappedValue: Value {
        get { location.storage.value }
        nonmutating set { location.storage.value = newValue }
    }

    public var projectedValue: Binding<Value> {
        let storage = location.storage
        return Binding(box: Accessors(get: { storage.value }, set: { storage.value = $0 }))
    }

    var storage: AnyObject { location.storage }

    func setStorage(_ storage: AnyObject) {
        if let storage = storage as? Storage<Value> { location.storage = storage }
    }
}

extension State: Sendable where Value: Sendable {}

extension State where Value: ExpressibleByNilLiteral {
    public init() {
        self.init(wrappedValue: nil)
    }
}

struct Accessors<Value> {
    let get: () -> Value
    let set: (Value) -> Void
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    private let box: Accessors<Value>

    init(box: Accessors<Value>) { self.box = box }

    @preconcurrency public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
        box = Accessors(get: get, set: set)
    }

    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(box: Accessors(get: { value }, set: { _ in }))
    }

    public var wrappedValue: Value {
        get { box.get() }
        nonmutating set { box.set(newValue) }
    }

    public var projectedValue: Binding<Value> { self }

    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(box: Accessors(get: { box.get()[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 }))
    }
}

extension Binding: DynamicProperty {}
extension Binding: @unchecked Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject & Observable>: DynamicProperty {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public init(_ value: Value) { wrappedValue = value }

    public var projectedValue: Bindable<Value> { self }

    public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
        let value = wrappedValue
        return Binding(box: Accessors(get: { value[keyPath: path] }, set: { value[keyPath: path] = $0 }))
    }
}

@propertyWrapper @MainActor @preconcurrency
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    @dynamicMemberLookup public struct Wrapper {
        let object: ObjectType

        public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<ObjectType, Member>) -> Binding<Member> {
            let object = object
            return Binding(box: Accessors(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 }))
        }
    }

    private let storage: Storage<ObjectType>

    public init(wrappedValue: ObjectType) {
        storage = Storage(wrappedValue)
        storage.follow()
    }

    public var wrappedValue: ObjectType { storage.value }
    public var projectedValue: Wrapper { Wrapper(object: storage.value) }
}

@propertyWrapper @MainActor @preconcurrency
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty, PersistentProperty {
    private let location: Location<Storage<ObjectType>?>
    private let make: () -> ObjectType

    public init(wrappedValue make: @autoclosure @escaping () -> ObjectType) {
        self.make = make
        location = Location(Storage(nil))
    }

    public var wrappedValue: ObjectType {
        if let made = location.storage.value { return made.value }
        let made = Storage(make())
        made.follow()
        location.storage.value = made
        return made.value
    }

    public var projectedValue: ObservedObject<ObjectType>.Wrapper { ObservedObject.Wrapper(object: wrappedValue) }

    nonisolated var storage: AnyObject { location.storage }

    nonisolated func setStorage(_ storage: AnyObject) {
        if let storage = storage as? Storage<Storage<ObjectType>?> { location.storage = storage }
    }
}
