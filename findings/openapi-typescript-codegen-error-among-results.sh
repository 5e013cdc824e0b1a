#!/usr/bin/env bash
# openapi-typescript-codegen puts the schema of the `default` response, which describes errors, into the type of the result: members of the
# success need a check first, though the client throws for every error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts openapi-typescript-codegen@0.31.0 2>/dev/null
cat > openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Orders","version":"1"},"paths":{"/orders/1":{"get":{"operationId":"getOrder","responses":{
"200":{"description":"The order.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Order"}}}},
"default":{"description":"An error.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Failure"}}}}}}}},
"components":{"schemas":{"Order":{"type":"object","properties":{"id":{"type":"string"}}},"Failure":{"type":"object","properties":{"code":{"type":"string"}}}}}}
JSON
node_modules/.bin/openapi --input openapi.json --output client
result=$(grep -oh 'CancelablePromise<[^>]*>' client/services/*.ts | sort -u)
echo "openapi-typescript-codegen 0.31.0, a call with a 200 and a default response answers $result"
[ "$result" = 'CancelablePromise<Order | Failure>' ] || [ "$result" = 'CancelablePromise<Failure | Order>' ]
