#!/usr/bin/env bash
# openapi-typescript-codegen makes `enum object` of a property called `object` with one value, a name that TypeScript refuses (TS2431): a
# client of an API whose resources tell their kind in `object` does not compile without --useUnionTypes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-typescript-codegen@0.31.0 typescript@5.9.3 2>/dev/null
cat > openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Orders","version":"1"},"paths":{"/orders/1":{"get":{"operationId":"getOrder","responses":{"200":{
"description":"The order.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}}}}}},
"components":{"schemas":{"Order":{"type":"object","required":["object"],"properties":{"object":{"type":"string","enum":["order"]}}}}}}
JSON
faults() {
  node_modules/.bin/openapi --input openapi.json --output "$1" ${2:-}
  node_modules/.bin/tsc --noEmit --strict --target es2022 --module esnext --moduleResolution bundler "$1/models/Order.ts" | grep -c 'TS2431' || true
}
enums=$(faults enums)
unions=$(faults unions --useUnionTypes)
echo "openapi-typescript-codegen 0.31.0, errors TS2431: $enums by default, $unions with --useUnionTypes"
[ "$enums" = 1 ] && [ "$unions" = 0 ]
