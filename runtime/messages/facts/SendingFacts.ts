import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { MessageContext, MessageEventItem, ProviderError } from "@carteiro/schema/messages/Message.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import type { Channel, Direction, MessageStatus, MessageType } from "@carteiro/schema/messages/Vocabulary.ts"
import type { JsonText } from "@carteiro/tables/StoredJson.ts"
import type { Result } from "effect"
import type { FlowReference, SentFlow } from "../../flows/Flows.ts"
import type { Bucket } from "../../ratelimit/TokenBucket.ts"
import type { ParameterMismatch, SentParameters, TemplateParameters } from "../../templates/Templates.ts"
import type { GuardedNumber, Quality } from "../guards/MarketingGuard.ts"
import type { StoredOutbound } from "../message/StoredContent.ts"
import type { SlotLedger } from "../pacing/SlotLedger.ts"
import type { Scenario } from "../sandbox/SandboxScenario.ts"
import type { ThroughputPlan, UpstreamThroughputTier } from "./Throughput.ts"

/** The facts about a number that its owner needs. Other rooms and nodes change them. */
export interface NumberFacts {
  /** Changes with any change of the row. */
  readonly version: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
  /** Whom what it sends is charged to; null in sandbox. */
  readonly organization_id: string | null
  readonly project_id: string | null
  readonly phone: string | null
  readonly status: string
  /** From when its service is suspended, which may be still to come; see `isSuspended`. */
  readonly suspended_at: number | null
  readonly throughput_plan: ThroughputPlan
  readonly upstream_throughput_tier: UpstreamThroughputTier
  readonly messaging_tier: string
  readonly quality_rating: Quality
  readonly biz_account_id: string | null
  /** Its environment holds opt-outs of erased customers, so that each send is looked up among them too. */
  readonly suppresses: boolean
  /** When its held messages are looked at; null while it holds none. */
  readonly pacing_at: number | null
}

/** The memory of a number's owner: its buckets, and the facts that it read last. Everything else is rows. */
export interface NumberState {
  /** Sends not yet accepted draw from this one. */
  accept: Bucket | undefined
  /** Messages on their way out draw from this one. */
  send: Bucket | undefined
  /** Undefined until it was read, and while the number is suspended; a commit finds out whether it still holds. */
  number: NumberFacts | undefined
  /** Undefined until a message needs a slot; see `SlotLedger`. */
  slots: SlotLedger | undefined
  /** The number is about to be in another environment: nothing is judged before that is written or refused. */
  moving: boolean
  /** Whether messages in environments that the number has left may still move; undefined until that was looked at. */
  former: "none" | undefined
}

/** The buckets as they were saved, or full ones. */
export const readState = (saved: string | undefined): NumberState => {
  const levels = saved === undefined ? {} : (JSON.parse(saved) as Partial<NumberState>)
  return {
    accept: levels.accept,
    send: levels.send,
    number: undefined,
    slots: undefined,
    moving: false,
    former: undefined
  }
}

/** The buckets as they are saved now and then. */
export const writeState = (state: NumberState): string => JSON.stringify({ accept: state.accept, send: state.send })

/** One side of a conversation as a batch asks for it. */
export interface AskedCustomer {
  readonly channel: Channel
  readonly key: string
}

/** The same with the keyed hashes under which an erased customer's opt-out is found, joined by commas. */
export interface AskedConsent extends AskedCustomer {
  readonly subjects: string
}

/** A template that sends name, with the version they use; null before the first approval. gaps-2 B "Template resolution" */
export interface KnownTemplate {
  /** Changes with any change of its row, so with any of its versions; the commit of a send looks at it. */
  readonly row_version: string
  readonly id: string
  readonly name: string
  readonly language: string
  /** Of the version approved last. */
  readonly sending_status: string | null
  readonly quality: Quality
  readonly version: {
    readonly id: string
    readonly version: number
    readonly category: "marketing" | "utility" | "authentication"
    readonly check: (sent: SentParameters) => Result.Result<TemplateParameters, ParameterMismatch>
  } | null
}

/** How a send names its template. M-MSG-26 */
export interface NamedTemplate {
  readonly name: string
  readonly language: string
}

/** A template as its rows have it; `components` is JSON text. */
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
  readonly components: string
}

/** The facts of a batch from the rows of a number, its customers and its messages. */
export interface NumberSendFacts {
  readonly number: NumberFacts | undefined
  /** Latest inbound instant, by `customerOf`; epoch milliseconds. */
  readonly windows: ReadonlyMap<string, number>
  readonly optedOut: ReadonlySet<string>
  /** Messages that sends quote or react to, by id: of this number, and of accounts on the social channel. */
  readonly quoted: ReadonlyMap<string, QuotedMessage>
  /** Ids of the batch that are stored already: their call is repeated. */
  readonly stored: ReadonlySet<string>
  readonly templates: ReadonlyArray<TemplateRows>
}

/** Everything a batch of sends is judged by. */
export interface SendFacts extends NumberSendFacts {
  /** The flow that a send names, or why it opens none. */
  readonly flow: (reference: FlowReference) => SentFlow | ApiError
  readonly template: (named: NamedTemplate) => KnownTemplate | undefined
}

/** A message that a send quotes or reacts to; `created_at` in epoch milliseconds. */
export interface QuotedMessage {
  readonly channel: Channel
  readonly customer_key: string
  readonly provider_message_id: string | null
  readonly direction: Direction
  readonly type: MessageType
  readonly created_at: number
}

/** A message whose owner looks at it now. Instants are epoch milliseconds. */
export interface DueMessage {
  readonly id: string
  readonly channel: Channel
  readonly type: MessageType
  readonly status: MessageStatus
  readonly status_reason: string | null
  readonly business_phone: string | null
  readonly customer_id: string
  readonly customer_key: string
  readonly provider: string | null
  readonly provider_message_id: string | null
  readonly provider_payload: JsonText<unknown> | null
  readonly content: JsonText<StoredOutbound> | null
  readonly context: JsonText<MessageContext> | null
  readonly metadata: JsonText<Metadata> | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly provider_error: JsonText<ProviderError> | null
  readonly events: JsonText<ReadonlyArray<MessageEventItem>> | null
  readonly trace_id: string
  readonly scenario: Scenario | null
  /** The batch that fed it. */
  readonly batch_id: string | null
  readonly sending_since: number | null
  readonly released_at: number | null
  readonly delivery_unconfirmed_at: number | null
  /** The hash by which marketing templates are compared; null for everything else. */
  readonly marketing_hash: string | null
  /** Of the template, null for everything else. */
  readonly template_category: "marketing" | "utility" | "authentication" | null
  readonly refusals: number
  readonly refused_by: "unreached" | "transient" | "throughput" | "pair" | null
  readonly refused_since: number | null
  /** Of the template it was made from, while it is queued; null once that is gone, and without one. */
  readonly template_status: string | null
  /** The flow it opens, and the caller's token of it. */
  readonly flow_id: string | null
  readonly flow_token: string | null
  readonly due_at: number | null
  readonly created_at: number
  readonly latest_inbound_at: number | null
  readonly opted_out: boolean
}

/** When a number has something to do; undefined for never. Epoch milliseconds. */
export interface DueInstants {
  readonly number: NumberFacts | undefined
  readonly queue: number | undefined
  readonly steps: number | undefined
  /** When a call of the provider about it is looked at. */
  readonly notices: number | undefined
  /** The provider's id of the number. */
  readonly upstream_phone_number_id: string | null
}

/** One name per customer of a number's batch; channels never hold a space. */
export const customerOf = (customer: AskedCustomer): string => `${customer.channel} ${customer.key}`

/** Whose marketing a recipient may stop: the upstream's account of the number, or the number where it has none. */
export const accountOf = ({ biz_account_id }: Pick<NumberFacts, "biz_account_id">, business_id: string): string =>
  biz_account_id ?? business_id

/** A number as its guards ask for it. */
export const guardedNumber = (number: NumberFacts, business_id: string): GuardedNumber => ({
  environment_id: number.environment_id,
  environment: number.environment,
  id: business_id,
  quality_rating: number.quality_rating,
  account_id: accountOf(number, business_id)
})
