import AlmanacHTTP
import AlmanacJSON
import Testing

@Suite struct BodyTests {
    /// A body whose client sends fewer bytes than announced. It records the size of every read.
    private final class Sender {
        var requestedCounts: [Int] = []
        let sent: Int

        init(sent: Int) { self.sent = sent }

        func body(length: Int?) -> Body {
            Body(length: length) { count in
                self.requestedCounts.append(count)
                return count <= self.sent ? Array(repeating: 7, count: count) : nil
            }
        }
    }

    @Test(arguments: [0, 1, 99, 100])
    func `a body up to the limit is read whole`(length: Int) throws {
        let sender = Sender(sent: 1000)
        #expect(try sender.body(length: length).bytes(limit: 100) == Array(repeating: 7, count: length))
        #expect(sender.requestedCounts == [length])
    }

    @Test(arguments: [101, 1 << 40, Int.max])
    func `a body over the limit is refused unread, with both lengths`(length: Int) {
        let sender = Sender(sent: .max)
        let problem = problem { try sender.body(length: length).bytes(limit: 100) }
        #expect(problem?.kind == .bodyTooLarge)
        #expect(problem?.detail.contains("\(length) bytes; the limit is 100") == true)
        #expect(sender.requestedCounts.isEmpty)
    }

    @Test(arguments: [nil, -1, Int.min])
    func `a length that is no number of bytes is refused unread`(length: Int?) {
        let sender = Sender(sent: .max)
        #expect(problem { try sender.body(length: length).bytes(limit: 100) }?.kind == .invalidHeader)
        #expect(sender.requestedCounts.isEmpty)
    }

    @Test func `a body that ends early is refused`() {
        #expect(problem { try Sender(sent: 9).body(length: 10).bytes(limit: 100) }?.kind == .invalidRequest)
    }

    @Test func `a body in another form than JSON in UTF-8 is told what it seems to be`() throws {
        func detail(_ bytes: [UInt8], _ headers: [(name: String, value: String)] = []) throws -> String? {
            let request = Request(
                method: "PUT", target: try Target("/"), headers: Headers(headers), id: "test",
                body: Body(length: bytes.count) { Array(bytes.prefix($0)) })
            return problem { _ = try request.json(JSONLimits()) }?.detail
        }
        let text = #"{"a":1}"#
        var marked: [UInt8] = [0xFF, 0xFE]
        for byte in text.utf8 { marked += [byte, 0] }
        for bytes in [marked, Array(marked.dropFirst(2)), [0] + marked.dropFirst(2)] {
            #expect(try detail(bytes)?.hasSuffix("seems to be UTF-16; expected UTF-8") == true)
        }
        for yaml in ["a: 1\n", "app.banner: on", "---\nflags:\n", "a-b_c:\n  d: 1"] {
            let problemDetail = try detail(Array(yaml.utf8))
            #expect(problemDetail?.hasSuffix("seems to be YAML; expected JSON") == true, "\(yaml)")
        }
        for other in ["{'a': 1}", "nonsense", ": 1 a", "", "{\"a\":1,}"] {
            #expect(try detail(Array(other.utf8))?.contains("seems") == false, "\(other)")
        }
        let refusal = try #require(try detail(Array(text.utf8), [("Content-Encoding", "gzip")]))
        #expect(refusal == "the Content-Encoding 'gzip' is not supported; send the body unencoded")
        #expect(try detail(Array(text.utf8), [("Content-Encoding", "identity")]) == nil)
    }

    @Test func `no body has no bytes`() throws {
        #expect(try Body().bytes(limit: 0) == [])
    }
}
