import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite struct ChildProcessTests {
    @Test func `a program is given its words, variables and descriptors`() throws {
        let (input, output, third) = (try DraftFile.unnamed(), try DraftFile.unnamed(), try DraftFile.unnamed())
        try input.write("in")
        input.rewind()
        try third.write("third")
        let child = try ChildProcess.start(
            "sh", ["-c", "cat; echo \"$0 $A\"; cat /dev/fd/3; cat /dev/fd/3; exit 7", "a  b"], variables: ["A": "ä"],
            descriptors: [input.descriptor, output.descriptor, nil, third.descriptor])
        #expect(child.wait() == 7)
        #expect(String(decoding: output.contents(), as: UTF8.self) == "ina  b ä\nthirdthird")
    }

    @Test func `nothing but what it is given is open in a program`() throws {
        let secret = try DraftFile.unnamed()
        let (status, text) = try ChildProcess.output(of: "sh", ["-c", "ls -l /proc/self/fd; kill -TERM $$"])
        #expect(status == 128 + 15)
        #expect(
            !text.contains("fd/\(secret.descriptor) ") && !text.contains(" \(secret.descriptor) -> /tmp"), "\(text)")
    }

    @Test func `a program's output comes line by line, however long`() throws {
        var lines: [Int] = []
        let (status, errors) = try ChildProcess.lines(
            of: "sh", ["-c", "echo one; head -c 1000000 /dev/zero; echo; printf end; echo why >&2; exit 3"]
        ) { lines.append($0.count) }
        #expect(lines == [4, 1_000_001, 3])
        #expect(status == 3)
        #expect(errors == "why\n")
    }

    @Test func `a reader that has enough ends the program`() throws {
        struct Enough: Error {}
        #expect(throws: Enough.self) { try ChildProcess.lines(of: "yes", []) { _ in throw Enough() } }
    }

    @Test func `a program that is not there is a failure`() {
        #expect(throws: SystemFailure.self) { try ChildProcess.output(of: "/nonexistent/program", []) }
    }

    @Test func `a program may have a group, or a session with a terminal, of its own`() throws {
        let command = try Command.run("sh", ["-c", "echo $$ $(ps -o pgid= -p $$)"])
        let numbers = command.output.split(whereSeparator: \.isWhitespace)
        #expect(numbers.count == 2 && numbers[0] == numbers[1])
        let terminal = try PseudoTerminal("sh", ["-c", "tty >/dev/null && echo $$ $(ps -o sid= -p $$) >/dev/tty"])
        #expect(terminal.wait(upTo: .seconds(20)) == 0)
        let words = terminal.written.split(whereSeparator: \.isWhitespace)
        #expect(words.count == 2 && words[0] == words[1] && words[0] == "\(terminal.pid)")
    }

    @Test func `an ended program keeps its id until its status is asked for`() throws {
        let child = try ChildProcess.start("sh", ["-c", "exit 3"], group: .own)
        child.waitForEnd()
        child.waitForEnd()
        #expect(child.wait() == 3)
    }
}
