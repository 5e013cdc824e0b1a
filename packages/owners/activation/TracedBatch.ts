import { Effect, Exit, type Tracer } from "effect"
import type { Tracing } from "../tracing/Tracing.ts"
import { awaitOutcomes, type Reply } from "./Settling.ts"

/** One message to an owner, as its span shows it. */
export interface TracedMessage {
  readonly type: string
  readonly id: string
  readonly tag: string
  readonly items: number
}

/**
 * Handles a batch that serves sampled calls under a span of its own, which ends once the outcomes are known. The mailbox
 * is free before that, as without a span.
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
