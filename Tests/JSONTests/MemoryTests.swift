import Glibc
import JSON
import Testing

@Suite struct MemoryTests {
    /// Read and refused texts alike: each failure path frees what jansson had built so far.
    @Test(arguments: [
        #"{"a":[1,2.5,"x\ny",{"b":null}],"é":true,"a rather long name":"and a rather long value with \" escapes"}"#,
        #"{"a":[1,2.5,"x\ny",{"b":null}],"a":true}"#, #"[["a","b",{"c":[1e400]}]]"#, #"[["a","b",{"c":[1e-400]}]]"#,
        #"[["a","b",{"c":["\ud800"]}]]"#, #"[["a","b",{"c":[1}]]"#,
    ])
    func `a hundred thousand texts leave no memory behind`(text: String) {
        let bytes = Array(text.utf8)
        func parse(_ times: Int) {
            for _ in 0..<times { _ = try? JSONValue(parsing: bytes).serialized() }
        }
        parse(1000)
        let before = residentBytes()
        parse(100_000)
        // Other tests run at the same time, so give them room: one leaked node per text would be 5 MB and more.
        #expect(residentBytes() - before < 4 << 20)
    }
}

/// The second field of `/proc/self/statm`, in bytes (proc(5)).
private func residentBytes() -> Int {
    let file = unsafe fopen("/proc/self/statm", "r")!
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    unsafe fgets(&line, 256, file)
    let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
    return Int(fields[1])! * Int(sysconf(Int32(_SC_PAGESIZE)))
}
