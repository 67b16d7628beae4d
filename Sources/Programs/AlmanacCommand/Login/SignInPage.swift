internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacSignIn

/// The instructions that lead a person to the sign-in page.
struct SignInPage: Sendable {
    let isJSON: Bool
    let opensBrowser: Bool

    func show(_ address: String) throws {
        if isJSON { return try Output.json(["open": .string(address)]) }
        try Process.output("Open this address in a browser on this machine:\n\n  \(address)\n\n")
        guard opensBrowser, Terminal.isOutput, hasDisplay else { return }
        // The browser's output is discarded.
        guard let sink = try? DraftFile.unnamed() else { return }
        _ = try? ChildProcess.start(
            "xdg-open", [address], descriptors: [sink.descriptor, sink.descriptor, sink.descriptor])
    }

    /// Shows the address to open on another device, and the code to type there.
    func show(_ request: DeviceAuthorization) throws {
        let (page, code) = ("\(request.completePage ?? request.page)", request.userCode)
        if isJSON { return try Output.json(["open": .string(page), "code": .string(code)]) }
        try Process.output(
            "Open this address in a browser on any device, and check that the page shows the code "
                + "\(code):\n\n  \(page)\n\n")
    }

    private var hasDisplay: Bool { Process.variable("DISPLAY") != nil || Process.variable("WAYLAND_DISPLAY") != nil }
}
