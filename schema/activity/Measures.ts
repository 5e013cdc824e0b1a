/** Events of messages that are counted by hour, for their number too. */
export const countedOfNumbers = [
  "message.received",
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed"
] as const

/** Events that are counted by hour, each a measure of its own; `payment.paid` sums the amounts as well. */
export const countedEvents = [...countedOfNumbers, "payment.paid"] as const

/** Upper bounds of the measures `webhook.within.N`, in milliseconds; a slower call counts as `webhook.within.more`. */
export const latencyBoundsMs = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** What is counted by hour. */
export type Measure =
  | (typeof countedEvents)[number]
  | "webhook.succeeded"
  | "webhook.failed"
  | `webhook.within.${(typeof latencyBoundsMs)[number] | "more"}`
  | "spend"
