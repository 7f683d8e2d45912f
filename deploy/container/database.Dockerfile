# PostgreSQL 17 with pgvector, and the roles and schemas of the services.
ARG BASE=docker.io/library/debian:trixie-slim
FROM ${BASE}
# The user comes first, so that its uid is the same in every build: volumes belong to it.
RUN groupadd --gid 10002 postgres \
 && useradd --uid 10002 --gid 10002 --home-dir /var/lib/postgresql --shell /bin/sh postgres \
 && apt-get update \
 && apt-get install -y --no-install-recommends postgresql-17 postgresql-17-pgvector \
 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/* /etc/postgresql/* \
 && mkdir -p /var/lib/postgresql/data \
 && chown -R postgres:postgres /var/lib/postgresql \
 && chmod 700 /var/lib/postgresql/data
ENV LANG=C.UTF-8 PGDATA=/var/lib/postgresql/data PGHOST=/tmp PATH=/usr/lib/postgresql/17/bin:$PATH
COPY service-contract/src/main/resources/io/fengyu/contract/db/bootstrap.sql /usr/local/share/fengyu/
COPY --chmod=755 deploy/database/bootstrap deploy/container/database-entrypoint /usr/local/bin/
USER 10002:10002
VOLUME /var/lib/postgresql/data
EXPOSE 5432
# SIGINT is Postgres's fast shutdown: sessions are closed, nothing is lost.
STOPSIGNAL SIGINT
ENTRYPOINT ["database-entrypoint"]
