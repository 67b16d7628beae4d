import AlmanacConfig
import AlmanacTestSupport
import Foundation
import Testing

@Suite struct DocumentationTests {
    @Test func `the examples do what the documentation says, without a network`() async throws {
        let folder = try TemporaryFolder()
        let nowhere = URL(string: "http://127.0.0.1:1/test")!
        let cache = URL(filePath: "\(folder.path)/cache")
        let (client, text) = await ConfigExamples.firstValue(environment: nowhere, cache: cache)
        #expect(text == "Meow")
        #expect(client.status.lastFailure != nil)
        #expect(try await ConfigExamples.container(client, bundle: cache) == 10)
        #expect(await ConfigExamples.document(cache: cache, address: nowhere).color == "red")
        #expect(ConfigExamples.status(client))
        #expect(ConfigExamples.together(client) == (10, 3))
        try await ConfigExamples.loaders(environment: nowhere)
        let document = Data(#"{"color": "green"}"#.utf8)
        #expect(try ConfigExamples.bundled(document, cache: cache, address: nowhere).value.color == "green")
        let file = try folder.write("Defaults.json", Array(#"{"app.fun_button.text": "Purr"}"#.utf8))
        let bundled = try ConfigExamples.bundled(URL(filePath: file), environment: nowhere, cache: cache)
        #expect(bundled.string("app.fun_button.text", default: "Meow") == "Purr")
    }

    @Test(.timeLimit(.minutes(1))) @MainActor func `a view follows the config until its task is cancelled`()
        async throws
    {
        let server = try AppServer { request, connection in
            if request.path == "/test/events" { return connection.waitForClose() }
            connection.config(
                "1.aaaa",
                ##"[{"key":"app.fun_button.text","value":"Purr"},{"key":"app.background.color","value":"#010203"}]"##)
        }
        let client = ConfigClient(try Sandbox().options(server.environment))
        try await client.fetch()
        let appearance = ConfigExamples.Appearance(client)
        #expect(appearance.label == "Meow")
        let following = Task { await appearance.follow() }
        _ = await client.activate()
        while appearance.label != "Purr" { await Task.yield() }
        #expect(appearance.background == ConfigColor(red: 1, green: 2, blue: 3))
        await following.cancelAndWait()
    }
}
