import { failed, type HealthResult, passed } from "../HealthChecks.ts"

/**
 * A commit this far past its deadline, in milliseconds, shows that the committer hangs: its caller gave up long before.
 */
const hangsAfterMs = 10_000

/**
 * Returns the health of commits, from the deadline of the oldest one under way (undefined when there is none); both
 * arguments in epoch milliseconds.
 */
export const commitHealth = (givesUpAt: number | undefined, now: number): HealthResult =>
  givesUpAt === undefined || now - givesUpAt < hangsAfterMs
    ? passed("Commits move.")
    : failed("Commits do not move: the database does not tell their outcome, or this node hangs.")
