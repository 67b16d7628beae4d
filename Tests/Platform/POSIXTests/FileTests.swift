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

/// Tests replacing a file where a link, a device, a FIFO or a permission is in the way.
@Suite struct FileReplacementTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { "\(folder.path)/a" }

    private func mode(_ path: String) throws -> String { try Command.run("stat", ["-c", "%a %F", path]).output }

    @Test func `a link stays, and what it leads to is replaced`() throws {
        try folder.write("target", "old".utf8)
        for link in ["target", "\(folder.path)/target", "new"] {
            File.remove(path)
            try #require(Command.run("ln", ["-s", link, path]).succeeded)
            try File.replace(path, contents: Array("new".utf8), permissions: 0o644)
            #expect(try mode(path) == "777 symbolic link\n")
            #expect(try File.read(path) == Array("new".utf8))
        }
        #expect(try File.read("\(folder.path)/target") == Array("new".utf8))
        #expect(try File.names(inFolder: folder.path) == ["a", "new", "target"])
    }

    @Test func `links that lead in a circle are refused`() throws {
        try #require(Command.run("ln", ["-s", "a", path]).succeeded)
        #expect(throws: SystemFailure.self) { try File.replace(path, contents: [1], permissions: 0o644) }
    }

    /// Makes a device node of its own instead of using the system's. Only root can replace a device, so only root runs
    /// this test.
    @Test(.enabled(if: geteuid() == 0)) func `a device is written to and stays one`() throws {
        // The device is /dev/full's, which is always full.
        try #require(Command.run("mknod", [path, "c", "1", "7"]).succeeded)
        #expect(throws: SystemFailure(code: ENOSPC)) {
            try File.replace(path, contents: [1], permissions: 0o644)
        }
        #expect(try mode(path).hasSuffix("character special file\n"))
        #expect(try File.names(inFolder: folder.path) == ["a"])
    }

    @Test func `a FIFO is written to and stays one`() throws {
        try #require(Command.run("mkfifo", [path]).succeeded)
        let reader = try BackgroundCommand("cat", [path])
        try File.replace(path, contents: Array("through".utf8), permissions: 0o644)
        #expect(reader.wait(upTo: .seconds(30)) == 0)
        #expect(reader.outputBytes == Array("through".utf8))
        #expect(try mode(path).hasSuffix("fifo\n"))
    }

    @Test func `a file that few may read is not opened to all`() throws {
        try folder.write("a", "old".utf8)
        try File.replace(path, contents: [1], permissions: 0o644)
        #expect(try mode(path) == "600 regular file\n")
        File.remove(path)
        try File.replace(path, contents: [1], permissions: 0o644)
        #expect(try mode(path) == "644 regular file\n")
    }
}
