# Compiled for the image's processor by that of the builder: docker buildx build --platform linux/amd64,linux/arm64
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
ARG TARGETARCH
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOARCH=$TARGETARCH go build -trimpath -ldflags="-s -w -X main.version=$(cat VERSION)" -o /quire ./cmd/quire

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Quire" \
      org.opencontainers.image.description="Reports from templates and data, printed as PDF" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell ca-certificates tini \
    fontconfig fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 quire \
 && useradd --uid 10001 --gid 10001 --create-home --home-dir /var/lib/quire quire
COPY --from=build /quire /usr/local/bin/quire
# A number, so that Kubernetes sees that it is not root.
USER 10001:10001
WORKDIR /var/lib/quire
# Settings in the environment hold for every command that docker exec runs, too.
ENV HOME=/var/lib/quire DataDir=/var/lib/quire/data TMPDIR=/tmp
# All that is written to; the rest may be read-only.
VOLUME ["/var/lib/quire", "/tmp"]
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["quire", "health", "--alive"]
ENTRYPOINT ["tini", "--", "quire"]
CMD ["serve"]
