import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { instant } from "./Parameters.ts"
import { many } from "./Read.ts"

/** One page of a walk; see `DuePage` of the sweeper. */
interface Slice {
  readonly ids: ReadonlyArray<string>
  readonly next: string | undefined
}

/**
 * Walks over the owners with waiting rows, for the sweeper: from one owner to the next along an index of owner and
 * `due_at`, so that an owner's thousands cost one step. `rows` is a select of both columns.
 */
export const walkOwners = (
  rows: string
): ((now: number, after: string, limit: number) => Effect.Effect<Slice, never, SqlClient.SqlClient>) => {
  const text = `with recursive walk as (
      (select r.owner as id, 1 as n from (${rows}) r where r.owner > $1 order by r.owner limit 1)
      union all
      select (select r.owner from (${rows}) r where r.owner > w.id order by r.owner limit 1), w.n + 1
      from walk w where w.id is not null and w.n < $2::int4
    )
    select w.id, (select r.due_at from (${rows}) r where r.owner = w.id order by r.due_at limit 1) <= $3 as due
    from walk w where w.id is not null order by w.id`
  return (now, after, limit) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(many(sql.unsafe<Walked>(text, [after, limit, instant(now)])), (found) => sliceOf(found, limit))
    )
}

interface Walked {
  readonly id: string
  readonly due: boolean
}

/** Returns the page that rows of a walk make: the due owners, and the place to continue when there may be more. */
export const sliceOf = (found: ReadonlyArray<Walked>, limit: number): Slice => ({
  ids: found.filter(({ due }) => due).map(({ id }) => id),
  next: found.length < limit ? undefined : found.at(-1)?.id
})

/**
 * Returns SQL that finds the owners of one tenant with waiting rows, as `id`, and the first due instant of each, as
 * `due_at`. `owners` is a select of ids and `rows` one of `owner` and `due_at`; in both `$1` is the tenant.
 */
export const ownersOfTenant = (owners: string, rows: string): string =>
  `select o.id, d.due_at from (${owners}) o cross join lateral (
    select r.due_at from (${rows}) r where r.owner = o.id order by r.due_at limit 1) d`
