public struct Color: Hashable, Sendable {
    public enum RGBColorSpace: Sendable {
        case sRGB, sRGBLinear, displayP3
    }

    private let components: [Double]

    public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {
        components = [red, green, blue, opacity]
    }

    public static let white = Color(red: 1, green: 1, blue: 1)
    public static let black = Color(red: 0, green: 0, blue: 0)
}

// Apart, so that a colour may be made anywhere.
extension Color: View, PrimitiveView {
    func draw(in drawing: Drawing) {}
}
