import AlmanacConfig
import Combine
import Testing

@Suite(.timeLimit(.minutes(1))) @MainActor struct PublisherTests {
    /// A subscriber that records its updates and has a limited demand.
    private final class Reader: Subscriber {
        let first: Subscribers.Demand
        private(set) var updates: [Set<SettingKey>] = []
        private(set) var isFinished = false
        private(set) var subscription: (any Subscription)?
        private var waiting: CheckedContinuation<Void, Never>?

        init(_ first: Subscribers.Demand = .unlimited) { self.first = first }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscription.request(first)
        }

        func receive(_ input: SettingsUpdate) -> Subscribers.Demand {
            updates.append(input.keys)
            wake()
            return .none
        }

        func receive(completion: Subscribers.Completion<Never>) {
            isFinished = true
            wake()
        }

        private func wake() {
            waiting?.resume()
            waiting = nil
        }

        @MainActor
        func wait(until condition: (Reader) -> Bool) async {
            while !condition(self) { await withCheckedContinuation { waiting = $0 } }
        }
    }

    private func settings() throws -> SettingsStore {
        try SettingsStore {
            TransientSetting("volume", default: 0.5)
            TransientSetting("name", default: "")
        }
    }

    @Test func `the first update comes to whoever subscribes, however late`() async throws {
        let settings = try settings()
        let publisher = settings.publisher
        for _ in 0..<100 { await Task.yield() }
        let reader = Reader()
        publisher.subscribe(reader)
        await reader.wait { !$0.updates.isEmpty }
        #expect(reader.updates == [["volume", "name"]])
    }

    @Test func `one subscriber that ends leaves the others`() async throws {
        let settings = try settings()
        let publisher = settings.publisher
        let (one, other) = (Reader(), Reader())
        publisher.subscribe(one)
        publisher.subscribe(other)
        await one.wait { $0.updates.count == 1 }
        await other.wait { $0.updates.count == 1 }
        one.subscription?.cancel()
        settings.set(0.7, for: "volume")
        await other.wait { $0.updates.count == 2 }
        #expect(other.updates.last == ["volume"])
        #expect(one.updates.count == 1)
        #expect(!one.isFinished)
    }

    @Test func `a subscriber gets as many as it asks for, and what it waits for as one`() async throws {
        let settings = try settings()
        let reader = Reader(.max(1))
        settings.publisher.subscribe(reader)
        await reader.wait { $0.updates.count == 1 }
        settings.set(0.7, for: "volume")
        settings.set("Ada", for: "name")
        for _ in 0..<100 { await Task.yield() }
        #expect(reader.updates.count == 1)
        reader.subscription?.request(.max(1))
        await reader.wait { $0.updates.count == 2 }
        #expect(reader.updates.last == ["volume", "name"])
    }

    @Test func `a store that goes finishes its subscribers`() async throws {
        let reader = Reader()
        do {
            let settings = try settings()
            settings.publisher.subscribe(reader)
            await reader.wait { $0.updates.count == 1 }
        }
        await reader.wait(until: \.isFinished)
    }

    @Test func `a sink works as anywhere`() async throws {
        let settings = try settings()
        let (keys, received) = AsyncStream<Set<SettingKey>>.makeStream()
        let sink = settings.publisher.sink { received.yield($0.keys) }
        var iterator = keys.makeAsyncIterator()
        #expect(await iterator.next(isolation: #isolation) == ["volume", "name"])
        sink.cancel()
    }
}
