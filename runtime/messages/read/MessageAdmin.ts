import { parseId } from "@carteiro/owners/Ids.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Message } from "@carteiro/schema/messages/Message.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer } from "effect"
import { messageBody } from "../message/MessageText.ts"
import { type MessageFilters, MessageRepo } from "./MessageRepo.ts"

/** Reads messages for operators, within one environment. M-READ-01..31 */
export class MessageAdmin extends Context.Service<
  MessageAdmin,
  {
    /** Returns messages newest first, before the message with that id. */
    list(
      environmentId: string,
      kind: EnvironmentKind,
      wanted: MessageFilters & { readonly before?: string | undefined },
      count: number
    ): Effect.Effect<Walked<Message>>
    find(environmentId: string, kind: EnvironmentKind, id: string): Effect.Effect<Message | undefined>
  }
>()("@carteiro/runtime/messages/read/MessageAdmin") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(MessageRepo, (repo) =>
      MessageAdmin.of({
        list: (environmentId, kind, { before, ...filters }, count) =>
          Effect.map(repo.list(environmentId, filters, before, count), ({ rows, walked_to }) => ({
            rows: rows.map((row) => messageBody(row, kind)),
            walked_to
          })),
        find: (environmentId, kind, id) =>
          parseId("msg", id)
            ? Effect.map(repo.find(environmentId, id), (row) =>
                row === undefined ? undefined : messageBody(row, kind)
              )
            : Effect.undefined
      })
    )
  )
}
