#!/usr/bin/env bash
# swagger-typescript-api makes methods without header parameters, also without those that are required: the call compiles and fails
# at the server. Only the untyped `headers` of the last argument reach the wire.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts swagger-typescript-api@13.13.0 2>/dev/null
cat > openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Orders","version":"1"},"paths":{"/orders":{"post":{"operationId":"createOrder","parameters":[
{"name":"idempotency-key","in":"header","required":true,"schema":{"type":"string"}}],"responses":{"204":{"description":"Made."}}}}}}
JSON
node_modules/.bin/swagger-typescript-api generate -p openapi.json -o . -n api.ts >/dev/null 2>&1
named=$(grep -ci 'idempotency' api.ts || true)
signature=$(grep -o 'createOrder: (.*) =>' api.ts)
echo "swagger-typescript-api 13.13.0, a required header is named $named times in the client; the method is $signature"
[ "$named" = 0 ] && [ "$signature" = 'createOrder: (params: RequestParams = {}) =>' ]
