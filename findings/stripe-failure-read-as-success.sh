#!/usr/bin/env bash
# The official client of Stripe judges an answer by its body alone: JSON without the member `error` is a success, whatever its
# status. A load balancer or proxy that answers 503 with JSON of its own makes `paymentIntents.create` resolve, as if the
# charge had been made; the object has neither an id nor a status.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund stripe@23.1.0 2>/dev/null
cat > run.mjs <<'JS'
import { createServer } from "node:http"
import Stripe from "stripe"

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify({ message: "Service Unavailable" }))
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const { port } = server.address()
const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0, telemetry: false })
const outcome = await stripe.paymentIntents.create({ amount: 100, currency: "brl" }).then(
  (intent) => `resolved, id ${intent.id}, status of HTTP ${intent.lastResponse.statusCode}`,
  (error) => `rejected with ${error.type}`
)
server.closeAllConnections()
server.close()
console.log(`stripe 23.1.0, a charge that a proxy answers with 503 and {"message": …}: ${outcome}`)
process.exit(outcome === "resolved, id undefined, status of HTTP 503" ? 0 : 1)
JS
node run.mjs
