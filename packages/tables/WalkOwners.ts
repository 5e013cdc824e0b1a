import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { instant } from "./Parameters.ts"
import { many } from "./Read.ts"

/** One page of a walk; see `DuePage` of the sweeper. */
interface Slice {
  readonly ids: ReadonlyArray<string>
  readonly next: string | undefined
}

/** One select of the columns `owner` and `due_at`, or several whose owners are the same: each has its own index. */
type Waiting = readonly [string, ...ReadonlyArray<string>]

/** Returns SQL of the least value that any of the selects has first; none of them is sorted as a whole. */
const leastOf = (column: "owner" | "due_at", waiting: Waiting, where: string): string => {
  const firsts = waiting.map(
    (rows) => `(select r.${column} from (${rows}) r where ${where} order by r.${column} limit 1)`
  )
  return firsts.length === 1 ? `${firsts[0]}` : `(select min(f.${column}) from (${firsts.join(" union all ")}) f)`
}

/**
 * Walks over the owners with waiting rows, for the sweeper: from one owner to the next along an index of owner and
 * `due_at`, so that an owner's thousands cost one step.
 */
export const walkOwners = (
  ...waiting: Waiting
): ((now: number, after: string, limit: number) => Effect.Effect<Slice, never, SqlClient.SqlClient>) => {
  const text = `with recursive walk as (
      select ${leastOf("owner", waiting, "r.owner > $1")} as id, 1 as n
      union all
      select ${leastOf("owner", waiting, "r.owner > w.id")}, w.n + 1
      from walk w where w.id is not null and w.n < $2::int4
    )
    select w.id, ${leastOf("due_at", waiting, "r.owner = w.id")} <= $3 as due
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
export const sliceOf = (owners: ReadonlyArray<Walked>, limit: number): Slice => ({
  ids: owners.filter(({ due }) => due).map(({ id }) => id),
  next: owners.length < limit ? undefined : owners.at(-1)?.id
})

/**
 * Returns SQL that finds the owners of one tenant with waiting rows, as `id`, and the first due instant of each, as
 * `due_at`. `owners` is a select of ids; in it and in `waiting` `$1` is the tenant.
 */
export const ownersOfTenant = (owners: string, ...waiting: Waiting): string =>
  `select d.id, d.due_at from (select o.id, ${leastOf("due_at", waiting, "r.owner = o.id")} as due_at from (${owners}) o) d
    where d.due_at is not null`
