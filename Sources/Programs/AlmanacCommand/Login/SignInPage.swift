internal import AlmanacJSON
internal import AlmanacPOSIX

/// How a person gets to the sign-in page.
struct SignInPage: Sendable {
    let isJSON: Bool
    let opensBrowser: Bool

    func show(_ address: String) throws {
        if isJSON { return try Output.json(["open": .string(address)]) }
        try Process.output("Open this address in a browser on this machine:\n\n  \(address)\n\n")
        guard opensBrowser, Terminal.isOutput, hasDisplay else { return }
        // Without a display the address is there to be copied. The output of the browser is thrown away.
        guard let sink = try? DraftFile.unnamed() else { return }
        _ = try? ChildProcess.start(
            "xdg-open", [address], descriptors: [sink.descriptor, sink.descriptor, sink.descriptor])
    }

    private var hasDisplay: Bool {
        Process.variable("DISPLAY") != nil || Process.variable("WAYLAND_DISPLAY") != nil
    }
}
