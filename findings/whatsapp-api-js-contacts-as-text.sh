#!/usr/bin/env bash
# whatsapp-api-js sends business cards as a text that holds JSON, while the platform's description asks for a list.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund whatsapp-api-js@6.3.0
cat > run.mjs <<'JS'
import { WhatsAppAPI } from "whatsapp-api-js"
import { Contacts, Name, Phone } from "whatsapp-api-js/messages"
let sent
const fetch = async (_url, { body }) => {
  sent = JSON.parse(body)
  return { json: async () => ({ messages: [{ id: "wamid.x" }] }) }
}
const api = new WhatsAppAPI({ token: "t", secure: false, v: "v23.0", ponyfill: { fetch } })
await api.sendMessage("1", { bsuid: "BR.1" }, new Contacts([new Name("Ana", "Ana"), new Phone("5511912345678")]))
console.log("version 6.3.0: contacts is a", typeof sent.contacts, "in the request:", sent.contacts)
process.exit(typeof sent.contacts === "string" ? 0 : 1)
JS
node run.mjs
