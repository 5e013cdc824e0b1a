import { Context, type Effect, type Redacted } from "effect"

/** A number that can be ordered. */
export interface AvailableNumber {
  readonly number: string
  readonly ddd: string
  readonly monthly_price_centavos: number
}

/** An order as the provider has it. */
export interface ProviderOrder {
  readonly id: string
  /** Our id of it. */
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

/** How a call ended. */
export type NumberCall<A> =
  | { readonly _tag: "Done"; readonly value: A }
  /** Definitely refused, with no effect. */
  | { readonly _tag: "Refused"; readonly code: string }
  /** Nobody knows whether it had an effect: an order is looked up by our id, never repeated. */
  | { readonly _tag: "Unknown"; readonly retry_after_ms: number | null }

/** Port to one account at the number provider. vendor-wires "numprov" */
export interface NumberAccount {
  /** Proves the credential. */
  readonly read: Effect.Effect<NumberCall<{ readonly id: string; readonly name: string }>>
  readonly available: (ddd: string, limit: number) => Effect.Effect<NumberCall<ReadonlyArray<AvailableNumber>>>
  /** `external_id` is our id: the same order again is the same order. */
  readonly order: (order: {
    readonly external_id: string
    readonly ddd: string
  }) => Effect.Effect<NumberCall<ProviderOrder>>
  readonly orderById: (id: string) => Effect.Effect<NumberCall<ProviderOrder>>
  /** Looks up an order that was not answered; null when the provider has none. */
  readonly findOrder: (externalId: string) => Effect.Effect<NumberCall<ProviderOrder | null>>
  /** Again it changes nothing. */
  readonly release: (numberId: string) => Effect.Effect<NumberCall<void>>
  readonly numbers: (cursor: string | null) => Effect.Effect<NumberCall<InventoryPage>>
}

/** The number provider: our own account, and those of customers by their keys. */
export interface NumberProvider {
  /** Undefined without a key of ours. */
  readonly platform: NumberAccount | undefined
  readonly of: (key: Redacted.Redacted) => NumberAccount
}

/** The provider this installation is set up for; undefined without a base URL. gaps-2 K "Number provider calls" */
export const Numprov = Context.Reference<NumberProvider | undefined>("@carteiro/provider/Numprov", {
  defaultValue: () => undefined
})
