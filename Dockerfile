FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -X main.version=$(cat VERSION)" -o /quire ./cmd/quire

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends chromium-headless-shell ca-certificates tini \
    fontconfig fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --create-home --home-dir /var/lib/quire quire
COPY --from=build /quire /usr/local/bin/quire
USER quire
WORKDIR /var/lib/quire
VOLUME /var/lib/quire
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s CMD ["quire", "health"]
ENTRYPOINT ["tini", "--", "quire"]
CMD ["serve", "--data", "/var/lib/quire/data"]
