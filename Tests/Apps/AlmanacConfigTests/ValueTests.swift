import AlmanacConfig
import Foundation
import Testing

@Suite struct ValueTests {
    @Test(arguments: [
        ("3", 3), ("-0", 0), ("3.0", 3), ("3e2", 300), ("3.5", nil), ("1e400", nil), ("\"3\"", nil), ("true", nil),
        ("9223372036854775807", Int.max), ("9223372036854775808", nil),
    ])
    func `a whole number is read where there is one`(json: String, int: Int?) throws {
        #expect(try ConfigJSON(json: json.utf8).int == int)
    }

    @Test(arguments: [
        "", "nul", "null", "01", "1.", ".5", "+1", "1e", "\"", "\"\\x\"", "\"\u{1}\"", "[1,]", "{\"a\"}", "{a:1}",
        "[1] 2", "[\"\\u12g4\"]", "NaN", "[", "]", "{\"a\":1,}",
    ])
    func `a text that is not JSON is refused`(json: String) {
        #expect(throws: ConfigFailure.self) { try ConfigJSON(json: json.utf8) }
    }

    @Test(arguments: [
        ("#FFB6C1", [255, 182, 193, 255]), ("#fb0", [255, 187, 0, 255]), ("#01020304", [1, 2, 3, 4]), ("FFB6C1", nil),
        ("#FFB6C", nil), ("#", nil), ("#GGG", nil), ("#ÄÄÄ", nil), ("#+1+2+3", nil),
    ])
    func `colours are read in their three forms`(text: String, bytes: [UInt8]?) {
        let color = ConfigColor(text)
        #expect(color.map { [$0.red, $0.green, $0.blue, $0.alpha] } == bytes)
    }

    @Test func `texts, dates, addresses and types are read as written`() throws {
        #expect(ConfigJSON(stringLiteral: "Meow \"😸\"\n\u{7}").string == "Meow \"😸\"\n\u{7}")
        #expect(try ConfigJSON(json: #""\ud83d\ude38""#.utf8).string == "😸")
        #expect(try ConfigJSON(json: #""\ud83d""#.utf8).string == nil)
        #expect((ConfigJSON("2020-10-17T18:43:19.500Z")).date == Date(timeIntervalSince1970: 1_602_960_199.5))
        #expect((ConfigJSON("2020-10-17T20:43:19+02:00")).date == Date(timeIntervalSince1970: 1_602_960_199))
        #expect((ConfigJSON("yesterday")).date == nil)
        #expect((ConfigJSON("https://example.com/a")).url?.host() == "example.com")
        #expect((ConfigJSON("not a url")).url == nil)
        let size: ConfigJSON = ["width": 0.1, "height": [1, 2]]
        struct Size: Decodable, Equatable {
            var width: Decimal
            var height: [Int]
        }
        #expect(try size.decoded(as: Size.self) == Size(width: Decimal(string: "0.1")!, height: [1, 2]))
    }

    @Test func `values are compared by their bytes`() {
        #expect(ConfigJSON("é") != ConfigJSON("e\u{301}"))
        #expect(ConfigJSON("é") == ConfigJSON("é"))
    }
}
