import { parseId } from "@carteiro/owners/Ids.ts"
import type { Subject } from "@carteiro/owners/Subject.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Message } from "@carteiro/schema/messages/Message.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import type { MessageRow } from "../message/MessageRead.ts"
import { messageBody } from "../message/MessageText.ts"
import { subjectOf } from "../message/Recipient.ts"
import type { StoredContent } from "../message/StoredContent.ts"
import { type MessageFilters, MessageRepo } from "./MessageRepo.ts"

/** A message as the dashboard shows it. */
export interface ShownMessage {
  readonly message: Message
  /** The content, by its type; null once it was erased. */
  readonly content: StoredContent | null
  /** The subject of its events; null for a customer who withheld the phone. */
  readonly subject: Subject | null
}

/** Reads messages for the dashboard and operators, within one environment. M-READ-01..31 */
export class MessageAdmin extends Context.Service<
  MessageAdmin,
  {
    /** Returns messages newest first, before the message with that id. */
    list(
      environmentId: string,
      kind: EnvironmentKind,
      wanted: MessageFilters & { readonly before?: string | undefined },
      count: number
    ): Effect.Effect<Walked<ShownMessage>>
    find(environmentId: string, kind: EnvironmentKind, id: string): Effect.Effect<ShownMessage | undefined>
  }
>()("@carteiro/runtime/messages/read/MessageAdmin") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(MessageRepo, (repo) =>
      MessageAdmin.of({
        list: (environmentId, kind, { before, ...filters }, count) =>
          Effect.map(repo.list(environmentId, filters, before, count), ({ rows, walked_to }) => ({
            rows: rows.map((row) => show(row, kind)),
            walked_to
          })),
        find: (environmentId, kind, id) =>
          parseId("msg", id)
            ? Effect.map(repo.find(environmentId, id), (row) => (row === undefined ? undefined : show(row, kind)))
            : Effect.undefined
      })
    )
  )
}

const show = (row: MessageRow, kind: EnvironmentKind): ShownMessage => ({
  message: messageBody(row, kind),
  content: readJsonOrNull(row.content_json),
  subject: subjectOf(row.channel, row.customer_key)
})
