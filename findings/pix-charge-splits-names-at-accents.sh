#!/usr/bin/env bash
# pix-charge takes an accent off by putting a blank in its place, so that the payer's bank shows a name with words torn apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pix-charge@1.1.0
cat > run.cjs <<'JS'
const { staticPix } = require("pix-charge")
const code = staticPix({ merchantKey: "loja@exemplo.com.br", merchantName: "Padaria São João", merchantCity: "Brasília", amount: 10.5 })
const fieldOf = (tag) => {
  for (let at = 0; at < code.length; at += 4 + Number(code.slice(at + 2, at + 4))) {
    if (code.startsWith(tag, at)) return code.slice(at + 4, at + 4 + Number(code.slice(at + 2, at + 4)))
  }
}
console.log(`pix-charge 1.1.0: "Padaria São João" of "Brasília" becomes "${fieldOf("59")}" of "${fieldOf("60")}"`)
process.exit(fieldOf("59") === "PADARIA SA O JOA O" && fieldOf("60") === "BRASI LIA" ? 0 : 1)
JS
node run.cjs
