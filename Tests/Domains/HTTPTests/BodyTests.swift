import AlmanacHTTP
import Testing

@Suite struct BodyTests {
    /// A body of which the client sends fewer bytes than it says, and which counts how often it was read.
    private final class Sender {
        var asked: [Int] = []
        let sent: Int

        init(sent: Int) { self.sent = sent }

        func body(length: Int?) -> Body {
            Body(length: length) { count in
                self.asked.append(count)
                return count <= self.sent ? Array(repeating: 7, count: count) : nil
            }
        }
    }

    @Test(arguments: [0, 1, 99, 100])
    func `a body up to the limit is read whole`(length: Int) throws {
        let sender = Sender(sent: 1000)
        #expect(try sender.body(length: length).bytes(limit: 100) == Array(repeating: 7, count: length))
        #expect(sender.asked == [length])
    }

    @Test(arguments: [101, 1 << 40, Int.max])
    func `a body over the limit is refused unread, with both lengths`(length: Int) {
        let sender = Sender(sent: .max)
        let problem = problem { try sender.body(length: length).bytes(limit: 100) }
        #expect(problem?.kind == .bodyTooLarge)
        #expect(problem?.detail.contains("\(length) bytes; at most 100") == true)
        #expect(sender.asked.isEmpty)
    }

    @Test(arguments: [nil, -1, Int.min])
    func `a length that is no number of bytes is refused unread`(length: Int?) {
        let sender = Sender(sent: .max)
        #expect(problem { try sender.body(length: length).bytes(limit: 100) }?.kind == .invalidHeader)
        #expect(sender.asked.isEmpty)
    }

    @Test func `a body that ends early is refused`() {
        #expect(problem { try Sender(sent: 9).body(length: 10).bytes(limit: 100) }?.kind == .invalidRequest)
    }

    @Test func `no body has no bytes`() throws {
        #expect(try Body().bytes(limit: 0) == [])
    }
}
