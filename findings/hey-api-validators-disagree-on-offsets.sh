#!/usr/bin/env bash
# Two validators that hey-api makes of one `format: date-time` disagree: Zod's refuses 2026-11-29T10:00:00-03:00, which RFC 3339
# allows and Valibot's takes. `dates: { offset: true }` of the Zod plugin makes them agree. kubb's Zod plugin refuses it too, orval's takes it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.99.0 typescript@5.9.3 zod@3.25.76 valibot@1.5.0 esbuild@0.28.2 2>/dev/null
cat > openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Orders","version":"1"},"paths":{},"components":{"schemas":{"Order":{"type":"object","required":["at"],
"properties":{"at":{"type":"string","format":"date-time"}}}}}}
JSON
cat > made.config.mjs <<'JS'
const made = (output, plugin) => ({ input: "./openapi.json", output, plugins: [plugin] })
export default [made("zod", "zod"), made("offset", { name: "zod", dates: { offset: true } }), made("valibot", "valibot")]
JS
node_modules/.bin/openapi-ts -f made.config.mjs >/dev/null 2>&1
cat > takes.ts <<'TS'
import { safeParse } from "valibot"
import { zOrder as offset } from "./offset/zod.gen"
import { vOrder } from "./valibot/valibot.gen"
import { zOrder } from "./zod/zod.gen"
const order = { at: "2026-11-29T10:00:00-03:00" }
console.log(`zod ${zOrder.safeParse(order).success}, zod with dates.offset ${offset.safeParse(order).success}, valibot ${safeParse(vOrder, order).success}`)
TS
node_modules/.bin/esbuild takes.ts --bundle --format=esm --platform=node --outfile=takes.mjs --log-level=error
seen=$(node takes.mjs)
echo "@hey-api/openapi-ts 0.99.0 takes the offset: $seen"
[ "$seen" = "zod false, zod with dates.offset true, valibot true" ]
