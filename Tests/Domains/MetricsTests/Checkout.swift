import AlmanacPOSIX

/// Files of the checkout that this test was built from.
enum Checkout {
    static func text(_ path: String, sourceFile: String = #filePath) throws -> String {
        let root = sourceFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        return String(decoding: try File.read("\(root)/\(path)"), as: UTF8.self)
    }
}
