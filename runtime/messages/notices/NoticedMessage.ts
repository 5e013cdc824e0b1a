import type { DueMessage } from "../facts/SendingFacts.ts"

/** A message that the provider names. */
export interface NoticedMessage extends DueMessage {
  /**
   * It may differ from the number's: a number that moved left its messages where they were. gaps-2 K "Transfer fields"
   */
  readonly environment_id: string
  readonly direction: "inbound" | "outbound"
}

/** Returns the side of a message that a customer, or staff in the phone app, wrote. */
export const directionOf = ({ kind }: { readonly kind: "inbound" | "echo" }): NoticedMessage["direction"] =>
  kind === "echo" ? "outbound" : "inbound"

/** Returns a name for a message of a number: the provider's ids of the two directions may be equal. */
export const nameOf = (direction: NoticedMessage["direction"], provider_message_id: string | null): string =>
  `${direction} ${provider_message_id}`
