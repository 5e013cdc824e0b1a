import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import type { CustomerIds } from "../../customers/CustomerIds.ts"
import { customerOf } from "../facts/SendingFacts.ts"
import type { SendMemory } from "../facts/SendMemory.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { simulatedBody } from "../message/MessageRead.ts"
import { subjectsOf } from "../message/Recipient.ts"
import { hastenPacing } from "../pacing/PacingWrites.ts"
import { type CaptureDeps, captureRows, consentOf, isFromCustomer } from "./CaptureRows.ts"
import type { InboundFacts } from "./InboundFacts.ts"
import type { InboundItem } from "./InboundItem.ts"
import { claimRows, isClaimLost } from "./MetCustomers.ts"

/** The services that capturing needs besides its facts. */
export interface InboundDeps extends CaptureDeps {
  readonly memory: SendMemory
  readonly count: CountMessage
  /** Wakes the owner of an environment's media after a commit with a file to fetch. */
  readonly wakeMedia: (environmentId: string) => void
  /** Returns false when the owner knows that it holds no message for this customer. */
  readonly mayHold: (customer_key: string) => boolean
  readonly customers: CustomerIds["Service"]
}

/** Captures inbound messages, each in one commit with all its consequences: see `captureRows`. M-WIN-01, M-EVT-04 */
export const captureAll = (
  items: ReadonlyArray<InboundItem>,
  facts: InboundFacts,
  owner: OwnerHandle,
  now: number,
  deps: InboundDeps
): ReadonlyArray<Decision<string>> => items.map((item) => captureOne(item, facts, owner, now, deps))

const captureOne = (
  written: InboundItem,
  facts: InboundFacts,
  owner: OwnerHandle,
  now: number,
  deps: InboundDeps
): Decision<string> => {
  const { number } = facts
  const customer = facts.met.get(written.id)
  const item = customer === undefined ? written : { ...written, customer_key: customer.key }
  if (number === undefined || number.environment_id !== item.environment_id) {
    return refuse(new PhoneNumberNotFound({ param: "to" }))
  }
  const about = { messageOf: facts.messageOf, groupOf: facts.groupOf, completed: facts.completedBy(item) }
  const { message, rows } = captureRows(item, { number, business_id: owner.id, now, ...about }, deps)
  const text = JSON.stringify(simulatedBody(message, item.environment))
  if (facts.stored.has(item.id)) return answer(text)
  // Messages held for this customer no longer need a slot. gaps-2 D "How pacing holds and releases"
  const releases = number.pacing_at !== null && isFromCustomer(item) && deps.mayHold(item.customer_key)
  const { environment_id } = item
  return commitThen({
    rows: [
      ...claimRows(customer),
      ...rows,
      ...(releases ? [hastenPacing.row({ environment_id, business_id: owner.id, due_at: now })] : [])
    ],
    claim: item.claim,
    response: { status: 202, body: text },
    subjects: subjectsOf(item),
    // A repeated call finds the first one's row, writes nothing and gets an equal response.
    settle: (_keys, passed) => {
      if (!passed && isClaimLost(customer, written, deps.customers)) return { retry: "changed" }
      if (passed) deps.count(number.environment, "inbound", "received")
      noteWindow(item, owner.id, deps.memory)
      if (passed && item.type === "media") deps.wakeMedia(environment_id)
      if (releases) owner.dueAt(now)
      return { ok: text }
    }
  })
}

const noteWindow = (item: InboundItem, business_id: string, memory: SendMemory): void => {
  if (!isFromCustomer(item)) return
  const customer = customerOf({ channel: item.channel, key: item.customer_key })
  const conversation = { environment_id: item.environment_id, business_id, customer }
  if (consentOf(item) === "opted_out") memory.forget(conversation)
  else memory.heard(conversation, item.heard_at ?? item.created_at)
}
