# PostgreSQL's own image, with the SQL of Almanac's roles.

FROM docker.io/library/postgres:15.20-bookworm
COPY sql/roles.sql /usr/share/almanac/sql/roles.sql
COPY deploy/containers/databases.sh /usr/lib/almanac/databases.sh
USER 999:999
ENTRYPOINT ["/usr/lib/almanac/databases.sh"]
