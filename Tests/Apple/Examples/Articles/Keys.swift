import AlmanacConfig

extension ConfigKeys {
    static let timeout = ConfigKey("app.timeout", default: 30.0)
}
