import AlmanacConfig
import Foundation
import Testing

@Suite struct SettingsExampleTests {
    @Test func `the examples do what the articles say`() async throws {
        let (settings, client) = try SettingsExamples.previews()
        #expect(settings[.volume] == 0.2)
        #expect(SettingsExamples.read(client).0 == 5)
        #expect(SettingsExamples.use(settings))
        #expect(settings[.volume] == 0.2)
        #expect(SettingsExamples.Player().volume == 0.2)
        #expect(try SettingsExamples.container()[.retries] == 3)
        let nowhere = URL(filePath: "/nowhere")
        #expect(throws: ConfigFailure.self) { try SettingsExamples.sourced(["api.retries": 5], nowhere) }
        await SettingsExamples.update(settings, client, URL(string: "http://127.0.0.1:1/")!)
        #expect(await SettingsExamples.fromFirebase(URL(string: "http://127.0.0.1:1/test")!) == 30)
        #expect(try await SettingsExamples.fromLocus(nowhere, nowhere, nowhere)["api.address"] == nowhere)
        #expect(try SettingsExamples.fromUserDefaults()["opened"] == Date.distantPast)
    }
}
