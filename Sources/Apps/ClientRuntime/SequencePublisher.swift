#if canImport(Combine)
    package import Combine
    internal import Synchronization

    /// A publisher that reads a sequence on the main actor, separately for each subscriber and only on demand.
    package struct SequencePublisher<Elements: AsyncSequence & Sendable>: Publisher
    where Elements.Element: Sendable, Elements.Failure == Never {
        package typealias Output = Elements.Element
        package typealias Failure = Never

        private let elements: Elements

        package init(_ elements: Elements) { self.elements = elements }

        package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.receive(subscription: SequenceSubscription(elements, subscriber))
        }
    }

    /// A subscription that reads the sequence until it ends or the subscriber cancels.
    private final class SequenceSubscription: Subscription, Sendable {
        /// The number of elements that the subscriber has requested and not received yet.
        private let demand = Mutex(Subscribers.Demand.none)
        private let wake: AsyncStream<Void>.Continuation
        private let reading = Mutex<Task<Void, Never>?>(nil)

        init<Elements: AsyncSequence & Sendable, S: Subscriber>(_ elements: Elements, _ subscriber: S)
        where Elements.Element: Sendable, S.Input == Elements.Element, S.Failure == Never, Elements.Failure == Never {
            let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            self.wake = wake
            // Safe because from here on only the task below uses the subscriber, on the main actor.
            nonisolated(unsafe) let subscriber = subscriber
            let task = Task { @MainActor [weak self] in
                var iterator = elements.makeAsyncIterator()
                for await _ in wakes {
                    while self?.takeDemand() == true {
                        guard let element = await iterator.next(isolation: MainActor.shared) else {
                            if !Task.isCancelled { unsafe subscriber.receive(completion: .finished) }
                            return
                        }
                        if Task.isCancelled { return }
                        self?.add(unsafe subscriber.receive(element))
                    }
                }
            }
            reading.withLock { $0 = task }
        }

        deinit { cancel() }

        func request(_ demand: Subscribers.Demand) {
            add(demand)
            wake.yield()
        }

        func cancel() { reading.withLock { $0 }?.cancel() }

        private func add(_ demand: Subscribers.Demand) { self.demand.withLock { $0 += demand } }

        private func takeDemand() -> Bool {
            demand.withLock { demand in
                guard demand > .none else { return false }
                demand -= 1
                return true
            }
        }
    }
#endif
