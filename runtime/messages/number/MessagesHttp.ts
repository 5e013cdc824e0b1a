import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { rawReply, reply, withWarning } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { FeatureDisabled } from "@carteiro/schema/conventions/SharedErrors.ts"
import { MessageNotCancellable, MessageNotFound } from "@carteiro/schema/messages/MessageErrors.ts"
import { MessagesApi } from "@carteiro/schema/messages/MessagesApi.ts"
import type { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Effect, Result } from "effect"
import { FileDescriptors, InlineFiles } from "../../media/Media.ts"
import { type AcceptItem, makeAcceptItem, switchedOff, withInline } from "../accept/AcceptItem.ts"
import { fileOf, messageText } from "../message/MessageText.ts"
import { type Customer, readRecipient, recipientWarning, subjectOf } from "../message/Recipient.ts"
import { makeRecipientFilter } from "../read/CustomerFilters.ts"
import { MessagePages } from "../read/MessagePages.ts"
import { MessageRepo } from "../read/MessageRepo.ts"
import { PhoneNumberEntity } from "./PhoneNumberEntity.ts"
import { Typing } from "./TypingIndicator.ts"

/** A request about the message in its path. */
interface MessageRequest {
  readonly caller: Pick<Caller, "environment_id">
  readonly params: { readonly message_id: string }
}

const listRoute = "messages.list"

/** Refuses a malformed phone together with the body, before any token, key or row. M-RCP-04, M-RCP-05 */
const checkRecipient = ({ recipient }: Partial<SendMessage>) =>
  recipient === undefined ? undefined : readRecipient(recipient)

/** The id prefix of senders on each channel. gaps-2 B "Social and channel addressing" */
const senderPrefixes = { chatapp: "pn", chatapp_channel: "pn", socialapp: "pcn" } as const

/**
 * POST and GET /v1/messages, GET /v1/messages/{message_id}, cancel and typing. M-MSG-01, M-READ-01, M-READ-02, gaps-2 B
 * "Cancel a message", "Typing indicator"
 */
export const MessagesHttp = Routes.group(
  MessagesApi,
  Effect.gen(function* () {
    const numbers = yield* PhoneNumberEntity.client
    const messages = yield* MessageRepo
    const ids = yield* Ids
    const cursors = yield* Cursors
    const typing = yield* Typing
    const inlineFiles = yield* InlineFiles
    const descriptors = yield* FileDescriptors
    const pages = yield* MessagePages
    const byRecipient = yield* makeRecipientFilter

    const accept = (number: string, item: AcceptItem, customer: Customer) =>
      Effect.map(numbers.Accept(number, item), (text) => withWarning(rawReply(202, text), recipientWarning(customer)))

    /** Returns the message of a path, within the caller's environment. M-READ-32 */
    const messageOf = Effect.fnUntraced(function* (request: MessageRequest) {
      const { message_id } = request.params
      const found = parseId("msg", message_id)
        ? yield* messages.find(request.caller.environment_id, message_id)
        : undefined
      return found ?? (yield* new MessageNotFound())
    })

    return Routes.handlers(MessagesApi, {
      create: Routes.checked(checkRecipient, (request, customer) => {
        const feature = switchedOff(request.body, request.caller)
        if (feature !== undefined) return Effect.fail(new FeatureDisabled({ details: { feature } }))
        const item = makeAcceptItem(request, ids.mint("msg", request.now), customer)
        if (Result.isFailure(item)) return Effect.fail(item.failure)
        const { id } = request.body.sender
        // An id of another form names no number, and must not start an owner.
        if (!parseId(senderPrefixes[request.body.channel], id))
          return Effect.fail(new PhoneNumberNotFound({ param: "sender.id" }))
        const { inline, kind } = request.body.message.media ?? {}
        if (inline == null || kind === undefined) return accept(id, item.success, customer)
        const kept = inlineFiles.keep(
          request,
          item.success.id,
          subjectOf(item.success.channel, item.success.customer_key),
          kind,
          inline
        )
        return Effect.flatMap(kept, ({ asset_id }) =>
          Effect.onError(accept(id, withInline(item.success, asset_id, id), customer), () =>
            inlineFiles.drop(request.caller.environment_id, asset_id, request.now)
          )
        )
      }),
      get: Effect.fnUntraced(function* (request) {
        const row = yield* messageOf(request)
        const file = fileOf(row)
        // Files are shown in their present state, also when they changed after the message. M-INB-08
        const files = yield* descriptors.describe(row.environment_id, file === undefined ? [] : [file])
        return rawReply(200, messageText(row, request.caller.environment, files))
      }),
      cancel: Effect.fnUntraced(function* (request) {
        const { environment, environment_id } = request.caller
        const { business_id, direction, id } = yield* messageOf(request)
        if (direction === "inbound") return yield* new MessageNotCancellable()
        const text = yield* numbers.Cancel(business_id, { id, environment_id, environment, claim: request.claim })
        return rawReply(200, text)
      }),
      typing: Effect.fnUntraced(function* (request) {
        const message = yield* messageOf(request)
        return reply(request, 200, yield* typing.show(message, request.caller, request.now))
      }),
      list: Effect.fnUntraced(function* (request) {
        const { environment, environment_id } = request.caller
        const { include, limit, starting_after, ...query } = request.query
        const filters = yield* byRecipient(request.caller, query)
        const asked = { cursors, route: listRoute, scope: environment_id, after: starting_after, size: pageSize(limit) }
        const page = yield* idPage(
          asked,
          (after, count) => {
            const wanted = { environment, environment_id, after, limit: count }
            return include === "payload" ? pages.withPayload(wanted, filters) : pages.items(wanted, filters)
          },
          ({ text }) => text()
        )
        return pageReply(request, page)
      })
    })
  })
)
