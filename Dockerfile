# The command `dualsend`: docker build --tag dualsend .
FROM swift:6.3.1-bookworm AS build
WORKDIR /source
# Python writes the man pages.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3 \
  && rm -rf /var/lib/apt/lists/*
COPY scripts/setup scripts/setup
RUN scripts/setup
COPY . .
RUN scripts/install --prefix /out

FROM debian:bookworm-slim
# The libraries that the command links, and curl, with which pipelines fetch and publish documents.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    ca-certificates curl libcurl4 libsqlite3-0 libstdc++6 zlib1g \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /out /usr/local
# The user id of GitHub's hosted runners, which own the folder that they mount into the container of a job.
RUN useradd --uid 1001 --create-home dualsend
USER 1001
WORKDIR /documents
ENTRYPOINT ["dualsend"]
