import type { Submitted } from "@carteiro/owners/Commit.ts"
import type { Ids } from "@carteiro/owners/Ids.ts"
import { messageEvents } from "@carteiro/schema/messages/MessageEvents.ts"
import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import { jsonTextOrNull } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { MessageUsage } from "../../billing/Billing.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import { fileRows } from "../content/FileTerms.ts"
import type { DueMessage, NumberFacts } from "../facts/SendingFacts.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { appendEvent, eventItem, firstEvents, insertEvent, progressData } from "../message/MessageRead.ts"
import type { MessageState } from "../message/MessageState.ts"
import { advance, sendBack } from "../message/MessageWrites.ts"
import { subjectOf } from "../message/Recipient.ts"
import { limitRows } from "./LimitRows.ts"
import type { SendProgress } from "./SendProgress.ts"

/** The pause after rows that were not written, in milliseconds. */
export const afterRefusalMs = 1000

/** The services that make ids, events and usage. */
export interface ProgressDeps {
  readonly ids: Ids["Service"]
  readonly outbox: Outbox["Service"]
  readonly usage: MessageUsage["Service"]
}

/** The rows of one message's progress: its new state and its events, for one unit of a commit. M-MSG-14 */
export interface ProgressUnit {
  readonly rows: ReadonlyArray<Row>
  /** The message after these rows, for a second commit of the same pass. */
  readonly message: DueMessage
  /** The statuses that it reached, oldest first. */
  readonly reached: ReadonlyArray<MessageStatus>
}

/** Returns the rows of a message's progress; `now` in epoch milliseconds. gaps-2 B "Message event fields" */
export const writeProgress = (
  progress: SendProgress,
  number: NumberFacts,
  business_id: string,
  now: number,
  deps: ProgressDeps
): ProgressUnit => {
  const { state, message, transitions } = progress
  let events = message.events ?? firstEvents({ id: message.id, direction: "outbound", created_at: message.created_at })
  for (const { event } of transitions) {
    if (event === undefined) continue
    const item = eventItem(deps.ids.mint("mev", now), event)
    events = progress.isReported ? insertEvent(events, item) : appendEvent(events, item)
  }
  const provider_error = jsonTextOrNull(state.provider_error)
  const moved = {
    environment_id: number.environment_id,
    id: message.id,
    from_status: message.status,
    status: state.status,
    status_reason: state.status_reason,
    provider: progress.provider,
    provider_message_id: state.provider_message_id,
    provider_payload: progress.provider_payload,
    error_code: state.error_code,
    error_message: state.error_message,
    provider_error,
    pricing: progress.pricing,
    events,
    due_at: progress.due_at,
    sending_since: progress.sending_since,
    released_at: progress.released_at,
    delivery_unconfirmed_at: state.delivery_unconfirmed_at,
    updated_at: now
  }
  const isRefused = progress.refusals.refusals !== message.refusals
  const rows: Array<Row> = [
    isRefused
      ? sendBack.row({ ...moved, ...progress.refusals })
      : advance.row({ ...moved, batch_id: message.batch_id, unreported: mustBeUnreported(progress) }),
    ...limitRows(progress, number, business_id, now),
    ...fileRows(progress, number, now),
    ...usageRows(progress, number, business_id, now, deps)
  ]
  let announced = 0
  for (const step of transitions) {
    if (step.announces === undefined) continue
    rows.push(
      deps.outbox.event(messageEvents[step.announces], {
        environment_id: number.environment_id,
        environment: number.environment,
        source_id: message.id,
        subject: subjectOf(message.channel, message.customer_key),
        trace_id: message.trace_id,
        // Ids order events, so concurrent events are a millisecond apart.
        at: now + announced++,
        data: progressData(
          { ...announcedRow(message, business_id, step.state), pricing_json: progress.pricing },
          step.announces,
          step.event?.occurred_at ?? now
        )
      })
    )
  }
  return {
    rows,
    message: {
      ...message,
      status: state.status,
      status_reason: state.status_reason,
      provider: progress.provider,
      events,
      ...progress.refusals
    },
    reached: statusesOf(progress)
  }
}

/**
 * True when the change would be wrong if a stored report proved that an earlier attempt was sent: another attempt, or
 * an end without a charge. Only messages with a possible earlier attempt need that check. M-MSG-14
 */
const mustBeUnreported = ({ message, isReported, state }: SendProgress): boolean =>
  isReported !== true &&
  (message.refusals > 0 || message.delivery_unconfirmed_at !== null) &&
  endsTries.has(state.status) &&
  state.status !== message.status

const endsTries: ReadonlySet<MessageStatus> = new Set(["sending", "failed", "cancelled"])

const carried: ReadonlySet<MessageStatus> = new Set(["sent", "delivered", "read"])

/**
 * Returns the usage of a production message, which is charged once, by the commit in which it first leaves `sending`
 * for a charged status. gaps-2 B "When a message is charged"
 */
const usageRows = (
  { message, transitions }: SendProgress,
  { environment_id, organization_id, project_id }: NumberFacts,
  phone_number_id: string,
  now: number,
  { usage }: ProgressDeps
): ReadonlyArray<Row> => {
  if (organization_id === null || project_id === null || (message.status !== "sending" && message.status !== "queued"))
    return []
  if (!transitions.some(({ state }) => carried.has(state.status))) return []
  return [
    usage.carried(
      {
        organization_id,
        project_id,
        environment_id,
        phone_number_id,
        id: message.id,
        type: message.type,
        template_category: message.template_category
      },
      now
    )
  ]
}

/** Counts the messages of units that a commit has written. */
export const countReached = (
  units: ReadonlyArray<ProgressUnit>,
  { statuses }: Pick<Submitted, "statuses">,
  { environment }: NumberFacts,
  count: CountMessage
): void => {
  for (const [index, { reached }] of units.entries()) {
    if (statuses[index] === "committed") for (const status of reached) count(environment, "outbound", status)
  }
}

const statusesOf = ({ message, transitions }: SendProgress): ReadonlyArray<MessageStatus> => {
  const reached: Array<MessageStatus> = []
  let last = message.status
  for (const { state } of transitions) {
    if (state.status !== last) reached.push(state.status)
    last = state.status
  }
  return reached
}

const announcedRow = (message: DueMessage, business_id: string, state: MessageState) => ({
  id: message.id,
  channel: message.channel,
  direction: "outbound" as const,
  business_id,
  business_phone: message.business_phone,
  customer_id: message.customer_id,
  customer_name: null,
  customer_user_id: null,
  customer_username: null,
  provider_message_id: state.provider_message_id,
  content_json: message.content,
  metadata_json: message.metadata,
  error_code: state.error_code,
  error_message: state.error_message
})
