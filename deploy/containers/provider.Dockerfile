# An OpenID Connect provider for trying sign-ins only: everyone who reaches its port may issue tokens.

FROM docker.io/library/debian:12.15-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv curl \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/nanoidp \
    && /opt/nanoidp/bin/pip install --no-cache-dir nanoidp==3.4.0 \
    && useradd --uid 10002 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin provider \
    && install -d -o provider -g provider -m 700 /var/lib/provider
COPY deploy/containers/provider /etc/provider
USER 10002:10002
EXPOSE 8444
CMD ["/opt/nanoidp/bin/python", "/etc/provider/serve.py"]
