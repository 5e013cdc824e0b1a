#!/usr/bin/env bash
# kubb's Zod plugin keeps the `pattern` of a text, and drops it where the text may be null: the validator of `["string", "null"]`
# takes any text. openapi-zod-client does the same. Callers who rely on the validator learn of a wrong value from the server alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @kubb/cli@4.39.3 @kubb/core@4.39.3 @kubb/plugin-oas@4.39.3 @kubb/plugin-ts@4.39.3 \
  @kubb/plugin-zod@4.39.3 openapi-zod-client@1.18.3 2>/dev/null
cat > openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Orders","version":"1"},"paths":{"/orders":{"post":{"operationId":"createOrder","requestBody":{"content":{
"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}},"responses":{"200":{"description":"Made.","content":{"application/json":{
"schema":{"$ref":"#/components/schemas/Order"}}}}}}}},"components":{"schemas":{"Order":{"type":"object","required":["code","note"],"properties":{
"code":{"type":"string","pattern":"^[A-Z]{3}$"},"note":{"type":["string","null"],"pattern":"^[a-z]{5}$"}}}}}}
JSON
cat > kubb.config.mjs <<'JS'
import { defineConfig } from "@kubb/core"
import { pluginOas } from "@kubb/plugin-oas"
import { pluginTs } from "@kubb/plugin-ts"
import { pluginZod } from "@kubb/plugin-zod"
export default defineConfig({ input: { path: "./openapi.json" }, output: { path: "./kubb", format: false, lint: false }, plugins: [pluginOas(), pluginTs(), pluginZod()] })
JS
node_modules/.bin/kubb generate --config kubb.config.mjs >/dev/null 2>&1
node_modules/.bin/openapi-zod-client openapi.json -o client.ts --export-schemas >/dev/null 2>&1
holds() { grep -rqF "$2" "$1" && echo yes || echo no; }
for made in kubb/zod client.ts; do
  echo "$made: pattern of the text $(holds "$made" '[A-Z]{3}'), of the text that may be null $(holds "$made" '[a-z]{5}')"
done | tee seen
[ "$(cat seen)" = "kubb/zod: pattern of the text yes, of the text that may be null no
client.ts: pattern of the text yes, of the text that may be null no" ]
