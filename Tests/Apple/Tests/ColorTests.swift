import AlmanacConfig
import AppKit
import SwiftUI
import Testing
import UIKit

@Suite struct ColorTests {
    private let color = ConfigColor(red: 255, green: 51, blue: 0, alpha: 102)

    @Test func `SwiftUI gets the colour that config writes`() {
        #expect(Color(color) == Color(.sRGB, red: 1, green: 0.2, blue: 0, opacity: 0.4))
    }

    @Test func `AppKit and UIKit get it too`() {
        let appKit = NSColor(color)
        #expect([appKit.redComponent, appKit.greenComponent, appKit.blueComponent] == [1, 0.2, 0])
        #expect(appKit.alphaComponent == 0.4)
        #expect(UIColor(color).components == [1, 0.2, 0, 0.4])
    }
}
