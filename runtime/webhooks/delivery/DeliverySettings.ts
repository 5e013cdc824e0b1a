import { Context } from "effect"
import { defaultRetrySchedules, type RetrySchedules } from "./RetrySchedule.ts"

/** An installation's settings of deliveries. gaps-1 K "Retry schedule", "Success, timeouts, redirects" */
export const DeliverySettings = Context.Reference<{
  readonly schedules: RetrySchedules
  /** The timeouts of a connection and of a whole attempt, in milliseconds. */
  readonly connectTimeoutMs: number
  readonly totalTimeoutMs: number
}>("@carteiro/runtime/webhooks/delivery/DeliverySettings", {
  defaultValue: () => ({ schedules: defaultRetrySchedules, connectTimeoutMs: 5_000, totalTimeoutMs: 15_000 })
})

/** The most concurrent attempts of one endpoint, so that a slow receiver delays no other endpoint. gaps-1 K */
export const parallelAttempts = 10
