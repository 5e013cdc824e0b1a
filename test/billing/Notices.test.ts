import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import * as Billing from "@carteiro/runtime/billing/Billing.ts"
import { topupFailureRows } from "@carteiro/runtime/billing/notices/MoneyNotices.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"

const fail = Effect.fnUntraced(function* (organization_id: string, topup_id: string) {
  const at = yield* realNow
  const { mint } = yield* Ids
  const topup = { organization_id, id: topup_id, amount: 50_0000, isSimulated: false, at }
  yield* (yield* Commit).write(topupFailureRows(topup, "card_declined", mint))
})

it.layer(OwnerTest(billingRoom.services), { excludeTestServices: true })("A failed automatic top-up", (it) => {
  it.effect(
    "leaves one notice and one e-mail, however often the cause is reported C-ATOP-08 (gaps-3 E Failure notification)",
    () =>
      Effect.gen(function* () {
        const { organization_id, owner } = yield* seedTenant("failing")
        const stranger = yield* seedTenant("stranger")
        const notices = yield* Billing.Notices
        const now = yield* Clock.currentTimeMillis
        for (const topup of ["ctu_one", "ctu_one", "ctu_two"]) yield* fail(organization_id, topup)
        const open = yield* notices.open(organization_id)
        assert.deepStrictEqual(
          open.map(({ subject_id }) => subject_id),
          ["ctu_two", "ctu_one"]
        )
        assert.include(open[0]?.text, "R$ 50,00 failed (card declined)")
        const sql = yield* SqlClient.SqlClient
        const emails = yield* sql<{ readonly subject_id: string; readonly body: string }>`
        select subject_id, body from emails where organization_id = ${organization_id} order by id`
        assert.deepStrictEqual(
          emails.map(({ subject_id }) => subject_id),
          ["ctu_one", "ctu_two"]
        )
        assert.include(emails[0]?.body, "{dashboard}/billing")

        const first = open[0]?.id ?? ""
        yield* notices.dismiss(stranger.organization_id, first, stranger.owner.id, now)
        assert.strictEqual((yield* notices.open(organization_id)).length, 2)
        yield* notices.dismiss(organization_id, first, owner.id, now)
        yield* notices.dismiss(organization_id, first, owner.id, now)
        assert.deepStrictEqual(
          (yield* notices.open(organization_id)).map(({ subject_id }) => subject_id),
          ["ctu_one"]
        )
      })
  )
})
