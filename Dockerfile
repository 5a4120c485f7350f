# Everchart with its packages, the built web app and the bundled backend. It runs as a user without privileges and writes to /data only.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /everchart
COPY package.json package-lock.json ./
COPY scripts scripts
RUN node scripts/prepare.mjs
COPY . .
RUN node scripts/prepare.mjs web backend && npm prune --omit=dev --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /everchart
# The files belong to root: the application cannot change its own code.
COPY --from=build /everchart .
RUN install -d -o node -g node -m 0700 /data
USER node
EXPOSE 3000
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "build/backend/main.js"]
