import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Testing

/// Tests of the default of ``ConfigOptions/report``, in processes of their own.
@Suite struct ReportExitTests {
    @Test func `a debug build writes problems to standard error`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let client = ConfigClient(preview: ["a": "text"])
            for _ in 0..<2 { _ = client.int("a", default: 0) }

            let server = try AppServer { _, connection in connection.config("1.aaaa", "[]") }
            var options = ConfigOptions(environment: URL(string: server.environment)!)
            options.cache = URL(filePath: "/dev/null/cache")
            let fetched = ConfigClient(options)
            _ = fetched.int("missing", default: 0)
            try await fetched.fetchAndActivate()
            for _ in 0..<2 { _ = fetched.int("missing", default: 0) }

            let settings = try SettingsStore(isRelease: true) { ReadOnlySetting("a", default: 1) }
            _ = settings["b", default: 1]
        }
        let lines = try #require(result).standardErrorContent
        let text = String(decoding: lines, as: UTF8.self).split(separator: "\n").filter {
            $0.hasPrefix("AlmanacConfig: ")
        }
        try #require(text.count == 4, "\(String(decoding: lines, as: UTF8.self))")
        #expect(text[0] == "AlmanacConfig: config a: expected a whole number, found string")
        #expect(text[1].hasPrefix("AlmanacConfig: config cache: the config could not be written: "))
        #expect(text[2] == "AlmanacConfig: config missing: the server has no such key")
        #expect(text[3].contains("b"))
    }
}
