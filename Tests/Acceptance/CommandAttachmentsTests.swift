import AlmanacJSON
import AlmanacTestSupport
import Testing

extension Live {
    @Suite struct CommandAttachmentsTests {
        @Test func `a pass says what it removed, and takes another time only with a development issuer`() throws {
            let almanac = try CommandLineProgram()
            // At this time nothing was unused yet.
            let words = ["attachments", "clean", "development", "--now", "2020-01-01T00:00:00Z"]
            let done = try almanac.run(words)
            #expect(done.output.hasPrefix("development: 0 attachments, 0 uploads, "), "\(done.output)\(done.errors)")
            let wrong = try almanac.run(words.dropLast() + ["soon"])
            #expect(wrong.status == 2 && wrong.errors.contains("'soon' is not a time"))
            let doctor = try almanac.run("doctor", "--attachments")
            #expect(doctor.output.contains(/ok +attachments +development +\d+ blobs/), "\(doctor.output)")
            let folder = try TemporaryFolder()
            let environments = try folder.write(
                "environments.json",
                #"""
                {"trial": {"database": "dbname=none",
                           "identity": {"issuer": "https://login.example.com/", "audience": "notes"}}}
                """#.utf8)
            let trial = try CommandLineProgram(["ALMANAC_ENVIRONMENTS": environments])
            let refused = try trial.run(["attachments", "clean", "trial", "--now", "2020-01-01T00:00:00Z"])
            #expect(refused.status == 2 && refused.errors.contains("only for an environment with a development issuer"))
        }
    }
}
