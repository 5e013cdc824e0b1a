#!/usr/bin/env bash
# orval leaves header parameters out of the functions that it makes, also those that are required: a caller is told nothing of
# a header without which the call fails. The setting `output.headers: true` brings them in.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts orval@8.38.0 2>/dev/null
cat > openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Orders","version":"1"},"paths":{"/orders":{"post":{"operationId":"createOrder","parameters":[
{"name":"idempotency-key","in":"header","required":true,"schema":{"type":"string"}}],"responses":{"204":{"description":"Made."}}}}}}
JSON
made() {
  printf 'export default { api: { input: "./openapi.json", output: { target: "./%s.ts", client: "fetch"%s } } }\n' "$1" "$2" > "$1.mjs"
  node_modules/.bin/orval --config "$1.mjs" >/dev/null 2>&1
  grep -c 'headers: CreateOrderHeaders' "$1.ts" || true
}
without=$(made without '')
with=$(made with ', headers: true')
echo "orval 8.38.0, functions that take the required header: $without by default, $with with output.headers"
[ "$without" = 0 ] && [ "$with" = 1 ]
