import { Deferred, Effect, Exit, type Tracer } from "effect"
import type { Submitted } from "../commit/Commit.ts"
import type { Decision, Outcome } from "../protocol/Behaviour.ts"
import type { Tracing } from "../telemetry/Tracing.ts"

/** The outcome when the database is unreachable: callers retry until their deadline, and no call logs it. */
export const noDatabase: Outcome<unknown> = { retry: "no_database" }
/** The outcome while a tenant's sandbox is being emptied: callers retry until their deadline. */
export const emptying: Outcome<unknown> = { retry: "unavailable" }
export const fenced: Outcome<unknown> = { retry: "fenced" }
/** The outcome when memory was dropped and the shard is still held: the call retries at once on newly loaded memory. */
export const dropped: Outcome<unknown> = { retry: "changed" }

/** Returns the outcome of a decision that wrote nothing. */
export const settleWithout = (decision: Decision<unknown>): Outcome<unknown> =>
  decision._tag === "Refuse"
    ? { error: decision.error }
    : decision._tag === "Answer"
      ? { ok: decision.value }
      : { retry: "unavailable" }

/** Returns the outcome of a decision whose unit has ended. */
const settleWith = (
  decision: Decision<unknown> & { readonly _tag: "Commit" },
  result: Submitted,
  unit: number
): Outcome<unknown> => {
  switch (result.statuses[unit]) {
    case "committed":
      return decision.settle(result.keys, true)
    case "refused":
      return decision.settle(result.keys, false)
    case "duplicate":
      return { retry: "duplicate" }
    case "unavailable":
      return { retry: "no_database" }
    case "failed":
      return { defect: "commit" }
    default:
      return { retry: "fenced" }
  }
}

/** Returns the outcome of each caller of a message. A decision that throws is a defect for all of them. */
export const settleAll = (
  decisions: ReadonlyArray<Decision<unknown>>,
  result: Submitted
): Effect.Effect<ReadonlyArray<Outcome<unknown>>> => {
  let unit = 0
  try {
    return Effect.succeed(
      decisions.map((decision) =>
        decision._tag === "Commit" ? settleWith(decision, result, unit++) : settleWithout(decision)
      )
    )
  } catch (defect) {
    return Effect.die(defect)
  }
}

/** The outcomes of a message now, or once its commit is durable; the mailbox is free meanwhile. */
export type Reply = ReadonlyArray<Outcome<unknown>> | Deferred.Deferred<ReadonlyArray<Outcome<unknown>>>

/** Waits for the outcomes of a reply. */
export const awaitOutcomes = (reply: Reply): Effect.Effect<ReadonlyArray<Outcome<unknown>>> =>
  Array.isArray(reply) ? Effect.succeed(reply) : Deferred.await(reply as Exclude<Reply, ReadonlyArray<unknown>>)

/** The facts about one message that its span shows. */
export interface TracedMessage {
  readonly type: string
  readonly id: string
  readonly tag: string
  readonly items: number
}

/**
 * Handles a batch that serves sampled calls under its own span, which ends once the outcomes are known. The mailbox is
 * free before that, as without a span.
 */
export const tracedBatch = (
  tracing: Tracing,
  served: ReadonlyArray<Tracer.AnySpan>,
  { id, items, tag, type }: TracedMessage,
  handle: (span: Tracer.Span) => Effect.Effect<Reply>
): Effect.Effect<Reply> =>
  Effect.suspend(() => {
    const span = tracing.beneath(`${type}.${tag} batch`, "server", served, {
      "carteiro.owner.type": type,
      "carteiro.owner.id": id,
      "carteiro.operation": tag,
      "carteiro.batch.items": items
    })
    const end = (exit: Exit.Exit<unknown, unknown>) => Effect.sync(() => tracing.end(span, exit))
    return Effect.onError(
      Effect.tap(handle(span), (reply) =>
        Effect.forkDetach(Effect.onExit(awaitOutcomes(reply), end), { startImmediately: true })
      ),
      (cause) => end(Exit.failCause(cause))
    )
  })
