import { createHash } from "node:crypto"
import { contentHash } from "@carteiro/runtime/messages/guards/ContentHash.ts"
import { guardOutcome } from "@carteiro/runtime/messages/guards/GuardOutcome.ts"
import {
  guardError,
  judgeMarketing,
  type MarketingAttempt,
  type MarketingFacts,
  type Quality
} from "@carteiro/runtime/messages/guards/MarketingGuard.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const day = 86_400_000

const clear: MarketingFacts = {
  policy: { phone_quality: "green", template_quality: "unknown", last_policy_warning_at: null },
  stopped: false,
  verified: true,
  unclassified: false,
  identical: undefined,
  attempts: [],
  pending: false,
  heard_anywhere_at: undefined,
  heard_here_at: undefined
}
const poor = { ...clear.policy, phone_quality: "red" } as MarketingFacts["policy"]
const judged = (changes: Partial<MarketingFacts>, now = 10 * day) => {
  const refusal = judgeMarketing({ ...clear, ...changes }, now)
  return refusal && `${refusal.code} ${refusal.reason} ${refusal.next_allowed_at}`
}

describe("marketing guards", () => {
  it("refuse by the first matching rule of the documented order M-GRD-09, gaps-2 C Guard evaluation order", () => {
    const now = 10 * day
    const faults: ReadonlyArray<readonly [Partial<MarketingFacts>, string]> = [
      [{ policy: undefined }, "recipient_cadence_policy_unavailable policy_unavailable null"],
      [{ stopped: true }, "recipient_frequency_capped marketing_stopped null"],
      [{ verified: false }, "recipient_cadence_policy_unavailable content_unverified null"],
      [{ unclassified: true }, "recipient_cadence_policy_unavailable pending_unclassified null"],
      [{ identical: { state: "pending" } }, "recipient_duplicate_message duplicate_pending null"],
      [
        { identical: { state: "attempted", attempted_at: now - 1 } },
        "recipient_duplicate_message duplicate_content null"
      ],
      [
        { attempts: [{ at: now - 1, code: 131049 }] },
        `recipient_frequency_capped upstream_engagement_limit ${now - 1 + day}`
      ],
      [
        {
          attempts: [
            { at: now - 1, code: 131026 },
            { at: 1, code: 131026 }
          ]
        },
        "recipient_frequency_capped recipient_unreachable null"
      ],
      [{ attempts: [{ at: now - 1, code: 130472 }] }, "recipient_frequency_capped upstream_holdout null"],
      [{ policy: poor, pending: true }, "recipient_frequency_capped cooldown_pending null"],
      [
        { policy: poor, attempts: [{ at: now - 1, code: null }] },
        `recipient_frequency_capped quality_cooldown ${now - 1 + 7 * day}`
      ]
    ]
    for (const [index, [, expected]] of faults.entries()) {
      const all = Object.assign(
        {},
        ...faults
          .slice(index)
          .toReversed()
          .map(([changes]) => changes)
      )
      assert.strictEqual(judged(all, now), expected)
    }
    assert.isUndefined(judged({}, now))
  })

  it("hold identical content back without expiry, until the recipient writes M-GRD-02 M-GRD-03 M-GRD-08", () => {
    const identical = { state: "attempted", attempted_at: 1000 } as const
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 10_000 * day }), (now) => {
        assert.strictEqual(judged({ identical }, now), "recipient_duplicate_message duplicate_content null")
        assert.strictEqual(
          judged({ identical, heard_anywhere_at: 1000 }, now),
          "recipient_duplicate_message duplicate_content null"
        )
        assert.isUndefined(judged({ identical, heard_anywhere_at: 1001 }, now))
      })
    )
  })

  it("apply the cooldown of seven days only while quality is poor or a warning is recent M-GRD-06 M-GRD-07", () => {
    const now = 30 * day
    const attempts: readonly [MarketingAttempt] = [{ at: now - 7 * day + 1, code: null }]
    const qualities: ReadonlyArray<Quality> = ["green", "unknown", "yellow", "red"]
    for (const phone_quality of qualities) {
      for (const template_quality of qualities) {
        const policy = { phone_quality, template_quality, last_policy_warning_at: null }
        const applies = /yellow|red/.test(phone_quality + template_quality)
        assert.strictEqual(judged({ policy, attempts }, now) !== undefined, applies, phone_quality + template_quality)
        assert.isUndefined(judged({ policy, attempts }, now + 1))
      }
    }
    const warned = (at: number) => ({
      policy: { ...poor, phone_quality: "green", last_policy_warning_at: at } as const
    })
    const green = (at: number) => ({ ...warned(at).policy, template_quality: "green" as const })
    assert.isDefined(judged({ policy: green(now - 7 * day + 1), attempts }, now))
    assert.isUndefined(judged({ policy: green(now - 7 * day), attempts }, now))
  })

  it("end with an inbound message: the cooldown with one to this sender, the others with any M-GRD-05 M-GRD-08 M-GRD-12 M-GRD-13", () => {
    const now = 30 * day
    const at = now - day - 1
    const cooldown = { policy: poor, attempts: [{ at, code: null }] } as const
    assert.isDefined(judged({ ...cooldown, heard_anywhere_at: now }, now))
    assert.isUndefined(judged({ ...cooldown, heard_anywhere_at: now, heard_here_at: at + 1 }, now))
    for (const code of [131026, 130472]) {
      const attempts = [
        { at, code },
        { at: at - 1, code }
      ] as const
      assert.isDefined(judged({ attempts }, now))
      assert.isDefined(judged({ attempts, heard_anywhere_at: at }, now))
      assert.isUndefined(judged({ attempts, heard_anywhere_at: at + 1 }, now))
    }
  })

  it("pause marketing for 24 hours after 131049 whatever the recipient writes M-GRD-11", () => {
    const now = 30 * day
    const limited = (at: number) => ({
      attempts: [{ at, code: 131049 }] as const,
      heard_anywhere_at: now,
      heard_here_at: now
    })
    assert.isDefined(judged(limited(now - day + 1), now))
    assert.isUndefined(judged(limited(now - day), now))
  })

  it("count two 131026 only without another result in between M-GRD-12", () => {
    assert.isUndefined(judged({ attempts: [{ at: 1, code: 131026 }] }))
    assert.isUndefined(
      judged({
        attempts: [
          { at: 2, code: 131026 },
          { at: 1, code: null }
        ]
      })
    )
    assert.isUndefined(
      judged({
        attempts: [
          { at: 2, code: 131047 },
          { at: 1, code: 131026 }
        ]
      })
    )
  })

  it("answer 400 or 503 with reason, instant and feedback M-GRD-15..23", () => {
    const shown = (refusal: Parameters<typeof guardError>[0]) => {
      const { details, feedback, status, _tag } = guardError(refusal)
      return { status, _tag, feedback, details }
    }
    assert.deepStrictEqual(
      shown({ code: "recipient_frequency_capped", reason: "quality_cooldown", next_allowed_at: 7 * day }),
      {
        status: 400,
        _tag: "recipient_frequency_capped",
        feedback: true,
        details: { guard_reason: "quality_cooldown", next_allowed_at: "1970-01-08T00:00:00.000Z" }
      }
    )
    assert.deepStrictEqual(
      shown({ code: "recipient_cadence_policy_unavailable", reason: "policy_unavailable", next_allowed_at: null }),
      {
        status: 503,
        _tag: "recipient_cadence_policy_unavailable",
        feedback: true,
        details: { guard_reason: "policy_unavailable", next_allowed_at: null }
      }
    )
  })
})

describe("content of a marketing template", () => {
  const promo = { name: "promo", language: "pt_BR" }
  const values = { body: { first_name: "Ana", code: "7" }, header: { "1": "x" }, buttons: [[0, "a"]] } as const
  const base = contentHash(promo, values, null)

  it("is the hash of its canonical form, gaps-2 C Content hash", () => {
    const canonical =
      '{"language":"pt_BR","media":null,"name":"promo","parameters":{"body":{"code":"7","first_name":"Ana"},' +
      '"buttons":[[0,"a"]],"header":{"1":"x"}},"v":1}'
    assert.strictEqual(base, createHash("sha256").update(canonical).digest("hex"))
    assert.strictEqual(contentHash(promo, { ...values, body: { code: "7", first_name: "Ana" } }, null), base)
  })

  it("differs with every value and with the bytes of its media M-GRD-02 M-GRD-04", () => {
    const others = [
      contentHash({ ...promo, name: "promo2" }, values, null),
      contentHash({ ...promo, language: "en_US" }, values, null),
      contentHash(promo, { ...values, body: { first_name: "ana", code: "7" } }, null),
      contentHash(promo, { ...values, header: { "1": "y" } }, null),
      contentHash(promo, { ...values, buttons: [[1, "a"]] }, null),
      contentHash(promo, values, "00")
    ]
    assert.strictEqual(new Set([base, ...others]).size, others.length + 1)
  })
})

describe("attempts", () => {
  const step = {
    from: "sending",
    status: "sent",
    error_code: null,
    provider_code: null,
    provider_spoke: false,
    called_at: 5,
    refused_before: false
  } as const

  it("are calls that a provider accepted, refused or left open; never guard refusals, cancels and local failures M-GRD-25..27", () => {
    const of = (changes: object) => {
      const { attempt, claim } = guardOutcome({ ...step, ...changes })
      return `${claim} ${attempt === undefined ? "-" : `${attempt.at} ${attempt.code}`}`
    }
    assert.strictEqual(of({}), "attempted 5 null")
    assert.strictEqual(of({ from: "sent", status: "delivered" }), "keep -")
    const refused = { status: "failed", provider_spoke: true, provider_code: 131026 }
    assert.strictEqual(of({ ...refused, error_code: "upstream_recipient_undeliverable" }), "attempted 5 131026")
    assert.strictEqual(of({ status: "failed", error_code: "provider_send_result_missing" }), "attempted 5 null")
    assert.strictEqual(of({ status: "failed", error_code: "sandbox_delivery_failure" }), "attempted 5 null")
    assert.strictEqual(of({ status: "failed", error_code: "sandbox_recipient_opted_out" }), "released -")
    assert.strictEqual(of({ status: "failed", error_code: "sandbox_template_rejected" }), "released -")
    assert.strictEqual(of({ status: "failed", error_code: "media_link_fetch_failed" }), "released -")
    assert.strictEqual(
      of({ from: "queued", status: "failed", called_at: null, error_code: "recipient_frequency_capped" }),
      "released -"
    )
    assert.strictEqual(of({ from: "queued", status: "cancelled", called_at: null }), "released -")
    assert.strictEqual(of({ from: "queued", status: "cancelled", refused_before: true }), "attempted -")
    assert.strictEqual(of({ status: "queued", provider_spoke: true, provider_code: 130429 }), "keep 5 130429")
    assert.strictEqual(of({ status: "queued" }), "keep -")
    assert.strictEqual(of({ status: "sending" }), "keep -")
    assert.strictEqual(of({ ...refused, from: "sent", provider_code: 131049 }), "attempted 5 131049")
  })

  it("with 131050 stop marketing M-GRD-10 M-DLV-18", () => {
    const stopped = {
      ...step,
      status: "failed",
      error_code: "upstream_marketing_opted_out",
      provider_spoke: true
    } as const
    assert.isTrue(guardOutcome(stopped).stops)
    assert.isFalse(guardOutcome(step).stops)
  })
})
