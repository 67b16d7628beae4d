import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of the bash completion, called as the shell calls it.
    @Suite struct CommandCompletionTests {
        /// Returns the words that the shell offers at the end of a line.
        private func offers(_ line: String) throws -> [String] {
            let instance = try Instance.current()
            let script = """
                source "$CHECKOUT/deploy/completion/almanac.bash"
                PATH=$HOME_BIN:$PATH
                compopt() { :; }
                COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_WORDS=(almanac)
                _almanac
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let outcome = try Command.run(
                "bash", ["-euo", "pipefail", "-c", script],
                environment: [
                    "LINE": line, "CHECKOUT": instance.checkout, "HOME_BIN": instance.path("bin"),
                    "ALMANAC_ENVIRONMENTS": instance.path("environments.json"),
                ])
            #expect(outcome.errors == "")
            return outcome.output.split(separator: "\n").map(String.init)
        }

        @Test func `the shell completes commands, options, environments and files`() throws {
            #expect(try offers("almanac conf") == ["config"])
            #expect(try offers("almanac config ").contains("promote"))
            #expect(try offers("almanac config get --jso") == ["--json"])
            #expect(try offers("almanac migrate ") == ["development", "staging"])
            #expect(try offers("almanac backup dev") == ["development"])
            #expect(try offers("almanac token create development --scope config:w") == ["write"])
            #expect(try offers("almanac config import /etc/host").contains("/etc/hosts"))
            #expect(try offers("almanac config diff dev") == ["development"])
            // Without a server in the line, no keys are offered.
            #expect(try offers("almanac config get ") == [])
        }

        @Test func `keys are those of the server that the line names`() throws {
            let development = try LiveEnvironment("development")
            try development.reset(to: ["app.theme": "dark", "app.timeout": 3, "other": 1])
            let server = [
                "-e", "development", "--url", development.instance.url, "--ca-file", development.instance.caFile,
            ]
            let almanac = try CommandLineProgram(["ALMANAC_URL": "https://localhost:1"])
            #expect(
                try almanac.run(["complete", "config", "get"] + server + ["app."]).output == "app.theme\napp.timeout\n")
            #expect(
                try almanac.run(["complete", "config", "unset", "other"] + server + ["app.th"]).output == "app.theme\n")
            // An unreachable server yields no words and no message.
            let away = try almanac.run("complete", "config", "get", "a")
            #expect(away.output == "" && away.errors == "" && away.status == 0)
        }

        @Test(.enabled(if: (try? File.exists("/usr/bin/fish")) == true)) func `fish offers the same`() throws {
            let instance = try Instance.current()
            let outcome = try Command.run(
                "fish", ["-c", "source $CHECKOUT/deploy/completion/almanac.fish; complete -C 'almanac config un'"],
                environment: [
                    "CHECKOUT": instance.checkout, "PATH": instance.path("bin") + ":/usr/bin:/bin",
                    "HOME": instance.path("data"),
                ])
            #expect(outcome.output == "unset\n", "\(outcome.errors)")
        }
    }
}
