import AlmanacPostgreSQL
import Testing

@testable import AlmanacEnvironments
@testable import AlmanacServing

@Suite struct CORSPolicyTests {
    private func headers(
        _ configRead: EnvironmentSettings.ConfigRead, _ origin: String, _ path: [String], preflight: Bool = false,
        token: Bool = false
    ) throws -> [String: String] {
        let database = ConnectionSettings(conninfo: "dbname=none")
        let settings = EnvironmentSettings(
            name: EnvironmentName("production")!, database: database, owner: database, configRead: configRead,
            origins: ["https://shop.example.com"], limits: Limits())
        let headers = CORSPolicy(settings).headers(
            origin: origin, method: "POST", path: path, isPreflight: preflight, methods: ["POST", "OPTIONS"],
            isAuthorized: token)
        return Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
    }

    private let evaluation = ["production", "ofrep", "v1", "evaluate", "flags"]

    @Test func `flags of a public config are evaluated for any page, with a token or without`() throws {
        for token in [false, true] {
            let headers = try headers(.everyone, "https://anybody.example.net", evaluation, token: token)
            #expect(headers["Access-Control-Allow-Origin"] == "*")
            let exposed = try #require(headers["Access-Control-Expose-Headers"])
            #expect(exposed.contains("ETag") && exposed.contains("Retry-After"))
        }
    }

    @Test func `a preflight allows what clients of OFREP send`() throws {
        let headers = try headers(.everyone, "https://anybody.example.net", evaluation, preflight: true)
        let allowed = try #require(headers["Access-Control-Allow-Headers"]).split(separator: ", ")
        for name in ["Content-Type", "Authorization", "X-API-Key", "If-None-Match", "Almanac-Major"] {
            #expect(allowed.contains { $0 == name }, "\(name)")
        }
        #expect(headers["Access-Control-Allow-Methods"]?.contains("POST") == true)
    }

    @Test func `flags of other configs are evaluated for the environment's own pages`() throws {
        #expect(
            try headers(.token, "https://anybody.example.net", evaluation, token: true)["Access-Control-Allow-Origin"]
                == nil)
        #expect(
            try headers(.token, "https://shop.example.com", evaluation)["Access-Control-Allow-Origin"]
                == "https://shop.example.com")
    }

    @Test func `changes stay with the environment's own pages, and an API key is sent nowhere else`() throws {
        let path = ["production", "config"]
        #expect(try headers(.everyone, "https://anybody.example.net", path)["Access-Control-Allow-Origin"] == nil)
        let own = try headers(.everyone, "https://shop.example.com", path, preflight: true)
        #expect(own["Access-Control-Allow-Headers"]?.contains("X-API-Key") == false)
        #expect(own["Access-Control-Allow-Headers"]?.contains("Upload-Offset") == true)
        let answer = try headers(.everyone, "https://shop.example.com", ["production", "attachments"])
        #expect(answer["Access-Control-Expose-Headers"]?.contains("Upload-Offset") == true)
    }
}
