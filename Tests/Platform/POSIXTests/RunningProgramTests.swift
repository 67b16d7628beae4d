import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite(.blocking) struct RunningProgramTests {
    @Test func `a program that has ended since it was found says so`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("brief-program", try File.read("/bin/sleep"))
        try #require(try Command.run("chmod", ["755", file]).succeeded)
        let command = try BackgroundCommand(file, ["600"])
        // The kernel resumes the parent shortly before the child has its name and environment (execve(2)).
        var found: RunningProgram?
        #expect(
            eventually {
                found = RunningProgram.named(["brief-program"]).first { (try? $0.variable("PATH")) != nil }
                return found != nil
            })
        let program = try #require(found)
        #expect(!program.hasEnded)
        #expect(try program.variable("PATH") != nil)
        command.kill()
        #expect(command.wait(upTo: .seconds(20)) != nil)
        #expect(program.hasEnded)
        #expect(throws: SystemFailure.self) { try program.variable("PATH") }
    }
}
