import { Context, Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** A node of a plan as `explain (format json)` tells it. */
export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Parent Relationship"?: string
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

/** The plan the database makes for a statement with its parameters. */
export const planOf = Effect.fnUntraced(function* ({ parameters, text }: Asked) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql
    .unsafe<{ readonly "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>(`explain (format json) ${text}`, [
      ...parameters
    ])
    .pipe(Effect.orDie)
  if (row === undefined) return yield* Effect.die(new Error(`no plan for ${text}`))
  return row["QUERY PLAN"][0].Plan
})

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
