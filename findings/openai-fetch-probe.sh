#!/usr/bin/env bash
# The client of OpenAI calls the fetch that it is given with the address `data:,` before its first upload, to learn whether it takes forms.
# A fetch for one host has to expect that, and a refusal counts as "takes forms".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund openai@7.55.0
cat > run.mjs <<'JS'
import OpenAI from "openai"
const asked = []
const fetch = async (input) => {
  asked.push(String(input))
  if (String(input).startsWith("data:")) throw new Error("no such host")
  return new Response(JSON.stringify({ text: "hi" }), { headers: { "content-type": "application/json" } })
}
const client = new OpenAI({ apiKey: "key", fetch, maxRetries: 0 })
const file = new File([new Uint8Array(4)], "a.ogg", { type: "audio/ogg" })
await client.audio.transcriptions.create({ file, model: "whisper-1" })
console.log("version 7.55.0 asked the given fetch for:", asked.join(" and "))
process.exit(asked[0] === "data:," && asked.length === 2 ? 0 : 1)
JS
node run.mjs
