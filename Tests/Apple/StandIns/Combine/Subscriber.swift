public struct CombineIdentifier: Hashable, Sendable {
    private let object: ObjectIdentifier

    public init(_ object: AnyObject) { self.object = ObjectIdentifier(object) }
}

public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// A subscriber's connection to a publisher, for requesting values and for cancelling.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error

    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

public enum Subscribers {
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }

    public struct Demand: Equatable, Comparable, Hashable, Sendable {
        /// The number of values, or nil for unlimited.
        public let max: Int?

        public static let unlimited = Demand(max: nil)
        public static let none = Demand(max: 0)
        public static func max(_ value: Int) -> Demand { Demand(max: value) }

        public static func < (one: Demand, other: Demand) -> Bool {
            switch (one.max, other.max) {
            case (let one?, let other?): one < other
            case (_?, nil): true
            case (nil, _): false
            }
        }

        public static func += (one: inout Demand, other: Demand) {
            guard let mine = one.max, let theirs = other.max else { return one = .unlimited }
            one = .max(mine + theirs)
        }

        public static func -= (one: inout Demand, other: Int) {
            guard let mine = one.max else { return }
            precondition(mine >= other)
            one = .max(mine - other)
        }
    }

    /// A subscriber with unlimited demand.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private let receiveValue: (Input) -> Void
        private let receiveCompletion: (Completion<Failure>) -> Void
        private var subscription: (any Subscription)?

        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }

        public func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscription.request(.unlimited)
        }

        public func receive(_ input: Input) -> Demand {
            receiveValue(input)
            return .none
        }

        public func receive(completion: Completion<Failure>) { receiveCompletion(completion) }

        public func cancel() {
            subscription?.cancel()
            subscription = nil
        }
    }
}

public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    public let combineIdentifier: CombineIdentifier
    private let begin: (any Subscription) -> Void
    private let take: (Input) -> Subscribers.Demand
    private let end: (Subscribers.Completion<Failure>) -> Void

    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        combineIdentifier = subscriber.combineIdentifier
        begin = subscriber.receive(subscription:)
        take = subscriber.receive(_:)
        end = subscriber.receive(completion:)
    }

    public func receive(subscription: any Subscription) { begin(subscription) }
    public func receive(_ input: Input) -> Subscribers.Demand { take(input) }
    public func receive(completion: Subscribers.Completion<Failure>) { end(completion) }
}
