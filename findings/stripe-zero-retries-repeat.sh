#!/usr/bin/env bash
# `maxNetworkRetries: 0` of Stripe's official client does not mean that a call is made once: after a connection that was closed
# (ECONNRESET, EPIPE) it is made again, also a charge that the server has carried out. A caller who has to know how often
# a call was made needs an HTTP client whose errors have no such code.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund stripe@23.1.0 2>/dev/null
cat > run.mjs <<'JS'
import { createServer } from "node:http"
import Stripe from "stripe"

let calls = 0
const server = createServer((request) => {
  request.resume().on("end", () => {
    calls++
    request.socket.destroy()
  })
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const { port } = server.address()
const stripe = new Stripe("sk_test_1", { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0, telemetry: false })
await stripe.paymentIntents.create({ amount: 100, currency: "brl" }).catch(() => undefined)
server.close()
console.log(`stripe 23.1.0 with maxNetworkRetries 0, a charge whose connection the server closes after reading it: sent ${calls} times`)
process.exit(calls === 2 ? 0 : 1)
JS
node run.mjs
