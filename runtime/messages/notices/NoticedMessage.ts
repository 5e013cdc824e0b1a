import type { DueMessage } from "../facts/SendingFacts.ts"

/** A message that the provider names. */
export interface NoticedMessage extends DueMessage {
  /**
   * It may differ from the number's: a number that moved left its messages where they were. gaps-2 K "Transfer fields"
   */
  readonly environment_id: string
  readonly direction: "inbound" | "outbound"
}
