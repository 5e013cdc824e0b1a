import { rawReply, valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { InvalidMessagesQuery, MessageNotFound } from "@carteiro/schema/messages/MessageErrors.ts"
import { type MessageLine, MessageLookupsApi } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { isUserId, matchKey, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect } from "effect"
import { Environments } from "../../access/Access.ts"
import { CustomerIds } from "../../customers/CustomerIds.ts"
import type { MessageRow } from "../message/MessageRead.ts"
import { messageText } from "../message/MessageText.ts"
import { subjectOf } from "../message/Recipient.ts"
import { makeRecipientFilter } from "./CustomerFilters.ts"
import { type LineRow, MessageRepo } from "./MessageRepo.ts"

/** Operations of people that read messages. Decision 0155 */
export const MessageLookupsHttp = Routes.group(
  MessageLookupsApi,
  Effect.gen(function* () {
    const messages = yield* MessageRepo
    const customers = yield* CustomerIds
    const environments = yield* Environments
    const byRecipient = yield* makeRecipientFilter

    /** Returns the key by which a conversation is kept. U-HID-03 */
    const keyOf = Effect.fnUntraced(function* (environmentId: string, customer: string) {
      if (isUserId(customer)) return (yield* customers.find(environmentId, customer)).key
      const digits = phoneDigits(customer)
      return digits === undefined ? yield* new InvalidMessagesQuery({ param: "talk_with" }) : matchKey(digits)
    })

    return Routes.handlers(MessageLookupsApi, {
      list: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { environment, environment_id } = caller
        const { before, limit, talk_with, ...narrowed } = query
        const talk = talk_with === undefined ? {} : { talk_with: yield* keyOf(environment_id, talk_with) }
        const filters = { ...(yield* byRecipient(caller, narrowed)), ...talk }
        const { rows, walked_to } = yield* messages.list(environment_id, filters, before, Number(limit))
        const data = rows.map((row) => `{${shownText(row, environment)}}`)
        return rawReply(
          200,
          `{"object":"list","data":[${data}],"walked_to":${JSON.stringify(walked_to)},"trace_id":"${traceId}"}`
        )
      }),

      lines: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const { before, limit, ...narrowed } = query
        const filters = yield* byRecipient(caller, narrowed)
        const { rows, walked_to } = yield* messages.lines(caller.environment_id, filters, before, Number(limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows.map(readLine), walked_to })
      }),

      conversations: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const rows = yield* messages.conversations(caller.environment_id, Number(query.limit))
        const data = rows.map((row) => `{${shownText(row, caller.environment)}}`)
        return rawReply(200, `{"object":"list","data":[${data}],"trace_id":"${traceId}"}`)
      }),

      endingIn: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const own = (yield* environments.list(caller.organization_id)).map(({ id }) => id)
        const rows = yield* messages.endingIn(own, query.digits, Number(query.limit))
        const data = rows.map(({ customer_key, environment_id, id }) => ({
          id,
          object: "phone_conversation" as const,
          environment_id,
          phone: `+${customer_key}`
        }))
        return valueReply({ traceId }, 200, { object: "list", data })
      }),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const id = params.message_id
        const row = parseId("msg", id) ? yield* messages.find(caller.environment_id, id) : undefined
        if (row === undefined) return yield* new MessageNotFound()
        const shown = shownText(row, caller.environment)
        return rawReply(200, `{"object":"shown_message",${shown},"trace_id":"${traceId}"}`)
      })
    })
  })
)

/** Returns the members of a shown message as JSON text: what a row holds as JSON is inserted unchanged. */
const shownText = (row: MessageRow, environment: EnvironmentKind): string => {
  const subject = JSON.stringify(subjectOf(row.channel, row.customer_key))
  return `"message":${messageText(row, environment)},"content":${row.content_json},"subject":${subject}`
}

const readLine = ({ business_id, created_at, customer_id, updated_at, ...line }: LineRow): MessageLine => {
  const [sender_id, recipient_id] =
    line.direction === "inbound" ? [customer_id, business_id] : [business_id, customer_id]
  return {
    ...line,
    sender_id,
    recipient_id,
    created_at: formatTimestamp(created_at),
    updated_at: formatTimestamp(updated_at)
  }
}
