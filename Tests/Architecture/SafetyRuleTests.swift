import Testing

@Suite struct SafetyRuleTests {
    @Test(arguments: [
        "public func bytes() -> UnsafeRawBufferPointer { unsafe body }",
        "public init(\n    name: String,\n    connection: OpaquePointer\n) {}",
        "public func bytes(of text: String)\n    -> UnsafePointer<CChar>? { nil }",
        "@safe public final class A {\n    public private(set) var handle: UnsafeMutableRawPointer = start\n}",
        "open var context: Unmanaged<A>? { nil }",
        "public typealias Handle = OpaquePointer",
        "public protocol Source {\n    func next() -> UnsafePointer<UInt8>\n}",
        "public enum Value {\n    case text(UnsafePointer<CChar>)\n}",
        "public extension Array {\n    func lend(_ body: (UnsafeBufferPointer<Element>) -> Void) {}\n}",
        "public struct Box<T> where T: P,\n    T.Handle == OpaquePointer {}",
    ])
    func `a pointer in a public signature is found`(text: String) {
        let file = SourceFile(path: "Sources/Platform/PostgreSQL/Some.swift", text: text)
        #expect(Rule.noPointersInPublicSignatures.check(file).count == 1)
    }

    @Test(arguments: [
        "func bytes() -> UnsafeRawBufferPointer { unsafe body }",
        "public final class A {\n    private let handle: OpaquePointer\n    init(_ handle: OpaquePointer) {}\n}",
        "public func length() -> Int {\n    let start: UnsafePointer<CChar> = unsafe make()\n    return 0\n}",
        "public func each(_ body: (Int) -> Void = { _ in }) {\n    let a: OpaquePointer\n}",
        "public let size: Int = MemoryLayout<OpaquePointer>.size",
        "public enum Value {\n    case text\n    private static func make(_ a: OpaquePointer) {}\n}",
        "show(OpaquePointer(start), as: .public )",
        "/// Never an OpaquePointer.\npublic func name() -> String { \"OpaquePointer\" }",
    ])
    func `a pointer behind it is not`(text: String) {
        let file = SourceFile(path: "Sources/Platform/PostgreSQL/Some.swift", text: text)
        #expect(Rule.noPointersInPublicSignatures.check(file) == [])
    }

    @Test(arguments: [
        "final class A: @unchecked Sendable {}",
        "nonisolated(unsafe) var counter = 0",
        "@safe struct A {}",
        "@safe struct A { let a = \"Safe because\" }",
        "// Safe because it is far away.\n\n\n\n\n\n\n@safe struct A {}",
    ])
    func `unchecked safety without a proof nearby is found`(text: String) {
        let file = SourceFile(path: "Sources/Platform/POSIX/Some.swift", text: text)
        #expect(Rule.uncheckedSafetyHasAProof.check(file).count == 1)
    }

    @Test(arguments: [
        "// Safe because nothing is shared.\nfinal class A: @unchecked Sendable {}",
        "@safe struct A {\n    // Safe to share because it never changes.\n}",
        "/* Unsafe, yet safe because of the lock. */ nonisolated(unsafe) var counter = 0",
        "// Read about @unchecked Sendable.\nlet text = \"@safe\"",
    ])
    func `unchecked safety with a proof is not`(text: String) {
        let file = SourceFile(path: "Sources/Platform/POSIX/Some.swift", text: text)
        #expect(Rule.uncheckedSafetyHasAProof.check(file) == [])
    }
}
