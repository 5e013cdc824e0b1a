import * as Billing from "@carteiro/runtime/billing/Billing.ts"
import { Ids } from "@carteiro/runtime/platform/ids/Ids.ts"
import { Activations } from "@carteiro/runtime/platform/owner/activation/Activations.ts"
import { type DueOwners, sweepFrom } from "@carteiro/runtime/platform/owner/schedule/Sweeper.ts"
import { Clock, Effect, Layer } from "effect"
import { assert } from "vitest"
import type { NodeServices } from "./Node.ts"
import { fence } from "./OwnersRun.ts"
import type { Ground } from "./Playing.ts"
import { minute, second } from "./World.ts"

/** After an instant at which something is due, so much is lived through. */
export const livedMs = 5 * second

/** A world with the account of one organization. */
export interface AccountRun extends Ground {
  readonly account: string
  readonly project: string
  readonly environment: string
  /** Whose owners the sweeper looks for. */
  readonly due: ReadonlyArray<Effect.Effect<DueOwners>>
}

/** What happens to the nodes of a world. */
export type Disturbance =
  | { readonly kind: "fence" }
  | { readonly kind: "loses"; readonly count: number }
  | { readonly kind: "takeOver" | "stop"; readonly after: number }
  | { readonly kind: "wake" }

/** Makes an organization with the production environment of a project. */
export const openAccount = Effect.fnUntraced(function* (
  { nodes, sql }: Ground,
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
export const ask = <E>({ nodes }: Ground, waits: boolean, effect: Effect.Effect<unknown, E, NodeServices>) =>
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

/** Does to the nodes what a schedule says. */
export const disturb = (run: Ground, action: Disturbance): Effect.Effect<unknown, unknown> => {
  const { nodes } = run
  switch (action.kind) {
    case "fence":
      return fence(run)
    case "loses":
      return Effect.sync(() => {
        nodes.trouble.losses = action.count
      })
    case "takeOver":
    case "stop":
      return Effect.andThen(
        nodes.few(action.after),
        Effect.suspend(() => (action.kind === "stop" ? nodes.stop : nodes.takeOver))
      )
    case "wake":
      return Effect.sync(() => nodes.wake())
  }
}

/** The sweeper looks for owners with something due, and so much time passes. */
export const look = ({ due, nodes }: AccountRun, millis: number) =>
  Effect.andThen(
    nodes.begin(
      Effect.ignoreCause(
        Effect.gen(function* () {
          const activations = yield* Activations
          for (const one of due) {
            const found = yield* one
            yield* sweepFrom(found, "", (id) => activations.wake(found.type, id))
          }
        })
      )
    ),
    nodes.turn(millis)
  )

/** Goes from one instant at which something is due straight to the next; `nextDue` reads the first behind an instant. */
export const pass = <E>(
  run: AccountRun,
  millis: number,
  nextDue: (now: Date) => Effect.Effect<ReadonlyArray<{ readonly next: number | null }>, E>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { course } = run
    const until = course.now + millis
    while (course.now < until) {
      yield* look(run, Math.min(livedMs, until - course.now))
      const [row] = yield* nextDue(new Date(course.now))
      const next = Math.min(row?.next ?? until, until)
      if (next > course.now + minute) yield* course.leap(next)
    }
    yield* look(run, livedMs)
  }).pipe(Effect.orDie)

const verified = Effect.flatMap(Billing.LedgerAudit, ({ verify }) => verify)

/** No invariant of the ledger is broken, whatever is under way. gaps-3 D "Invariants" */
export const ledgerHolds = ({ nodes }: Ground) =>
  Effect.map(nodes.beside(Effect.provide(verified, Layer.fresh(Billing.LedgerAudit.layer))), (findings) =>
    assert.deepStrictEqual(
      findings.filter(({ broken }) => broken.length > 0),
      []
    )
  )

/** Nobody disturbs the world any more. */
export const calm = ({ nodes }: Ground) =>
  Effect.suspend(() => {
    nodes.trouble.losses = 0
    return nodes.endFormer
  })
