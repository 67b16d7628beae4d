# A Debian host: systemd as the first process, and the packages that deploy/install would fetch.

ARG debian
FROM $debian
ARG packages
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends systemd dbus curl libfcgi-bin $packages \
    && rm -rf /var/lib/apt/lists/* \
    && systemctl mask getty.target console-getty.service systemd-logind.service apt-daily.timer apt-daily-upgrade.timer \
    && rm -f /etc/nginx/sites-enabled/default
ENV container=docker
STOPSIGNAL SIGRTMIN+3
CMD ["/lib/systemd/systemd"]
