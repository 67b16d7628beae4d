import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

@Suite struct DraftFileTests {
    @Test func `a draft is private, and gets its name when it is published`() throws {
        let folder = try TemporaryFolder()
        let (file, draft) = try DraftFile.named("\(folder.path)/final.")
        try file.write("contents")
        #expect(try Command.run("stat", ["-c", "%a", draft]).output == "600\n")
        #expect(file.size == 8)
        try file.publish(draft, as: "\(folder.path)/final")
        #expect(try File.names(inFolder: folder.path) == ["final"])
        #expect(try File.read("\(folder.path)/final") == Array("contents".utf8))
    }

    @Test func `a file without a name is in no folder`() throws {
        let file = try DraftFile.unnamed()
        try file.write("secret")
        #expect(file.contents() == Array("secret".utf8))
        let link = try Command.run("readlink", ["/proc/\(getpid())/fd/\(file.descriptor)"]).output
        #expect(link.hasSuffix(" (deleted)\n"))
    }
}
