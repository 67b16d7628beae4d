import AlmanacJSON
import Testing

@testable import AlmanacConfigDomain

@Suite struct BumpTests {
    /// A value of each type, with numbers in several notations.
    private static let samples: [(type: JSONType, text: String)] = [
        (.boolean, "true"), (.number, "1"), (.number, "1.5"), (.number, "1e2"), (.string, "\"a\""), (.array, "[]"),
        (.object, "{}"),
    ]

    @Test func `a value of another type is a major change, one of the same type a patch`() throws {
        for before in Self.samples {
            for after in Self.samples {
                let bump = Bump(from: try JSONValue(json: before.text), to: try JSONValue(json: after.text))
                #expect(bump == (before.type == after.type ? .patch : .major), "\(before.text) to \(after.text)")
            }
        }
    }

    @Test func `adding a key is a minor change and removing one a major change`() throws {
        for sample in Self.samples {
            #expect(Bump(from: nil, to: try JSONValue(json: sample.text)) == .minor)
            #expect(Bump(from: try JSONValue(json: sample.text), to: nil) == .major)
        }
    }

    @Test(arguments: [
        // Members of the value itself.
        (#"{"a":1}"#, #"{"a":2}"#, Bump.patch),
        (#"{"a":1}"#, #"{"a":1.5}"#, .patch),
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, .minor),
        (#"{"a":1}"#, #"{}"#, .major),
        (#"{"a":1}"#, #"{"b":1}"#, .major),
        (#"{"a":1}"#, #"{"a":"1"}"#, .major),
        // Nested members.
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"c":2}}}"#, .patch),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"c":1,"d":2}}}"#, .minor),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{}}}"#, .major),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":{"c":[]}}}"#, .major),
        (#"{"a":{"b":{"c":1}}}"#, #"{"a":{"b":[]},"x":1}"#, .major),
        // A breaking change outweighs an addition.
        (#"{"a":1,"b":2}"#, #"{"b":2,"c":3}"#, .major),
        (#"{"a":{"b":1},"c":1}"#, #"{"a":{"b":1,"d":1},"c":2}"#, .minor),
        // Arrays are plain values: a change inside counts as a patch.
        (#"[1,2]"#, #"[]"#, .patch),
        (#"[1,2]"#, #"["a",{"b":1}]"#, .patch),
        (#"{"a":[{"b":1}]}"#, #"{"a":[{}]}"#, .patch),
        // A null member has a type of its own.
        (#"{"a":null}"#, #"{"a":null,"b":null}"#, .minor),
        (#"{"a":null}"#, #"{"a":1}"#, .major),
        (#"{"a":1}"#, #"{"a":null}"#, .major),
        (#"{"a":null}"#, #"{}"#, .major),
        // Names are compared by bytes.
        ("{\"é\":1}", "{\"e\u{301}\":1}", .major),
    ])
    func `members inside objects count like keys`(before: String, after: String, expected: Bump) throws {
        #expect(Bump(from: try JSONValue(json: before), to: try JSONValue(json: after)) == expected)
    }
}

extension Bump {
    /// Computes the bump for the change from one value to another.
    fileprivate init(from before: JSONValue?, to after: JSONValue?) {
        self = ChangeReason(from: before, to: after).bump
    }
}
