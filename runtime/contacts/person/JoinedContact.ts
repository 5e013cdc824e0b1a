import type { ContactRow } from "../contact/ContactState.ts"

/** One contact made of two, and the id that reads as it from then on. */
interface JoinedContact {
  readonly contact: ContactRow
  /** Undefined where only one contact existed. */
  readonly dropped: string | undefined
}

/**
 * Joins the contact of one key to that of another, of the same person. The older id stays. Opted out wins over any
 * other choice, and opted in over none; names and metadata are those of the contact that wrote last, else of the older.
 * U-HID-03
 */
export const joinContacts = (
  from: ContactRow,
  to: ContactRow | undefined,
  { phone, to: to_key }: { readonly phone: string; readonly to: string }
): JoinedContact => {
  const revision = Math.max(from.revision, to?.revision ?? 0) + 1
  if (to === undefined) {
    return { contact: { ...from, match_key: to_key, phone: phone || from.phone, revision }, dropped: undefined }
  }
  const [older, younger] = isOlder(from, to) ? [from, to] : [to, from]
  const [latest, other] = wroteAt(from) > wroteAt(to) ? [from, to] : [to, from]
  const choice = strength(older) >= strength(younger) ? older : younger
  return {
    dropped: younger.id,
    contact: {
      id: older.id,
      match_key: to_key,
      phone: to.phone || phone,
      user_id: to.user_id ?? from.user_id,
      username: latest.username ?? other.username,
      profile_name: latest.profile_name ?? other.profile_name,
      opt_in_status: choice.opt_in_status,
      source: choice.source,
      metadata: latest.metadata ?? other.metadata,
      opted_in_at: latestOf(from.opted_in_at, to.opted_in_at),
      opted_out_at: latestOf(from.opted_out_at, to.opted_out_at),
      last_inbound_at: latestOf(from.last_inbound_at, to.last_inbound_at),
      created_at: older.created_at,
      updated_at: Math.max(from.updated_at, to.updated_at),
      revision
    }
  }
}

const isOlder = (one: ContactRow, other: ContactRow): boolean =>
  one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at

const wroteAt = ({ last_inbound_at }: ContactRow): number => last_inbound_at ?? Number.NEGATIVE_INFINITY

const strength = ({ opt_in_status }: ContactRow): number => ["none", "opted_in", "opted_out"].indexOf(opt_in_status)

const latestOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other)
