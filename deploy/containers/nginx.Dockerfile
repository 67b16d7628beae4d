# nginx with Almanac's configuration and static files, and the script that first creates secrets and certificates.
#
# Uses Debian's nginx, as the tests and deploy/run do.

# The stage with the pages in /usr/share/almanac/www. Tests name an image with prebuilt pages instead.
ARG pages_from=pages

FROM docker.io/library/swift:6.3.1-bookworm AS textmerge
RUN apt-get update && apt-get install -y --no-install-recommends binaryen
COPY Sources/Core/TextMerge /source/Sources/Core/TextMerge
COPY Sources/Web/wasm /source/Sources/Web/wasm
RUN /source/Sources/Web/wasm/build /textmerge && mv /textmerge/textmerge-????????????????.wasm /textmerge.wasm

FROM docker.io/library/debian:12.15-slim AS pages
RUN apt-get update && apt-get install -y --no-install-recommends \
    brotli ca-certificates esbuild librsvg2-bin python3 python3-venv python3-yaml
COPY deploy/lib/pages.sh deploy/lib/page-hosts.sh deploy/lib/yaml-to-json deploy/lib/codemirror.sh /usr/lib/almanac/
COPY Sources/Web /www
COPY --from=textmerge /textmerge.wasm /
RUN ["/bin/bash", "-euo", "pipefail", "-c", "checkout=/tmp; source /usr/lib/almanac/pages.sh && publish_pages /www /usr/share/almanac/www /textmerge.wasm"]

FROM ${pages_from} AS laid-out

FROM docker.io/library/debian:12.15-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends nginx libnginx-mod-http-brotli-static openssl curl jq \
    && rm -rf /var/lib/apt/lists/* /etc/nginx/* /var/www/*
COPY deploy/nginx/*.conf deploy/nginx/pages.conf.template deploy/containers/nginx.conf /etc/nginx/
# Container processes come and go, so nginx looks their name up at run time instead of using a fixed upstream.
RUN sed -i -E 's/^fastcgi_pass (almanac_[a-z]+);/fastcgi_pass $\1;/' /etc/nginx/almanac-*.conf \
    && grep -q '^fastcgi_pass \$almanac_events;' /etc/nginx/almanac-events.conf
COPY --from=laid-out /usr/share/almanac/www /usr/share/almanac/www
COPY deploy/lib/certificate.sh deploy/lib/page-hosts.sh deploy/lib/front.sh deploy/containers/prepare.sh deploy/containers/nginx.sh /usr/lib/almanac/
USER 33:33
EXPOSE 8443
STOPSIGNAL SIGQUIT
CMD ["/usr/lib/almanac/nginx.sh"]
