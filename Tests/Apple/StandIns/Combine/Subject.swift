/// A publisher that passes sent values on to its current subscribers. Values sent without a subscriber are lost.
public final class PassthroughSubject<Output, Failure: Error>: Publisher {
    private var sinks: [Channel] = []

    public init() {}

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let channel = Channel(AnySubscriber(subscriber))
        sinks.append(channel)
        subscriber.receive(subscription: channel)
    }

    public func send(_ value: Output) { for sink in sinks { sink.send(value) } }

    public func send(completion: Subscribers.Completion<Failure>) {
        let ended = sinks
        sinks = []
        for sink in ended { sink.subscriber?.receive(completion: completion) }
    }

    private final class Channel: Subscription {
        var subscriber: AnySubscriber<Output, Failure>?
        private var demand = Subscribers.Demand.none

        init(_ subscriber: AnySubscriber<Output, Failure>) { self.subscriber = subscriber }

        func request(_ demand: Subscribers.Demand) { self.demand += demand }
        func cancel() { subscriber = nil }

        func send(_ value: Output) {
            guard let subscriber, demand > .none else { return }
            demand -= 1
            demand += subscriber.receive(value)
        }
    }
}

extension PassthroughSubject where Output == Void {
    public func send() { send(()) }
}

extension Publisher {
    public func handleEvents(receiveCancel: (() -> Void)? = nil) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(upstream: self, receiveCancel: receiveCancel)
    }
}

extension Publisher {
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }
}

public enum Publishers {
    public struct Map<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let transform: (Upstream.Output) -> Output

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: Mapped<Upstream.Output, S>(subscriber, transform))
        }
    }

    private final class Mapped<Input, S: Subscriber>: Subscriber {
        private let subscriber: S
        private let transform: (Input) -> S.Input

        init(_ subscriber: S, _ transform: @escaping (Input) -> S.Input) {
            self.subscriber = subscriber
            self.transform = transform
        }

        func receive(subscription: any Subscription) { subscriber.receive(subscription: subscription) }
        func receive(_ input: Input) -> Subscribers.Demand { subscriber.receive(transform(input)) }
        func receive(completion: Subscribers.Completion<S.Failure>) { subscriber.receive(completion: completion) }
    }

    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let receiveCancel: (() -> Void)?

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: Tap(subscriber, receiveCancel))
        }
    }

    private final class Tap<S: Subscriber>: Subscriber, Subscription {
        private let subscriber: S
        private let receiveCancel: (() -> Void)?
        private var subscription: (any Subscription)?

        init(_ subscriber: S, _ receiveCancel: (() -> Void)?) {
            self.subscriber = subscriber
            self.receiveCancel = receiveCancel
        }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscriber.receive(subscription: self)
        }

        func receive(_ input: S.Input) -> Subscribers.Demand { subscriber.receive(input) }
        func receive(completion: Subscribers.Completion<S.Failure>) { subscriber.receive(completion: completion) }
        func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

        func cancel() {
            receiveCancel?()
            subscription?.cancel()
        }
    }
}
