import AlmanacTestSupport
import Testing

extension Live {
    /// The completion of bash, as the shell itself calls it.
    @Suite struct CommandCompletionTests {
        /// The words that the shell would offer at the end of a line.
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
            #expect(try offers("almanac config get ") == [])
        }
    }
}
