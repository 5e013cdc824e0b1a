import type { Secrets } from "@carteiro/secrets/Secrets.ts"

/** The first byte of a sealed body. Vendors send JSON, which never begins with it. */
const mark = 0

/** Returns the body of a call that contains a secret in its stored form. gaps-3 B "Invite link secrecy" */
export const sealBody = (secrets: Secrets["Service"], id: string, body: Uint8Array): Uint8Array => {
  // Latin-1 keeps one character a byte, so that any body comes back byte for byte.
  const sealed = secrets.seal("vendor_webhook", Buffer.from(body).toString("latin1"), id)
  return Buffer.concat([Uint8Array.of(mark), sealed])
}

/** Returns the body of a stored call as it was received. */
export const openBody = (secrets: Secrets["Service"], id: string, sealed: Uint8Array): Uint8Array => {
  if (sealed[0] !== mark) return sealed
  const opened = secrets.open("vendor_webhook", sealed.subarray(1), id)
  return opened === undefined ? sealed : Buffer.from(opened, "latin1")
}
