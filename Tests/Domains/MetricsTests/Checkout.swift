import AlmanacPOSIX
import Foundation

/// Files of the checkout that this test was built from.
enum Checkout {
    // This file lies in Tests/Domains/MetricsTests.
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    static func text(_ path: String) throws -> String {
        String(decoding: try File.read("\(root)/\(path)"), as: UTF8.self)
    }

    /// Every file of a folder, and of those inside it, whose name ends so.
    static func texts(_ folder: String, ending: String) throws -> [String] {
        let path = URL(fileURLWithPath: "\(root)/\(folder)").resolvingSymlinksInPath().path
        return try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(ending) }
            .map { try text("\(folder)/\($0)") }
    }
}
