# A Debian host before Almanac is installed: systemd as the first process, and the tools of the checks.

ARG debian
FROM $debian
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends systemd-sysv dbus curl python3 \
    && systemctl mask getty.target console-getty.service systemd-logind.service apt-daily.timer apt-daily-upgrade.timer
ENV container=docker
STOPSIGNAL SIGRTMIN+3
CMD ["/lib/systemd/systemd"]
