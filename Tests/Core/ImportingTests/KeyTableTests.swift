import Testing

@testable import AlmanacImporting

@Suite struct KeyTableTests {
    @Test func `names that are no keys are changed, and no two share a key`() {
        let keys = KeyTable(["new-ui", "new ui", "new/ui", "new-ui-2", "2fa", "_flags", "größe", ""])
        #expect(keys["new-ui"] == "new-ui")
        #expect(keys["new-ui-2"] == "new-ui-2")
        #expect(keys["2fa"] == "_2fa")
        #expect(keys["_flags"] == "__flags")
        #expect(keys["größe"] == "gr--e")
        #expect(keys[""] == "_")
        #expect(Set(["new ui", "new/ui"].compactMap { keys[$0] }) == ["new-ui-3", "new-ui-4"])
        let composed = KeyTable(["\u{E9}", "e\u{301}"])
        #expect(composed["\u{E9}"] == "_-" && composed["e\u{301}"] == "e-")
    }

    @Test func `attributes whose names rules cannot read are renamed`() {
        var table = AttributeTable(unit: "userId")
        #expect(table.path(of: "userId") == ["targetingKey"])
        #expect(table.path(of: "device.key", preferred: ["device", "key"]) == ["device", "key"])
        #expect(table.path(of: "app.version") == ["app_version"])
        #expect(table.path(of: "app/version") == ["app_version_2"])
        #expect(
            table.renamed.map { "\($0.source): \($0.attribute)" } == [
                "app.version: app_version", "app/version: app_version_2", "device.key: device.key",
                "userId: targetingKey",
            ])
    }
}
