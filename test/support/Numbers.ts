import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { fictitiousNumber } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An active number of an environment. */
export interface TestNumber {
  readonly id: string
  readonly environment_id: string
  readonly kind: EnvironmentKind
  readonly phone: string
}

/** Inserts an active number, the way environments and the demonstration get theirs. */
export const seedNumber = Effect.fnUntraced(function* (environment: {
  readonly id: string
  readonly kind: EnvironmentKind
}) {
  const ids = yield* Ids
  const commit = yield* Commit
  const sql = yield* SqlClient.SqlClient
  const at = yield* Clock.currentTimeMillis
  const id = ids.mint("pn", at)
  yield* commit.write([fictitiousNumber({ environment_id: environment.id, id, kind: environment.kind, at })])
  const [row] = yield* sql<{ readonly phone: string }>`select phone from phone_numbers where id = ${id}`
  return { id, environment_id: environment.id, kind: environment.kind, phone: row?.phone ?? "" } satisfies TestNumber
}, Effect.orDie)

/** Inserts an environment with one active number, for tests that need no tenant. */
export const seedSender = Effect.fnUntraced(function* (kind: EnvironmentKind = "sandbox") {
  const ids = yield* Ids
  const at = yield* Clock.currentTimeMillis
  return yield* seedNumber({ id: ids.mint("env", at), kind })
})
