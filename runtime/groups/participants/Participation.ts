import type { Subject } from "@carteiro/owners/Subject.ts"
import { customerTypes, matchKey, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"

/** A participant as the group knows them; instants are epoch milliseconds, in whole seconds. */
export interface Membership {
  readonly is_member: boolean
  readonly joined_at: number | null
  /** The newest event about them. */
  readonly latest_at: number
}

/** A join or a removal that was told. C-GPART-03 */
export interface ToldParticipation {
  readonly chat_id: string
  readonly action: "join" | "remove"
  /** In whole seconds. */
  readonly at: number
}

/**
 * Applies a reported event to a membership: the newest decides, of one second the one told last; a member who joins again
 * and somebody removed who was none change nothing but that instant. C-GPART-06, gaps-3 B "Simulation edge cases"
 */
export const participated = (
  known: Membership | undefined,
  { action, at }: Pick<ToldParticipation, "action" | "at">
): Membership => {
  if (known !== undefined && at < known.latest_at) return known
  const wasMember = known?.is_member === true
  if (action === "remove") return { is_member: false, joined_at: null, latest_at: at }
  return { is_member: true, joined_at: wasMember ? (known?.joined_at ?? at) : at, latest_at: at }
}

/** Most participants of a simulated group. C-GPART-10, C-LIM-01 */
export const mostSimulated = 8

/** The second an instant lies in, epoch milliseconds. */
export const wholeSecond = (instant: number): number => Math.floor(instant / 1000) * 1000

/** Returns the customer whose phone number a participant's id is; null for an id of another form. gaps-2 I "Erasure" */
export const participantSubject = (chat_id: string): Subject | null => {
  const digits = phoneDigits(chat_id)
  return digits === undefined ? null : { type: customerTypes.chatapp, key: matchKey(digits) }
}
