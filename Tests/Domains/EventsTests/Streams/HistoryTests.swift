import Testing

@testable import AlmanacEventsDomain

@Suite struct HistoryTests {
    @Test func `the newest revision is the greatest of those read and announced`() {
        var history = History(read: 5)
        #expect(history.newest == 5)
        history.announce(7, at: .now)
        history.announce(6, at: .now)
        #expect(history.newest == 7)
        #expect(history.didRead(8, before: history.mark) == false)
        #expect(history.newest == 8)
    }

    @Test func `a lower revision than one that was read is another history`() {
        var history = History(read: 5)
        let isReplaced = history.didRead(4, before: history.mark)
        #expect(isReplaced)
        #expect(history.newest == 4)
    }

    @Test func `a false announcement is forgotten after a reading`() {
        var history = History(read: 5)
        history.announce(1_000_000, at: .now)
        #expect(history.didRead(6, before: history.mark) == false)
        #expect(history.newest == 6)
    }

    @Test func `an announcement during a reading is kept`() {
        var history = History(read: 5)
        let before = history.mark
        history.announce(7, at: .now)
        #expect(history.didRead(6, before: before) == false)
        #expect(history.newest == 7)
    }

    @Test func `an older reading that ends later takes nothing back`() {
        var history = History(read: 5)
        let before = history.mark
        #expect(history.didRead(9, before: before) == false)
        #expect(history.didRead(7, before: before) == false)
        #expect(history.newest == 9)
    }
}
