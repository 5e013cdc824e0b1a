/**
 * One kind of work that goes out of the installation as soon as a node runs: sends, charges, deliveries. After a restore
 * to an earlier point it is held, because it may have gone out before the loss. Decision 0066
 */
export interface OutwardWork {
  /** Plural, as the operator's command names it. */
  readonly kind: string
  readonly table: string
  /** The column beside the id that names the row. */
  readonly scope: "environment_id" | "account_id" | "organization_id"
  /** The column of the id; `id` when left out. */
  readonly id?: "id" | "account_id"
  /** SQL over the row `t`: true while its work waits to go out. Work due after the restore is held only where this says so. */
  readonly waits: string
  /** True when rows without a due instant wait, too. */
  readonly waitsWithoutDue?: boolean
  /** Further assignments of a release, where the work must first find out whether it went out. */
  readonly release?: string
  /** Assignments that end the work instead; undefined where a release asks the vendor by our id and repeats nothing. */
  readonly fail?: string
}

/** Later than every instant at which a node looks: work that is due then is held. */
const never = "'9999-12-31T00:00:00Z'::timestamptz"

/** Holds the work that is due by `$1`, and writes down when it was due. */
export const holdSql = ({
  id = "id",
  kind,
  scope,
  table,
  waits,
  waitsWithoutDue
}: OutwardWork): string => `with due as (
    select t.${scope} as scope, t.${id} as id, t.due_at from ${table} t
    where ${waits} and (t.due_at <= $1${waitsWithoutDue === true ? " or t.due_at is null" : ""}) for update
  ), held as (
    update ${table} t set due_at = ${never} from due d where t.${scope} = d.scope and t.${id} = d.id
    returning d.scope, d.id, d.due_at
  )
  insert into restore_holds (kind, scope, id, due_at, held_at) select '${kind}', scope, id, due_at, $1 from held
  on conflict do nothing`

const heldRows = ({ id = "id", kind, scope }: OutwardWork): string =>
  `h.kind = '${kind}' and ($1::text is null or h.id = $1) and t.${scope} = h.scope and t.${id} = h.id and t.due_at = ${never}`

/** Lets held work go; `$1` is one id, or null for all. Work that has ended meanwhile stays as it is. */
export const releaseSql = (work: OutwardWork): string => `with changed as (
    update ${work.table} t set due_at = h.due_at${work.release === undefined ? "" : `, ${work.release}`}
    from restore_holds h where ${heldRows(work)}
    returning h.scope, h.id
  ) ${forgetSql(work)}`

/** Ends held work; `$1` is one id, or null for all, and `$2` the present instant. */
export const failSql = (work: OutwardWork): string | undefined =>
  work.fail === undefined
    ? undefined
    : `with changed as (
    update ${work.table} t set ${work.fail} from restore_holds h where ${heldRows(work)}
    returning h.scope, h.id
  ) ${forgetSql(work)}`

// A hold whose work ended meanwhile is deleted as well: a person cancelled the work, or its vendor reported the end.
const forgetSql = ({ kind }: OutwardWork): string => `, forgotten as (
    delete from restore_holds h where h.kind = '${kind}' and ($1::text is null or h.id = $1) returning h.id
  )
  select (select count(*)::int4 from changed) as changed, (select count(*)::int4 from forgotten) as forgotten`
