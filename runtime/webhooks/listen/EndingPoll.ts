import { Effect, Fiber } from "effect"

/** How long an owner may take to answer a poll that was told to end, in milliseconds. */
const leaveMs = 1_000

/** One long poll on the node of its caller. */
interface EndingPoll<A, E> {
  /** The call that waits at the owner. */
  readonly call: Effect.Effect<A, E>
  /** Ends when the poll must end: this node stops, or the client has disconnected. */
  readonly ends: Effect.Effect<void>
  /** Tells the owner to answer at once. */
  readonly leave: Effect.Effect<void>
  /** The answer when the owner does not answer in time, for example on a frozen node. */
  readonly nothing: A
}

/** Returns the owner's answer; once the poll must end, within a second, whatever the owner does. */
export const untilEnd = <A, E>({ call, ends, leave, nothing }: EndingPoll<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const asked = yield* Effect.forkChild(call)
    const told = Effect.andThen(leave, Fiber.join(asked))
    const ended = Effect.timeoutOrElse(told, { duration: leaveMs, orElse: () => Effect.succeed(nothing) })
    return yield* Effect.raceFirst(Fiber.join(asked), Effect.andThen(ends, ended))
  }).pipe(Effect.onInterrupt(() => leave))
