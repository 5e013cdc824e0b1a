import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Channel, Direction, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import type { Template } from "@carteiro/schema/templates/Template.ts"
import { type JsonText, jsonCodec } from "@carteiro/tables/StoredJson.ts"
import type { SelectedRow } from "@carteiro/tables/Table.ts"
import type { Result } from "effect"
import type { FlowReference, SentFlow } from "../../flows/Flows.ts"
import type { KnownGroup } from "../../groups/Groups.ts"
import type { Bucket } from "../../ratelimit/TokenBucket.ts"
import type { ParameterMismatch, SentParameters, TemplateParameters } from "../../templates/Templates.ts"
import type { GuardedNumber, Quality } from "../guards/MarketingGuard.ts"
import type { dueMessageColumns, dueMessageInstants } from "../message/MessageTables.ts"
import type { StoredOutbound } from "../message/StoredContent.ts"
import type { SlotMemory } from "../pacing/Lease.ts"
import type { ThroughputPlan, UpstreamThroughputTier } from "./Throughput.ts"

/** The facts about a number that its owner needs. Other rooms and nodes change them. */
export interface NumberFacts {
  /** Changes with any change of the row. */
  readonly version: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
  /** The organization that pays for its messages; null in a sandbox. */
  readonly organization_id: string | null
  readonly project_id: string | null
  readonly phone: string | null
  readonly status: string
  /** The instant from which its service is suspended, which may lie ahead; see `isSuspended`. */
  readonly suspended_at: number | null
  readonly throughput_plan: ThroughputPlan
  readonly upstream_throughput_tier: UpstreamThroughputTier
  readonly messaging_tier: string
  readonly quality_rating: Quality
  readonly biz_account_id: string | null
  /** The portfolio with whose numbers it shares one allowance; null while it is unknown. U-LIM-01 */
  readonly portfolio_id: string | null
  /** Counts the changes of the portfolio's limit; 0 while the platform reported none. */
  readonly limit_revision: number
  /** True when its environment has opt-outs of erased customers, which each send must then check. */
  readonly suppresses: boolean
  /** When its held messages are due; null while it holds none. */
  readonly pacing_at: number | null
}

/** The memory of a number's owner: its buckets, and the facts that it read last. Everything else is rows. */
export interface NumberState extends SlotMemory {
  /** The bucket of sends that are not accepted yet. */
  accept: Bucket | undefined
  /** The bucket of messages that are being sent. */
  send: Bucket | undefined
  /** Undefined before the first read, and while the number is suspended; a commit checks whether it is still valid. */
  number: NumberFacts | undefined
  /** True while a transfer of the number is being committed: nothing is decided before it is written or refused. */
  moving: boolean
  /**
   * `none` when no message in an environment that the number has left can still change; undefined before that was read.
   */
  former: "none" | undefined
}

const savedBuckets = jsonCodec<Pick<NumberState, "accept" | "send">>()

/**
 * Returns the saved buckets, or full ones; `now` on the owner's clock. A bucket that was saved at a later time, as in the
 * turned sandbox from which a number was transferred, fills from now on.
 */
export const readState = (saved: string | undefined, now: number): NumberState => {
  const buckets = saved === undefined ? undefined : savedBuckets.read(saved)
  const filling = (bucket: Bucket | undefined) => bucket && { ...bucket, at: Math.min(bucket.at, now) }
  return {
    accept: filling(buckets?.accept),
    send: filling(buckets?.send),
    number: undefined,
    slots: undefined,
    lease: undefined,
    request: undefined,
    moving: false,
    former: undefined
  }
}

/** Returns the buckets in the form in which they are saved from time to time. */
export const writeState = (state: NumberState): string => savedBuckets.write({ accept: state.accept, send: state.send })

/** The customer's side of a conversation, as a batch looks it up. */
export interface AskedCustomer {
  readonly channel: Channel
  readonly key: string
}

/** A customer with the keyed hashes under which an erased customer's opt-out is found, joined by commas. */
export interface AskedConsent extends AskedCustomer {
  readonly subjects: string
}

/**
 * A template that sends name, with the version they use; null before the first approval. gaps-2 B "Template resolution"
 */
export interface KnownTemplate {
  /** Changes with any change of the row or of its versions; the commit of a send checks it. */
  readonly row_version: string
  readonly id: string
  readonly name: string
  readonly language: string
  /** The status of the version approved last. */
  readonly sending_status: string | null
  readonly quality: Quality
  readonly version: {
    readonly id: string
    readonly version: number
    readonly category: "marketing" | "utility" | "authentication"
    readonly check: (sent: SentParameters) => Result.Result<TemplateParameters, ParameterMismatch>
  } | null
}

/** The reference of a send to its template. M-MSG-26 */
export interface NamedTemplate {
  readonly name: string
  readonly language: string
}

/** A template's row; `components` is JSON text. */
export interface TemplateRows {
  readonly row_version: string
  readonly id: string
  readonly name: string
  readonly language: string
  readonly sending_status: string | null
  readonly quality: Quality
  readonly version_id: string | null
  readonly version: number
  readonly category: "marketing" | "utility" | "authentication"
  readonly parameter_format: "POSITIONAL" | "NAMED"
  readonly components: JsonText<Template["components"]>
}

/** The facts of a batch from the rows of a number, its customers and its messages. */
export interface NumberSendFacts {
  readonly number: NumberFacts | undefined
  /** The latest inbound instant, by `customerOf`; epoch milliseconds. */
  readonly windows: ReadonlyMap<string, number>
  readonly optedOut: ReadonlySet<string>
  /** The messages that sends quote or react to, by id: of this number, and of accounts on the social channel. */
  readonly quoted: ReadonlyMap<string, QuotedMessage>
  /** The ids of the batch that are already stored, because their call is repeated. */
  readonly stored: ReadonlySet<string>
  readonly templates: ReadonlyArray<TemplateRows>
}

/** All facts that decide a batch of sends. */
export interface SendFacts extends NumberSendFacts {
  /** Returns the flow that a send names, or the reason why it opens none. */
  readonly flow: (reference: FlowReference) => SentFlow | ApiError
  /** Returns a group of the number. U-SND-11 */
  readonly group: (id: string) => KnownGroup | undefined
  readonly template: (named: NamedTemplate) => KnownTemplate | undefined
}

/** A message that a send quotes or reacts to; `created_at` in epoch milliseconds. */
export interface QuotedMessage {
  readonly channel: Channel
  readonly customer_key: string
  /** The group in which it was written or to which it was sent. */
  readonly group_id: string | null
  readonly provider_message_id: string | null
  readonly direction: Direction
  readonly type: MessageType
  readonly created_at: number
}

/** A due message of an owner. Instants are epoch milliseconds. */
export interface DueMessage
  extends Omit<SelectedRow<typeof dueMessageColumns>, "content">,
    SelectedRow<typeof dueMessageInstants> {
  readonly content: JsonText<StoredOutbound> | null
  /** The status of its template while it is queued; null once the template is deleted, and without one. */
  readonly template_status: string | null
  /** The status of the group to which it goes, while the message is queued. U-SND-11 */
  readonly group_status: string | null
  readonly latest_inbound_at: number | null
  readonly opted_out: boolean
}

/** When a number has due work; undefined for never. Epoch milliseconds. */
export interface DueInstants {
  readonly number: NumberFacts | undefined
  readonly queue: number | undefined
  readonly steps: number | undefined
  /** When a provider's call about it is due. */
  readonly notices: number | undefined
  /** The provider's id of the number. */
  readonly upstream_phone_number_id: string | null
}

/** Returns one name per customer of a number's batch; channels never contain a space. */
export const customerOf = (customer: AskedCustomer): string => `${customer.channel} ${customer.key}`

/**
 * Returns the account whose marketing a recipient may stop: the upstream's account of the number, or the number when it
 * has none.
 */
export const accountOf = ({ biz_account_id }: Pick<NumberFacts, "biz_account_id">, business_id: string): string =>
  biz_account_id ?? business_id

/** Returns the parts of a number that its guards need. */
export const guardedNumber = (number: NumberFacts, business_id: string): GuardedNumber => ({
  environment_id: number.environment_id,
  environment: number.environment,
  id: business_id,
  quality_rating: number.quality_rating,
  account_id: accountOf(number, business_id),
  portfolio_id: number.portfolio_id
})
