#!/usr/bin/env bash
# n8n's linter for community nodes refuses clearTimeout and says to use sleepWithAbort from n8n-workflow. The package does not export it: a node that does
# as it is advised fails when it is loaded.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts eslint@9.29.0 typescript@5.9.2 @n8n/eslint-plugin-community-nodes@0.32.0 n8n-workflow@2.40.1
cat > run.mjs <<'JS'
import { createRequire } from "node:module"
import { n8nCommunityNodesPlugin } from "@n8n/eslint-plugin-community-nodes"
import { Linter } from "eslint"
const config = {
  plugins: { n8n: n8nCommunityNodesPlugin },
  languageOptions: { globals: { clearTimeout: "readonly" } },
  rules: { "n8n/no-restricted-globals": "error" }
}
const [{ message }] = new Linter().verify("clearTimeout(1)", [config])
const exported = createRequire(import.meta.url)("n8n-workflow")
console.log("the linter 0.32.0 says:", message)
console.log("n8n-workflow 2.40.1 exports sleep:", typeof exported.sleep, "and sleepWithAbort:", typeof exported.sleepWithAbort)
process.exit(/'sleepWithAbort' from 'n8n-workflow'/.test(message) && exported.sleepWithAbort === undefined ? 0 : 1)
JS
node run.mjs
