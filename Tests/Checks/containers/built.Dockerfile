# The built programs and pages of this checkout, with binutils to strip the programs.

FROM almanac-host
COPY almanac almanac-worker almanac-events /programs/
COPY www /usr/share/almanac/www
