import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct CommandFlagsTests {
        private static let plain = #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off"}"#
        private static let ruled =
            #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
            + #""targeting":{"if":[{"==":[{"var":"plan"},"pro"]},"on"]}}"#
        private static let fromDecember =
            #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
            + #""targeting":{"if":[{"==":[{"var":"$flagd.timestamp"},1796115600]},"on"]}}"#

        private let almanac: CommandLineProgram
        private let development: LiveEnvironment
        private let staging: LiveEnvironment
        private let folder: TemporaryFolder

        init() throws {
            almanac = try CommandLineProgram()
            development = try LiveEnvironment("development")
            staging = try LiveEnvironment("staging")
            folder = try TemporaryFolder()
        }

        private func evaluation(_ key: String, _ context: JSONValue) throws -> JSONObject {
            let path = development.path("ofrep/v1/evaluate/flags/\(key)")
            let body: JSONValue = ["context": context]
            return try #require(development.client().send("POST", path, json: body).json().objectValue)
        }

        @Test func `a flag is set, read, explained, switched off and on`() throws {
            try development.reset(to: ["a": 1])
            let wrong = try almanac.run(
                "flags", "set", "new-ui", #"{"state":"ENABLED","variants":{"on":true,"off":1},"targeting":{"iff":1}}"#)
            #expect(wrong.status == 1 && wrong.errors.contains("/variants") && wrong.errors.contains("/targeting"))
            #expect(wrong.errors.contains("invalid-flag") && wrong.errors.split(separator: "\n").count == 1)
            let file = try folder.write("flag.json", Self.ruled.utf8)
            let plan = try almanac.output("flags", "set", "new-ui", file, "--dry-run")
            #expect(plan.hasPrefix("+ new-ui (flag): {") && plan.contains("new-ui is new"))
            #expect(try almanac.run("flags", "get", "new-ui").status == 3)
            #expect(
                try almanac.output("flags", "set", "new-ui", file, "--description", "looks").hasPrefix("new-ui added: ")
            )
            let definition = try almanac.output("flags", "get", "new-ui")
            #expect(try JSONValue(parsing: Array(definition.utf8)) == JSONValue(parsing: Array(Self.ruled.utf8)))
            // The printed definition, set again, changes nothing.
            #expect(try almanac.output("flags", "set", "new-ui", "-", input: definition).hasPrefix("nothing to change"))
            let entry = try almanac.json("flags", "get", "new-ui").objectValue
            #expect(entry?["kind"] == "flag" && entry?["description"] == "looks")

            let reason = try almanac.output("flags", "explain", "new-ui", "--context", #"{"plan":"pro"}"#, "--id", "u1")
            #expect(reason.contains("variant  on\n") && reason.contains("/targeting"), "\(reason)")
            let other = try almanac.json("flags", "explain", "new-ui", "--id", "u1").objectValue
            #expect(other?["variant"] == "off" || other?["value"] == false)
            let draft = try almanac.json("flags", "explain", "new-ui", "--definition", Self.plain).objectValue
            #expect(draft?["reason"] == "STATIC")
            let later = try almanac.json(
                "flags", "explain", "new-ui", "--definition", Self.fromDecember, "--time", "2026-12-01T09:00:00Z")
            #expect(later.objectValue?["variant"] == "on")

            #expect(try evaluation("new-ui", ["targetingKey": "u1", "plan": "pro"])["value"] == true)
            let shown = try almanac.output("flags", "disable", "new-ui", "--dry-run")
            #expect(shown.hasPrefix("~ new-ui (flag) /state: \"ENABLED\" -> \"DISABLED\"\n"))
            #expect(try almanac.output("flags", "disable", "new-ui", "-m", "it breaks").hasPrefix("new-ui disabled: "))
            #expect(try evaluation("new-ui", ["targetingKey": "u1", "plan": "pro"])["reason"] == "DISABLED")
            let history = try almanac.json("config", "history", "new-ui").arrayValue?.compactMap(\.objectValue)
            #expect(history?.first?["message"] == "it breaks" && history?.first?["kind"] == "flag")
            #expect(try almanac.output("flags", "disable", "new-ui").hasPrefix("nothing to change"))
            #expect(try almanac.output("flags", "enable", "new-ui").hasPrefix("new-ui enabled: "))
            let list = try almanac.output("flags", "list", "new")
            #expect(list.contains("new-ui  boolean  enabled  on, off   off      tokens"), "\(list)")
            try development.reset()
        }

        @Test func `a mistyped flag is answered with what was meant, and a value is no flag`() throws {
            try development.reset(to: ["value": 1])
            _ = try almanac.output("flags", "set", "new-ui", Self.plain)
            for words in [["get"], ["explain"], ["sample"], ["enable"], ["disable"], ["disable", "--dry-run"]] {
                let outcome = try almanac.run(["flags"] + words + ["new-iu"])
                #expect(outcome.status == 3, "\(words)")
                #expect(outcome.errors.contains("did you mean 'new-ui'?"), "\(words): \(outcome.errors)")
                #expect(try almanac.run(["flags"] + words + ["value"]).status == 3, "\(words)")
            }
            #expect(try almanac.run("flags", "ramp", "new-iu", "on", "20").errors.contains("did you mean 'new-ui'?"))
            let server = ["--url", almanac.instance.url, "--ca-file", almanac.instance.caFile, "-e", "development"]
            #expect(try almanac.run(["complete", "flags", "get"] + server + [""]).output == "new-ui\n")
            #expect(try almanac.run(["complete", "config", "get"] + server + [""]).output == "new-ui\nvalue\n")
            try development.reset()
        }

        @Test func `config commands say what is a flag, and never make it a value or lose it`() throws {
            try development.reset(to: ["a": 1, "b": "x"])
            try staging.reset(to: ["other": 1])
            _ = try almanac.output("flags", "set", "f", Self.ruled, "--description", "why")
            #expect(try almanac.output("config", "list").contains("f  flag   {\"state\""))
            #expect(try almanac.output("config", "search", "pro").hasPrefix("f  flag  {"))
            #expect(try almanac.json("config", "get", "f").objectValue?["kind"] == "flag")

            // Export and import of values leave flags out.
            let export = try almanac.run("config", "export")
            #expect(!export.output.contains("targeting") && export.errors.contains("almanac flags export"))
            let pruned = try almanac.output("config", "import", "--prune", input: #"{"a":1}"#)
            #expect(pruned.hasPrefix("b removed"))
            #expect(try almanac.json("config", "get", "f").objectValue?["kind"] == "flag")
            let overwritten = try almanac.run("config", "import", input: #"{"f":{"state":"DISABLED"}}"#)
            #expect(overwritten.status == 1 && overwritten.errors.contains("'f' is a flag; leave it out"))
            #expect(try almanac.run("config", "set", "f", "3").status == 1)
            let editor = try CommandLineProgram(["VISUAL": "sed -i 's/1/2/'"])
            #expect(try editor.output("config", "edit").hasPrefix("a changed"))
            let disabler = try CommandLineProgram(["VISUAL": "sed -i s/ENABLED/DISABLED/"])
            #expect(
                try disabler.output("config", "edit", "f", "--dry-run").hasPrefix(
                    "~ f (flag) /state: \"ENABLED\" -> \"DISABLED\"\n"))
            let kept = try almanac.run("config", "set", "f", "3", "--kind", "value")
            #expect(kept.status == 2 && kept.errors.contains("and the new value is a number: give --retype"))
            let turned = try almanac.output("config", "set", "f", "3", "--kind", "value", "--retype", "--dry-run")
            #expect(turned.hasPrefix("~ f (value, was flag): {") && turned.contains("f changes from flag to value"))

            // Promotion copies flags with their descriptions, and removes flags that the source lacks.
            _ = try almanac.output("flags", "set", "gone", Self.plain, "-e", "staging")
            let difference = try almanac.run("config", "diff", "staging", "development", "--json")
            #expect(difference.status == 3)
            let changes = try JSONValue(parsing: difference.outputBytes).objectValue?["changes"]?.arrayValue?
                .compactMap(\.objectValue)
            #expect(changes?.map { $0["key"]?.stringValue } == ["a", "f", "gone", "other"])
            #expect(changes?.map { $0["kind"]?.stringValue } == [nil, "flag", "flag", nil])
            #expect(try almanac.output("config", "promote", "development", "staging").hasPrefix("4 keys changed"))
            let promoted = try almanac.json("config", "get", "f", "-e", "staging").objectValue
            #expect(promoted?["kind"] == "flag" && promoted?["description"] == "why")
            #expect(try almanac.run("config", "get", "gone", "-e", "staging").status == 3)
            #expect(try almanac.run("config", "diff", "staging", "development").status == 0)

            // A restored release contains the removed flag.
            let revision = try #require(try almanac.json("status").objectValue?["revision"]?.stringValue)
            #expect(try almanac.output("config", "unset", "f").hasPrefix("f removed"))
            #expect(try almanac.output("config", "restore", revision, "--dry-run").hasPrefix("+ f (flag): {"))
            _ = try almanac.output("config", "restore", revision)
            #expect(try almanac.json("config", "get", "f").objectValue?["kind"] == "flag")
            try development.reset()
            try staging.reset()
        }

        @Test func `a ramp takes nobody's variant away, and says how many it gives one`() throws {
            try development.reset()
            _ = try almanac.output("flags", "set", "f", Self.plain)
            let first = try almanac.output("flags", "ramp", "f", "on", "10")
            #expect(first.hasPrefix("on gets 10 % of all callers instead of 0 %\nof 10000 sampled callers "))
            #expect(first.contains("would get something else: off -> on ") && first.contains("f changed: revision"))
            let callers = (1...300).map { JSONValue.string("\($0)") }
            func gets() throws -> [JSONValue?] {
                try callers.map { try evaluation("f", ["targetingKey": $0])["value"] }
            }
            let before = try gets()
            _ = try almanac.output("flags", "ramp", "f", "on", "30")
            let after = try gets()
            #expect(zip(before, after).allSatisfy { $0 != true || $1 == true })
            #expect(after.count { $0 == true } > before.count { $0 == true })
            let plan = try almanac.json("flags", "ramp", "f", "on", "100", "--over", "7d", "--dry-run").objectValue
            let change = plan?["changes"]?.arrayValue?.first?.objectValue
            #expect(change?["after"]?.objectValue?["targeting"]?.objectValue?["almanac.ramp"] != nil)
            _ = try almanac.output("flags", "ramp", "f", "on", "100", "--over", "7d")
            #expect(try gets() == after)
            // A stopped ramp remains as a split.
            _ = try almanac.output("flags", "ramp", "f", "on", "30")
            #expect(try almanac.output("flags", "get", "f").contains("fractional"))
            #expect(try gets() == after)

            _ = try almanac.output("flags", "set", "f", Self.ruled)
            let refused = try almanac.run("flags", "ramp", "f", "on", "20")
            #expect(refused.status == 1 && refused.errors.contains("its rule begins with 'if'"), "\(refused.errors)")
            #expect(try almanac.run("flags", "ramp", "f", "on", "101").status == 2)
            #expect(try almanac.run("flags", "ramp", "f", "on", "20", "--over", "soon").status == 2)
            #expect(
                try almanac.run("flags", "ramp", "f", "onn", "20").errors.contains("no variant 'onn'; expected on, off")
            )
            try development.reset()
        }

        @Test func `a flag with another system's split keeps its callers until it is split anew`() throws {
            try development.reset()
            let split = #"{"almanac.split":[{"scheme":"unleash","groupId":"f"},{"var":"targetingKey"},[[0,10,"on"]]]}"#
            let variants = #""variants":{"on":true,"off":false},"defaultVariant":"off""#
            let flag = #"{"state":"ENABLED",\#(variants),"targeting":SPLIT}"#
            _ = try almanac.output("flags", "set", "f", flag.replacing("SPLIT", with: split))
            #expect(try evaluation("f", ["targetingKey": "1"])["reason"] != "ERROR")
            let because = try almanac.output("flags", "explain", "f", "--id", "1")
            #expect(because.contains("the almanac.split (unleash) places the caller in bucket "))
            #expect(try almanac.run("flags", "export").errors.contains("flagd does not understand f (almanac.split)"))
            let ramped = try almanac.output("flags", "ramp", "f", "on", "30")
            #expect(ramped.hasPrefix("on gets 30 % of all callers instead of 10 %\n"))
            #expect(ramped.contains("would get something else: off -> on "))
            #expect(try almanac.output("flags", "get", "f").contains("unleash"))
            let plan = try almanac.output("flags", "resplit", "f", "--dry-run")
            #expect(plan.contains("of 10000 sampled callers ") && plan.contains(" -> on "))
            #expect(try almanac.output("flags", "resplit", "f").contains("f changed: revision"))
            #expect(try almanac.output("flags", "get", "f").contains("fractional"))
            #expect(try !almanac.run("flags", "export").errors.contains("does not understand"))
            let again = try almanac.run("flags", "resplit", "f")
            #expect(again.status == 1 && again.errors.contains("'f' has no split of another system"))
            try development.reset()
        }

        @Test
        func `a set that is exported and imported again is the same, and one of another environment keeps its splits`()
            throws
        {
            try development.reset(to: ["a": 1])
            try staging.reset(to: ["b": 1])
            let split =
                #"{"state":"ENABLED","variants":{"on":1,"off":0},"targeting":{"fractional":[["on",50],["off",50]]}}"#
            _ = try almanac.output("flags", "set", "f", split)
            _ = try almanac.output("flags", "set", "g", Self.ruled)
            let export = try almanac.run("flags", "export")
            #expect(export.status == 0 && export.errors.contains("--fractional 3"))
            #expect(try almanac.output("flags", "import", input: export.output).hasPrefix("nothing to change"))
            let plan = try almanac.output("flags", "import", "-e", "staging", "--dry-run", input: export.output)
            #expect(plan.hasPrefix("+ f (flag): {") && plan.contains("\n+ g (flag): {"), "\(plan)")
            _ = try almanac.output("flags", "import", "-e", "staging", "--fractional", "3", input: export.output)
            #expect(try almanac.output("flags", "export", "-e", "staging") == export.output)
            #expect(try almanac.json("config", "get", "b", "-e", "staging").objectValue?["value"] == 1)
            let sample = try almanac.json("flags", "sample", "f", "-e", "staging").objectValue
            #expect(sample?["variants"] == (try almanac.json("flags", "sample", "f").objectValue?["variants"]))
            let moved = try almanac.output("flags", "sample", "f", "--fractional", "2")
            #expect(moved.contains("would get something else: "), "\(moved)")
            let smaller = try folder.write("smaller.json", #"{"flags":{"f":\#(split)}}"#.utf8)
            #expect(try almanac.output("flags", "import", smaller, "-e", "staging").hasPrefix("g removed"))
            #expect(try almanac.run("flags", "import", input: "[]").status == 1)
            try development.reset()
            try staging.reset()
        }

        @Test func `an environment that wants caution is asked about before a flag is changed`() throws {
            let answers = #"[{"name":"development","caution":true}]"#
            let server = try ScriptedServer { path in
                switch path {
                case "/environments": .response(body: answers.utf8)
                case "/development/config/f":
                    .response(body: #"{"key":"f","kind":"flag","value":\#(Self.plain)}"#.utf8)
                case "/development/flags.json": .response(body: #"{"flags":{"f":\#(Self.plain)}}"#.utf8)
                default: .response(body: #"{"revision":1,"sampled":1,"moved":0}"#.utf8)
                }
            }
            let program = try CommandLineProgram(["ALMANAC_URL": server.base])
            for words in [
                ["disable", "f"], ["enable", "f"], ["set", "f", Self.plain], ["ramp", "f", "on", "5"], ["import"],
            ] {
                let refused = try program.run(["flags"] + words, input: #"{"flags":{}}"#)
                #expect(refused.status == 2, "\(words): \(refused.output)\(refused.errors)")
                #expect(refused.errors.contains("in 'development'; confirm with --yes"), "\(words): \(refused.errors)")
            }
            let writes = ["PUT", "PATCH", "POST /development/flags/f/enable", "POST /development/flags/f/disable"]
            #expect(!server.messages.contains { message in writes.contains { message.hasPrefix($0) } })
            #expect(try program.run("flags", "disable", "f", "--yes").status == 0)
            #expect(server.messages.last?.hasPrefix("POST /development/flags/f/disable ") == true)
        }

        @Test func `a token for evaluating sees no rule`() throws {
            try development.reset()
            _ = try almanac.output("flags", "set", "f", Self.ruled)
            let file = "\(folder.path)/app.token"
            _ = try almanac.output(
                "token", "create", "development", "--scope", "flags:evaluate", "--label", "app", "--no-expiry",
                "--output", file)
            let app = try CommandLineProgram(["ALMANAC_TOKEN_FILE": file])
            #expect(try app.output("whoami").contains("flags:evaluate"))
            #expect(!(try app.output("config", "list").contains("targeting")))
            for words in [["get", "f"], ["list"], ["explain", "f"], ["sample", "f"], ["export"], ["disable", "f"]] {
                let outcome = try app.run(["flags"] + words)
                #expect([3, 5].contains(outcome.status), "\(words): \(outcome.output)\(outcome.errors)")
                #expect(!outcome.output.contains("plan"), "\(words)")
            }
            try development.reset()
        }

        @Test func `a token for one flag switches it off by the request that Alertmanager sends`() throws {
            try development.reset()
            _ = try almanac.output("flags", "set", "f", Self.plain)
            let token = try almanac.output(
                "token", "create", "development", "--scope", "flags:disable:f", "--label", "alerts", "--no-expiry")
            let client = development.instance.client(token: token.filter { !$0.isWhitespace })
            let headers = [("User-Agent", "Alertmanager/0.27.0"), ("Accept-Encoding", "gzip"), ("Accept", "")]
            let alerts = #"[{"status":"firing","labels":{"alertname":"CheckoutFails"},"annotations":{}}]"#
            let body = #"{"version":"4","groupKey":"{}","status":"firing","receiver":"off","alerts":\#(alerts)}"#
            let path = development.path("flags/f/disable")
            let answer = try client.send("POST", path, headers: headers, body: Array(body.utf8))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try evaluation("f", [:])["reason"] == "DISABLED")
            let history = try almanac.output("config", "history", "--limit", "1")
            #expect(history.contains("alerts") && history.contains("Alert CheckoutFails"), "\(history)")
            try development.reset()
        }

        @Test func `the keys of the flags are written as Swift, the same every time`() throws {
            try development.reset()
            _ = try almanac.output("flags", "set", "new-ui", Self.plain, "--description", "The new look")
            let source = try almanac.output("flags", "generate", "swift")
            #expect(
                source.contains(
                    """
                        /// The new look
                        ///
                        /// `new-ui`
                        static let newUi = FlagKey<Bool>("new-ui", default: false)
                    """), "\(source)")
            let path = "\(folder.path)/FlagKeys.swift"
            _ = try almanac.output("flags", "generate", "swift", "--output", path)
            #expect(try String(decoding: File.read(path), as: UTF8.self) == source)
            try development.reset()
        }

        @Test(arguments: [
            ("typescript", #"newUi: (client: Client): boolean => client.getBooleanValue("new-ui", false),"#),
            ("kotlin", #"fun newUi(client: Client): Boolean = client.getBooleanValue("new-ui", false)"#),
        ])
        func `the keys of the flags are written in other languages`(language: String, accessor: String) throws {
            try development.reset()
            _ = try almanac.output("flags", "set", "new-ui", Self.plain)
            let source = try almanac.output("flags", "generate", language)
            #expect(source.contains("\n// Written by 'almanac flags generate \(language)'; not to be edited.\n"))
            #expect(source.contains(accessor), "\(source)")
            try development.reset()
        }
    }
}
