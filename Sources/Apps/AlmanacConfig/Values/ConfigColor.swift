#if canImport(SwiftUI)
    public import SwiftUI
#endif
#if canImport(UIKit)
    public import UIKit
#endif
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
#endif

/// A colour in sRGB.
public struct ConfigColor: Sendable, Hashable {
    /// The red component, from 0 to 255.
    public let red: UInt8
    /// The green component, from 0 to 255.
    public let green: UInt8
    /// The blue component, from 0 to 255.
    public let blue: UInt8
    /// The opacity, from 0 to 255, where 255 is opaque.
    public let alpha: UInt8

    /// Creates a colour from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Parses `#RGB`, `#RRGGBB` or `#RRGGBBAA`, in upper or lower case.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.first == UInt8(ascii: "#") else { return nil }
        let digits = text.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count - 1 else { return nil }
        let bytes: [UInt8]
        switch digits.count {
        case 3: bytes = digits.map { UInt8($0 * 17) }
        case 6, 8:
            bytes = stride(from: 0, to: digits.count, by: 2).map { (at: Int) -> UInt8 in
                UInt8(digits[at] * 16 + digits[at + 1])
            }
        default: return nil
        }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count == 4 ? bytes[3] : 255)
    }

    #if canImport(SwiftUI) || canImport(UIKit) || canImport(AppKit)
        /// The components red, green, blue and alpha, from 0 to 1.
        fileprivate var components: [Double] { [red, green, blue, alpha].map { Double($0) / 255 } }
    #endif
}

/// Coding as a string, the form of colours in the config.
extension ConfigColor: Codable, CustomStringConvertible {
    /// Decodes a colour from a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let color = ConfigColor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected \(Self.form)")
        }
        self = color
    }

    /// Encodes the colour as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// The text `#RRGGBB`, or `#RRGGBBAA` if the colour is not opaque.
    public var description: String {
        "#"
            + ([red, green, blue] + (alpha == 255 ? [] : [alpha])).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }.joined()
    }

    static let form = "#RGB, #RRGGBB or #RRGGBBAA"
}

#if canImport(SwiftUI)
    extension Color {
        /// Creates a SwiftUI colour.
        public init(_ color: ConfigColor) {
            let components = color.components
            self.init(.sRGB, red: components[0], green: components[1], blue: components[2], opacity: components[3])
        }
    }
#endif
#if canImport(UIKit)
    extension UIColor {
        /// Creates a UIKit colour.
        public convenience init(_ color: ConfigColor) {
            let components = color.components
            self.init(red: components[0], green: components[1], blue: components[2], alpha: components[3])
        }
    }
#endif
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    extension NSColor {
        /// Creates an AppKit colour.
        public convenience init(_ color: ConfigColor) {
            let components = color.components
            self.init(srgbRed: components[0], green: components[1], blue: components[2], alpha: components[3])
        }
    }
#endif
