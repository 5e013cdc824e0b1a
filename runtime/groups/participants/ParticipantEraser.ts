import { customerTypes, isUserId, spellingsOf } from "@carteiro/schema/messages/Vocabulary.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ErasedSubject, Eraser } from "../../erasure/Erasers.ts"
import { participantSubject } from "./Participation.ts"

/** The expression of an index, which finds ids in every spelling of a phone number. */
const spelled = "translate(chat_id, '+ ().-', '')"

/** Returns how the expression of the index spells the ids of a customer. */
const spellingsInIndex = (key: string): ReadonlyArray<string> =>
  isUserId(key) ? [key.replaceAll(".", "")] : spellingsOf(key)

/**
 * Removes an erased customer from groups: they are no longer listed or counted, and their joins and removals until then
 * are deleted. At the platform they remain a member. gaps-2 I "Erasure"
 */
export const participantEraser: Effect.Effect<Eraser, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql): Eraser => ({
    clear: Effect.fnUntraced(function* ({ environment_id, erased_at, subject }) {
      if (subject.type !== customerTypes.chatapp) return
      const found = [arrayParameter("text", spellingsInIndex(subject.key)), environment_id, instant(erased_at)]
      for (const [table, at] of [
        ["group_participants", "latest_at"],
        ["group_participations", "occurred_at"]
      ]) {
        yield* many(
          sql.unsafe(
            `delete from ${table} where ${spelled} = any($1::text[]) and environment_id = $2 and ${at} <= $3::timestamptz`,
            found
          )
        )
      }
    }),
    redact: redactParticipants
  })
)

/** Returns a stored response about a group, with the ids of an erased customer null. gaps-2 I "Erasure" */
const redactParticipants = (body: unknown, { subject }: ErasedSubject): unknown => {
  if (!isRecord(body) || body.object !== "group" || !Array.isArray(body.participants)) return body
  const participants: ReadonlyArray<unknown> = body.participants
  const isErased = (one: unknown) =>
    isRecord(one) && typeof one.chat_id === "string" && participantSubject(one.chat_id)?.key === subject.key
  if (subject.type !== customerTypes.chatapp || !participants.some(isErased)) return body
  return {
    ...body,
    participants: participants.map((one) => (isErased(one) ? { ...(one as object), chat_id: null } : one))
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
