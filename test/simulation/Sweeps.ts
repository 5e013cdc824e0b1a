import { Activations } from "@carteiro/owners/Cluster.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { Effect, type Fiber } from "effect"
import type { SqlClient } from "effect/sql"
import { type DueOwners, sweepFrom } from "../../packages/owners/schedule/Sweeper.ts"
import type { Course, Regular } from "./Course.ts"
import type { NodeServices } from "./Node.ts"
import { hour, minute, second } from "./World.ts"

/** Sweeps a second apart before what stays due is looked for once a minute. */
const patience = 20
/** Longest a row may stay due, in milliseconds: a number's longest queue at its rate, or a database in trouble. */
const longest = 2 * hour

/** One sweep over the owners of these kinds with something due. */
export const sweepOnce = Effect.fnUntraced(function* (due: ReadonlyArray<Effect.Effect<DueOwners>>) {
  const activations = yield* Activations
  for (const one of due) {
    const owners = yield* one
    yield* sweepFrom(owners, "", (id) => activations.wake(owners.type, id))
  }
})

/** The sweeper without its idle seconds: it looks when something is due, once a second. */
export class Sweeps implements Regular {
  private sweptAt = 0
  private inVain = 0
  /** The earliest due row, as of so many statements. */
  private due: { readonly at: number | undefined; readonly statements: number } | undefined
  private sweeping: Fiber.Fiber<unknown, unknown> | undefined
  private readonly course: Course
  private readonly sql: SqlClient.SqlClient
  private readonly begin: (effect: Effect.Effect<void, never, NodeServices>) => Effect.Effect<Fiber.Fiber<void>>

  constructor(course: Course, sql: SqlClient.SqlClient, begin: Sweeps["begin"]) {
    this.course = course
    this.sql = sql
    this.begin = begin
  }

  /** Another node sweeps from now on. */
  moved(): void {
    this.sweeping = undefined
  }

  get next(): Effect.Effect<number | undefined> {
    return Effect.gen({ self: this }, function* () {
      const { now, statements } = this.course
      if (this.due?.statements !== statements) {
        const at = yield* this.read
        if (at !== this.due?.at) this.inVain = 0
        this.due = { at, statements }
      }
      if (this.due.at === undefined) return undefined
      if (now - this.due.at > longest) return yield* Effect.die(new Error("due for hours, and nobody does it"))
      return Math.max(this.due.at, this.sweptAt + (this.inVain < patience ? second : minute), now)
    })
  }

  private get read(): Effect.Effect<number | undefined> {
    return Effect.map(
      Effect.orDie(this.sql<{ readonly due: number | null }>`select least(
          (select min(due_at) from webhook_attempts where status = 'pending'),
          (select min(due_at) from messages where due_at is not null)) as due`),
      ([row]) => row?.due ?? undefined
    )
  }

  get run(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      this.sweptAt = this.course.now
      this.inVain++
      if (this.sweeping !== undefined && this.sweeping.pollUnsafe() === undefined) return
      this.sweeping = yield* this.begin(Effect.ignoreCause(sweepOnce([Messages.room.due[0], Webhooks.room.due[0]])))
    })
  }
}
