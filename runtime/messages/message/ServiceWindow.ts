import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Channel, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"

/** How long one inbound message keeps the window open, in milliseconds. M-WIN-01 */
export const serviceWindowMs = dayMs

/** True while `now` is before the latest inbound provider timestamp plus 24 hours. M-WIN-01, gaps-2 B */
export const isWindowOpen = (latestInboundAt: number | undefined, now: number): boolean =>
  latestInboundAt !== undefined && now < latestInboundAt + serviceWindowMs

/**
 * True for free-form messages, which need a window; templates and the broadcast channel do not. M-MSG-22, M-WIN-03,
 * gaps-2 B
 */
export const needsWindow = (channel: Channel, type: MessageType): boolean =>
  channel !== "chatapp_channel" && type !== "template"

/**
 * True unless neither a phone nor an id names the customer; every other inbound message opens a window, whatever its
 * type. U-HID-01, gaps-2 B, gaps-2 E "Phone-withheld sender"
 */
export const opensWindow = (customerKey: string): boolean => customerKey !== ""
