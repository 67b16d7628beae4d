# This machine's Swift toolchain on Debian (see engine.sh), with the Debian packages of the official image.

FROM toolchain
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        binutils git gnupg2 libc6-dev libcurl4-openssl-dev libedit2 libgcc-12-dev libpython3-dev libsqlite3-0 \
        libstdc++-12-dev libxml2-dev libncurses-dev libz3-dev pkg-config tzdata zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
