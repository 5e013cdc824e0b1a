import { type Instruments, secondsBounds } from "@carteiro/owners/Instruments.ts"

/** Counts delivery attempts, by outcome. */
export const deliveryMetrics = (instruments: Instruments) => ({
  attempts: instruments.counter({
    name: "webhook_attempts_total",
    help: "Attempts by outcome",
    labels: ["outcome"]
  }),
  seconds: instruments.histogram({
    name: "webhook_attempt_duration_seconds",
    help: "Time of one attempt",
    labels: ["outcome"],
    bounds: secondsBounds
  })
})
