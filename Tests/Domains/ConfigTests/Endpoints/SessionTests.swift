import AlmanacEnvironments
import AlmanacIdentity
import AlmanacTestSupport
import Testing

/// Tests reads and changes of the config by a page of the console, with a cookie.
@Suite(.database(.migrated)) struct ConfigSessionTests {
    @Test func `a session reads and writes what its scopes allow, and is the author`() throws {
        let instance = try ConfigInstance(configRead: .token)
        let (reader, writer) = (try instance.signIn(.configRead), try instance.signIn(.configWrite))
        #expect(try instance.send("PUT", "/config/a", #"{"value":1}"#, with: writer).status == 201)
        #expect(try instance.send("GET", "/config", with: reader).status == 200)
        #expect(try instance.send("PUT", "/config/a", #"{"value":2}"#, with: reader).status == 403)
        let release = try instance.call("GET", "/releases/1").body
        #expect(release.contains(#""author":"operator","author_name":"Olga Operator""#), "the owner of the token")
    }

    @Test func `the cookie of a session that has ended is refused even where everyone may read`() throws {
        let instance = try ConfigInstance()
        let unknown = "__Host-almanac-development=" + String(repeating: "A", count: 43)
        #expect(try instance.send("GET", "/config", with: unknown).status == 401)
        #expect(try instance.send("GET", "/config", with: "other=1").status == 200)
    }

    @Test func `what cannot be undone takes a sign-in of the last ten minutes`() throws {
        let instance = try ConfigInstance()
        try instance.put("a", "1")
        try instance.put("a", "\"text\"")
        let admin = try instance.signIn(.admin)
        for path in ["/config/a?purge=true", "/majors/1"] {
            let answer = try instance.send("DELETE", path, with: admin, later: 601)
            #expect(answer.status == 403 && answer.body.contains("fresh-sign-in-needed"), "\(path)")
        }
        // Other calls still succeed, and so does this one with a token.
        #expect(try instance.send("PUT", "/config/b", #"{"value":1}"#, with: admin, later: 601).status == 201)
        #expect(try instance.send("DELETE", "/majors/1", with: admin).status == 200)
        #expect(try instance.call("DELETE", "/config/a?purge=true").status == 200)
    }

    @Test func `two environments are compared by whoever is signed in at both`() throws {
        try TestDatabase.with(template: .migrated) { database in
            let staging = try ConfigInstance("staging", configRead: .token)
            let production = try ConfigInstance("production", on: database, configRead: .token)
            staging.connect(to: production)
            try production.put("a", "1")
            let (here, there) = (try staging.signIn(.configRead), try production.signIn(.configRead))
            let both = try staging.send("GET", "/diff/production", with: here, there)
            #expect(both.status == 200 && both.body == #"{"a":1}"#)
            #expect(try staging.send("GET", "/diff/production", with: here).status == 403)
            #expect(try staging.send("GET", "/diff/production", with: there).status == 401)
            // The other session's value under this environment's cookie name is invalid in both environments.
            let moved = "__Host-almanac-production=" + here.split(separator: "=")[1]
            #expect(try staging.send("GET", "/diff/production", with: here, moved).status == 401)
        }
    }
}
