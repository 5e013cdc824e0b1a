#!/usr/bin/env bash
# @great-detail/whatsapp joins its base URL and the version without a closing slash, and the library below it resolves
# paths against that base as a browser does: the version is lost, and every call goes to the unversioned API.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @great-detail/whatsapp@9.2.0 2>/dev/null
cat > run.mjs <<'JS'
import { createServer } from "node:http"
import { Client } from "@great-detail/whatsapp"
const paths = []
const server = createServer((request, response) => {
  paths.push(request.url)
  response.setHeader("content-type", "application/json")
  response.end('{"success":true}')
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const client = new Client({ baseUrl: `http://127.0.0.1:${server.address().port}`, graphVersion: "v23.0" })
await client.subscribedApps.createSubscription({ businessAccountID: "123" }).json()
server.close()
console.log("version 9.2.0: asked for v23.0, called", paths[0])
process.exit(paths[0] === "/123/subscribed_apps" ? 0 : 1)
JS
node run.mjs
