import AlmanacClient
import AlmanacJSON
import Testing

@Suite struct ConfigSearchTests {
    @Test(
        arguments: [
            ("theme", "app.theme", "dark", true, false), ("DARK", "app.theme", "dark", false, true),
            ("zebra", "app.theme", "dark", false, false), ("30", "app.timeout", 30, false, true),
            ("ärger", "a", ["x": [1, "Kein Ärger"]], false, true), ("retries", "a", ["retries": 3], false, true),
            ("\"retries\":3", "a", ["x": 1, "retries": 3], false, true),
            ("say \"no\"", "a", ["Say \"no\""], false, true),
            ("true", "a", true, false, true), ("", "a", "", true, true),
        ] as [(String, String, JSONValue, Bool, Bool)])
    func `a text is found in keys and values whatever its case`(
        text: String, key: String, value: JSONValue, inKey: Bool, inValue: Bool
    ) {
        #expect(ConfigSearch(text).finds(key, value) == (inKey || inValue))
        #expect(ConfigSearch(text, in: [.keys]).finds(key, value) == inKey)
        #expect(ConfigSearch(text, in: [.values]).finds(key, value) == inValue)
    }
}
