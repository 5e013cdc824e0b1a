import { derivedId, parseId, ulidTimeOf } from "@carteiro/owners/Ids.ts"
import { csvHead, csvLine } from "@carteiro/runtime/batches/batch/BatchRead.ts"
import { commandBatch, isComplete } from "@carteiro/runtime/batches/batch/BatchState.ts"
import { batchWait } from "@carteiro/runtime/batches/feed/BatchWait.ts"
import {
  claimSize,
  feedWindow,
  outcomeOfRefusal,
  quietPauseMs,
  refillPauseMs
} from "@carteiro/runtime/batches/feed/FeedRules.ts"
import { BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const Commanded = Schema.Struct({
  status: BatchStatus,
  scheduled_at: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2000 }))),
  isStarted: Schema.Boolean,
  resumed: Schema.Boolean
})
const now = 1000

/** gaps-2 H "Batch states", read off the table: where each command may lead from where. */
const moves = {
  pause: { scheduled: ["paused"], queued: ["paused"], processing: ["paused"], paused: ["paused"] },
  resume: { paused: ["scheduled", "queued", "processing"], processing: ["processing"] },
  cancel: {
    scheduled: ["cancelled"],
    queued: ["cancelled"],
    processing: ["cancelled"],
    paused: ["cancelled"],
    cancelled: ["cancelled"]
  }
} as const satisfies Readonly<Record<string, Partial<Record<BatchStatus, ReadonlyArray<BatchStatus>>>>>

describe('The states of a batch, gaps-2 H "Batch states"', () => {
  it.prop("a command leads only to the state of the table", [Commanded], ([batch]) => {
    for (const command of ["pause", "resume", "cancel"] as const) {
      const to = commandBatch(batch, command, now)
      const table: Partial<Record<BatchStatus, ReadonlyArray<BatchStatus>>> = moves[command]
      const waits = batch.status === "scheduled" || batch.status === "queued"
      // What a resume led to is its target state: repeated it changes nothing.
      if (command === "resume" && waits) assert.strictEqual(to, batch.resumed ? batch.status : undefined)
      else if (to === undefined) assert.isUndefined(table[batch.status])
      else assert.include(table[batch.status] ?? [], to)
    }
  })

  it.prop("a repeated command changes nothing more", [Commanded], ([batch]) => {
    for (const command of ["pause", "resume", "cancel"] as const) {
      const to = commandBatch(batch, command, now)
      if (to === undefined) continue
      const after = { ...batch, status: to, resumed: batch.resumed || command === "resume" }
      assert.strictEqual(commandBatch(after, command, now), to)
    }
  })

  it.prop("a final state is never left", [Commanded], ([batch]) => {
    if (batch.status !== "completed" && batch.status !== "failed") return
    for (const command of ["pause", "resume", "cancel"] as const) {
      assert.isUndefined(commandBatch(batch, command, now))
    }
  })

  const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))
  it.prop(
    "completes exactly when every recipient was refused or its message has left",
    [Count, Count, Count],
    ([all, refused, gone]) => {
      const batch = { recipient_count: all, position: all, retrying: 0, refused_count: refused, gone }
      assert.strictEqual(isComplete(batch), refused + gone >= all)
      assert.isFalse(isComplete({ ...batch, retrying: 1 }))
      assert.isFalse(isComplete({ ...batch, position: all - 1 }))
    }
  )
})

describe("Feeding a number", () => {
  const Rate = Schema.Finite.check(Schema.isBetween({ minimum: 0.001, maximum: 1 }))
  it.prop("keeps at most two seconds of its rate waiting", [Rate], ([perMillis]) => {
    assert.isAtMost(feedWindow(perMillis), Math.max(1, Math.ceil(perMillis * 2000)))
    assert.isAtLeast(feedWindow(perMillis), 1)
    assert.isAtLeast(refillPauseMs(perMillis), 100)
  })

  it.prop(
    'keeps two claims waiting where the clock of a sandbox stands gaps-1 "Sandbox clock"',
    [Rate],
    ([perMillis]) => {
      assert.strictEqual(feedWindow(perMillis, true), Math.max(2 * claimSize, feedWindow(perMillis)))
      assert.isAtMost(feedWindow(perMillis, true), feedWindow(undefined))
    }
  )

  it("checks a batch that only waits less and less often, but every minute at least", () => {
    assert.deepStrictEqual([0, 1, 2, 8, 40].map(quietPauseMs), [250, 500, 1000, 60_000, 60_000])
  })

  const undecided = new ApiError({
    _tag: "recipient_cadence_policy_unavailable",
    status: 503,
    type: "service_unavailable",
    details: { guard_reason: "policy_unavailable", next_allowed_at: null }
  })
  const Waited = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000_000 }))
  it.prop(
    'asks guards that cannot decide for 15 minutes, gaps-2 H "Recipient refusals inside a batch"',
    [Waited],
    ([waited]) => {
      const outcome = outcomeOfRefusal(undecided, 5000, 5000 + waited)
      if (waited < 900_000) {
        assert.strictEqual(outcome._tag, "Retry")
        if (outcome._tag !== "Retry") return
        assert.isAbove(outcome.at, 5000 + waited)
        assert.isAtMost(outcome.at, 5000 + 900_000)
      } else {
        assert.deepInclude(outcome, { _tag: "Refused", guard_reason: "policy_unavailable", isSkip: false })
      }
    }
  )

  it("calls an absent owner again, and takes any other refusal as final M-BAT-23", () => {
    const refused = (status: number, code: string, details?: object) =>
      outcomeOfRefusal(
        new ApiError({ _tag: code, status, type: "conflict", ...(details ? { details: { ...details } } : {}) }),
        null,
        7
      )
    assert.strictEqual(refused(503, "service_unavailable")._tag, "Again")
    assert.strictEqual(refused(429, "rate_limited")._tag, "Again")
    for (const code of ["recipient_duplicate_message", "recipient_frequency_capped"]) {
      const next_allowed_at = "2026-01-08T00:00:00.000Z"
      assert.deepInclude(refused(400, code, { guard_reason: "quality_cooldown", next_allowed_at }), {
        _tag: "Refused",
        isSkip: true,
        next_allowed_at: Date.parse(next_allowed_at)
      })
    }
    assert.deepInclude(refused(400, "contact_opted_out"), { _tag: "Refused", isSkip: false, guard_reason: null })
  })
})

describe("An id made of the same things", () => {
  const At = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 47 }))
  const Position = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 20 - 2 }))
  it.prop(
    "derives an id from the instant and the sequence, and repeats it",
    [At, Position, Schema.String],
    ([at, position, seed]) => {
      const id = derivedId("msg", at, position, seed)
      assert.strictEqual(derivedId("msg", at, position, seed), id)
      assert.isTrue(parseId("msg", id))
      assert.strictEqual(ulidTimeOf(id), at)
      assert.isTrue(id < derivedId("msg", at, position + 1, seed))
      assert.notStrictEqual(derivedId("msg", at, position, `${seed}x`), id)
    }
  )
})

describe("The export of failures", () => {
  const nothing = { error_code: null, error_message: null, guard_reason: null, next_allowed_at: null, failed_at: null }
  it("quotes cells that would break a line, and leaves absent ones empty M-BAT-24 U-HID-02", () => {
    assert.strictEqual(csvHead, "to,message_id,error_code,error_message,guard_reason,next_allowed_at,failed_at\r\n")
    const failure = { ...nothing, to: "+5511", user_id: null, message_id: null, error_message: 'one, "two"\nthree' }
    assert.strictEqual(csvLine(failure), '+5511,,,"one, ""two""\nthree",,,\r\n')
    assert.strictEqual(csvLine({ ...failure, to: null, user_id: "BR.1", error_message: null }), "BR.1,,,,,,\r\n")
    const formulas = ["=1+1", "@SUM(1)", "-1", "+1+1", '\t=1"']
    assert.deepStrictEqual(
      formulas.map((error_message) => csvLine({ ...failure, error_message })),
      ["'=1+1", "'@SUM(1)", "'-1", "'+1+1", `"'\t'=1"""`].map((cell) => `+5511,,,${cell},,,\r\n`)
    )
  })
})

describe("What a batch waits for", () => {
  const facts = { held: 0, retrying: 0, retry_at: null, pacing_at: null }
  const processing = { status: "processing", scheduled_at: null } as const
  const until = "1970-01-01T00:00:02.000Z"

  it("is its start or a person, before it is processing", () => {
    const scheduled = { status: "scheduled", scheduled_at: 2000 } as const
    assert.deepStrictEqual(batchWait(scheduled, undefined), { reason: "start", until, recipient_count: null })
    const paused = { status: "paused", scheduled_at: 2000 } as const
    assert.deepStrictEqual(batchWait(paused, undefined), { reason: "resume", until: null, recipient_count: null })
    for (const status of ["queued", "completed", "cancelled", "failed"] as const)
      assert.isNull(batchWait({ status, scheduled_at: 2000 }, undefined), status)
  })

  it("is the daily allowance before the guards, and nothing where messages leave", () => {
    assert.isNull(batchWait(processing, facts))
    const guards = { ...facts, retrying: 3, retry_at: 2000 }
    assert.deepStrictEqual(batchWait(processing, guards), { reason: "guards", until, recipient_count: 3 })
    const held = { ...guards, held: 7, pacing_at: null }
    assert.deepStrictEqual(batchWait(processing, held), { reason: "daily_allowance", until: null, recipient_count: 7 })
  })
})
