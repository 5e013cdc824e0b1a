import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { type RealInstant, realNow } from "@carteiro/owners/RealTime.ts"
import {
  lateInvoiceRows,
  lateTopupRows,
  refundedInvoiceRows,
  topupFailureRows
} from "@carteiro/runtime/billing/notices/MoneyNotices.ts"
import { NoticeRepo } from "@carteiro/runtime/billing/notices/NoticeRepo.ts"
import { dismissNotice } from "@carteiro/runtime/billing/notices/NoticeWrites.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { type NoticeTextName, noticeTexts } from "@carteiro/schema/billing/NoticeTexts.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
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
        const emails = yield* sql<{
          readonly subject_id: string
          readonly body: string
          readonly translations: JsonText<{ readonly pt: { readonly subject: string; readonly body: string } }>
        }>`select subject_id, body, translations from emails where organization_id = ${organization_id} order by id`
        assert.deepStrictEqual(
          emails.map(({ subject_id }) => subject_id),
          ["ctu_one", "ctu_two"]
        )
        assert.include(emails[0]?.body, "{dashboard}/billing")
        const { pt } = readJson(emails[0]?.translations ?? jsonText({ pt: { subject: "", body: "" } }))
        assert.strictEqual(pt.subject, "A recarga automática falhou")
        assert.match(pt.body, /^Uma recarga automática de R\$ 50,00 falhou \(cartão recusado\)\. Nada foi cobrado/)
        assert.match(pt.body, /cartão:\n\{dashboard\}\/billing\/cards\n\n.*\n\nRecarga ctu_one\n$/s)

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

it("every notice and e-mail has the same values in each language, and none is left over", () => {
  const refunds = ["plan_ended", "debited", "nothing"] as const
  const invoice = { organization_id: "org_1", id: "inv_1", amount: 9_9900, isSimulated: true, at: 0 as RealInstant }
  const mint = (prefix: string) => `${prefix}_1`
  const rows = [
    ...topupFailureRows(invoice, "processing_error", mint),
    ...lateTopupRows(invoice, mint),
    ...lateInvoiceRows(invoice, true, mint),
    ...lateInvoiceRows(invoice, false, mint),
    ...refunds.flatMap((follows) => refundedInvoiceRows(invoice, follows, mint))
  ]
  const texts = rows.flatMap(({ values }) => Object.values(values).filter((value) => typeof value === "string"))
  assert.isAbove(texts.length, 40)
  for (const text of texts) assert.notMatch(text.replaceAll("{dashboard}", ""), /\{[a-z_]+\}/)
  for (const name of Object.keys(noticeTexts.en) as ReadonlyArray<NoticeTextName>) {
    const placesIn = (text: string) => text.match(/\{[a-z_]+\}/g)?.toSorted()
    assert.deepStrictEqual(placesIn(noticeTexts.pt[name]), placesIn(noticeTexts.en[name]), name)
  }
})
