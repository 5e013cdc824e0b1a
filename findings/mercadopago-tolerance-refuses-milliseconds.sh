#!/usr/bin/env bash
# Mercado Pago's example of a notification has the time of its signature in milliseconds. With `toleranceSeconds`, the validator of its
# own client takes that time for seconds, and refuses a fresh notification as one from the year 58,000. Without it, both forms pass.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mercadopago@3.6.1
cat > run.mjs <<'JS'
import { createHmac } from "node:crypto"
import mercadopago from "mercadopago"
const { WebhookSignatureValidator } = mercadopago
const [dataId, xRequestId, secret] = ["123456", "3f0d1f6e-52c1-4c87-9a5e-0b1d2e7f9a44", "secret"]
const check = (ts, more) => {
  const v1 = createHmac("sha256", secret).update(`id:${dataId};request-id:${xRequestId};ts:${ts};`).digest("hex")
  try {
    WebhookSignatureValidator.validate({ xSignature: `ts=${ts},v1=${v1}`, xRequestId, dataId, secret, ...more })
    return "accepted"
  } catch ({ reason }) {
    return `refused: ${reason}`
  }
}
const now = Date.now()
const seen = {
  "milliseconds, no tolerance": check(now),
  "milliseconds, tolerance of 300 s": check(now, { toleranceSeconds: 300 }),
  "seconds, tolerance of 300 s": check(Math.floor(now / 1000), { toleranceSeconds: 300 })
}
console.log("version 3.6.1:", seen)
const isSame = Object.values(seen).join() === "accepted,refused: TimestampOutOfTolerance,accepted"
process.exit(isSame ? 0 : 1)
JS
node run.mjs
