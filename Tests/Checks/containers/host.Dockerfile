# A Debian host: systemd as the first process, the packages that deploy/install needs, and the tools of the checks.

ARG debian
FROM $debian
ARG packages
# The user has the same id as in the official PostgreSQL image, because postgres.Dockerfile is based on this image.
RUN groupadd --gid 999 postgres && useradd --uid 999 --gid 999 --home-dir /var/lib/postgresql postgres \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        systemd dbus curl libfcgi-bin python3 $packages \
    && rm -rf /var/lib/apt/lists/* \
    && systemctl mask getty.target console-getty.service systemd-logind.service apt-daily.timer apt-daily-upgrade.timer \
    && rm -f /etc/nginx/sites-enabled/default
ENV container=docker
STOPSIGNAL SIGRTMIN+3
CMD ["/lib/systemd/systemd"]
