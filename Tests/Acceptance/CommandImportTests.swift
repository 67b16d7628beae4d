import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct CommandImportTests {
        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let folder: TemporaryFolder

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            folder = try TemporaryFolder()
        }

        /// A config of ConfigCat with a share of users for `new checkout`, and further settings.
        private static func config(share: Int, _ more: String = "") -> String {
            let checkout =
                #"{"t":0,"p":[{"p":\#(share),"v":{"b":true}},{"p":\#(100 - share),"v":{"b":false}}],"v":{"b":false}}"#
            let limit = #"{"t":2,"v":{"i":25},"r":[{"c":[{"s":{"s":0,"c":0}}],"s":{"v":{"i":50}}}]}"#
            return #"{"p":{"u":"https://cdn.example","r":0,"s":"salt"},"#
                + #""s":[{"n":"Beta","r":[{"a":"Plan","c":0,"l":["beta"]}]}],"#
                + #""f":{"new checkout":\#(checkout),"limit":\#(limit)\#(more)}}"#
        }

        private func evaluation(_ key: String, _ context: JSONValue) throws -> JSONObject {
            let path = development.path("ofrep/v1/evaluate/flags/\(key)")
            return try #require(development.client().send("POST", path, json: ["context": context]).json().objectValue)
        }

        private func definition(_ key: String) throws -> JSONObject {
            try #require(try JSONValue(parsing: Array(almanac.output("flags", "get", key).utf8)).objectValue)
        }

        @Test func `flags are imported in one release, and a later import merges the changes of both sides`() throws {
            try development.reset(to: ["a": 1])
            let file = try folder.write("config.json", Self.config(share: 30).utf8)
            let words = ["import", "configcat", file]
            let trial = try almanac.run(words + ["--dry-run", "--verify"])
            #expect(trial.status == 0, "\(trial.output)\(trial.errors)")
            #expect(trial.output.contains("new checkout  new-checkout  exact"), "\(trial.output)")
            #expect(trial.output.contains("exact: 2, differs: 0, cannot be kept: 0\n"))
            #expect(trial.output.contains("compared 20000 answers, 0 differences\n"))
            #expect(trial.output.contains("+ new-checkout (flag): {") && trial.output.contains("new-checkout is new"))
            #expect(try almanac.run("flags", "get", "limit").status == 3)
            // Without a terminal, the command needs --yes.
            #expect(try almanac.run(words).status == 2)

            let first = try almanac.run(words + ["--yes"])
            #expect(
                first.status == 0 && first.output.contains("3 keys added: revision "), "\(first.output)\(first.errors)")
            let releases = try almanac.json("config", "history").arrayValue?.compactMap(\.objectValue)
            #expect(releases?.first?["message"] == "Import 2 flags from ConfigCat")
            #expect(
                try definition("new-checkout")["metadata"]?.objectValue?["almanac.source"] == "configcat//new checkout")
            #expect(try evaluation("limit", ["targetingKey": "1", "Plan": "beta"])["value"] == 50)
            #expect(try evaluation("limit", ["targetingKey": "1", "Plan": "free"])["value"] == 25)
            #expect(try almanac.output("flags", "list").contains("new-checkout"))
            #expect(try !almanac.output("flags", "export").isEmpty)

            let again = try almanac.run(words + ["--yes"])
            #expect(
                again.status == 0 && again.output.hasSuffix("nothing to change\n"), "\(again.output)\(again.errors)")

            // The flag is switched off here, and its share changes there.
            _ = try almanac.output("flags", "disable", "new-checkout")
            let compared = try almanac.run(words + ["--compare"])
            #expect(compared.status == 1 && compared.output.contains("new checkout: "), "\(compared.output)")
            _ = try folder.write("config.json", Self.config(share: 60).utf8)
            let merged = try almanac.run(words + ["--yes", "--verify", "--message", "more"])
            #expect(merged.status == 0, "\(merged.output)\(merged.errors)")
            let flag = try definition("new-checkout")
            #expect(flag["state"] == "DISABLED" && flag["targeting"]?.description.contains("[0,60,") == true, "\(flag)")

            // Both sides change the share.
            _ = try almanac.output("flags", "ramp", "new-checkout", "on", "80")
            _ = try folder.write("config.json", Self.config(share: 90, #","fresh":{"t":1,"v":{"s":"x"}}"#).utf8)
            let conflict = try almanac.run(words + ["--yes"])
            #expect(conflict.status == 4, "\(conflict.output)\(conflict.errors)")
            #expect(conflict.output.contains("conflict: new-checkout /targeting\n  mine    {"), "\(conflict.output)")
            #expect(try almanac.run("flags", "get", "fresh").status == 3)
            let listed = try almanac.run(words + ["--dry-run", "--json"])
            let document = try #require(try JSONValue(parsing: listed.outputBytes).objectValue)
            #expect(listed.status == 4 && document["conflicts"]?.arrayValue?.count == 1)
            #expect(document["report"]?.arrayValue?.first?.objectValue?["verdict"] == "exact")
            let taken = try almanac.run(words + ["--take", "new-checkout=theirs", "--yes", "--json"])
            #expect(taken.status == 0, "\(taken.output)\(taken.errors)")
            let theirs = try definition("new-checkout")
            #expect(theirs["targeting"]?.description.contains("[0,90,") == true && theirs["state"] == "DISABLED")
            #expect(try definition("fresh")["state"] == "ENABLED")
            // A setting that is gone stays, and is named.
            _ = try folder.write("config.json", Self.config(share: 90).utf8)
            #expect(try almanac.run(words + ["--yes"]).output.contains("fresh: no longer in the files; stays\n"))
            #expect(try definition("fresh")["state"] == "ENABLED")
            try development.reset()
        }

        @Test func `flags that exist with other contents, bad files and YAML`() throws {
            try development.reset(to: ["limit": 25])
            let file = try folder.write("config.json", Self.config(share: 30).utf8)
            let conflict = try almanac.run("import", "configcat", file, "--yes")
            #expect(
                conflict.status == 4 && conflict.output.contains("conflict: limit\n  mine    25\n"),
                "\(conflict.output)")
            let yaml = try folder.write("flags.yaml", "f: {x: {t: 0, v: {b: true}}}\np: {s: a, u: b, r: 0}\n".utf8)
            let output = "\(folder.path)/out.json"
            #expect(try almanac.run("import", "configcat", yaml, "--output", output).status == 0)
            let document = try JSONValue(parsing: try File.read(output)).objectValue
            #expect(document?["flags"]?.objectValue?["x"]?.objectValue?["state"] == "ENABLED")
            for (name, text, message) in [
                ("other.json", #"{"feature_states": []}"#, "looks like a file of Flagsmith (flagsmith)"),
                ("broken.json", #"{"f": "#, "broken.json: "), ("twice.yaml", "a: 1\na: 2", "is there twice (line 2)"),
                ("text", "just a text", "text"), ("empty", "", "has no content"),
            ] {
                let path = try folder.write(name, text.utf8)
                let outcome = try almanac.run("import", "configcat", path, "--yes")
                #expect(outcome.status == 1 && outcome.errors.contains(message), "\(name): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
            let wrong = try almanac.run("import", "configcta", file)
            #expect(wrong.status == 2 && wrong.errors.contains("did you mean 'configcat'?"))
            #expect(try almanac.run("import", "configcat", file, "--take", "ours").status == 2)
            #expect(try almanac.run("import", "configcat", file, "--json").status == 2)
            try development.reset()
        }
    }
}
