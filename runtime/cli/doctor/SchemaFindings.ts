import type { MigrationStatus } from "@carteiro/tables/Migrations.ts"
import { type Judgement, listed, problemsOr, wrong } from "./Finding.ts"

/** Returns how the schema at rest stands against the migrations of this release. */
export const schemaFindings = (status: ReadonlyArray<MigrationStatus>): ReadonlyArray<Judgement> => {
  const named = (state: MigrationStatus["state"]) => status.filter((one) => one.state === state).map(({ name }) => name)
  const [pending, changed, newer] = [named("pending"), named("changed"), named("newer")]
  const problems: Array<Judgement> = []
  if (pending.length > 0) {
    const waiting = `${pending.length} of ${status.length} migrations have not run: ${listed(pending)}.`
    problems.push(wrong(waiting, "Run npm run migrate of this release, then restart the nodes."))
  }
  if (changed.length > 0) {
    const edited = `The text of ${listed(changed)} is not the one that ran.`
    problems.push(wrong(edited, "Install this release again, and put a change of your own into a new file."))
  }
  if (newer.length > 0) {
    const ahead = `The database is ahead of this release: ${listed(newer)}.`
    problems.push(wrong(ahead, "Run the newer release on this machine too."))
  }
  return problemsOr(problems, `The schema is up to date with ${status.at(-1)?.name ?? "no migration"}.`)
}
