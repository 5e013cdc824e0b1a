import type { Row } from "@carteiro/tables/Write.ts"
import { Context, type Effect } from "effect"

/** The key to which an id of the platform leads, and the phone of its contact; empty while the phone is hidden. */
export interface KnownCustomer {
  readonly key: string
  /** `+digits`. */
  readonly phone: string
}

/** A customer as a notice of the platform names them: by an id, and by a phone unless it is hidden. */
export interface SeenCustomer {
  readonly user_id: string
  /** The phone and its match key. */
  readonly phone: KnownCustomer | undefined
}

/** A customer's phone and id before or after a change; undefined where the platform does not tell one. */
export interface NamedCustomer {
  readonly phone: KnownCustomer | undefined
  readonly user_id: string | undefined
}

/** The key of a customer, and the claim that a commit under this key needs. */
export interface MetCustomer {
  readonly key: string
  readonly claim: Row | undefined
}

/**
 * Finds the one key under which everything about a person is kept, by the platform's ids of them. The node caches what
 * it read; every write that was decided by an id carries a claim, so that a stale entry writes nothing. Decision 0135
 */
export class CustomerIds extends Context.Service<
  CustomerIds,
  {
    /** Returns the key of an id, and the phone of its customer; an id that is not known is its own key. */
    find(environmentId: string, userId: string): Effect.Effect<KnownCustomer>
    /** Returns the same from the node's cache, which may be stale: for a commit that carries the claim. */
    recall(environmentId: string, userId: string): Effect.Effect<KnownCustomer>
    /** Returns the row that a commit under a key that an id led to carries. */
    claim(environmentId: string, userId: string, key: string, at: number): Row
    /** Returns the key of a customer whom a notice names, after it has joined what was kept under two keys. */
    meet(environmentId: string, seen: SeenCustomer, now: number): Effect.Effect<MetCustomer>
    /**
     * Follows a customer to another phone or id, and returns their key from then on: what was kept under the old one is
     * kept under the new one, and the old id leads there. Undefined when nothing names the customer before.
     */
    follow(
      environmentId: string,
      change: { readonly previous: NamedCustomer; readonly current: NamedCustomer },
      now: number
    ): Effect.Effect<string | undefined>
    /** Removes an id whose key may have changed: the next look reads the tables. */
    forget(environmentId: string, userId: string): void
  }
>()("@carteiro/runtime/customers/CustomerIds") {}
