# The files of the package, from which the other images copy.

FROM scratch
COPY . /
