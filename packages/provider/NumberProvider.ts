import { Context, type Effect, type Redacted } from "effect"
import type { WebhookScheme } from "./WebhookScheme.ts"

/** A number that can be ordered. */
export interface AvailableNumber {
  readonly number: string
  readonly ddd: string
  /** Null when the provider names another currency, or no price. */
  readonly monthly_price_centavos: number | null
  /** False for a number that takes calls only: no verification code reaches it. */
  readonly sms: boolean
}

/** An order at the provider. */
export interface ProviderOrder {
  readonly id: string
  /** The product's id of the order. */
  readonly external_id: string
  readonly status: "pending" | "active" | "failed"
  readonly number: string | null
  readonly number_id: string | null
  /** Why it failed, in the provider's code. */
  readonly error: string | null
}

/** A number of an account. */
export interface InventoryNumber {
  readonly number_id: string
  readonly number: string
  readonly status: "active" | "suspended" | "released"
  readonly sms: boolean
}

/** One page of an account's numbers; `next` is null at its end. */
export interface InventoryPage {
  readonly numbers: ReadonlyArray<InventoryNumber>
  readonly next: string | null
}

/** The result of a call. */
export type NumberCall<A> =
  | { readonly _tag: "Done"; readonly value: A }
  /** Certainly refused, without effect. */
  | { readonly _tag: "Refused"; readonly code: string }
  /** The effect is unknown: an order is looked up by the product's id, never repeated. */
  | { readonly _tag: "Unknown"; readonly retry_after_ms: number | null }

/** Port to one account at the number provider. vendor-wires "numprov" */
export interface NumberAccount {
  /** Verifies the credential. */
  readonly read: Effect.Effect<NumberCall<{ readonly id: string; readonly name: string }>>
  readonly available: (ddd: string, limit: number) => Effect.Effect<NumberCall<ReadonlyArray<AvailableNumber>>>
  /**
   * Orders a number that receives text messages. `external_id` is the product's id: a repeated order is one order, or is
   * never made by the caller. Refused with `calls_only`, before anything is bought, where the area code has none.
   */
  readonly order: (order: {
    readonly external_id: string
    readonly ddd: string
  }) => Effect.Effect<NumberCall<ProviderOrder>>
  readonly orderById: (id: string) => Effect.Effect<NumberCall<ProviderOrder>>
  /** Looks up an unanswered order; null when the provider has none. */
  readonly findOrder: (externalId: string) => Effect.Effect<NumberCall<ProviderOrder | null>>
  /** Releases a number; a repeated call has no effect. */
  readonly release: (numberId: string) => Effect.Effect<NumberCall<void>>
  readonly numbers: (cursor: string | null) => Effect.Effect<NumberCall<InventoryPage>>
}

/** Port to the number provider: the product's own account, and customers' accounts by their keys. */
export interface NumberProvider {
  /** The product's own account; undefined without its key. */
  readonly platform: NumberAccount | undefined
  readonly of: (key: Redacted.Redacted) => NumberAccount
}

/** How the number provider signs and writes its webhooks; undefined where it does so as the bridge does. */
export const NumprovWebhooks = Context.Reference<WebhookScheme | undefined>("@carteiro/provider/NumprovWebhooks", {
  defaultValue: () => undefined
})

/** The number provider of this installation; undefined without a base URL. gaps-2 K "Number provider calls" */
export const Numprov = Context.Reference<NumberProvider | undefined>("@carteiro/provider/Numprov", {
  defaultValue: () => undefined
})
