#!/usr/bin/env bash
# api-smart-diff judges a schema by who reads it: a member that an answer gains is harmless, a required member that a request
# gains breaks its senders. Where an operation refers to a response in components, it judges the answer as if it were a
# request: the same addition, which is harmless while the response stands in the operation, is called breaking.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund api-smart-diff@1.0.6 2>/dev/null
cat > run.mjs <<'JS'
import { apiCompare } from "api-smart-diff"

const response = (...names) => ({
  description: "Done.",
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
        required: names
      }
    }
  }
})
const inPlace = (one) => ({
  openapi: "3.0.3",
  info: { title: "Orders", version: "1" },
  paths: { "/orders": { get: { responses: { 200: one } } } }
})
const shared = (one) => ({
  ...inPlace({ $ref: "#/components/responses/Orders" }),
  components: { responses: { Orders: one } }
})
const seen = [inPlace, shared].map((form) => {
  const { diffs } = apiCompare(form(response("id")), form(response("id", "state")))
  return [...new Set(diffs.filter(({ path }) => path[0] === "paths").map(({ type }) => type))].join(" ")
})
console.log(`api-smart-diff 1.0.6, an answer gains a member that is always there: in place ${seen[0]}, by reference ${seen[1]}`)
process.exit(seen[0] === "non-breaking" && seen[1] === "breaking" ? 0 : 1)
JS
node run.mjs
