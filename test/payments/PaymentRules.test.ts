import type { PixCheckout } from "@carteiro/provider/payments/PixProvider.ts"
import { bankRefusal, sandboxBanks } from "@carteiro/runtime/payments/agentic/AgenticBanks.ts"
import { expiryOf } from "@carteiro/runtime/payments/agentic/Authorization.ts"
import { endOf } from "@carteiro/runtime/payments/payment/Ending.ts"
import { lateOutcomeOf, type PaymentOutcome } from "@carteiro/runtime/payments/payment/Payment.ts"
import {
  judgePaymentRequest,
  type PaymentSeen,
  type PaymentTask
} from "@carteiro/runtime/payments/payment/PaymentTask.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const minuteMs = 60_000
const outcomes = ["paid", "failed", "expired", "cancelled"] as const
const now = 10 * 24 * 60 * minuteMs

const bare: PaymentTask = {
  environment_id: "env_1",
  id: "pay_1",
  environment: "production",
  account_id: "org_1",
  status: "link_pending",
  amount: 125_5000,
  description: null,
  customer_name: null,
  customer_tax_id: null,
  customer_phone: null,
  customer_email: null,
  external_reference: null,
  metadata: null,
  provider: "pixprov2",
  provider_connection_id: "pcn_1",
  mode: "hosted_checkout",
  expires_in_seconds: 86_400,
  payment_link_url: null,
  pix_copy_paste: null,
  pix_qr_code_base64: null,
  provider_payment_id: null,
  provider_approval_id: null,
  provider_metadata: null,
  trace_id: "trace",
  rate_card_id: "rct_2026_01",
  initiation_amount: 4900,
  initiation_reservation_id: "rsv_1",
  completion_rate: 100,
  completion_amount: 12_550,
  completion_reservation_id: "rsv_2",
  completion_state: "held",
  created_at: 0,
  updated_at: 0,
  link_generated_at: null,
  approval_requested_at: null,
  approved_at: null,
  paid_at: null,
  failed_at: null,
  expired_at: null,
  cancelled_at: null,
  cancel_requested_at: null,
  step: "create",
  due_at: 0,
  called_at: null,
  doubt_at: null,
  absent_at: null,
  approval_due: false,
  cancel_due: false,
  approval_note: null,
  success_url: null,
  hint_event_id: null,
  hint_event_type: null,
  hint_status: null,
  hint_at: null
}

const charge: PixCheckout = {
  _tag: "Charge",
  id: "chk_1",
  external_id: "pay_1",
  amount_centavos: 12_550,
  status: "pending",
  payment_url: "https://pay.example/1",
  pix_copy_paste: null,
  pix_qr_code_base64: null,
  expires_at: null
}

const task = fc.record({
  step: fc.constantFrom("create" as const, "find" as const, "read" as const),
  status: fc.constantFrom(
    "link_pending" as const,
    "link_generated" as const,
    "approval_requested" as const,
    ...outcomes
  ),
  completion_state: fc.constantFrom("held" as const, "released" as const, "settled" as const),
  provider_payment_id: fc.constantFrom(null, "chk_1"),
  called_at: fc.constantFrom(null, now - 5 * minuteMs, now - 11 * minuteMs, now - 80 * minuteMs),
  absent_at: fc.constantFrom(null, now - 60 * minuteMs),
  cancel_due: fc.boolean(),
  approval_due: fc.boolean()
})

const answer = fc.oneof(
  fc.constantFrom({ _tag: "Unknown" as const }, { _tag: "Absent" as const }, { _tag: "Unsent" as const }),
  fc.constant({ _tag: "Refused" as const, code: "x" }),
  fc
    .record({
      status: fc.constantFrom("pending" as const, "approved" as const, ...outcomes),
      amount_centavos: fc.constantFrom(null, 12_550, 12_551),
      external_id: fc.constantFrom("pay_1", "pay_2"),
      payment_url: fc.constantFrom(null, "https://pay.example/1")
    })
    .map((more): PixCheckout => ({ ...charge, ...more }))
)

describe("A look-up of a payment", () => {
  it('ends or links it only for our charge and our amount, or for a refused create gaps-3 G "Trust in webhook content" C-FEE-31', () => {
    fc.assert(
      fc.property(task, answer, (more, seen) => {
        const one: PaymentTask = { ...bare, ...more }
        const judged = judgePaymentRequest(one, { charge: seen } as PaymentSeen, now)
        const isOurs = seen._tag === "Charge" && seen.external_id === "pay_1" && seen.amount_centavos !== 12_551
        switch (judged._tag) {
          case "Link":
            return assert.isTrue(isOurs && one.status === "link_pending")
          case "End": {
            assert.isTrue(isOurs || (seen._tag === "Refused" && one.step === "create"))
            const { is_proven, outcome } = judged.end
            // A fee is released for a refused create, or for a charge that the provider had named before this look-up.
            if (outcome !== "paid" && is_proven && isOurs) assert.isNotNull(one.provider_payment_id)
            return
          }
          case "Progress": {
            const { due_at, step } = judged.progress
            assert.strictEqual(step === null, due_at === null)
            if (due_at !== null) assert.isAtLeast(due_at, now)
            // A payment with a held fee, or without an end, is never given up.
            const isOver = (outcomes as ReadonlyArray<string>).includes(one.status) && one.completion_state !== "held"
            if (due_at === null) assert.isTrue(isOver)
            // A create is sent again only after two look-ups found nothing, the second 70 minutes after it.
            if (step === "create" && seen._tag !== "Unsent") {
              assert.isTrue(
                seen._tag === "Absent" && one.absent_at !== null && now - (one.called_at ?? now) >= 70 * minuteMs
              )
            }
          }
        }
      })
    )
  })

  it('follows two minutes after the end of its charge, while it is open gaps-3 C "Recovery schedule"', () => {
    const open = { ...charge, status: "pending" } as const
    const at = (more: Partial<PaymentTask>, time: number) => {
      const one: PaymentTask = { ...bare, step: "read", status: "link_generated", doubt_at: 0, ...more }
      const judged = judgePaymentRequest({ ...one, provider_payment_id: charge.id }, { charge: open }, time)
      return judged._tag === "Progress" ? (judged.progress.due_at ?? 0) / minuteMs : judged._tag
    }
    const short = { expires_in_seconds: 600 }
    assert.deepStrictEqual(
      [5, 12, 15].map((minutes) => at(short, minutes * minuteMs)),
      [12, 15, 60]
    )
    assert.strictEqual(at({ ...short, status: "cancelled" }, 5 * minuteMs), 15)
    const dayAfter = 24 * 60
    assert.strictEqual(at({}, (dayAfter - 30) * minuteMs), dayAfter + 2)
  })

  it('does not change it without a provider gaps-3 G "Provider selected but setting missing"', () => {
    const judged = judgePaymentRequest(bare, { charge: { _tag: "Unsent" } }, now)
    assert.deepInclude(judged._tag === "Progress" ? judged.progress : {}, {
      step: "create",
      called_at: null,
      due_at: now + minuteMs
    })
  })
})

describe("An outcome of a payment", () => {
  it("never changes a final status, moves a fee once, and tells a late outcome once, in any order C-PAY-26 C-FEE-21", () => {
    const said = fc.record({
      outcome: fc.constantFrom<PaymentOutcome>(...outcomes),
      is_proven: fc.boolean(),
      provider_payment_id: fc.constantFrom(null, "chk_1"),
      sandbox_metadata: fc.constant(null)
    })
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 8 }), (order) => {
        let row = { ...bare }
        let moves = 0
        const told: Array<PaymentOutcome | undefined> = []
        const [first] = order
        for (const one of order) {
          const { after, due_at, fee, late } = endOf(row, one, now)
          if (late !== undefined) told.push(lateOutcomeOf(late)?.status)
          if (fee !== undefined) moves++
          if (fee === "settled") assert.strictEqual(one.outcome, "paid")
          if (fee === "released") assert.isTrue(one.is_proven && one.outcome !== "paid")
          assert.strictEqual(due_at === null, after.completion_state !== "held")
          row = { ...row, ...after }
        }
        assert.strictEqual(row.status, first?.outcome)
        assert.isAtMost(moves, 1)
        const stamps = [row.paid_at, row.failed_at, row.expired_at, row.cancelled_at].filter((at) => at !== null)
        assert.lengthOf(stamps, 1)
        // The first outcome that contradicts the end is told, and money after it once more: nothing hides money.
        const contradicting = order.map(({ outcome }) => outcome).filter((outcome) => outcome !== first?.outcome)
        const wanted = contradicting.filter((outcome, at) =>
          at === 0 ? true : outcome === "paid" && !contradicting.slice(0, at).includes("paid")
        )
        assert.deepStrictEqual(told, wanted)
        assert.strictEqual(lateOutcomeOf(row)?.status, wanted.at(-1))
      })
    )
  })
})

describe("A new agentic authorization", () => {
  it('is valid for 90 days, or until an instant within 366 days gaps-3 C "Agentic authorizations"', () => {
    const now = Date.parse("2026-01-01T00:00:00Z")
    const day = 86_400_000
    const until = (at: number) => expiryOf(new Date(at).toISOString(), now)
    assert.strictEqual(expiryOf(undefined, now), now + 90 * day)
    assert.strictEqual(until(now + 366 * day), now + 366 * day)
    for (const outside of [until(now), until(now + 366 * day + 1), expiryOf("tomorrow", now)]) {
      assert.include(outside, { _tag: "invalid_payment_request", param: "expires_at" })
    }
  })

  it('is for a listed bank that takes authorizations, or for any while there is no list gaps-3 C "Agentic banks"', () => {
    const tags = ["sbbank_alpha", "sbbank_gamma", "sbbank_none"].map((id) => bankRefusal(sandboxBanks, id)?._tag)
    assert.deepStrictEqual(tags, [undefined, "invalid_payment_request", "agentic_bank_not_found"])
    assert.isUndefined(bankRefusal(undefined, "sbbank_none"))
  })
})
