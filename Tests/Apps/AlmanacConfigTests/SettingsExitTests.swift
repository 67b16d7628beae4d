import AlmanacConfig
import Testing

@Suite struct SettingsExitTests {
    @Test func `a mistake in the code stops a development build`() async {
        await #expect(processExitsWith: .failure) {
            let settings = try SettingsStore(isRelease: false) { ReadOnlySetting("a", default: 1) }
            _ = settings["b", default: 1]
        }
    }
}
