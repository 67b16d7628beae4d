# The programs and pages of the package, with binutils to strip the programs.

ARG debian
FROM $debian
RUN apt-get update && apt-get install -y --no-install-recommends binutils
COPY bin/almanac bin/almanac-worker bin/almanac-events /programs/
COPY share/almanac/www /usr/share/almanac/www
