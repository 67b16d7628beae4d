import AlmanacPOSIX
import AlmanacTestSupport
import Testing

@Suite(.blocking) struct RunningProgramTests {
    @Test func `a program that has ended since it was found says so`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("brief-program", try File.read("/bin/sleep"))
        try #require(try Command.run("chmod", ["755", file]).succeeded)
        let command = try BackgroundCommand(file, ["600"])
        let program = try #require(RunningProgram.named(["brief-program"]).first)
        #expect(!program.hasEnded)
        #expect(try program.variable("PATH") != nil)
        command.kill()
        #expect(command.wait(upTo: .seconds(20)) != nil)
        #expect(program.hasEnded)
        #expect(throws: SystemFailure.self) { try program.variable("PATH") }
    }
}
