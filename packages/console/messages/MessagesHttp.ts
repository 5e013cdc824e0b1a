import type { MessageLine } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { Channel, Direction, MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect, Layer } from "effect"
import { channelName } from "../kit/Channels.ts"
import { dayFilter, nameFilter, phoneFilter, textFilter, wordFilter } from "../kit/Filters.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList, fileOfLines } from "../kit/ListPage.ts"
import { addressOf } from "../kit/Lists.ts"
import { narrowedBy, peoplesList } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { type ListedMessage, makeNamedMessages, messageTable } from "./MessageParts.ts"

const filters = {
  recipient: phoneFilter("Recipient"),
  direction: wordFilter("Direction", Direction.literals),
  status: wordFilter("Status", MessageStatus.literals, { thing: "message" }),
  type: wordFilter("Type", MessageType.literals),
  channel: nameFilter("Channel", Channel.literals, channelName, { isMore: true }),
  sender_id: textFilter("Sender id", 64, { isMore: true }),
  batch_id: textFilter("Batch id", 64, { isMore: true }),
  template_name: textFilter("Template name", 512, { isMore: true }),
  created_after: dayFilter("From day", "begins"),
  created_before: dayFilter("To day", "ends")
}

/** Messages of an environment by whatever the API narrows them by. */
export const MessagesHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { messageLookups } = yield* Operations
    const named = yield* makeNamedMessages
    const messages = peoplesList(messageLookups.list)
    const lines = peoplesList(messageLookups.lines)
    const { routes } = yield* environmentList({
      operation: "messages",
      path: "/dashboard/messages",
      title: "Messages",
      section: "messages",
      api: "messages.list",
      follows: "events",
      filters,
      read: Effect.fnUntraced(function* (environment, search, before, count, visit) {
        const { rows, walked_to } = yield* messages(visit, environment, before, count, narrowedBy(search))
        return { rows: yield* named(asVisitor(visit, environment), rows), walked_to }
      }),
      idOf: ({ message }: ListedMessage) => message.id,
      table: (rows, { id }, nothing) => messageTable(id, rows, nothing),
      file: fileOfLines<EnvironmentEntry, typeof filters, MessageLine>(
        membersOf(
          (line) => line,
          "id",
          "created_at",
          "direction",
          "channel",
          "type",
          "status",
          "sender_id",
          "recipient_id",
          "template_name",
          "error_code",
          "trace_id",
          "updated_at"
        ),
        (environment, search, before, count, visit) => lines(visit, environment, before, count, narrowedBy(search))
      ),
      empty: () => ({
        purpose: say(
          "What your business sends and what customers write stands here, with every tick and every failure."
        ),
        operation: "messages.send"
      }),
      // Production has no chat: there a service writes by the API, and a person by a template.
      begin: ({ id, kind }) => ({
        button:
          kind === "sandbox"
            ? [addressOf("/dashboard/chat", { environment: id }), "Write in the chat"]
            : [addressOf("/dashboard/templates", { environment: id }), "Write by a template"]
      })
    })
    return routes
  })
)
