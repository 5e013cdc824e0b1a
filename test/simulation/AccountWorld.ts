import { Ids } from "@carteiro/owners/Ids.ts"
import * as Billing from "@carteiro/runtime/billing/Billing.ts"
import { LedgerAudit } from "@carteiro/runtime/billing/Operator.ts"
import { Clock, Effect, Layer } from "effect"
import { assert } from "vitest"
import type { NodeServices } from "./Node.ts"
import type { Passing } from "./Passing.ts"
import type { SimulationContext } from "./Playing.ts"
import { second } from "./World.ts"

/** After an instant at which something is due, so much is lived through. */
export const livedMs = 5 * second

/** A world with the account of one organization. */
export interface AccountRun extends Passing {
  readonly account: string
  readonly project: string
  readonly environment: string
}

/** Makes an organization with the production environment of a project. */
export const openAccount = Effect.fnUntraced(function* (
  { nodes, sql }: SimulationContext,
  at: number
): Effect.fn.Return<Pick<AccountRun, "account" | "environment" | "project">, unknown> {
  const ids = yield* nodes.on(
    Effect.map(Ids, (mint) => ({
      account: mint.mint("org", at),
      project: mint.mint("prj", at),
      environment: mint.mint("env", at)
    }))
  )
  const { account, environment, project } = ids
  const now = new Date(at)
  yield* sql`insert into organizations (id, name, created_at) values (${account}, 'World', ${now})`
  yield* sql`insert into organization_counters (organization_id, active_projects) values (${account}, 1)`
  yield* sql`insert into projects (organization_id, id, name, slug, created_at, updated_at)
    values (${account}, ${project}, 'World', 'world', ${now}, ${now})`
  yield* sql`insert into environments (id, organization_id, project_id, kind, created_at)
    values (${environment}, ${account}, ${project}, 'production', ${now})`
  return ids
})

/** Asks, on the node there is; whatever the answer is. `waits`: until it is answered. */
export const ask = <E>({ nodes }: SimulationContext, waits: boolean, effect: Effect.Effect<unknown, E, NodeServices>) =>
  Effect.gen(function* () {
    const call = yield* nodes.begin(Effect.exit(effect))
    if (waits) yield* nodes.wait(call)
  })

/** An operator credits or debits the account, in 1/10,000 BRL. */
export const correct = (run: AccountRun, type: "credit" | "debit", amount: number) =>
  ask(
    run,
    true,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* (yield* Billing.Corrections).ask(run.account, { type, amount, source: "manual", reason: "world" }, now)
    })
  )

const verified = Effect.flatMap(LedgerAudit, ({ verify }) => verify)

/** No invariant of the ledger is broken, whatever is under way. gaps-3 D "Invariants" */
export const ledgerHolds = ({ nodes }: SimulationContext) =>
  Effect.map(nodes.beside(Effect.provide(verified, Layer.fresh(LedgerAudit.layer))), (findings) =>
    assert.deepStrictEqual(
      findings.filter(({ broken }) => broken.length > 0),
      []
    )
  )
