# Debian's PostgreSQL with the behaviour of the official image on which docker-compose.yml relies: the user 999, the
# data folder, and initdb at the first start with the password from a file.
#
# The image is based on the host of the systemd checks, to reuse the installed PostgreSQL.

FROM almanac-host
RUN install -d -o postgres -g postgres -m 1777 /var/lib/postgresql/data
COPY postgres.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
