# Runs without root and needs no network at run time. All data is in /data.
# An exact version of Node, so that two builds use the same. Raise it for Node's security releases.
# Dependabot reads it here: it does not follow an ARG.
FROM node:24.21.0-bookworm-slim AS base

FROM base AS build
WORKDIR /deeb
COPY . .
RUN npm ci --ignore-scripts && DEEB_RELEASE=1 npm run build
# Without the programs of the tests. With a strict umask, only the owner can read the files of a clone, and the server runs as another user.
RUN rm -r server/dist/testing && chmod -R a+rX .

FROM base
WORKDIR /deeb
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build --chown=root:root /deeb/LICENSE ./
# All other packages are in the bundle of the server.
COPY --from=build /deeb/node_modules/@electric-sql node_modules/@electric-sql
COPY --from=build /deeb/node_modules/@node-rs node_modules/@node-rs
COPY --from=build /deeb/server/package.json server/
COPY --from=build /deeb/server/dist server/dist
COPY --from=build /deeb/server/schema server/schema
COPY --from=build /deeb/server/migrations server/migrations
COPY --from=build /deeb/server/data server/data
COPY --from=build /deeb/server/outbox-page server/outbox-page
COPY --from=build /deeb/server/demo-page server/demo-page
COPY --from=build /deeb/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "server/dist/main.js"]
