import { Context } from "effect"
import { defaultRetrySchedules, type RetrySchedules } from "./RetrySchedule.ts"

/** An installation's settings of deliveries. gaps-1 K "Retry schedule", "Success, timeouts, redirects" */
export const DeliverySettings = Context.Reference<{
  readonly schedules: RetrySchedules
  /** Milliseconds until a connection must stand, and for a whole attempt. */
  readonly connectTimeoutMs: number
  readonly totalTimeoutMs: number
}>("@carteiro/runtime/webhooks/delivery/DeliverySettings", {
  defaultValue: () => ({ schedules: defaultRetrySchedules, connectTimeoutMs: 5_000, totalTimeoutMs: 15_000 })
})

/** Attempts of one endpoint that may be on the wire together, so that a slow receiver holds up nobody. gaps-1 K */
export const parallelAttempts = 10
