import type { Ed25519Webhooks } from "./Ed25519Webhooks.ts"

/** A number of an account. Times are epoch milliseconds. */
export interface TelnyxNumber {
  readonly id: string
  readonly phoneNumber: string
  readonly sms: boolean
  readonly purchasedAt: number
  readonly customerReference: string | null
  status: "active" | "deleted" | "port-out-pending" | "emergency-only"
  messagingProfileId: string | null
}

/** An order of numbers. Times are epoch milliseconds. */
export interface TelnyxOrder {
  readonly id: string
  readonly account: TelnyxAccount
  readonly phoneNumbers: ReadonlyArray<{ readonly id: string; readonly phoneNumber: string }>
  readonly customerReference: string | null
  readonly messagingProfileId: string | null
  readonly connectionId: string | null
  readonly createdAt: number
  updatedAt: number
  status: "pending" | "success" | "failure"
}

/** A customer of Telnyx, by its API key. */
export interface TelnyxAccount {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly isSuspended: boolean
  readonly numbers: Map<string, TelnyxNumber>
  /** The webhooks of this account alone, if it has its own receiver. */
  readonly webhooks: Ed25519Webhooks | undefined
}
