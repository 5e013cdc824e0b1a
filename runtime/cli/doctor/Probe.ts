import { failureText, sqlErrorsOf } from "@carteiro/tables/SqlFailure.ts"
import { Cause, Effect } from "effect"
import { type Finding, type Judgement, wrong } from "./Finding.ts"

/** The longest that one check takes. */
const deadline = "10 seconds"

/**
 * Runs one check and names its findings. One that gives no answer within ten seconds, or dies, is itself a finding: of a
 * failure only the database's own sentence is told, since others may hold what is secret.
 */
export const checked = <E, R>(
  check: string,
  look: Effect.Effect<ReadonlyArray<Judgement>, E, R>
): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  look.pipe(
    Effect.timeoutOrElse({
      duration: deadline,
      orElse: () => Effect.succeed([silent])
    }),
    Effect.catchCause((cause) => Effect.succeed([failedWith(cause)])),
    Effect.map((judgements) => judgements.map((judgement) => ({ check, ...judgement })))
  )

const silent = wrong(
  "This check got no answer within 10 seconds.",
  "Look again; if it stays so, what it asks is overloaded or away."
)

const failedWith = (cause: Cause.Cause<unknown>): Judgement => {
  const [failed] = sqlErrorsOf(cause)
  if (failed !== undefined) {
    return wrong(
      `PostgreSQL refused to answer: ${failureText(failed)}.`,
      "See that the role of DATABASE_URL owns its database."
    )
  }
  const error = Cause.squash(cause)
  return wrong(
    `This check failed (${error instanceof Error ? error.name : "unknown"}).`,
    "Report it: this is a fault of the doctor."
  )
}
