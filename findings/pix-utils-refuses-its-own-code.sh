#!/usr/bin/env bash
# Key and description share one field of a Pix code, of at most 99 characters. pix-utils bounds neither by the other, writes a length of three digits, and then refuses to read its own code.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pix-utils@2.8.2
cat > run.cjs <<'JS'
const { createStaticPix, hasError, parsePix } = require("pix-utils")
const made = (description) =>
  createStaticPix({
    merchantName: "Loja Exemplo",
    merchantCity: "Sao Paulo",
    pixKey: "financeiro@padaria-do-bairro.com.br",
    infoAdicional: description,
    transactionAmount: 10.5
  })
const told = (pix) => {
  if (hasError(pix)) return "refused when made"
  const code = pix.toBRCode()
  return `made, account field begins ${code.slice(6, 13)}, read back: ${hasError(parsePix(code)) ? "refused" : "yes"}`
}
const short = told(made("Pedido 17"))
const long = told(made("Pedido 17, entrega na quinta-feira de manha"))
console.log(`pix-utils 2.8.2, description of 9 characters: ${short}`)
console.log(`pix-utils 2.8.2, description of 43 characters: ${long}`)
process.exit(short.endsWith("yes") && long.startsWith("made") && long.endsWith("refused") ? 0 : 1)
JS
node run.cjs
