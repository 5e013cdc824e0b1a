import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"

/** One event as people look at it. */
export interface ShownEvent {
  readonly id: string
  readonly type: string
  /** Epoch milliseconds. */
  readonly created_at: number
  /** The envelope; what its event declares secret is masked. */
  readonly envelope: unknown
}

/** The stream of one environment as people follow it, in the order that every listener sees. */
export class EnvironmentEvents extends Context.Service<
  EnvironmentEvents,
  {
    /** Returns the last events, newest first. */
    latest(environmentId: string, count: number): Effect.Effect<ReadonlyArray<ShownEvent>, ApiError>
    /** Returns the position of the stream's end. */
    end(environmentId: string): Effect.Effect<number, ApiError>
    /**
     * Waits until there are events after a position, for 15 seconds at most, and returns the position that they lead to.
     * Refuses when twenty people wait in the environment already.
     */
    follow(environmentId: string, after: number): Effect.Effect<{ readonly position: number }, ApiError>
  }
>()("@carteiro/runtime/webhooks/listen/EnvironmentEvents") {}
