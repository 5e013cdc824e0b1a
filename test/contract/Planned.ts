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

/** Runs a statement as a prepared one, by the plan that the database keeps for all values; returns what each node read. */
export const ranBy = Effect.fnUntraced(function* ({ parameters, text }: Asked) {
  const sql = yield* SqlClient.SqlClient
  const given = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`
  const rows = yield* Effect.gen(function* () {
    yield* sql.unsafe(`prepare looked_at as ${text}`).unprepared
    const found = yield* sql.unsafe<Explained>(
      `explain (analyze, timing off, buffers off, format json) execute looked_at${given}`
    ).unprepared
    yield* sql`deallocate looked_at`.unprepared
    return found
  }).pipe(sql.withTransaction, Effect.orDie)
  return yield* planIn(rows, text)
})

/** A parameter as SQL writes it. */
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  if (typeof value === "number" || typeof value === "boolean") return `'${value}'`
  if (Array.isArray(value)) return quoted(`{${value.map((one) => JSON.stringify(one)).join(",")}}`)
  if (typeof value !== "object" || !("oid" in value && "value" in value)) return quoted(String(value))
  return value.oid === PgTypes.OID.timestamptz ? instantLiteral(Number(value.value)) : literal(value.value)
}

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
