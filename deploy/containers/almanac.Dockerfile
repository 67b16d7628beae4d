# The programs: built with the official Swift image, run on Debian without a shell.
#
# The same image runs almanac-worker and almanac-events; docker-compose.yml chooses. The stage "tools" has almanac and
# PostgreSQL's programs for backups.

# The stage with the programs in /programs. Tests name an image with prebuilt programs instead.
ARG programs_from=build

FROM docker.io/library/swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libfcgi-dev libpq-dev libjansson-dev libssl-dev libcurl4-openssl-dev libsqlite3-dev libutf8proc-dev libzip-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
# Everything except the pages, whose changes need no build.
COPY Sources/C Sources/C
COPY Sources/Platform Sources/Platform
COPY Sources/Core Sources/Core
COPY Sources/Domains Sources/Domains
COPY Sources/Apps Sources/Apps
COPY Sources/Programs Sources/Programs
COPY Sources/Examples Sources/Examples
# Package.swift names the test targets too, so their folders must exist.
COPY Tests Tests
RUN --mount=type=cache,target=/source/.build \
    set -eu; \
    mkdir /programs; \
    for product in $(sed -n 's/.*\.executable(name: "\([a-z-]*\)".*/\1/p' Package.swift); do \
        swift build -c release --static-swift-stdlib --product "$product"; \
        cp ".build/release/$product" /programs/; \
    done

FROM ${programs_from} AS stripped
RUN strip /programs/*

FROM docker.io/library/debian:12.15-slim AS programs
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libfcgi0ldbl libfcgi-bin libpq5 libjansson4 libssl3 libcurl4 libsqlite3-0 libutf8proc2 libzip4 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin almanac \
    && install -d -o almanac -g almanac -m 700 /var/lib/almanac
COPY --from=stripped /programs/ /usr/bin/
COPY sql /usr/share/almanac/sql
USER 10001:10001
STOPSIGNAL SIGTERM
CMD ["almanac-worker"]

# The image of the command line, with PostgreSQL's programs for backups.
FROM programs AS tools
USER 0:0
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o almanac -g almanac -m 700 /var/backups/almanac
COPY deploy/lib/nightly-backups /usr/lib/almanac/nightly-backups
USER 10001:10001

FROM programs
