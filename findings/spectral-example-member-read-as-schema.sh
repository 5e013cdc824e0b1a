#!/usr/bin/env bash
# Spectral's rule oas3-valid-schema-example takes every object with the members `type` and `example` below a schema for a schema, also one
# inside the value of an example: data of an API that has such members is refused as a wrong schema.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @stoplight/spectral-cli@6.16.3 2>/dev/null
cat > openapi.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Templates","version":"1"},"paths":{},
"components":{"schemas":{"Part":{"type":"object","properties":{"type":{"type":"string"},"example":{"type":"string"}},
"examples":[{"type":"BODY","example":"Ana"}]}}}}
JSON
echo 'extends: [[spectral:oas, off]]
rules: { oas3-valid-schema-example: error }' > .spectral.yaml
told=$(node_modules/.bin/spectral lint openapi.json --format text 2>&1 || true)
echo "@stoplight/spectral-cli 6.16.3: $(grep -o 'oas3-valid-schema-example.*' <<<"$told" | head -n 1)"
grep -q 'oas3-valid-schema-example "schema is invalid' <<<"$told"
