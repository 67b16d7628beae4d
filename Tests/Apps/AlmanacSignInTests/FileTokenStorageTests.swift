import AlmanacPOSIX
import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacSignIn

@Suite struct FileTokenStorageTests {
    private let folder: TemporaryFolder
    private let storage: FileTokenStorage

    init() throws {
        folder = try TemporaryFolder()
        storage = FileTokenStorage(file: URL(fileURLWithPath: folder.path + "/tokens.json"))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `saved tokens are read, by their owner only, and leave nothing else behind`() async throws {
        #expect(try await storage.load() == nil)
        try await storage.save(.alice(expiresAt: 5))
        try await storage.save(.alice(expiresAt: 1060.5))
        #expect(try await storage.load() == .alice(expiresAt: 1060.5))
        #expect(try mode(storage.file.path) == 0o600)
        #expect(try File.names(inFolder: folder.path) == ["tokens.json"])
        try await storage.save(nil)
        try await storage.save(nil)
        #expect(try await storage.load() == nil)
    }

    @Test func `its folder is made for its owner only`() async throws {
        let inner = folder.path + "/a/b"
        try await FileTokenStorage(file: URL(fileURLWithPath: inner + "/tokens.json")).save(.alice(expiresAt: 5))
        #expect(try mode(inner) == 0o700)
        try FileManager.default.removeItem(atPath: folder.path + "/a")
    }

    @Test func `a reader finds the old or the new tokens while they are replaced, all of them`() async throws {
        try await storage.save(.alice(expiresAt: 0))
        let storage = storage
        let reader = Task {
            var seen: Set<Double> = []
            while !Task.isCancelled, let end = try await storage.load()?.tokens?.expiresAt {
                seen.insert(end.timeIntervalSince1970)
                await Task.yield()
            }
            return seen
        }
        for round in 1...200 {
            try await storage.save(
                .alice(expiresAt: Double(round), refreshToken: String(repeating: "x", count: round * 100)))
        }
        reader.cancel()
        #expect(try await reader.value.isSubset(of: Set((0...200).map { Double($0) })))
    }

    @Test(arguments: ["", "{", "null", "[]", #"{"version": 2}"#, "\u{0}\u{1}", String(repeating: "[", count: 100_000)])
    func `another file is refused, and signing in replaces it`(contents: String) async throws {
        try folder.write("tokens.json", contents.utf8)
        await #expect(throws: SignInFailure.self) { try await storage.load() }
        try await storage.save(.alice(expiresAt: 5))
        #expect(try await storage.load() == .alice(expiresAt: 5))
    }

    @Test func `a file that others can read, a folder and a pipe are refused`() async throws {
        try await storage.save(.alice(expiresAt: 5))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: storage.file.path)
        await #expect { try await storage.load() } throws: { "\($0)".contains("chmod 600") }
        await #expect(throws: SignInFailure.self) {
            try await FileTokenStorage(file: URL(fileURLWithPath: folder.path)).load()
        }
        let pipe = folder.path + "/pipe"
        try #require(try await onThread { try Command.run("mkfifo", ["-m", "600", pipe]).succeeded })
        await #expect(throws: SignInFailure.self) {
            try await FileTokenStorage(file: URL(fileURLWithPath: pipe)).load()
        }
    }

    @Test func `one works on it at a time`() async throws {
        let path = storage.file.path
        let inside = Monitor((now: 0, peak: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await FileTokenStorage(file: URL(fileURLWithPath: path)).exclusively {
                        inside.update { $0 = ($0.now + 1, max($0.peak, $0.now + 1)) }
                        for _ in 0..<20 { await Task.yield() }
                        inside.update { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.read { $0.peak } == 1)
    }
}
