#!/usr/bin/env bash
# stripe (npm) is told by maxNetworkRetries: 0 not to call again. A connection that is closed before its answer is called again
# all the same, once and after half a second: the API may have carried the first call out, so that only the idempotency key
# keeps a charge from being made twice. A caller that counts on one call for one request sees two.
set -euo pipefail

readonly version=23.1.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --save-exact "stripe@$version" >/dev/null

cat >probe.cjs <<'JS'
const { createServer } = require("node:http")
const Stripe = require("stripe")

const calls = []
const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    calls.push({ method: request.method, key: request.headers["idempotency-key"] })
    if (calls.length === 1) return response.destroy()
    response.writeHead(200, { "content-type": "application/json" }).end('{"id":"cus_1","object":"customer"}')
  })
})
server.listen(0, "127.0.0.1", async () => {
  const stripe = new Stripe("sk_test_any", {
    host: "127.0.0.1",
    port: server.address().port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false
  })
  const outcome = await stripe.customers.create({}).then(
    () => "the caller saw one success",
    (error) => `the caller saw ${error.type}`
  )
  server.closeAllConnections()
  server.close()
  const sameKey = new Set(calls.map(({ key }) => key)).size === 1
  console.log(`calls that arrived: ${calls.length}, under ${sameKey ? "one key" : "several keys"}; ${outcome}`)
  process.exit(calls.length === 2 && sameKey && outcome === "the caller saw one success" ? 0 : 1)
})
JS

echo "stripe $version, maxNetworkRetries: 0, one connection closed before its answer"
if node probe.cjs; then
  echo "seen: a second call, which the option does not announce"
else
  echo "changed: the client no longer calls a second time by itself"
  exit 1
fi
