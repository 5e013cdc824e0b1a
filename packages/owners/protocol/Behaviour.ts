import type { Row } from "@carteiro/tables/Write.ts"
import type { Clock, Effect } from "effect"
import type { Submitted } from "../commit/Commit.ts"
import type { Claim, Completion, StoredResponse } from "../idempotency/Claim.ts"
import type { Refusal } from "../ProductTypes.ts"
import type { Subject } from "../Subject.ts"

/** The owner's decision about one item of a batch. */
export type Decision<A> =
  | { readonly _tag: "Refuse"; readonly error: Refusal }
  | { readonly _tag: "Answer"; readonly value: A }
  | {
      readonly _tag: "Commit"
      readonly rows: ReadonlyArray<Row>
      readonly completes: Completion | undefined
      readonly settle: Settle<A>
    }

/**
 * Returns the outcome after the commit, from the keys its writes returned and whether its guards let it pass: if not,
 * none of its rows was written.
 */
export type Settle<A> = (keys: (write: string) => ReadonlySet<string>, passed: boolean) => Outcome<A>

/** The outcome of one call. */
export type Outcome<A> =
  | { readonly ok: A }
  | { readonly error: Refusal }
  /**
   * `fenced`, `unavailable`: retry; no row was written. `no_database`: retry; no row was written, and the next call may
   * take as long as this one, until the database counts as unreachable. `changed`: retry at once, because the state
   * that the decision used has changed. `duplicate`: another request took the idempotency key. `leaving`: the calling
   * node is stopping, and sends no further calls.
   */
  | { readonly retry: "fenced" | "unavailable" | "no_database" | "changed" | "duplicate" | "leaving" }
  | { readonly defect: string }

/** Makes a decision that refuses; no row is written. */
export const refuse = (error: Refusal): Decision<never> => ({ _tag: "Refuse", error })

/** Makes a decision that answers from memory or from facts that were read; no row is written. */
export const answer = <A>(value: A): Decision<A> => ({ _tag: "Answer", value })

/**
 * Rows to write before the caller gets its answer, and the response that completes the caller's claim with them. Of two
 * items under one idempotency key the statement writes the first; the other caller retries and finds the response
 * stored.
 */
interface DecisionRows {
  readonly rows: ReadonlyArray<Row>
  readonly claim?: Claim | undefined
  /** The response to a repeated request, where the operation takes an idempotency key. */
  readonly response?: StoredResponse | undefined
  /** The customers whose data the response shows; see `Completion`. */
  readonly subjects?: ReadonlyArray<Subject> | undefined
}

/** Makes a decision that writes rows, then answers `value`. */
export const commit = <A>(options: DecisionRows & { readonly value: A }): Decision<A> => ({
  _tag: "Commit",
  rows: options.rows,
  completes: completionOf(options),
  settle: () => ({ ok: options.value })
})

/**
 * Makes a decision that writes rows, then answers according to the rows that were really written (a slug taken, a limit
 * reached).
 */
export const commitThen = <A>(options: DecisionRows & { readonly settle: Settle<A> }): Decision<A> => ({
  _tag: "Commit",
  rows: options.rows,
  completes: completionOf(options),
  settle: options.settle
})

const completionOf = ({ claim, response, subjects }: DecisionRows): Completion | undefined =>
  response === undefined ? undefined : { claim, response, subjects }

/** The functions of an owner beside its decisions. */
export interface OwnerHandle {
  readonly id: string
  readonly shard: number
  /** The epoch of the lease that memory was loaded under. */
  readonly epoch: number
  /** Epoch milliseconds on the owner's clock. */
  readonly now: () => number
  /** The owner's clock: the node's, unless its tenant has turned its own. */
  readonly clock: Clock.Clock
  /**
   * Returns how many milliseconds the owner's clock is ahead of the node's; undefined when its tenant never turned it.
   */
  readonly lead: () => number | undefined
  /** True when the owner's clock stands still. */
  readonly stands: () => boolean
  /**
   * Writes decisions made on memory outside a call, as in a pass of due work. Returns statuses in the order of `units`.
   * Memory is dropped unless all are committed. On memory that was dropped no row is written, as if fenced.
   */
  readonly commit: (units: ReadonlyArray<{ readonly rows: ReadonlyArray<Row> }>) => Effect.Effect<Submitted>
  /**
   * Writes external facts, such as a provider's answer, whatever happened to memory since, as long as the node holds
   * the shard or gets it back. Conditions in the rows decide whether they still matter.
   */
  readonly record: (units: ReadonlyArray<{ readonly rows: ReadonlyArray<Row> }>) => Effect.Effect<Submitted>
  /**
   * Waits until every decision made on memory is written or refused. Within a turn of the mailbox only passes over due
   * work decide anything meanwhile.
   */
  readonly settled: Effect.Effect<void>
  /** Writes rows without waiting, such as a last-used instant. */
  readonly enqueue: (rows: ReadonlyArray<Row>) => void
  /** Records that a row is due at that instant; a pass runs then. */
  readonly dueAt: (instant: number) => void
  /** Drops memory: the next call or pass loads it again. */
  readonly drop: () => void
  /** Marks the snapshot as changed; it is saved within two seconds. */
  readonly touch: () => void
  /** Runs an effect when the owner leaves this node, after its snapshot was saved; effects run in reverse order. */
  readonly onLeave: (effect: Effect.Effect<void>) => void
}

/** The handler of one batched operation. */
export interface BatchHandler<State, Item, Facts, A> {
  /** Reads once for the whole batch; runs inside the mailbox. */
  readonly read?: (items: ReadonlyArray<Item>, state: State, owner: OwnerHandle) => Effect.Effect<Facts>
  /**
   * Decides synchronously, with no yield between reading memory and submitting rows. Returns one decision an item, in
   * order.
   */
  readonly decide: (
    items: ReadonlyArray<Item>,
    facts: Facts,
    state: State,
    owner: OwnerHandle,
    now: number
  ) => ReadonlyArray<Decision<A>>
}

/** Returns the handler of an operation whose items are decided one by one, from memory alone. */
export const decideEach = <State, Item, A>(
  decide: (item: Item, state: State, owner: OwnerHandle, now: number) => Decision<A>
): BatchHandler<State, Item, unknown, A> => ({
  decide: (items, _facts, state, owner, now) => items.map((item) => decide(item, state, owner, now))
})

/**
 * The handler of an operation that may wait (a long poll). It runs beside the mailbox, one call at a time, never in a
 * batch.
 */
export interface LongCallHandler<State, Item, A> {
  readonly run: (item: Item, state: State, owner: OwnerHandle) => Effect.Effect<A, Refusal>
}

/**
 * The behaviour of an owner type. It is made once a node and shared by all owners of the type; data of a single owner
 * is in its state.
 */
export interface Behaviour<State, Handlers> {
  /**
   * Reads the state of `owner.id` at activation and again after any fenced or failed commit. `before` is the previous
   * memory, for data that must outlive a reload.
   */
  readonly load: (owner: OwnerHandle, saved: string | undefined, before: State | undefined) => Effect.Effect<State>
  readonly handlers: Handlers
  /** Runs one pass over due rows. Returns when it wants to run again (epoch milliseconds), if at all. */
  readonly work?: (state: State, owner: OwnerHandle) => Effect.Effect<number | undefined>
  /** Returns levels to save now and then (buckets), as JSON text, or undefined when they have not changed. */
  readonly snapshot?: (state: State, now: number) => string | undefined
}
