#!/usr/bin/env bash
# A PKCS#12 file often holds the certificates of the authority above the client's own. Node.js trusts every one of them for the server's
# certificate, too: with `pfx` a client accepts a server of that authority without `ca`. With the same key and certificate as `key` and
# `cert` it does not. So the file that a bank hands out also decides which servers its user believes, beside the usual authorities.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2)
openssl req -x509 "${key[@]}" -subj "/CN=authority" -keyout ca.key -out ca.pem 2>/dev/null
echo "subjectAltName=DNS:localhost" > names
for name in server client; do
  openssl req "${key[@]:0:4}" -nodes -subj "/CN=$name" -keyout $name.key -out $name.csr 2>/dev/null
  openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -days 2 -extfile names -out $name.pem 2>/dev/null
done
openssl pkcs12 -export -inkey client.key -in client.pem -certfile ca.pem -passout pass:x -out with-chain.p12
openssl pkcs12 -export -inkey client.key -in client.pem -passout pass:x -out alone.p12
cat > run.mjs <<'JS'
import { readFileSync } from "node:fs"
import { connect, createServer } from "node:tls"
const file = (name) => readFileSync(name)
const server = createServer({ key: file("server.key"), cert: file("server.pem") }, (socket) => socket.end())
await new Promise((resolve) => server.listen(0, resolve))
const { port } = server.address()
const trying = (options) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "localhost", servername: "localhost", ...options }, () => {
      resolve("trusts the server")
      socket.destroy()
    })
    socket.on("error", ({ code }) => resolve(code))
  })
const seen = {
  "pfx with its chain": await trying({ pfx: file("with-chain.p12"), passphrase: "x" }),
  "pfx without a chain": await trying({ pfx: file("alone.p12"), passphrase: "x" }),
  "key and cert with the chain": await trying({
    key: file("client.key"),
    cert: Buffer.concat([file("client.pem"), file("ca.pem")])
  })
}
server.close()
console.log(`Node.js ${process.version}:`, seen)
const [chain, ...others] = Object.values(seen)
process.exit(chain === "trusts the server" && others.every((one) => one !== chain) ? 0 : 1)
JS
node run.mjs
