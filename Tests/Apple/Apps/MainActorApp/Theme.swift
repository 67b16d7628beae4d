import AlmanacConfig

nonisolated struct BundledTheme: ConfigDocumentLoader {
    func load(validator: String?) -> LoadedConfigDocument? {
        LoadedConfigDocument(bytes: Array(#"{"color": "blue"}"#.utf8))
    }
}

func theme() -> ConfigDocument<Theme> { ConfigDocument(Theme(color: "red"), loader: BundledTheme()) }
