import AlmanacJSON
import Testing

@testable import AlmanacCommand

@Suite struct ValueTextTests {
    private func value(_ text: String, isString: Bool = false, isWord: Bool = true) throws -> JSONValue {
        try ValueText.value(Array(text.utf8), isString: isString, isWord: isWord)
    }

    @Test func `JSON means itself and anything else is a text`() throws {
        for (text, expected) in [
            ("true", true), ("42", 42), (#""a""#, "a"), (#" {"a": [1]} "#, ["a": [1]]), ("dark", "dark"), ("", ""),
            ("a b", "a b"), ("0042", "0042"), ("nullable", "nullable"), ("#FFB6C1", "#FFB6C1"), ("tru", "tru"),
        ] as [(String, JSONValue)] {
            #expect(try value(text) == expected, "\(text)")
        }
        #expect(try value("0.10").description == "0.10")
    }

    @Test func `a text that is called one stays as it is`() throws {
        for text in ["true", "42", "{", "null", "a\n"] { #expect(try value(text, isString: true) == .string(text)) }
    }

    @Test func `a line break at the end counts only where it was typed`() throws {
        #expect(try value("a\n", isWord: false) == "a")
        #expect(try value("a\r\n", isWord: false) == "a")
        #expect(try value("a\n\n", isString: true, isWord: false) == "a\n")
        #expect(try value("a\n") == "a\n")
    }

    @Test(arguments: ["{", "[1,", "\"a", "{a: 1}", "null", "1e999", "{\"a\":1,\"a\":2}", "[1] x"])
    func `a text that looks like JSON and is not is refused as a mistake`(text: String) {
        #expect(throws: UsageFailure.self) { try value(text) }
    }

    @Test func `bytes that are no text are refused`() {
        #expect(throws: UsageFailure.self) { try ValueText.value([0xFF], isString: true, isWord: false) }
    }
}
