// Apple's module exports Foundation, too.
@_exported public import Foundation

open class NSColor: @unchecked Sendable {
    public let redComponent, greenComponent, blueComponent, alphaComponent: CGFloat

    public required init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (redComponent, greenComponent, blueComponent, alphaComponent) = (red, green, blue, alpha)
    }
}
