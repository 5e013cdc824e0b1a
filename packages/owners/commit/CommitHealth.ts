import { failed, type HealthResult, passed } from "../HealthChecks.ts"

/** Whoever waits for a commit has long given up after so many milliseconds. */
const hangsAfterMs = 10_000

/**
 * Whether commits move, by the instant at which the oldest of them should have been given up, undefined when none is under
 * way; both in epoch milliseconds. Architecture, section 9
 */
export const commitHealth = (givesUpAt: number | undefined, now: number): HealthResult =>
  givesUpAt === undefined || now - givesUpAt < hangsAfterMs
    ? passed("Commits move.")
    : failed("Commits do not move: the database keeps their outcome to itself, or this node hangs.")
