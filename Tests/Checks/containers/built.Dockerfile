# The programs and the pages of this checkout as they are built already, with binutils to strip the programs.

FROM almanac-host
COPY almanac almanac-worker almanac-events /programs/
COPY www /usr/share/almanac/www
