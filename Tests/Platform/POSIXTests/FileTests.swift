import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

@Suite struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ body: () throws -> some Any) -> SystemFailure? {
        #expect(throws: SystemFailure.self) { _ = try body() }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `a file is read whole`(length: Int) throws {
        let contents = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let path = "\(folder.path)/file"
        try File.createPrivate(path, contents: contents)
        #expect(try File.read(path) == contents)
    }

    @Test func `a file over the limit is refused`() throws {
        let path = try folder.write("file", Array(repeating: 1, count: 100))
        #expect(try File.read(path, limit: 100).count == 100)
        #expect(failure { try File.read(path, limit: 99) } == SystemFailure(code: EFBIG))
    }

    @Test func `a file that can't be read says why`() {
        #expect(failure { try File.read("\(folder.path)/nothing") } == SystemFailure(code: ENOENT))
        #expect(failure { try File.read(folder.path) } == SystemFailure(code: EISDIR))
        #expect(failure { try File.names(inFolder: "\(folder.path)/nothing") } == SystemFailure(code: ENOENT))
        #expect(SystemFailure(code: ENOENT).description == "No such file or directory")
    }

    @Test func `a private file is its owner's alone`() throws {
        let path = "\(folder.path)/secret"
        try File.createPrivate(path, contents: [1, 2])
        let mode = try Command.run("stat", ["-c", "%a", path]).output
        #expect(mode == "600\n")
    }

    @Test func `a private file never takes the place of another`() throws {
        let path = try folder.write("secret", [1, 2, 3])
        #expect(failure { try File.createPrivate(path, contents: [4]) } == SystemFailure(code: EEXIST))
        #expect(try File.read(path) == [1, 2, 3])

        let link = "\(folder.path)/link"
        #expect(unsafe symlink("\(folder.path)/target", link) == 0)
        #expect(failure { try File.createPrivate(link, contents: [4]) } == SystemFailure(code: EEXIST))
        #expect(failure { try File.read("\(folder.path)/target") } == SystemFailure(code: ENOENT))
        #expect(failure { try File.createPrivate("/nowhere/x", contents: []) } == SystemFailure(code: ENOENT))
    }

    @Test func `a private folder is made with those above it, and one that is there is closed to others`() throws {
        let path = folder.path + "/a/b"
        try File.makePrivateFolder(path)
        try File.makePrivateFolder(path)
        func modes() throws -> String { try Command.run("stat", ["-c", "%a", folder.path + "/a", path]).output }
        #expect(try modes() == "700\n700\n")
        _ = try Command.run("chmod", ["755", folder.path + "/a", path])
        try File.makePrivateFolder(path)
        #expect(try modes() == "755\n700\n")
        try folder.write("file", [])
        #expect(throws: SystemFailure.self) { try File.makePrivateFolder(folder.path + "/file") }
        #expect(throws: SystemFailure.self) { try File.makePrivateFolder(folder.path + "/file/c") }
    }

    @Test func `names come in the order of their bytes`() throws {
        for name in ["b", "a", "B", "10", "9", "é", ".hidden", "z"] { try folder.write(name, []) }
        #expect(try File.names(inFolder: folder.path) == [".hidden", "10", "9", "B", "a", "b", "z", "é"])
    }
}
