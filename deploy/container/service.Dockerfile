# One image per service, all from this file: --build-arg SERVICE=agent-runtime
#
# BASE is any Debian 13 or compatible image; a mirror or a hardened one may stand in for it.
ARG BASE=docker.io/library/debian:trixie-slim

# --- build: the sources, a JDK and Maven; the same for every service, so it runs once
FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends maven openjdk-21-jdk-headless ca-certificates \
 && rm -rf /var/lib/apt/lists/*
COPY deploy/container/ca/ /usr/local/share/ca-certificates/
RUN update-ca-certificates
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    mvn -q -B -ntp -Dfast -DskipTests package -am \
      -pl chat-service,agent-runtime,workflow-service,task-scheduler,webhook-gateway,web-console

# --- runtime: a JRE and an unprivileged user
FROM ${BASE} AS runtime
RUN apt-get update \
 && apt-get install -y --no-install-recommends openjdk-21-jre-headless \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 fengyu \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin fengyu \
 && mkdir /data && chown 10001:10001 /data
COPY --chmod=755 deploy/container/healthy /usr/local/bin/healthy

FROM runtime
ARG SERVICE
# Commands of runs are executed in agent-runtime alone, confined where the engine allows it.
RUN if [ "${SERVICE}" = agent-runtime ]; then \
      apt-get update \
      && apt-get install -y --no-install-recommends bubblewrap \
      && rm -rf /var/lib/apt/lists/*; \
    fi
COPY --from=build /src/${SERVICE}/target/quarkus-app/lib /app/lib
COPY --from=build /src/${SERVICE}/target/quarkus-app/quarkus /app/quarkus
COPY --from=build /src/${SERVICE}/target/quarkus-app/quarkus-run.jar /app/
COPY --from=build /src/${SERVICE}/target/quarkus-app/app /app/app
ENV HTTP_HOST=0.0.0.0 LOG_JSON=true DATA_DIR=/data LANG=C.UTF-8 \
    JDK_JAVA_OPTIONS="-XX:+UseSerialGC -XX:MaxRAMPercentage=60 -XX:+ExitOnOutOfMemoryError"
USER 10001:10001
WORKDIR /app
STOPSIGNAL SIGTERM
# The services answer addresses that cannot be decoded themselves, with a problem body.
ENTRYPOINT ["java", "-Dvertx.disableURIValidation=true", "-jar", "quarkus-run.jar"]
