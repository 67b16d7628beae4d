import AlmanacConfig
import AlmanacNotes
import AlmanacTestSupport
import Foundation
import SwiftUI
import Testing

@testable import MainActorApp

/// Tests that draw and use the screens of a small app, with the stand-ins for SwiftUI.
@Suite(.timeLimit(.minutes(2))) @MainActor struct AppTests {
    private static let environment = URL(string: "https://localhost:8443/development")!

    /// Returns a client of a server whose colour changes when the event stream `change` says so.
    private func client(_ change: ByteStream) -> ConfigClient {
        let transport = ScriptedTransport { request, _ throws(TransportFailure) in
            if request.url.contains("/events") {
                return TransportResponse(
                    status: 200, headers: [(name: "Content-Type", value: "text/event-stream")], body: change)
            }
            let isLater = request.url.contains("since")
            return .text(
                #"[{"key":"app.background.color","value":"\#(isLater ? "#0000FF" : "#FF0000")"}]"#,
                headers: [
                    (name: "Almanac-Cursor", value: isLater ? "2.aaaa" : "1.aaaa"),
                    (name: "Almanac-Version", value: "1.0.0"),
                ])
        }
        return ConfigClient(ConfigOptions(environment: Self.environment, transport: transport))
    }

    @Test func `a colour that changes on the server changes on the screen`() async throws {
        let settings = try SettingsStore(preview: [:]) {
            TransientSetting(.volume)
            TransientSetting(.isMute)
            ReadOnlySetting(.title)
        }
        let (stream, server) = ByteStream.makeStream()
        let host = ViewHost(SettingsScreen(client: client(stream)).environment(settings))
        #expect(host.background(of: "Mute") == Color(red: 1, green: 1, blue: 1))
        server.yield(Array("id: config=1.aaaa\ndata: {\"type\":\"hello\",\"config\":\"1.aaaa\"}\n\n".utf8))
        try await host.wait { $0.background(of: "Mute") == Color(red: 1, green: 0, blue: 0) }
        let changed = #"{"type":"refetchEvaluation","etag":"\"2.aaaa\"","spreadMs":1}"#
        server.yield(Array("id: config=2.aaaa\ndata: \(changed)\n\n".utf8))
        try await host.wait { $0.background(of: "Mute") == Color(red: 0, green: 0, blue: 1) }
        host.close()
    }

    @Test func `three settings are set by controls, and reset by a button`() async throws {
        let settings = try SettingsStore(preview: ["app.title": "Purr"]) {
            TransientSetting(.volume)
            TransientSetting(.isMute)
            ReadOnlySetting(.title)
        }
        let host = ViewHost(SettingsScreen(client: ConfigClient(preview: [:])).environment(settings))
        #expect(host.shows("Purr"))
        #expect(host.value(of: "Volume") == 0.5)
        host.set("Volume", to: 0.75)
        host.set("Mute", to: true)
        try await host.wait { $0.value(of: "Volume") == 0.75 && $0.value(of: "Mute") == true }
        #expect(settings[.volume] == 0.75)
        host.tap("Reset")
        try await host.wait { $0.value(of: "Volume") == 0.5 && $0.value(of: "Mute") == false }
        host.close()
    }

    @Test func `a preview is drawn without a server`() {
        let host = ViewHost(SettingsScreenPreviews.previews)
        #expect(host.background(of: "Mute") == Color(red: 1, green: 136.0 / 255, blue: 0))
        host.close()
    }

    @Test func `a wait for what is never shown ends when its test is cancelled, and says what is shown`() async {
        let host = ViewHost(SettingsScreenPreviews.previews)
        let waiting = Task { try await host.wait { $0.shows("Purr") } }
        waiting.cancel()
        let failure = await #expect(throws: ViewHost.WaitCancelled.self) { try await waiting.value }
        #expect(failure?.description.contains("Mute") == true)
        host.close()
    }
}
