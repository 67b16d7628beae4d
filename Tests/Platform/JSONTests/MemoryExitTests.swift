import AlmanacJSON
import Glibc
import Testing

@Suite struct MemoryExitTests {
    /// Parses valid and invalid texts. Each failure path must free what jansson has allocated so far.
    @Test(arguments: [
        #"{"a":[1,2.5,"x\ny",{"b":null}],"é":true,"a rather long name":"and a rather long value with \" escapes"}"#,
        #"{"a":[1,2.5,"x\ny",{"b":null}],"a":true}"#, #"[["a","b",{"c":[1e400]}]]"#, #"[["a","b",{"c":[1e-400]}]]"#,
        #"[["a","b",{"c":["\ud800"]}]]"#, #"[["a","b",{"c":[1}]]"#,
    ])
    func `a hundred thousand texts leave no memory behind`(text: String) async {
        // A separate process is needed, because other tests of this process allocate memory at the same time.
        await #expect(processExitsWith: .success) { [text] in
            let bytes = Array(text.utf8)
            func parse(_ times: Int) {
                for _ in 0..<times { _ = try? JSONValue(parsing: bytes).serialized() }
            }
            parse(1000)
            let before = residentBytes()
            parse(100_000)
            // A leak of one node per text, the smallest of jansson, would add up to 3 MB.
            let growth = residentBytes() - before
            precondition(growth < 1 << 20, "grown by \(growth) bytes")
        }
    }
}

extension MemoryExitTests {
    @Test(arguments: ["{},", "[],", "0,", "\"\",", "[{}],"])
    func `a text that is refused for its counts takes no memory, and one that isn't no more than it says`(
        unit: String
    ) async {
        await #expect(processExitsWith: .success) { [unit] in
            func text(_ count: Int) -> [UInt8] {
                Array(("[" + String(repeating: unit, count: count) + unit.dropLast() + "]").utf8)
            }
            var limits = JSONLimits()
            (limits.containers, limits.values) = (100_000, 400_000)
            _ = try? JSONValue(parsing: text(10), limits: limits)
            let large = text((4 << 20) / unit.utf8.count - 2)
            let before = residentBytes()
            precondition((try? JSONValue(parsing: large, limits: limits)) == nil)
            precondition(residentBytes() - before < 1 << 20, "grown by \(residentBytes() - before) bytes")
            // The text is close to the largest that the limits accept.
            let small = text(unit.utf8.contains(UInt8(ascii: "[")) || unit.contains("{") ? 49_000 : 390_000)
            guard let size = try? JSONSize(of: small, limits: limits) else { preconditionFailure("refused") }
            let value = try? JSONValue(parsing: small, limits: limits)
            precondition(value != nil && residentBytes() - before < size.memory, "\(residentBytes() - before) bytes")
        }
    }
}

/// Returns the second field of `/proc/self/statm` minus the third, in bytes (proc(5)). The third counts pages of
/// mapped files, such as the program's own, which change while it runs.
private func residentBytes() -> Int {
    let file = unsafe fopen("/proc/self/statm", "r")!
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    unsafe fgets(&line, 256, file)
    let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " ")
    return (Int(fields[1])! - Int(fields[2])!) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
