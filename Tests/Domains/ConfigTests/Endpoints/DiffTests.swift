import AlmanacEnvironments
import AlmanacIdentity
import AlmanacJSON
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct DiffTests {
    private func withNeighbours(
        configRead: EnvironmentSettings.ConfigRead = .everyone, _ body: (ConfigInstance, ConfigInstance) throws -> Void
    ) throws {
        let here = try ConfigInstance("staging", configRead: configRead)
        try TestDatabase.with(template: .migrated) { database in
            let there = try ConfigInstance("development", on: database, configRead: configRead)
            here.connect(to: there)
            try body(here, there)
        }
    }

    @Test func `the difference is a merge patch that makes this environment like the other`() throws {
        try withNeighbours { here, there in
            try here.patch(#"{"same":1,"changed":{"m":1,"n":2},"gone":true}"#)
            try there.patch(#"{"same":1,"changed":{"m":1,"o":3},"new":"x"}"#)
            let answer = try here.call("GET", "/diff/development", as: nil)
            #expect(answer.outcome == "200")
            #expect(answer["Content-Type"] == "application/merge-patch+json")
            #expect(try answer.json == ["gone": .null, "changed": ["n": .null, "o": 3], "new": "x"])
            #expect(answer["Almanac-Cursor"] == "\(here.snapshot.head.cursor)")
            let tag = try #require(answer["ETag"])
            let type = ("Content-Type", "application/merge-patch+json")
            try here.call("PATCH", "/config", answer.body, as: .configWrite, ("If-Match", tag), type).expecting(200)
            #expect(try here.config() == there.config())
            #expect(try here.call("GET", "/diff/development").body == "{}")
            #expect(try there.call("GET", "/diff/staging").body == "{}")
        }
    }

    @Test func `random environments become equal by the difference between them`() throws {
        var random = Randomness()
        try withNeighbours { here, there in
            var changes = RandomChanges()
            for round in 0..<TestDepth.runs(quick: 10, standard: 20, long: 400) {
                for instance in [here, there] {
                    for _ in 0..<Int.random(in: 1...5, using: &random) { try changes.next(&random).send(to: instance) }
                }
                let patch = try here.call("GET", "/diff/development").expecting(200).body
                try here.patch(patch)
                #expect(try here.config() == there.config(), "\(random.note) round \(round): \(patch)")
            }
        }
    }

    @Test func `whole values make this environment like the other, whatever they hold`() throws {
        var random = Randomness()
        try withNeighbours { here, there in
            for round in 0..<TestDepth.runs(quick: 10, standard: 20, long: 400) {
                for instance in [here, there] {
                    let values = JSONValue.randomObject(depth: 3, nulls: true, &random).objectValue?.members ?? []
                    let named = values.enumerated().map { (name: "k\($0)", value: $1.value) }
                    try instance.call("PATCH", "/config?replace=true", "\(JSONValue.object(JSONObject(named)))")
                        .expecting(200)
                }
                let patch = try here.call("GET", "/diff/development?replace=true").expecting(200).body
                try here.call("PATCH", "/config?replace=true", patch).expecting(200)
                #expect(try here.config() == there.config(), "\(random.note) round \(round): \(patch)")
            }
            #expect(try here.call("GET", "/diff/development?replace=true").body == "{}")
        }
    }

    @Test func `the newest state of both is compared, whoever changed it`() throws {
        try withNeighbours { here, there in
            let elsewhere = try ConfigInstance("development", on: there.database)
            try elsewhere.put("a", "1")
            #expect(there.snapshot.head.revision == 0)
            #expect(try here.call("GET", "/diff/development").json == ["a": 1])
        }
    }

    @Test func `a difference that a merge patch cannot express is refused by the names of the keys`() throws {
        try withNeighbours { here, there in
            try there.call("PUT", "/config/odd", #"{"value":{"m":null}}"#).expecting(201)
            try there.put("plain", "1")
            let answer = try here.call("GET", "/diff/development")
            #expect(answer.outcome == "409 difference-not-expressible")
            #expect(answer.body.contains("odd") && !answer.body.contains("plain"))
            let whole = try here.call("GET", "/diff/development?replace=true").expecting(200)
            #expect(whole["Content-Type"] == "application/json")
            #expect(try whole.json == ["odd": ["m": .null], "plain": 1])
            try here.put("odd", #"{"m":null}"#)
            #expect(try here.call("GET", "/diff/development").json == ["plain": 1])
        }
    }

    @Test func `an environment that is not public needs a token of its own`() throws {
        try withNeighbours(configRead: .token) { here, there in
            let header = "Almanac-Other-Authorization"
            #expect(try here.call("GET", "/diff/development", as: nil).outcome == "401 token-needed")
            let without = try here.call("GET", "/diff/development", as: .configRead)
            #expect(without.outcome == "403 scope-too-small" && without.body.contains(header))
            let wrong = try here.call(
                "GET", "/diff/development", as: .configRead, (header, here.authorization(.configRead)))
            #expect(wrong.outcome == "401 token-refused")
            let right = try here.call(
                "GET", "/diff/development", as: .configRead, (header, there.authorization(.configRead)))
            #expect(right.outcome == "200")
        }
    }
}
