import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct VersionTests {
        private let staging: LiveEnvironment
        private let client: HTTPClient

        init() throws {
            staging = try LiveEnvironment("staging")
            client = staging.client()
        }

        @Test func `the version follows from what a release changed`() throws {
            try staging.reset(to: ["colour": "red", "limits": ["a": 1]])
            var before = try version()
            func expect(_ bump: (major: Int, minor: Int, patch: Int), _ answer: HTTPResponse) throws {
                let after = try version()
                #expect(answer.version == "\(after.major).\(after.minor).\(after.patch)")
                #expect(after == bump, "\(before) → \(after)")
                before = after
            }
            try expect(
                (before.major, before.minor, before.patch + 1), client.put(staging.path("config/colour"), "blue"))
            try expect((before.major, before.minor + 1, 0), client.put(staging.path("config/size"), 1))
            try expect(
                (before.major, before.minor, before.patch + 1),
                client.put(staging.path("config/size"), JSONValue(parsing: Array("1.5".utf8))))
            try expect(
                (before.major, before.minor + 1, 0), client.put(staging.path("config/limits"), ["a": 1, "b": 2]))
            try expect((before.major + 1, 0, 0), client.put(staging.path("config/size"), "large"))
            try expect((before.major + 1, 0, 0), client.put(staging.path("config/limits"), ["a": 1]))
            try expect((before.major + 1, 0, 0), client.send("DELETE", staging.path("config/size")))
        }

        @Test func `a client keeps the major it was built for`() throws {
            try staging.reset(to: ["gone": "last value", "retyped": 1, "live": "old"])
            let major = try version().major
            _ = try client.send("DELETE", staging.path("config/gone"))
            _ = try client.put(staging.path("config/retyped"), "now a text")
            _ = try client.put(staging.path("config/live"), "new")
            _ = try client.put(staging.path("config/added"), true)
            #expect(try version().major == major + 2)

            let pinned = try client.send("GET", staging.path("config.json?version=\(major)"))
            #expect(pinned.header("Almanac-Major") == "\(major)")
            #expect(pinned.version == "\(major + 2).1.0")
            #expect(try pinned.json() == ["gone": "last value", "retyped": 1, "live": "new", "added": true])
            #expect(
                try client.send("GET", staging.path("config.json")).json()
                    == ["retyped": "now a text", "live": "new", "added": true])
            let delta = try client.send("GET", staging.path("config?version=\(major)&since=0"))
            #expect(!delta.text.contains("deleted"))
        }

        @Test func `a version that was never released is refused`() throws {
            try staging.reset(to: ["a": 1])
            let version = try version()
            for missing in ["\(version.major + 1)", "\(version.major).\(version.minor + 1)", "900.0"] {
                let answer = try client.send("GET", staging.path("config?version=\(missing)"))
                #expect(answer.status == 404)
                #expect(answer.problem == "version-not-released")
            }
            let released = try client.send("GET", staging.path("config?version=\(version.major).\(version.minor)"))
            #expect(released.status == 200)
        }

        private func version() throws -> (major: Int, minor: Int, patch: Int) {
            let text = try #require(try client.send("HEAD", staging.path("config")).version)
            let numbers = text.split(separator: ".").compactMap { Int($0) }
            try #require(numbers.count == 3)
            return (numbers[0], numbers[1], numbers[2])
        }
    }
}
