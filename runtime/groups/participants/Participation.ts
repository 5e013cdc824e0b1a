import type { Subject } from "@carteiro/owners/Subject.ts"
import { GroupParticipantLimitReached } from "@carteiro/schema/groups/GroupErrors.ts"
import { customerTypes, isUserId, matchKey, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import type { GroupDetail } from "../group/GroupState.ts"

/** A participant of a group; instants are epoch milliseconds, in whole seconds. */
export interface Membership {
  readonly is_member: boolean
  readonly joined_at: number | null
  /** The instant of the newest event about them. */
  readonly latest_at: number
}

/** A reported join or removal. C-GPART-03 */
export interface ToldParticipation {
  readonly chat_id: string
  readonly action: "join" | "remove"
  /** Epoch milliseconds, in whole seconds. */
  readonly at: number
}

/**
 * Applies a reported event to a membership: the newest event decides, and of one second the one reported last. A
 * repeated join, and the removal of a non-member, change only that instant. C-GPART-06, gaps-3 B "Simulation edge
 * cases"
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

/** A group and its participant after a reported event. */
export interface Participated {
  readonly group: GroupDetail
  readonly membership: Membership
}

/**
 * Returns the group after a reported join or removal. Refuses a simulated join beyond eight participants. C-GPART-06,
 * C-GPART-10, gaps-3 B "Simulation edge cases"
 */
export const joinOrLeave = (
  group: GroupDetail,
  before: Membership | undefined,
  participation: ToldParticipation & { readonly is_simulated: boolean },
  now: number
): Participated | GroupParticipantLimitReached => {
  const { chat_id } = participation
  const membership = participated(before, participation)
  const joins = membership.is_member && before?.is_member !== true
  if (participation.is_simulated && joins && group.members.length >= mostSimulated)
    return new GroupParticipantLimitReached()
  const left = group.members.filter((one) => one.chat_id !== chat_id)
  const joined = { chat_id, joined_at: membership.joined_at ?? participation.at }
  const members = joins ? inOrder([...left, joined]) : membership.is_member ? group.members : left
  return { group: { ...group, members, updated_at: now }, membership }
}

/**
 * Returns members by join, oldest first; of one second the one reported last comes last. gaps-3 B "Participant list
 * order on ties"
 */
const inOrder = (members: GroupDetail["members"]): GroupDetail["members"] =>
  [...members].sort((one, other) => one.joined_at - other.joined_at)

/** The most participants of a simulated group. C-GPART-10, C-LIM-01 */
const mostSimulated = 8

/** Returns the second of an instant, in epoch milliseconds. */
export const wholeSecond = (instant: number): number => Math.floor(instant / 1000) * 1000

/**
 * Returns the customer whose phone number, or whose id at the platform, a participant's id is; null for an id of another
 * form. U-HID-03, gaps-2 I "Erasure"
 */
export const participantSubject = (chat_id: string): Subject | null => {
  if (isUserId(chat_id)) return { type: customerTypes.chatapp, key: chat_id }
  const digits = phoneDigits(chat_id)
  return digits === undefined ? null : { type: customerTypes.chatapp, key: matchKey(digits) }
}
