import type { UnknownContent } from "@carteiro/schema/messages/InboundContent.ts"
import type { MessageContext, MessagePricing } from "@carteiro/schema/messages/Message.ts"
import { Context } from "effect"
import type { ChatMediaKind } from "./ChatContent.ts"
import type { ChatRefusal } from "./ChatProvider.ts"
import type { GroupNotice } from "./GroupProvider.ts"
import type { ReviewStatus, SubmittedTemplate } from "./TemplateProvider.ts"

/** A customer by the digits of their phone and by the platform's id of them for this business; null where one is hidden. */
export interface CustomerIdentity {
  readonly phone: string | null
  readonly user_id: string | null
}

/** The status of a sent message. Instants are epoch milliseconds, null if the platform named none. */
export interface StatusNotice {
  readonly kind: "status"
  readonly provider_message_id: string
  /** The product's id from the send, if the platform returns it. */
  readonly message_id: string | null
  /** The last three tell of the message without changing it. U-STA-02 */
  readonly status: "sent" | "delivered" | "read" | "failed" | "played" | "deleted" | "warning"
  readonly at: number | null
  /** The recipient as the platform names them now. */
  readonly recipient: CustomerIdentity
  /** For a failure: the delivery code, and the platform's own text. A warning has the text alone. */
  readonly code: string | null
  readonly error: ChatRefusal | null
  /** What the platform says of the price; null when it says nothing. U-STA-01 */
  readonly pricing: MessagePricing | null
}

/** The state of a payment that an order message asked for, by the sender's id of the order. U-STA-03 */
interface OrderPaymentNotice {
  readonly kind: "order_payment"
  readonly reference_id: string
}

/** The content of a customer's message, with the provider's ids only. gaps-2 E "Inbound type map" */
export type NoticedContent =
  | { readonly type: "text"; readonly body: string }
  | {
      readonly type: "media"
      readonly kind: ChatMediaKind
      readonly provider_media_id: string
      /** Undefined if the platform does not report it. */
      readonly voice: boolean | undefined
      readonly mime_type: string | null
      readonly filename: string | null
      readonly sha256: string | null
      /** Null for a file without one, and for kinds that have none. */
      readonly caption: string | null
    }
  | {
      readonly type: "interactive"
      readonly reply: "button_reply" | "list_reply"
      readonly id: string
      readonly title: string
      readonly description: string | null
    }
  | {
      readonly type: "flow"
      readonly name: string | null
      readonly response: Readonly<Record<string, unknown>>
      readonly provider_token: string | null
    }
  | { readonly type: "reaction"; readonly provider_message_id: string; readonly emoji: string }
  | {
      readonly type: "unsupported"
      readonly provider_type: string | null
      readonly reason: { readonly code: number; readonly message: string } | null
    }
  | { readonly type: "unknown"; readonly provider_type: string; readonly shared?: SharedThing | undefined }

/** The content of a type that the product does not interpret, in the members of our own wire. U-INB-02, U-INB-03 */
export type SharedThing = Omit<UnknownContent, "provider_type">

/** A message from a customer. */
export interface InboundNotice {
  readonly kind: "inbound"
  readonly provider_message_id: string
  /** Digits of the customer's phone; null when it is withheld. */
  readonly from: string | null
  /** The platform's id of the customer for this business, and the username; null when the platform names none. U-HID-01 */
  readonly user_id: string | null
  readonly username: string | null
  readonly profile_name: string | null
  /** The platform's id of the group in which the customer wrote; null for a private message. U-INB-06 */
  readonly group_id: string | null
  readonly at: number | null
  readonly content: NoticedContent
  /** The quoted message and whether it was forwarded; null when the platform names neither. */
  readonly context: {
    readonly quoted_id: string | null
    readonly forwarded: boolean
    readonly frequently_forwarded: boolean
    readonly referral?: NonNullable<MessageContext["referral"]>
    readonly referred_product?: NonNullable<MessageContext["referred_product"]>
  } | null
  /** The message as the platform wrote it. M-READ-24 */
  readonly raw: unknown
}

/**
 * A message that staff sent in the phone app of the number. `from` and `user_id` name the recipient, as they name the
 * customer of any message. U-INB-07
 */
export interface EchoNotice extends Omit<InboundNotice, "kind"> {
  readonly kind: "echo"
}

/** A customer stopped, or resumed, marketing of the business account. gaps-2 C "Upstream marketing stop" */
export interface PreferenceNotice {
  readonly kind: "preference"
  /** Digits of the customer's phone; null when it is withheld. */
  readonly from: string | null
  readonly user_id: string | null
  readonly value: "stop" | "resume"
  readonly at: number | null
}

/** A customer changed their phone or got another id; or a notice names both ids of one customer. U-HID-05, U-HID-06 */
export interface IdentityNotice {
  readonly kind: "identity"
  readonly previous: CustomerIdentity
  readonly current: CustomerIdentity
}

/** A notice about one number. */
export type NumberNotice =
  | StatusNotice
  | OrderPaymentNotice
  | InboundNotice
  | EchoNotice
  | PreferenceNotice
  | IdentityNotice

/** A notice about a business account. */
export type AccountNotice =
  | {
      readonly kind: "template_status"
      readonly provider_template_id: string | null
      readonly name: string
      readonly language: string
      /** Undefined for an unknown word; orphaned for a template that is being deleted there. U-TPL-07 */
      readonly status: ReviewStatus | "orphaned" | undefined
      readonly reason: string | null
    }
  | {
      readonly kind: "template_quality"
      readonly provider_template_id: string | null
      readonly name: string
      readonly language: string
      readonly quality: "green" | "yellow" | "red" | "unknown"
    }
  | {
      readonly kind: "template_category"
      readonly provider_template_id: string | null
      readonly name: string
      readonly language: string
      readonly category: SubmittedTemplate["category"]
    }
  | {
      readonly kind: "phone_quality"
      readonly display_phone_number: string
      readonly messaging_limit_tier: string | null
      /** True when that limit is the portfolio's, not the number's alone. U-LIM-02 */
      readonly is_portfolio_limit: boolean
      readonly quality: "green" | "yellow" | "red" | undefined
      /** The throughput that the number has from now on; null when it did not change. U-LIM-02 */
      readonly throughput_tier: "unlimited" | null
    }
  /** The daily limit of the business that owns the account; it holds for each of its numbers. U-LIM-02 */
  | { readonly kind: "account_limit"; readonly messaging_limit_tier: string; readonly is_portfolio_limit: boolean }
  | {
      readonly kind: "phone_name"
      readonly display_phone_number: string
      readonly decision: "approved" | "declined" | "pending"
      readonly name: string
      readonly reason: string | null
    }
  | {
      readonly kind: "account"
      /** The platform's word for the change. */
      readonly event: string
      /** When it happened, epoch milliseconds in whole seconds; null when the platform names no time. */
      readonly at: number | null
      readonly ban: { readonly state: string; readonly date: number | null } | null
      readonly violation: string | null
      readonly restrictions: ReadonlyArray<{ readonly type: string; readonly expires_at: number | null }> | null
      readonly review: string | null
      readonly capability: {
        readonly send_capability: "available" | "blocked"
        readonly send_block_codes: ReadonlyArray<string>
      } | null
    }
  | {
      readonly kind: "flow_status"
      readonly provider_flow_id: string
      readonly status: "draft" | "published" | "deprecated" | "blocked" | "throttled" | undefined
    }
  /** A notice that no part of the product reads yet. */
  | { readonly kind: "other"; readonly field: string; readonly value: unknown }

/** One call of the platform, split by its ids of numbers and of business accounts. */
export interface ChatNotices {
  readonly numbers: ReadonlyMap<string, ReadonlyArray<NumberNotice>>
  readonly accounts: ReadonlyMap<string, ReadonlyArray<AccountNotice>>
  /** Group notices by ids of numbers. */
  readonly groups: ReadonlyMap<string, ReadonlyArray<GroupNotice>>
}

/** Reads the platform's webhooks. It never fails: unreadable parts are left out. gaps-2 E "Inbound upstream webhook" */
export const UpstreamNotices = Context.Reference<(body: Uint8Array) => ChatNotices>(
  "@carteiro/provider/UpstreamNotices",
  { defaultValue: () => () => ({ numbers: new Map(), accounts: new Map(), groups: new Map() }) }
)
