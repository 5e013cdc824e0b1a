import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** A node of a plan as `explain (format json)` tells it. */
export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Parent Relationship"?: string
  /** Rows of each loop, of a statement that ran. */
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

interface Asked {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** What the product really asks the database while a test looks on. */
export class Statements extends Context.Service<
  Statements,
  {
    /** The statements that ran while `effect` did, whoever ran them. */
    during<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, ReadonlyArray<Asked>], E, R>
  }
>()("@carteiro/test/contract/Statements") {
  /** Must lie beneath everything whose statements are looked at. */
  static readonly layer = Layer.effectContext(
    Effect.sync(() => {
      let seen: Array<Asked> | undefined
      const look: Statement.Transformer = (statement) =>
        Effect.sync(() => {
          if (seen !== undefined) {
            const [text, parameters] = statement.compile()
            seen.push({ text, parameters })
          }
          return statement
        })
      const during = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const mine: Array<Asked> = []
          seen = mine
          return Effect.ensuring(
            Effect.map(effect, (value) => [value, mine] as const),
            Effect.sync(() => {
              seen = undefined
            })
          )
        })
      return Context.make(Statements, Statements.of({ during })).pipe(Context.add(Statement.CurrentTransformer, look))
    })
  )
}

interface Explained {
  readonly "QUERY PLAN": readonly [{ readonly Plan: PlanNode }]
}

const planIn = ([row]: ReadonlyArray<Explained>, text: string) =>
  row === undefined ? Effect.die(new Error(`no plan for ${text}`)) : Effect.succeed(row["QUERY PLAN"][0].Plan)

/** The plan the database makes for a statement with its parameters. */
export const planOf = Effect.fnUntraced(function* ({ parameters, text }: Asked) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.unsafe<Explained>(`explain (format json) ${text}`, [...parameters]).pipe(Effect.orDie)
  return yield* planIn(rows, text)
})

/** Runs an effect in a transaction that is rolled back, so that the next look finds the same rows. */
export const rolledBack = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.flip(sql.withTransaction(Effect.flatMap(Effect.orDie(effect), (value) => Effect.fail({ value })))).pipe(
      Effect.flatMap((ended) => ("value" in ended ? Effect.succeed(ended.value) : Effect.die(ended)))
    )
  )

/** Runs a statement as a prepared one, by the plan that the database keeps for all values; returns what each node read. */
export const ranBy = Effect.fnUntraced(function* ({ parameters, text }: Asked) {
  const sql = yield* SqlClient.SqlClient
  const among = (list: ReadonlyArray<string>) => (list.length === 0 ? "" : `(${list.join(", ")})`)
  const rows = yield* Effect.gen(function* () {
    yield* sql.unsafe(`prepare looked_at ${among(parameters.map(typeOf))} as ${text}`).unprepared
    return yield* sql.unsafe<Explained>(
      `explain (analyze, timing off, buffers off, format json) execute looked_at ${among(parameters.map(literal))}`
    ).unprepared
  }).pipe(rolledBack, Effect.ensuring(Effect.ignore(sql`deallocate looked_at`.unprepared)))
  return yield* planIn(rows, text)
})

/** The type of a parameter: the one that its value names, or the one that PostgreSQL infers. */
const typeOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "oid" in value && value.oid === PgTypes.OID.timestamptz
    ? "timestamptz"
    : "unknown"

/** A parameter as SQL writes it. */
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  if (typeof value === "number" || typeof value === "boolean") return `'${value}'`
  if (Buffer.isBuffer(value)) return quoted(bytesText(value))
  if (Array.isArray(value)) {
    const texts = value.map((one) => JSON.stringify(Buffer.isBuffer(one) ? bytesText(one) : one))
    return quoted(`{${texts.join(",")}}`)
  }
  if (typeof value !== "object" || !("oid" in value && "value" in value)) return quoted(String(value))
  return value.oid === PgTypes.OID.timestamptz ? instantLiteral(Number(value.value)) : literal(value.value)
}

const bytesText = (bytes: Buffer): string => `\\x${bytes.toString("hex")}`

const instantLiteral = (millis: number): string =>
  Number.isFinite(millis) ? `'${new Date(millis).toISOString()}'` : `'${millis > 0 ? "" : "-"}infinity'`

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A node and all beneath it. */
export const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Whether rows of a table are sorted as they are read: not once a limit has bounded them, not beside the node. */
export const sortsTable = (plan: PlanNode, table: string): boolean => {
  const feeds = (node: PlanNode): boolean =>
    node["Relation Name"] === table ||
    (node.Plans ?? []).some(
      (child) => child["Parent Relationship"] !== "InitPlan" && child["Node Type"] !== "Limit" && feeds(child)
    )
  return nodesOf(plan).some((node) => /Sort/.test(node["Node Type"]) && feeds(node))
}
