import type { NumberNotice } from "@carteiro/provider/ChatNotices.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { markRow } from "../receive/NamedMessages.ts"
import type { CallNotices } from "./CallEnds.ts"
import { directionOf, type NoticedMessage, nameOf } from "./NoticedMessage.ts"

/** Returns the provider's id of the message that a correction or withdrawal is about; undefined for any other notice. */
export const correctedId = (notice: NumberNotice): string | undefined => {
  if (notice.kind !== "inbound" && notice.kind !== "echo") return undefined
  if (notice.content.type !== "unknown") return undefined
  const { edit, revoke } = notice.content.shared ?? {}
  return (edit ?? revoke)?.provider_message_id
}

/** The corrections of a pass that came before their message. */
export interface LateCorrections {
  /** The marks of messages that have come since, each about its correction. */
  readonly marks: ReadonlyArray<{ readonly rows: ReadonlyArray<Row>; readonly about: string }>
  /** The provider's ids of the corrections whose message is not here yet: their calls are looked at again. */
  readonly waiting: ReadonlySet<string>
}

/**
 * Returns what is to be done about corrections that came in an earlier call than their message. `found` are the stored
 * messages that the pass names, `captured` the provider's ids of those that it stores now: a correction that is stored
 * with them, or after them, marks its message itself. U-INB-03
 */
export const lateCorrections = (
  calls: ReadonlyArray<CallNotices>,
  knownMessages: ReadonlyArray<NoticedMessage>,
  captured: ReadonlySet<string>
): LateCorrections => {
  const stored = new Map(knownMessages.map((one) => [nameOf(one.direction, one.provider_message_id), one]))
  const marks: Array<LateCorrections["marks"][number]> = []
  const waiting = new Set<string>()
  for (const { notices, work } of calls) {
    for (const notice of notices) {
      const named = correctedId(notice)
      if (named === undefined || (notice.kind !== "inbound" && notice.kind !== "echo")) continue
      const direction = directionOf(notice)
      const { provider_message_id } = notice
      const message = stored.get(nameOf(direction, named))
      const isStored = stored.has(nameOf(direction, provider_message_id))
      if (message === undefined) {
        if (isStored || !captured.has(named)) waiting.add(provider_message_id)
      } else if (isStored && work.attempts > 0) {
        const at = Math.min(notice.at ?? work.received_at, work.received_at)
        const isEdit = notice.content.type === "unknown" && notice.content.shared?.edit !== undefined
        const { environment_id, id } = message
        const row = markRow({ environment_id, id, direction }, isEdit ? "edit" : "revoke", at)
        marks.push({ rows: [row], about: provider_message_id })
      }
    }
  }
  return { marks, waiting }
}
