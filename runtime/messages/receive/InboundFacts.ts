import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import type { CustomerIds, MetCustomer } from "../../customers/CustomerIds.ts"
import type { KnownFlow, NamedFlows } from "../../flows/Flows.ts"
import type { NamedGroups } from "../../groups/Groups.ts"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import { simulatedMessage } from "../sandbox/SandboxChat.ts"
import type { InboundItem } from "./InboundItem.ts"
import { meetCustomers } from "./MetCustomers.ts"
import { namedMessage } from "./NamedMessages.ts"
import type { ReferredMessage, ReferredRepo } from "./ReferredRepo.ts"

/** A flow that a customer completed, and the message that opened it. */
export interface CompletedFlow {
  readonly flow: KnownFlow
  readonly message_id: string
}

/** The rows to which captured messages refer. */
export interface InboundFacts {
  readonly number: NumberFacts | undefined
  /** Returns our message with that id of the provider's; null when none is known. M-READ-21 */
  readonly messageOf: (provider_message_id: string) => string | null
  /** Returns our id of the number's group with that id of the provider's; null when none is known. U-INB-06 */
  readonly groupOf: (provider_group_id: string) => string | null
  readonly completedBy: (item: InboundItem) => CompletedFlow | undefined
  /** Customers whom the platform's id names, by the id of the message. */
  readonly met: ReadonlyMap<string, MetCustomer>
  /** The ids of messages with such a customer that are already stored, because their call is repeated. */
  readonly stored: ReadonlySet<string>
}

/** The sources of the facts of captured messages. */
export interface InboundFactsDeps {
  readonly repo: SendingRepo["Service"]
  readonly referred: ReferredRepo["Service"]
  readonly flows: NamedFlows["Service"]
  readonly customers: CustomerIds["Service"]
  readonly groups: NamedGroups["Service"]
}

/** Reads the facts of a batch; quotes, reactions and answers of flows need another statement, other messages none. */
export const readInboundFacts = Effect.fnUntraced(function* (
  written: ReadonlyArray<InboundItem>,
  numberId: string,
  { customers, flows, groups, referred, repo }: InboundFactsDeps
) {
  const met = yield* meetCustomers(written, customers)
  const items = written.map((item) => ({ ...item, customer_key: met.get(item.id)?.key ?? item.customer_key }))
  const { number, stored } = yield* repo.readFacts(numberId, [], [], [...met.keys()])
  const answers = items.flatMap(answerOf)
  const named = [...items.flatMap((item) => namedBy(item)), ...answers.flatMap(({ quoted }) => quoted)]
  if (number === undefined) return { ...nothingKnown, number, met, stored } as InboundFacts
  const place = { environment_id: number.environment_id, id: numberId }
  const grouped = yield* groups.find(place, [...new Set(items.flatMap((item) => item.provider_group_id ?? []))])
  const groupOf = (id: string) => grouped.get(id) ?? null
  if (named.length + answers.length === 0) {
    return { ...nothingKnown, number, met, stored, groupOf } as InboundFacts
  }
  const tokens = answers.flatMap(({ token }) => token)
  const names = [...new Set(named)]
  // A simulation names one of our messages by its simulated id, which its row has only once it is sent.
  const ours = number.environment === "sandbox" ? names.map(simulatedMessage) : []
  const found = yield* referred.find(place, { provider: names, ours }, tokens)
  // A correction may come in one pass with its message.
  const together = new Map(items.map((item) => [item.provider_message_id, item.id]))
  const opened = new Map<string, CompletedFlow>()
  // A simulated answer is an inbound message without a completed flow. M-FLOW-08
  const completed = number.environment === "sandbox" ? [] : answers
  for (const { item, quoted, token } of completed) {
    const message = openerOf(quoted, token, found)
    const flow = message?.flow_id == null ? undefined : yield* flows.get(number.environment_id, message.flow_id)
    if (message !== undefined && flow !== undefined) opened.set(item.id, { flow, message_id: message.id })
  }
  const facts: InboundFacts = {
    number,
    met,
    stored,
    groupOf,
    messageOf: (id) =>
      (found.byProviderId.get(id) ?? found.byId.get(simulatedMessage(id)))?.id ?? together.get(id) ?? null,
    completedBy: ({ id }) => opened.get(id)
  }
  return facts
})

const nothingKnown: Pick<InboundFacts, "messageOf" | "groupOf" | "completedBy"> = {
  messageOf: () => null,
  groupOf: () => null,
  completedBy: () => undefined
}

/** Returns the provider's ids of the messages to which one refers. */
const namedBy = ({ content, context, type }: InboundItem): ReadonlyArray<string> => [
  ...(context?.quoted_id == null ? [] : [context.quoted_id]),
  ...(type === "reaction" || type === "unknown" ? aboutOf(content) : [])
]

const aboutOf = (content: InboundItem["content"]): ReadonlyArray<string> => {
  const named = namedMessage(readJson(content))
  return named === undefined ? [] : [named]
}

interface ReferringItem {
  readonly item: InboundItem
  readonly quoted: ReadonlyArray<string>
  readonly token: ReadonlyArray<{ readonly flow_token: string; readonly customer_key: string }>
}

const answerOf = (item: InboundItem): ReadonlyArray<ReferringItem> => {
  const content = item.type === "flow" ? readJson(item.content) : undefined
  if (content?.type !== "flow") return []
  const token = content.flow.provider_token
  const quoted = item.context?.quoted_id == null ? [] : [item.context.quoted_id]
  return [{ item, quoted, token: token === null ? [] : [{ flow_token: token, customer_key: item.customer_key }] }]
}

/**
 * Returns the message that opened a flow: the quoted one, else the newest send of that token to the customer. gaps-2 E
 * "Flow completion match"
 */
const openerOf = (
  [quoted]: ReferringItem["quoted"],
  [token]: ReferringItem["token"],
  found: Effect.Success<ReturnType<ReferredRepo["Service"]["find"]>>
): ReferredMessage | undefined => {
  const byQuote = quoted === undefined ? undefined : found.byProviderId.get(quoted)
  if (byQuote !== undefined && byQuote.flow_token !== null) return byQuote
  return token === undefined ? undefined : found.byToken(token)
}
