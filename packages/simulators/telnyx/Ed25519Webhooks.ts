import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign } from "node:crypto"
import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import { FaultyWebhooks } from "../kit/FaultyWebhooks.ts"

/** What stands before the 32 bytes of a private key of Ed25519 in its PKCS#8 form. */
const keyHead = Buffer.from("302e020100300506032b657004220420", "hex")

/** Returns the private key that belongs to a text: the same after each start. */
const keyOf = (secret: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([keyHead, createHash("sha256").update(secret).digest()]),
    format: "der",
    type: "pkcs8"
  })

/** Returns the public key for the webhooks of a simulator or account with this secret, as the vendor's portal shows it. */
export const publicKeyOf = (secret: string): string =>
  createPublicKey(keyOf(secret)).export({ format: "der", type: "spki" }).subarray(-32).toString("base64")

/**
 * Posts events to the product under `telnyx-signature-ed25519` and `telnyx-timestamp`, signed again at each attempt,
 * until the response is 200.
 */
export class Ed25519Webhooks {
  private readonly webhooks: FaultyWebhooks
  private readonly key: KeyObject
  private readonly now: () => number

  constructor(secret: string, now: () => number, log: CallLog, faults: Faults) {
    this.key = keyOf(secret)
    this.now = now
    this.webhooks = new FaultyWebhooks(log, faults)
  }

  /** Sets the address of the product's receiver. */
  aim(url: string): void {
    this.webhooks.aim(url)
  }

  get url(): string | undefined {
    return this.webhooks.url
  }

  /** Posts an event. Ends with the first attempt. */
  tell(event_type: string, payload: object): Promise<void> {
    if (this.url === undefined) return Promise.resolve()
    const occurred_at = new Date(this.now()).toISOString()
    const data = { event_type, id: randomUUID(), occurred_at, payload, record_type: "event" }
    const body = Buffer.from(JSON.stringify({ data, meta: { attempt: 1, delivered_to: this.url } }))
    return this.webhooks.post(({ ageMs, isForged }) => ({
      body,
      headers: () => {
        const stamp = String(Math.floor((this.now() - ageMs) / 1000))
        const signed = Buffer.concat([Buffer.from(isForged ? "" : `${stamp}|`), body])
        return {
          "telnyx-signature-ed25519": sign(null, signed, this.key).toString("base64"),
          "telnyx-timestamp": stamp
        }
      }
    }))
  }

  close(): void {
    this.webhooks.close()
  }
}
