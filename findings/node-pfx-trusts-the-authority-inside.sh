#!/usr/bin/env bash
# Node.js trusts the authorities that lie in the PKCS#12 file of a client's own certificate (tls.connect with `pfx`): a server with a certificate of that authority
# is accepted without `ca`. With the same certificate as `cert` and `key` the server is refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts node-forge@1.3.1
cat > run.mjs <<'JS'
import { once } from "node:events"
import tls from "node:tls"
import forge from "node-forge"

const issued = (name, issuer, extensions) => {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const cert = forge.pki.createCertificate()
  cert.publicKey = keys.publicKey
  cert.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`
  cert.validity.notBefore = new Date(Date.now() - 3_600_000)
  cert.validity.notAfter = new Date(Date.now() + 86_400_000)
  cert.setSubject([{ name: "commonName", value: name }])
  cert.setIssuer(issuer === undefined ? cert.subject.attributes : issuer.cert.subject.attributes)
  cert.setExtensions(extensions)
  cert.sign(issuer === undefined ? keys.privateKey : issuer.key, forge.md.sha256.create())
  return { cert, key: keys.privateKey }
}
const pem = ({ cert, key }) => ({ cert: forge.pki.certificateToPem(cert), key: forge.pki.privateKeyToPem(key) })

const authority = issued("authority of clients", undefined, [{ name: "basicConstraints", cA: true }, { name: "keyUsage", keyCertSign: true }])
const ofServer = issued("localhost", authority, [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }])
const ofClient = issued("client", authority, [])
const file = (certificates) =>
  Buffer.from(forge.asn1.toDer(forge.pkcs12.toPkcs12Asn1(ofClient.key, certificates, "secret", { algorithm: "3des" })).getBytes(), "binary")

const server = tls.createServer(pem(ofServer), (socket) => socket.on("error", () => {}).end()).listen(0, "127.0.0.1")
server.on("tlsClientError", () => {})
await once(server, "listening")
const outcome = (options) =>
  new Promise((resolve) => {
    const socket = tls.connect({ host: "127.0.0.1", port: server.address().port, servername: "localhost", ...options })
    socket.once("secureConnect", () => resolve("trusted"))
    socket.once("error", ({ code }) => resolve(code))
  })
const told = {
  "cert and key": await outcome(pem(ofClient)),
  "pfx without the authority": await outcome({ pfx: file([ofClient.cert]), passphrase: "secret" }),
  "pfx with the authority": await outcome({ pfx: file([ofClient.cert, authority.cert]), passphrase: "secret" })
}
console.log(`Node.js ${process.version}: a server of that authority, without ca:`, told)
const [asPem, alone, whole] = Object.values(told)
process.exit(asPem !== "trusted" && alone !== "trusted" && whole === "trusted" ? 0 : 1)
JS
node run.mjs
