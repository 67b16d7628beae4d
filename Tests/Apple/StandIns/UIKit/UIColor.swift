// Apple's module exports Foundation, too.
@_exported public import Foundation

open class UIColor: @unchecked Sendable {
    /// Red, green, blue and alpha.
    public let components: [CGFloat]

    public required init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        components = [red, green, blue, alpha]
    }
}
