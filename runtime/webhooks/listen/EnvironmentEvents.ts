import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"

/** One event as the dashboard shows it. */
export interface ShownEvent {
  readonly id: string
  readonly type: string
  /** Epoch milliseconds. */
  readonly created_at: number
  /** The envelope; members that its event declares secret are masked. */
  readonly envelope: unknown
}

/** The stream of one environment for the dashboard, in the order that every listener sees. */
export class EnvironmentEvents extends Context.Service<
  EnvironmentEvents,
  {
    /** Returns the last events, newest first. */
    latest(environmentId: string, count: number): Effect.Effect<ReadonlyArray<ShownEvent>, ApiError>
    /** Returns the position at the stream's end. */
    end(environmentId: string): Effect.Effect<number, ApiError>
    /**
     * Waits for events after a position, at most 15 seconds, and returns the position after them. Refuses when twenty
     * people already wait in the environment.
     */
    follow(environmentId: string, after: number): Effect.Effect<{ readonly position: number }, ApiError>
  }
>()("@carteiro/runtime/webhooks/listen/EnvironmentEvents") {}
