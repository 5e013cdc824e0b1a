import { Ids } from "@carteiro/owners/Ids.ts"
import { ConnectedNumber } from "@carteiro/provider/NumberHealth.ts"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { TestNumber } from "../support/Numbers.ts"

/** The platform ids that the connection of every environment can reach. */
export const reached = new Set<string>()

/** A platform without sockets that can reach the numbers in `reached`. */
export const connectedPlatform = Layer.succeed(ConnectedNumber, ({ upstream_phone_number_id }) =>
  Effect.sync(() => (reached.has(upstream_phone_number_id) ? { biz_account_id: "biz_1" } : undefined))
)

let phones = 0

/** A phone that no other test of the file uses. */
export const phone = () => `+55119${String(70_000_000 + ++phones)}`

/** Turns a number into an imported one. */
export const enroll = Effect.fnUntraced(function* (number: TestNumber) {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const now = yield* Clock.currentTimeMillis
  const id = ids.mint("pn", now).replace("pn_", "nme_")
  yield* sql`insert into numprov_enrollments (environment_id, id, phone_number_id, status, provider_connection_id,
      provider_number_id, terms_version, enrolled_at)
    values (${number.environment_id}, ${id}, ${number.id}, 'active', 'npc_1', ${`own_${number.id}`}, 'numprov_byok_v1',
      ${new Date(now)})`
}, Effect.orDie)
