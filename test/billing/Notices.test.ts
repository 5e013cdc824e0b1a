import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { topupFailureRows } from "@carteiro/runtime/billing/notices/MoneyNotices.ts"
import { NoticeRepo } from "@carteiro/runtime/billing/notices/NoticeRepo.ts"
import { dismissNotice } from "@carteiro/runtime/billing/notices/NoticeWrites.ts"
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

const openOf = (organizationId: string) =>
  Effect.provide(
    Effect.flatMap(NoticeRepo, (repo) => repo.open(organizationId)),
    NoticeRepo.layer
  )

const dismiss = Effect.fnUntraced(function* (organization_id: string, id: string, dismissed_by: string) {
  const dismissed_at = yield* Clock.currentTimeMillis
  yield* (yield* Commit).write([dismissNotice.row({ organization_id, id, dismissed_at, dismissed_by })])
})

it.layer(OwnerTest(billingRoom.services), { excludeTestServices: true })("A failed automatic top-up", (it) => {
  it.effect(
    "leaves one notice and one e-mail, however often the cause is reported C-ATOP-08 (gaps-3 E Failure notification)",
    () =>
      Effect.gen(function* () {
        const { organization_id, owner } = yield* seedTenant("failing")
        const stranger = yield* seedTenant("stranger")
        for (const topup of ["ctu_one", "ctu_one", "ctu_two"]) yield* fail(organization_id, topup)
        const open = yield* openOf(organization_id)
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
        yield* dismiss(stranger.organization_id, first, stranger.owner.id)
        assert.strictEqual((yield* openOf(organization_id)).length, 2)
        yield* dismiss(organization_id, first, owner.id)
        yield* dismiss(organization_id, first, owner.id)
        assert.deepStrictEqual(
          (yield* openOf(organization_id)).map(({ subject_id }) => subject_id),
          ["ctu_one"]
        )
      })
  )
})
