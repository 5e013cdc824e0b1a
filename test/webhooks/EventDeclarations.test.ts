import type { OutboxEvent } from "@carteiro/runtime/outbox/Outbox.ts"
import { type AnyEvent, type EventData, envelopeOf, eventName } from "@carteiro/schema/conventions/Event.ts"
import { GroupCreated, GroupDeleteFailed, type GroupFailure } from "@carteiro/schema/groups/GroupEvents.ts"
import { MessageSent } from "@carteiro/schema/messages/MessageEvents.ts"
import { PaymentCreated, PaymentPaid } from "@carteiro/schema/payments/PaymentEvents.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const progress = "message_id status to from provider_message_id metadata sender occurred_at?"
const payment =
  "id object payment_request_id status amount_brl currency description customer_name customer_phone customer_email " +
  "external_reference metadata payment_link_url provider provider_payment_id provider_approval_id provider_event_id? " +
  "provider_event_type? operation? error_code? error_message? sandbox_simulator? sandbox_pay_page?"
const outcome = "group_id phone_number_id status subject provider_group_id invite_link failure occurred_at"
const participation = "group_id phone_number_id participant participant_count occurred_at"
const template = "template_id name language status rejection_reason"
const session =
  "id object status return_url end_customer_ref project_id environment_id environment expires_at completed_at " +
  "provider_connection_id created_at updated_at"

/** The documented members of each event's data; `?` marks optional ones. */
const documented: Readonly<Record<string, string>> = {
  "message.sent": `${progress} pricing?`,
  "message.delivered": `${progress} pricing?`,
  "message.read": progress,
  "message.failed": `${progress} error_code error_message`,
  "message.received":
    "message_id status channel sender recipient provider_message_id metadata content context? referral? group_id? provider_group_id? occurred_at?",
  "message.media_transcribed": "media_asset_id text language duration duration_seconds provider model sender",
  "message.media_transcription_failed": "media_asset_id error_code sender",
  "message.media_stored": "message_id media",
  "message.echoed": `${progress} content context?`,
  "flow.completed": "flow_id name status provider_flow_id rejection_reason submission",
  "upstream_signup_session.completed": session,
  "payment.created": payment,
  "payment.approval_available": payment,
  "payment.link_generated": payment,
  "payment.paid": payment,
  "payment.failed": payment,
  "payment.expired": payment,
  "payment.cancelled": payment,
  "payment.late_outcome": `${payment} late_outcome`,
  "group.created": outcome,
  "group.create_failed": outcome,
  "group.deleted": outcome,
  "group.delete_failed": outcome,
  "group.invite_link_reset": outcome,
  "group.invite_link_reset_failed": outcome,
  "group.participant_joined": participation,
  "group.participant_removed": `${participation} initiated_by`,
  "template.approved": template,
  "template.rejected": template,
  "template.paused": template,
  "template.disabled": template,
  "template.category_updated": "template_id name language category previous_category",
  "webhook.test": "webhook_endpoint_id message"
}

const membersOf = ({ data, type }: AnyEvent): string => {
  const described = Schema.toJsonSchemaDocument(data).definitions[`${eventName(type)}Data`]
  const { properties = {}, required = [] } = described as {
    readonly properties?: object
    readonly required?: ReadonlyArray<string>
  }
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(" ")
}

const declared = (type: string) => eventCatalog.find((event) => event.type === type) as AnyEvent

describe("Declared events", () => {
  it("carry the documented members, in the documented order of types M-EVT-01..09 C-GEVT-01..08 C-PEVT-09..17", () => {
    assert.deepStrictEqual(
      eventCatalog.map(({ type }) => type),
      Object.keys(documented)
    )
    for (const event of eventCatalog)
      assert.deepStrictEqual([event.type, membersOf(event)], [event.type, documented[event.type]])
  })

  it("have the documented sources A-WHV-01", () => {
    const sources = new Set(eventCatalog.map(({ source_type, type }) => `${type.split(".")[0]} ${source_type}`))
    assert.deepStrictEqual(
      [...sources],
      [
        "message message",
        "flow flow",
        "upstream_signup_session upstream_signup_session",
        "payment payment_request",
        "group group",
        "template template",
        "webhook webhook_test"
      ]
    )
  })

  it("show a group's outcome as it is at each attempt and all other data as they were C-GEVT-15 C-PEVT-07", () => {
    const rendered = eventCatalog.filter((event) => event.rendered === "at attempt").map(({ type }) => type)
    assert.deepStrictEqual(
      rendered,
      eventCatalog.filter((event) => documented[event.type] === outcome).map(({ type }) => type)
    )
    for (const type of rendered) assert.deepStrictEqual(declared(type).secrets, ["invite_link"])
  })

  it("match the data of terminal payments to their names C-PEVT-02 C-PEVT-04 C-PEVT-05", () => {
    const statusOf = (type: string) => (declared(type).data as typeof PaymentPaid.data).fields.status
    for (const status of ["paid", "failed", "expired", "cancelled"]) {
      assert.isTrue(Schema.is(statusOf(`payment.${status}`))(status), status)
      assert.isFalse(Schema.is(statusOf(`payment.${status}`))("approved"), status)
    }
    assert.isTrue(Schema.is(PaymentCreated.data.fields.payment_link_url)(null))
    for (const type of ["payment.approval_available", "payment.link_generated"]) {
      const { payment_link_url } = (declared(type).data as typeof PaymentPaid.data).fields
      assert.isTrue(Schema.is(statusOf(type))("link_generated"))
      assert.isFalse(Schema.is(payment_link_url)(null))
    }
  })

  it("wrap their data in one envelope without an organization or a project A-SIG-01 A-SIG-06", () => {
    const members = (event: AnyEvent) => Object.keys(envelopeOf(event).fields)
    assert.deepStrictEqual(members(MessageSent), ["id", "type", "created_at", "environment", "trace_id", "data"])
    assert.include(members(PaymentPaid), "occurred_at")
  })

  it("do not compile with other data, another time or without the stored part C-GEVT-12 A-SIG-04", () => {
    const about = { environment_id: "env_1", environment: "sandbox", source_id: "x", trace_id: "t", at: 0 } as const
    const facts = { ...about, subject: null } as const
    const occurred_at = "2026-01-01T00:00:00.000Z"
    const failure: GroupFailure = { code: "provider_error", message: "Unknown.", provider: null }
    const kept: OutboxEvent<typeof GroupDeleteFailed> = { ...facts, data: { failure, occurred_at } }
    const bare: OutboxEvent<typeof GroupCreated> = { ...facts, data: { occurred_at } }
    // @ts-expect-error a failed outcome keeps its failure
    const lost: OutboxEvent<typeof GroupDeleteFailed> = { ...facts, data: { occurred_at } }
    // @ts-expect-error an event needs the customer whose data it shows
    const nobody: OutboxEvent<typeof GroupCreated> = { ...about, data: { occurred_at } }
    // @ts-expect-error a payment event needs the time of the change
    const untimed: OutboxEvent<typeof PaymentPaid> = { ...facts, data: {} as EventData<typeof PaymentPaid> }
    // @ts-expect-error a status belongs to its event
    const status: EventData<typeof MessageSent>["status"] = "delivered"
    assert.isDefined([kept, bare, lost, nobody, untimed, status])
    assert.isTrue(Schema.is(GroupDeleteFailed.kept)(kept.data) && Schema.is(GroupCreated.kept)(bare.data))
  })
})
