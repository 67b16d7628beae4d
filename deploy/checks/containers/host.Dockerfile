# A Debian host: systemd as the first process, the packages that deploy/install would fetch, and what the checks use.

ARG debian
FROM $debian
ARG packages
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        systemd dbus curl libfcgi-bin python3 $packages \
    && rm -rf /var/lib/apt/lists/* \
    && systemctl mask getty.target console-getty.service systemd-logind.service apt-daily.timer apt-daily-upgrade.timer \
    && rm -f /etc/nginx/sites-enabled/default
ENV container=docker
STOPSIGNAL SIGRTMIN+3
CMD ["/lib/systemd/systemd"]
