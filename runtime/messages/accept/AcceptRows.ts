import type { MessageContext } from "@carteiro/schema/messages/Message.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { CustomerIds } from "../../customers/CustomerIds.ts"
import type { KnownGroup } from "../../groups/Groups.ts"
import { useFile } from "../../media/Media.ts"
import { namesNothing, type SentContent } from "../content/SentContent.ts"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import type { MessageState } from "../message/MessageState.ts"
import { insertNaming, insertOutbound } from "../message/MessageWrites.ts"
import { subjectOf, subjectTexts } from "../message/Recipient.ts"
import type { AcceptItem } from "./AcceptItem.ts"
import type { TemplateLimits } from "./TemplateLimits.ts"

/** Returns the claim of a send that an id of the platform addresses. Decision 0135 */
export const customerClaim = (
  { created_at, customer_key, environment_id, user_id }: AcceptItem,
  customers: CustomerIds["Service"]
): ReadonlyArray<Row> =>
  user_id === undefined ? [] : [customers.claim(environment_id, user_id, customer_key, created_at)]

/** The decision of a number's owner about an accepted send. */
interface AcceptedSend {
  readonly state: MessageState
  readonly own: NumberFacts
  readonly business_id: string
  readonly context: JsonText<MessageContext> | null
  /** Null while it is held. */
  readonly due: number | null
  readonly limits: TemplateLimits | undefined
  /** Undefined for a person. */
  readonly group: KnownGroup | undefined
}

/** Returns the row of an accepted send. */
export const acceptedRow = (
  item: AcceptItem,
  sent: SentContent,
  accepted: AcceptedSend,
  secrets: Secrets["Service"]
): Row => {
  const { business_id, context, due, group, limits, own, state } = accepted
  const sandbox = own.environment === "sandbox"
  const message = {
    environment_id: item.environment_id,
    id: item.id,
    channel: item.channel,
    type: item.type,
    status_reason: state.status_reason,
    business_id,
    number_version: own.version,
    // Almost no environment has opt-outs of erased customers; without them no hash is computed.
    subjects: own.suppresses ? subjectTexts(secrets, item.environment_id, item.channel, item.customer_key) : null,
    business_phone: own.phone,
    customer_id: item.customer_id,
    customer_key: item.customer_key,
    provider: sandbox ? "sandbox" : null,
    content: sent.content,
    context,
    metadata: item.metadata,
    trace_id: item.trace_id,
    scenario: sandbox && item.scenario !== "success" ? item.scenario : null,
    due_at: due,
    created_at: item.created_at
  }
  return sent.named === undefined && group === undefined
    ? insertOutbound.row(message)
    : insertNaming.row({
        ...message,
        ...(sent.named ?? namesNothing),
        group_id: item.group_id ?? null,
        provider_group_id: group?.provider_group_id ?? null,
        marketing_hash: limits?.content_hash ?? null,
        batch_id: item.batch_id ?? null
      })
}

/** Returns the rows that prepare a send's file and hold it: the messages of a batch share one job and one hold. */
export const fileUse = (item: AcceptItem, expected_sha256: string | undefined): ReadonlyArray<Row> => {
  const { batch_id, created_at: at, environment, environment_id, file, id, trace_id } = item
  if (file === undefined) return []
  const customer = batch_id === undefined ? subjectOf(item.channel, item.customer_key) : null
  const use = { environment_id, environment, trace_id, at, holder: batch_id ?? id, customer }
  return useFile(use, { ...file, expected_sha256 })
}
