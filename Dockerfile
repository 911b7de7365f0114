# Two images of one build: `docker build --target controller .` and `docker build --target harvester .`.
# The exact tag of Node; .github/workflows/images.yml looks up its digest, builds from that, and records both.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-trixie-slim

# Compiles with the development packages, then leaves what runs.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY source source
COPY harvester harvester
COPY controller controller
COPY cli cli
RUN npm run build \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && find node_modules dist -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# Both programs, and no package manager beside them. Files belong to root: whoever breaks in changes none.
FROM ${NODE_IMAGE} AS runtime
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /src/package.json /src/oclif.manifest.json ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/dist dist
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.vendor="geoportal"

# One run of one source, or the migration of the database. No root, no token, a read-only root file system.
FROM runtime AS harvester
LABEL org.opencontainers.image.title="harvester" \
      org.opencontainers.image.description="One harvest of one metadata catalogue (docs/pod.md)"
USER 65532:65532
CMD ["node", "/app/dist/harvester/main.js"]

# The controller. Git and SSH are for its own Git sync (docs/git-sync.md).
FROM runtime AS controller
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
 && rm -rf /var/lib/apt/lists/*
LABEL org.opencontainers.image.title="harvest-controller" \
      org.opencontainers.image.description="Turns HarvestSources into scheduled harvests (docs/operating.md)"
USER 65532:65532
EXPOSE 8080
CMD ["node", "/app/dist/controller/main.js"]
