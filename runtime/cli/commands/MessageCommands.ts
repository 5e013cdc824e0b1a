import type { Message } from "@carteiro/schema/messages/Message.ts"
import { InvalidMessagesQuery, MessageNotFound } from "@carteiro/schema/messages/MessageErrors.ts"
import { Direction, MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { MessageAdmin, refusedRecipient } from "../../messages/Operator.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("message", "Id of the message", "msg_…")

const filters = {
  recipient: Flag.String("recipient").pipe(
    Flag.withDescription("Only those to this phone number"),
    Flag.withMetavar("+5511912345678"),
    Flag.optional
  ),
  status: Flag.Literals("status", MessageStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
  type: Flag.Literals("type", MessageType.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
  direction: Flag.Literals("direction", Direction.literals).pipe(Flag.withDescription("Only these"), Flag.optional)
}

const list = Command.make(
  "list",
  { environment, ...filters, limit },
  ({ environment, recipient, status, type, direction, limit }) =>
    Effect.gen(function* () {
      const { default_region: region, kind } = yield* foundEnvironment(environment)
      const phone = orUndefined(recipient)
      const refused = phone === undefined ? undefined : refusedRecipient(phone, region)
      if (refused !== undefined) return yield* new InvalidMessagesQuery({ param: "recipient", message: refused })
      const wanted = {
        recipient: phone,
        region,
        status: orUndefined(status),
        type: orUndefined(type),
        direction: orUndefined(direction)
      }
      const messages = yield* MessageAdmin
      const data = yield* walkOn(limit, (before, count) =>
        messages.list(environment, kind, { ...wanted, before }, count)
      )
      const rows = data.map((message) => [
        message.id,
        message.created_at,
        message.direction,
        message.type,
        message.error_code === null ? message.status : `${message.status} (${message.error_code})`,
        customerOf(message)
      ])
      yield* print(
        { data },
        table(["id", "created_at", "direction", "type", "status", "customer"], rows, "no messages")
      )
    })
).pipe(Command.withDescription("List messages of an environment, newest first"))

const show = Command.make("show", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    const { kind } = yield* foundEnvironment(environment)
    const message = (yield* (yield* MessageAdmin).find(environment, kind, id)) ?? (yield* new MessageNotFound())
    const events = message.events.map((event) => [event.occurred_at, event.type, event.error_code ?? ""])
    yield* print(message, `${facts(shown(message))}\n\n${table(["when", "event", "error"], events, "no events")}`)
  })
).pipe(Command.withDescription("Show one message with its events"))

const customerOf = ({ direction, recipient, sender }: Message): string =>
  (direction === "inbound" ? sender.id : recipient.id) || "withheld"

const shown = (message: Message) => ({
  id: message.id,
  direction: message.direction,
  channel: message.channel,
  type: message.type,
  status: message.status,
  status_reason: message.status_reason,
  customer: customerOf(message),
  template: message.template_name,
  provider: message.provider,
  provider_message_id: message.provider_message_id,
  error_code: message.error_code,
  error_message: message.error_message,
  created_at: message.created_at,
  updated_at: message.updated_at,
  redacted_at: message.redacted_at,
  delivery_unconfirmed_at: message.delivery_unconfirmed_at,
  trace_id: message.trace_id
})

/** Messages of one environment. M-READ-01, M-READ-02, M-READ-11..31 */
export const messages = Command.make("messages").pipe(Command.withSubcommands([list, show]))
