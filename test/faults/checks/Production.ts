import { type Evidence, type MessageSeen, type PlatformLog, type PlatformPost, wasCarried } from "../Evidence.ts"

/** Messages of one number that may be with the platform at once, which is what a crash may leave ambiguous. M-DLV-23 */
const mostOnTheWire = 32

/** Every production message has ended, as the platform said where it took it, or shows that it is unconfirmed. M-DLV-23 */
export const productionRests = ({ production: { log, messages } }: Evidence): ReadonlyArray<string> => {
  const said = saidOf(log)
  return messages.flatMap((message) =>
    isAtRest(message, said) ? [] : [`${message.id} (${message.metadata?.marker}) rests as ${message.status}`]
  )
}

/** What the platform took ends as its statuses say, however they came; of two copies, as one of them. M-MSG-14 */
export const endsAsThePlatformSays = ({ production: { log, messages } }: Evidence): ReadonlyArray<string> => {
  const said = saidOf(log)
  const copies = Map.groupBy(log.statuses, ({ message_id }) => message_id ?? "")
  return messages.flatMap(({ id, status }) => {
    const word = said.get(id)
    const known = copies.get(id) ?? []
    const isOneOfMany =
      new Set(known.map(({ provider_message_id }) => provider_message_id)).size > 1 &&
      known.some((told) => told.status === status)
    return word === undefined || word === status || isOneOfMany
      ? []
      : [`${id} is ${word} at the platform and ${status} here`]
  })
}

/** A message is posted again only after the platform answered that it did not take it. M-DLV-22 */
export const postedAgainOnlyWhenRefused = ({ production: { log } }: Evidence): ReadonlyArray<string> =>
  [...postsById(log)].flatMap(([id, posts]) =>
    posts.slice(0, -1).every(({ fault, outcome }) => outcome === "refused" || liesOfRefusal.has(fault ?? ""))
      ? []
      : [`${id} was posted ${posts.length} times: ${posts.map(({ outcome }) => outcome).join(", ")}`]
  )

/** Faults by which the platform takes a message and answers that it did not. */
const liesOfRefusal: ReadonlySet<string> = new Set(["taken_500", "taken_429"])

/** Instants of two clocks are this close, in milliseconds. */
const clocksApartMs = 250

/** No try is claimed once a report of the message is stored: the report proves that an earlier try left. M-MSG-14 */
export const notTriedAfterReport = ({ production: { log, messages } }: Evidence): ReadonlyArray<string> => {
  const reportedAt = new Map<string, number>()
  for (const { at, message_ids } of log.reports)
    for (const id of message_ids) reportedAt.set(id, Math.min(at, reportedAt.get(id) ?? at))
  return messages.flatMap(({ events, id }) => {
    const at = (reportedAt.get(id) ?? Number.POSITIVE_INFINITY) + clocksApartMs
    const late = events.filter(
      ({ occurred_at, type }) => type === "message.sending" && Date.parse(occurred_at ?? "") > at
    )
    return late.length === 0 ? [] : [`${id} was tried ${late.length} times after a report of it was stored`]
  })
}

/** Each message that the platform carried is charged once, and nothing else is. gaps-2 B "When a message is charged" */
export const carriedIsChargedOnce = ({ production: { charged, messages } }: Evidence): ReadonlyArray<string> => {
  const carried = messages.filter(wasCarried).length
  return charged === carried ? [] : [`${carried} messages were carried and ${charged} charged`]
}

/** The platform is sent stored messages alone. M-DLV-22 */
export const postedIsStored = ({ production: { log, messages } }: Evidence): ReadonlyArray<string> => {
  const stored = new Set(messages.map(({ id }) => id))
  return [...postsById(log).keys()].flatMap((id) => (stored.has(id) ? [] : [`${id} was posted and is not there`]))
}

/** Unconfirmed is what the platform left without an answer, and beside that at most what was on the wire. M-DLV-23 */
export const ambiguousIsBounded = ({ entries, production: { log, messages } }: Evidence): ReadonlyArray<string> => {
  const posts = postsById(log)
  const ours = messages.filter(
    (message) => isUnconfirmed(message) && posts.get(message.id)?.some(({ outcome }) => outcome === "dropped") !== true
  )
  const faults = entries.filter(
    (entry) => entry.phase === "fault" && entry.stage !== "end" && entry.name !== "upstream"
  ).length
  const most = faults * mostOnTheWire
  return ours.length <= most
    ? []
    : [`${ours.length} messages are unconfirmed after ${faults} faults: ${ours.map(({ id }) => id).join(", ")}`]
}

/** Whether nothing is to come for any of these. */
export const allAtRest = (messages: ReadonlyArray<MessageSeen>, log: PlatformLog): boolean => {
  const said = saidOf(log)
  return messages.every((message) => isAtRest(message, said))
}

/** How far a message is by each word; told in whatever order, the furthest is what became of it. M-MSG-14 */
const furthest = ["sent", "delivered", "read", "failed"]

/** What became of the messages that the platform took, by its own words. */
const saidOf = ({ posts, statuses }: PlatformLog): ReadonlyMap<string, string> => {
  const said = new Map<string, string>()
  for (const { message_id, outcome } of posts)
    if (outcome === "accepted" && message_id !== null) said.set(message_id, "sent")
  for (const { message_id, status } of statuses) {
    if (message_id === null) continue
    const before = furthest.indexOf(said.get(message_id) ?? "")
    if (furthest.indexOf(status) > before) said.set(message_id, status)
  }
  return said
}

const isAtRest = (message: MessageSeen, said: ReadonlyMap<string, string>): boolean =>
  message.status === "failed" || message.status === "read" || (isUnconfirmed(message) && !said.has(message.id))

const isUnconfirmed = ({ delivery_unconfirmed_at, status }: MessageSeen): boolean =>
  status === "sending" && typeof delivery_unconfirmed_at === "string"

const postsById = ({ posts }: PlatformLog): ReadonlyMap<string, ReadonlyArray<PlatformPost>> =>
  Map.groupBy(
    posts.filter(({ message_id }) => message_id !== null),
    ({ message_id }) => message_id ?? ""
  )
