import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import type { Call } from "../kit/Routes.ts"
import { SignedWebhooks } from "../kit/SignedWebhooks.ts"

/** An account of the product at a vendor: its credential and its webhook address. */
export interface AccountSetup {
  readonly key: string
  readonly webhook_secret: string
  /** Absent while the product does not listen yet. */
  readonly webhook_url?: string
}

/** An account that made calls or was set up. */
export interface Account {
  readonly key: string
  readonly notices: SignedWebhooks
}

/** Keys with this beginning are unknown. */
const unknownKey = /^invalid/

/** Accounts by key: every key is its own merchant, with or without a receiver. */
export class Accounts {
  private readonly byKey = new Map<string, Account & { readonly agreed: { webhookSecret: string } }>()
  private readonly log: CallLog
  private readonly faults: Faults
  private readonly now: () => number

  constructor(log: CallLog, faults: Faults, now: () => number) {
    this.log = log
    this.faults = faults
    this.now = now
  }

  setUp({ key, webhook_secret, webhook_url }: AccountSetup): void {
    const account = this.ofKey(key)
    account.agreed.webhookSecret = webhook_secret
    if (webhook_url !== undefined) account.notices.aim(webhook_url)
  }

  /** Returns the account of a call; undefined for an invalid credential. */
  of({ headers }: Call): Account | undefined {
    const key = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1]
    return key === undefined || unknownKey.test(key) ? undefined : this.ofKey(key)
  }

  close(): void {
    for (const { notices } of this.byKey.values()) notices.close()
  }

  private ofKey(key: string) {
    const known = this.byKey.get(key)
    if (known !== undefined) return known
    const agreed = { webhookSecret: "" }
    const context = {
      now: this.now,
      get webhookSecret() {
        return agreed.webhookSecret
      }
    }
    const account = { key, agreed, notices: new SignedWebhooks(context, this.log, this.faults) }
    this.byKey.set(key, account)
    return account
  }
}
