import type { Secrets } from "@carteiro/secrets/Secrets.ts"

/** The first byte of a sealed body. Vendors send JSON, which never begins with it. */
const mark = 0

/** The body of a call that tells a secret, as it is stored. gaps-3 B "Invite link secrecy" */
export const sealBody = (secrets: Secrets["Service"], id: string, body: Uint8Array): Uint8Array => {
  // One character a byte: what comes out is what went in, whatever it was.
  const sealed = secrets.seal("vendor_webhook", Buffer.from(body).toString("latin1"), id)
  return Buffer.concat([Uint8Array.of(mark), sealed])
}

/** The body of a stored call as it was received. */
export const openBody = (secrets: Secrets["Service"], id: string, stored: Uint8Array): Uint8Array => {
  if (stored[0] !== mark) return stored
  const opened = secrets.open("vendor_webhook", stored.subarray(1), id)
  return opened === undefined ? stored : Buffer.from(opened, "latin1")
}
