import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"

/**
 * The delays in milliseconds before automatic attempts 1, 2, …, each after the failure before it. gaps-1 K "Retry
 * schedule"
 */
export type RetryDelays = ReadonlyArray<number>

/** One schedule for each kind of environment. */
export type RetrySchedules = { readonly [K in EnvironmentKind]: RetryDelays }

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The default schedules. gaps-1 K "Retry schedule" */
export const defaultRetrySchedules: RetrySchedules = {
  production: [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
  sandbox: [0, 5 * second, 30 * second]
}

/** Returns the factor of a delay, 0.9..1.1, from a uniform draw of 0..1. gaps-1 K "Retry schedule" */
export const jitterFactor = (draw: number): number => 0.9 + 0.2 * Math.min(1, Math.max(0, draw))

/**
 * Returns when attempt `attempt` (1 or more) is due after `from` (epoch milliseconds); `undefined` when the schedule
 * has no such attempt. `draw` is uniform in 0..1. gaps-1 K "Retry schedule"
 */
export const dueAt = (delays: RetryDelays, attempt: number, from: number, draw: number): number | undefined => {
  const delay = delays[attempt - 1]
  return delay === undefined ? undefined : from + Math.round(delay * jitterFactor(draw))
}
