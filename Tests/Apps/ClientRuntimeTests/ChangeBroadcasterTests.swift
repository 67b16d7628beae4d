import AlmanacClientRuntime
import Testing

@Suite struct ChangeBroadcasterTests {
    private let broadcaster = ChangeBroadcaster<Set<Int>> { $0.formUnion($1) }

    @Test func `a follower who is slow gets several changes as one`() async {
        var fast = broadcaster.changes().makeAsyncIterator()
        var slow = broadcaster.changes().makeAsyncIterator()
        broadcaster.send([1])
        #expect(await fast.next() == [1])
        broadcaster.send([2])
        broadcaster.send([3])
        #expect(await fast.next() == [2, 3])
        #expect(await slow.next() == [1, 2, 3])
    }

    @Test func `a sequence has what came after it was made, or begins with what it is given`() async {
        broadcaster.send([1])
        let changes = broadcaster.changes()
        broadcaster.send([2])
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == [2])
        var started = broadcaster.changes(startingWith: [0]).makeAsyncIterator()
        #expect(await started.next() == [0])
        var merged = broadcaster.changes(startingWith: [0]).makeAsyncIterator()
        broadcaster.send([3])
        #expect(await merged.next() == [0, 3])
    }

    @Test func `sequences end with the broadcaster, after what is pending`() async {
        var broadcaster: ChangeBroadcaster<Void>? = ChangeBroadcaster()
        var first = broadcaster!.changes(startingWith: ()).makeAsyncIterator()
        var second = broadcaster!.changes().makeAsyncIterator()
        broadcaster = nil
        #expect(await first.next() != nil)
        #expect(await first.next() == nil)
        #expect(await second.next() == nil)
        self.broadcaster.finish()
        var late = self.broadcaster.changes(startingWith: [1]).makeAsyncIterator()
        #expect(await late.next() == [1])
        #expect(await late.next() == nil)
    }

    @Test(.timeLimit(.minutes(1))) func `a sequence ends with the task that reads it`() async {
        let changes = broadcaster.changes()
        let reading = Task { for await _ in changes {} }
        reading.cancel()
        await reading.value
    }
}
