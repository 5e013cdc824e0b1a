#!/usr/bin/env bash
# The client of Telnyx turns a successful answer without entries into an empty page: a look-up that told nothing reads like one that found nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund telnyx@7.24.0
cat > run.mjs <<'JS'
import Telnyx from "telnyx"
const fetch = async () => new Response("{}", { status: 200, headers: { "content-type": "application/json" } })
const client = new Telnyx({ apiKey: "KEY", fetch, maxRetries: 0 })
const page = await client.numberOrders.list({ filter: { customer_reference: "order-1" } })
console.log("version 7.24.0: the answer {} is a page with data", JSON.stringify(page.data), "and meta", JSON.stringify(page.meta))
process.exit(Array.isArray(page.data) && page.data.length === 0 && page.meta?.total_pages === undefined ? 0 : 1)
JS
node run.mjs
