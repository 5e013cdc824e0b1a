import { createHmac } from "node:crypto"
import type { CallLog } from "./CallLog.ts"
import type { Faults } from "./Faults.ts"
import { FaultyWebhooks } from "./FaultyWebhooks.ts"

export { signedWebhookFaults } from "./FaultyWebhooks.ts"

/** The agreement between the vendors of money and numbers and their caller. */
export interface SignedWebhookOptions {
  readonly webhookSecret: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Posts events to the product: `{id, type, created_at, data}` under `x-provider-signature`, signed again at each
 * attempt, until the response is 200. vendor-wires, first paragraph
 */
export class SignedWebhooks {
  private readonly webhooks: FaultyWebhooks
  private readonly options: SignedWebhookOptions
  private told = 0

  constructor(options: SignedWebhookOptions, log: CallLog, faults: Faults) {
    this.options = options
    this.webhooks = new FaultyWebhooks(log, faults)
  }

  /** Sets the address of the product's receiver. */
  aim(url: string): void {
    this.webhooks.aim(url)
  }

  get url(): string | undefined {
    return this.webhooks.url
  }

  tell(type: string, data: object): void {
    const { options, webhooks } = this
    const at = options.now()
    const id = `evt_${at.toString(36)}_${++this.told}`
    const body = Buffer.from(JSON.stringify({ id, type, created_at: new Date(at).toISOString(), data }))
    void webhooks.post(({ ageMs, isForged }) => {
      const secret = isForged ? "not the secret" : options.webhookSecret
      return { body, headers: () => signature(secret, options.now() - ageMs, body) }
    })
  }

  close(): void {
    this.webhooks.close()
  }
}

/** Returns the header `x-provider-signature` of a body at an instant in epoch milliseconds. */
const signature = (secret: string, at: number, body: Uint8Array): { readonly "x-provider-signature": string } => {
  const t = Math.floor(at / 1000)
  const v1 = createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")
  return { "x-provider-signature": `t=${t},v1=${v1}` }
}
