"""Serves nanoidp over TLS, which its command line can't, but which Almanac requires of a provider on another host."""

from nanoidp.app import create_app

create_app(config_dir="/etc/provider", strict_config=True).run(
    host="0.0.0.0",
    port=8444,
    ssl_context=("/certificate/server.pem", "/certificate/server.key"),
)
