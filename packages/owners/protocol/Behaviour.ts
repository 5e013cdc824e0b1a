import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Clock, Effect } from "effect"
import type { Submitted } from "../commit/Commit.ts"
import type { Claim, Completion, StoredResponse } from "../idempotency/Claim.ts"
import type { Subject } from "../Subject.ts"

/** The owner's decision about one item of a batch. */
export type Decision<A> =
  | { readonly _tag: "Refuse"; readonly error: ApiError }
  | { readonly _tag: "Answer"; readonly value: A }
  | {
      readonly _tag: "Commit"
      readonly rows: ReadonlyArray<Row>
      readonly completes: Completion | undefined
      readonly settle: Settle<A>
    }

/**
 * Makes the outcome after the commit, from the keys its writes handed back and whether its guards let it pass: nothing
 * of it was written when they did not.
 */
export type Settle<A> = (keys: (write: string) => ReadonlySet<string>, passed: boolean) => Outcome<A>

/** The outcome of one call. */
export type Outcome<A> =
  | { readonly ok: A }
  | { readonly error: ApiError }
  /**
   * `fenced`, `unavailable`: call again, nothing was written. `no_database`: the same, and the next call may take as long
   * as this one did, until the database was found to say nothing. `changed`: call again at once, what it was decided by was no
   * longer so. `duplicate`: the idempotency key was taken. `leaving`: the calling node is stopping, and no call leaves it
   * any more.
   */
  | { readonly retry: "fenced" | "unavailable" | "no_database" | "changed" | "duplicate" | "leaving" }
  | { readonly defect: string }

/** A refusal of the contract; nothing is written. */
export const refuse = (error: ApiError): Decision<never> => ({ _tag: "Refuse", error })

/** An answer from memory or from what was read; nothing is written. */
export const answer = <A>(value: A): Decision<A> => ({ _tag: "Answer", value })

/**
 * Rows to write before anyone is answered, and what completes the caller's claim with them. Of two items under one
 * idempotency key the statement writes the first; whoever brought the other asks again and finds the response stored.
 */
interface Written {
  readonly rows: ReadonlyArray<Row>
  readonly claim?: Claim | undefined
  /** The answer to a repeated request, where the operation takes an idempotency key. */
  readonly response?: StoredResponse | undefined
  /** The customers whose data the response shows; see `Completion`. */
  readonly subjects?: ReadonlyArray<Subject> | undefined
}

/** Writes rows, then answers `value`. */
export const commit = <A>(options: Written & { readonly value: A }): Decision<A> => ({
  _tag: "Commit",
  rows: options.rows,
  completes: completionOf(options),
  settle: () => ({ ok: options.value })
})

/** As `commit`, when the answer depends on which rows were really written (a slug taken, a limit reached). */
export const commitThen = <A>(options: Written & { readonly settle: Settle<A> }): Decision<A> => ({
  _tag: "Commit",
  rows: options.rows,
  completes: completionOf(options),
  settle: options.settle
})

const completionOf = ({ claim, response, subjects }: Written): Completion | undefined =>
  response === undefined ? undefined : { claim, response, subjects }

/** The means of an owner beside its decisions. */
export interface OwnerHandle {
  readonly id: string
  readonly shard: number
  /** The lease memory was loaded under. */
  readonly epoch: number
  /** Epoch milliseconds on the owner's clock. */
  readonly now: () => number
  /** The owner's clock: the node's, unless its tenant has turned its own. */
  readonly clock: Clock.Clock
  /** By how much the owner's clock is ahead of the node's, in milliseconds; undefined when its tenant never turned it. */
  readonly lead: () => number | undefined
  /** Whether the owner's clock stands still. */
  readonly stands: () => boolean
  /**
   * Writes what was decided on memory outside a call (a pass of due work). Statuses in the order of `units`. Memory is
   * dropped unless all are committed; on memory that was dropped nothing is written, as if fenced.
   */
  readonly commit: (units: ReadonlyArray<{ readonly rows: ReadonlyArray<Row> }>) => Effect.Effect<Submitted>
  /**
   * Writes what happened outside (a provider's answer), whatever became of memory since, for as long as the node holds
   * the shard or gets it back. The rows' own conditions tell whether it still matters.
   */
  readonly record: (units: ReadonlyArray<{ readonly rows: ReadonlyArray<Row> }>) => Effect.Effect<Submitted>
  /**
   * Waits until everything that was decided on memory is written or refused. Within a turn of the mailbox nothing else is
   * decided meanwhile, but for passes over due work.
   */
  readonly settled: Effect.Effect<void>
  /** Writes rows nobody waits for (a last-used instant). */
  readonly enqueue: (rows: ReadonlyArray<Row>) => void
  /** Tells the owner that a row is due at that instant; its work runs then, without anyone waiting. */
  readonly dueAt: (instant: number) => void
  /** Forgets memory: the next call or pass loads again. */
  readonly drop: () => void
  /** Marks the snapshot as changed; it is saved within two seconds. */
  readonly touch: () => void
  /** Runs an effect when the owner leaves this node, after its snapshot was saved; the last one given first. */
  readonly onLeave: (effect: Effect.Effect<void>) => void
}

/** How an owner type handles one batched operation. */
export interface BatchHandler<State, Item, Facts, A> {
  /** One read for the whole batch; runs inside the mailbox. */
  readonly read?: (items: ReadonlyArray<Item>, state: State, owner: OwnerHandle) => Effect.Effect<Facts>
  /** Synchronous: no yield between reading memory and handing over rows. One decision per item, in order. */
  readonly decide: (
    items: ReadonlyArray<Item>,
    facts: Facts,
    state: State,
    owner: OwnerHandle,
    now: number
  ) => ReadonlyArray<Decision<A>>
}

/** An operation that may wait (a long poll): it runs beside the mailbox and alone, never in a batch. */
export interface LongCallHandler<State, Item, A> {
  readonly run: (item: Item, state: State, owner: OwnerHandle) => Effect.Effect<A, ApiError>
}

/**
 * Everything an owner type is, beside its protocol. Made once a node and shared by all owners of the type: what belongs
 * to one of them is in its state.
 */
export interface Behaviour<State, Handlers> {
  /**
   * Reads the state of `owner.id`; runs at activation and again after any fenced or failed commit. `before` is what
   * memory held until then, for what must outlive a reload.
   */
  readonly load: (owner: OwnerHandle, saved: string | undefined, before: State | undefined) => Effect.Effect<State>
  readonly handlers: Handlers
  /** One pass over due rows; answers when it wants to run again (epoch milliseconds), if at all. */
  readonly work?: (state: State, owner: OwnerHandle) => Effect.Effect<number | undefined>
  /** Levels worth saving now and then (buckets), as JSON text, or undefined when nothing changed. */
  readonly snapshot?: (state: State, now: number) => string | undefined
}
