# Debian's PostgreSQL with as much of the official image's behaviour as docker-compose.yml relies on:
# the user 999, the folder of the data, initdb at the first start with the password from a file.
#
# The host of the checks of systemd has that PostgreSQL already; installing it takes longer than all else in an image.

FROM almanac-host
RUN install -d -o postgres -g postgres -m 1777 /var/lib/postgresql/data
COPY postgres.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
