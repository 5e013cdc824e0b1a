import {
  accepted,
  type MessageState,
  received,
  statusRank,
  type Trigger,
  terminalStatuses,
  transition
} from "@carteiro/runtime/messages/message/MessageState.ts"
import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const failure = { code: "upstream_rejected" } as const
const triggers: ReadonlyArray<Trigger> = [
  { _tag: "Reserve" },
  { _tag: "Hold" },
  { _tag: "Release" },
  { _tag: "Cancel" },
  { _tag: "Refuse", failure },
  { _tag: "Answer", provider_message_id: "up_1" },
  { _tag: "Requeue" },
  { _tag: "Reject", failure },
  { _tag: "Unconfirm" },
  { _tag: "Report", status: "sent" },
  { _tag: "Report", status: "delivered" },
  { _tag: "Report", status: "read" },
  { _tag: "Report", status: "failed", failure }
]
const story = fc.array(fc.constantFrom(...triggers), { maxLength: 20 })

const at = (status: MessageStatus): MessageState => ({ ...accepted(0, false).state, status })
const moved = (status: MessageStatus, trigger: Trigger) => {
  const next = transition(at(status), trigger, 5)
  return `${next.state.status} ${next.announces ?? "-"}`
}

/** Only the rows of the table in gaps-2 B change a status. */
const table: Readonly<Record<string, string>> = {
  "queued Reserve": "sending -",
  "queued Cancel": "cancelled -",
  "queued Refuse": "failed message.failed",
  "queued Answer": "sent message.sent",
  "queued Report sent": "sent message.sent",
  "queued Report delivered": "delivered message.delivered",
  "queued Report read": "read message.read",
  "queued Report failed": "failed message.failed",
  "sending Answer": "sent message.sent",
  "sending Requeue": "queued -",
  "sending Reject": "failed message.failed",
  "sending Report sent": "sent message.sent",
  "sending Report delivered": "delivered message.delivered",
  "sending Report read": "read message.read",
  "sending Report failed": "failed message.failed",
  "sent Report delivered": "delivered message.delivered",
  "sent Report read": "read message.read",
  "sent Report failed": "failed message.failed",
  "delivered Report read": "read message.read"
}
const statuses = ["queued", "sending", "sent", "delivered", "read", "failed", "cancelled", "received"] as const
const named = (trigger: Trigger) => (trigger._tag === "Report" ? `Report ${trigger.status}` : trigger._tag)

describe("message state machine", () => {
  it("changes a status exactly as the table says M-MSG-14, M-READ-31", () => {
    for (const status of statuses) {
      for (const trigger of triggers) {
        const row = `${status} ${named(trigger)}`
        assert.strictEqual(moved(status, trigger), table[row] ?? `${status} -`, row)
      }
    }
  })

  it("goes back only to queued after a temporary refusal, and never leaves a terminal status, gaps-2 B", () => {
    fc.assert(
      fc.property(story, (steps) => {
        let state = accepted(0, false).state
        steps.forEach((trigger, index) => {
          const { state: next } = transition(state, trigger, index)
          if (terminalStatuses.has(state.status)) assert.strictEqual(next.status, state.status)
          const [before, after] = [state.status, next.status].map((status) => statusRank[status as "queued"])
          if (before !== undefined && after !== undefined && after < before) {
            assert.strictEqual(`${state.status} ${next.status} ${trigger._tag}`, "sending queued Requeue")
          }
          state = next
        })
      })
    )
  })

  it("announces each event type at most once and only as the status it reaches, gaps-2 B", () => {
    fc.assert(
      fc.property(story, (steps) => {
        let state = accepted(0, false).state
        const announced: Array<string> = []
        steps.forEach((trigger, index) => {
          const next = transition(state, trigger, index)
          if (next.announces) {
            assert.strictEqual(next.announces, `message.${next.state.status}`)
            assert.notStrictEqual(next.state.status, state.status)
            announced.push(next.announces)
          }
          state = next.state
        })
        assert.strictEqual(new Set(announced).size, announced.length)
        assert.notInclude(announced, "message.created")
      })
    )
  })

  it("keeps an entry for every change and for every late provider status, gaps-2 B M-READ-30", () => {
    fc.assert(
      fc.property(story, (steps) => {
        let state = accepted(0, false).state
        steps.forEach((trigger, index) => {
          const next = transition(state, trigger, index)
          if (next.state.status !== state.status) assert.strictEqual(next.event?.status, next.state.status)
          else if (trigger._tag === "Report") {
            assert.deepStrictEqual(next.event?.details, { applied: false })
            assert.strictEqual(next.event?.status, trigger.status)
          }
          if (next.event) assert.strictEqual(next.event.occurred_at, index)
          state = next.state
        })
      })
    )
  })

  it("shows the pacing reason only while queued M-MSG-05, M-MSG-07, M-MSG-08, M-EVT-12", () => {
    assert.strictEqual(accepted(0, true).state.status_reason, "messaging_limit_pacing")
    fc.assert(
      fc.property(fc.boolean(), story, (paced, steps) => {
        let state = accepted(0, paced).state
        for (const trigger of steps) {
          const next = transition(state, trigger, 1)
          if (trigger._tag === "Hold" || trigger._tag === "Release") assert.isUndefined(next.announces)
          state = next.state
          if (state.status_reason !== null) assert.strictEqual(state.status, "queued")
        }
      })
    )
  })

  it("does not send a held message before its release M-MSG-08", () => {
    const held = transition(at("queued"), { _tag: "Hold" }, 1).state
    assert.strictEqual(transition(held, { _tag: "Reserve" }, 2).state.status, "queued")
    const released = transition(held, { _tag: "Release" }, 3).state
    assert.strictEqual(transition(released, { _tag: "Reserve" }, 4).state.status, "sending")
  })

  it("accepts a status before the response to the send and keeps the id of the response, gaps-2 B", () => {
    const early = transition(at("sending"), { _tag: "Report", status: "delivered" }, 1)
    assert.strictEqual(early.announces, "message.delivered")
    const answered = transition(early.state, { _tag: "Answer", provider_message_id: "up_1" }, 2)
    assert.strictEqual(answered.state.status, "delivered")
    assert.strictEqual(answered.state.provider_message_id, "up_1")
    assert.isUndefined(answered.announces)
  })

  it("sets code and sentence on a failure, and a provider error only when there is one M-READ-26, M-SBX-24, M-DLV-01", () => {
    const failed = transition(at("sending"), { _tag: "Reject", failure: { code: "sandbox_delivery_failure" } }, 1)
    assert.strictEqual(failed.state.error_code, "sandbox_delivery_failure")
    assert.isString(failed.state.error_message)
    assert.isNull(failed.state.provider_error)
    assert.strictEqual(failed.event?.error_code, "sandbox_delivery_failure")
  })

  it("marks an ambiguous attempt and lets a status resolve it M-READ-29, M-DLV-23", () => {
    const unconfirmed = transition(at("sending"), { _tag: "Unconfirm" }, 7).state
    assert.strictEqual(unconfirmed.status, "sending")
    assert.strictEqual(unconfirmed.delivery_unconfirmed_at, 7)
    const resolved = transition(unconfirmed, { _tag: "Report", status: "sent" }, 9).state
    assert.strictEqual(resolved.status, "sent")
    assert.isNull(resolved.delivery_unconfirmed_at)
    const lost = transition(unconfirmed, { _tag: "Reject", failure: { code: "provider_send_result_missing" } }, 9)
    assert.strictEqual(lost.state.delivery_unconfirmed_at, 7)
    assert.strictEqual(transition(lost.state, { _tag: "Report", status: "read" }, 10).state.status, "failed")
  })

  it("does not fail because another copy than the accepted one failed, gaps-2 B", () => {
    const taken = transition(at("queued"), { _tag: "Report", status: "sent", provider_message_id: "up_1" }, 1).state
    const other = { _tag: "Report", status: "failed", failure, provider_message_id: "up_2" } as const
    assert.strictEqual(transition(taken, other, 2).state.status, "sent")
    assert.strictEqual(transition(taken, other, 2).event?.type, "message.failed")
    assert.strictEqual(transition(taken, { ...other, provider_message_id: "up_1" }, 2).state.status, "failed")
    assert.strictEqual(
      transition(taken, { _tag: "Report", status: "read", provider_message_id: "up_2" }, 2).state.status,
      "read"
    )
  })

  it("keeps an inbound message as received M-INB-01, M-READ-31", () => {
    const inbound = received(0, "up_1").state
    for (const trigger of triggers) assert.deepStrictEqual(transition(inbound, trigger, 1).state, inbound)
  })
})
