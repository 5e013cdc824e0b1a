import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** M-CONN-02 */
export const ConnectionProvider = Schema.Literals(["upstream", "pixprov1", "pixprov2"]).annotate({
  description: "Who the account is at."
})
export type ConnectionProvider = typeof ConnectionProvider.Type

/** M-CONN-03 */
export const ConnectionChannel = Schema.Literals(["chatapp", "socialapp", "payments", "agentic_payments"]).annotate({
  description: "What the account is used for."
})
export type ConnectionChannel = typeof ConnectionChannel.Type

/** M-CONN-04 */
export const ConnectionStatus = Schema.Literals(["pending", "connected", "suspended", "disconnected"]).annotate({
  description:
    "pending: complete it; connected: in use; suspended: the platform locked or banned the account; disconnected: over."
})
export type ConnectionStatus = typeof ConnectionStatus.Type

/** M-CONN-09 */
const SendCapability = Schema.Literals(["available", "blocked"])

/** M-CONN-10, M-CONN-11 */
const SendBlockCode = Schema.Literals(["141006", "141008", "141011"]).annotate({
  description: "141006: payment method missing; 141008: account inactive; 141011: messaging permission missing."
})

const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })

/** What was last observed of one business account that the credential reaches. M-CONN-13 */
export const BizAccountSendCapability = Schema.Struct({
  biz_account_id: Schema.String.annotateKey({ description: "The account at the platform." }),
  send_capability: nullable(SendCapability, "Null means that nothing trusted was observed, never that it may send."),
  send_block_codes: nullable(Schema.Array(SendBlockCode), "Why it is blocked, in the order of remedies."),
  observed_at: Schema.NullOr(Timestamp).annotate({ description: "When the platform said so." })
}).annotate({ identifier: "BizAccountSendCapability" })

/** An account at a provider; its credential is never shown. M-CONN-01..18, gaps-2 L "Inner connection shapes" */
export const ProviderConnection = Schema.Struct({
  id: id("pcn"),
  object: Schema.Literal("provider_connection"),
  provider: ConnectionProvider,
  channel: ConnectionChannel,
  status: ConnectionStatus,
  display_name: Schema.String.annotateKey({ description: "What you call it." }),
  environment: EnvironmentKind,
  biz_account_id: nullable(Schema.String, "The business account at the chat platform."),
  phone_number_id: nullable(Schema.String, "The platform's id of the number that was named with it."),
  display_phone_number: nullable(Schema.String, "That number as the platform writes it."),
  social_business_account_id: nullable(Schema.String, "The business account of the social channel."),
  page_id: nullable(Schema.String, "The page of the social channel."),
  provider_account_id: nullable(Schema.String, "The account at a provider of payments, where it names one."),
  payment_receiver: nullable(
    Schema.Struct({
      merchant_name: nullable(Schema.String, "The name that payers read."),
      key: nullable(Schema.String, "The Pix key."),
      key_type: nullable(Schema.String, "What kind of key it is.")
    }),
    "Who payments go to."
  ),
  payment_capabilities: nullable(
    Schema.Struct({
      pix: Schema.Boolean.annotateKey({ description: "Pix charges." }),
      hosted_checkout: Schema.Boolean.annotateKey({ description: "A page of the provider for the customer." })
    }),
    "What the account can collect."
  ),
  agentic_capabilities: nullable(
    Schema.Struct({
      banks: Schema.Boolean.annotateKey({ description: "Banks can be listed." }),
      authorizations: Schema.Boolean.annotateKey({ description: "Customers can authorize payments." }),
      payments: Schema.Boolean.annotateKey({ description: "Authorized payments can be made." })
    }),
    "What of agentic payments it can do."
  ),
  default_participant_id: nullable(Schema.String, "The participant of agentic payments."),
  agent_id: nullable(Schema.String, "The agent of agentic payments."),
  agentic_api_base_url: nullable(Schema.String, "Where agentic payments are called, if not at the provider's own."),
  webhook_secret_configured: Schema.Boolean.annotate({
    description: "Whether the provider's calls about the account can be proven."
  }),
  suspension_reason: nullable(Schema.String, "Why it is suspended, such as account_locked or account_banned."),
  last_policy_warning_type: nullable(Schema.String, "The last warning of the platform."),
  last_policy_warning_at: nullable(Timestamp, "When it came; cooldowns of marketing count from it."),
  send_capability: nullable(
    SendCapability,
    "The worst of its accounts. Null means that nothing trusted was observed, never that it may send."
  ),
  send_block_codes: nullable(Schema.Array(SendBlockCode), "Why it is blocked, in the order of remedies."),
  send_capability_observed_at: nullable(Timestamp, "When that was observed."),
  biz_account_send_capabilities: Schema.Array(BizAccountSendCapability).annotate({
    description: "One entry an account that the token reaches: a number sends by the entry of its own account."
  }),
  biz_account_ban_date: nullable(Timestamp, "When the account was banned."),
  biz_account_ban_state: nullable(Schema.String, "The platform's word for the state of a ban."),
  account_review_status: nullable(Schema.String, "The platform's word for its review of the account."),
  restrictions: nullable(
    Schema.Array(
      Schema.Struct({
        type: Schema.String.annotateKey({ description: "The platform's word for it." }),
        expires_at: nullable(Timestamp, "When it ends, where the platform says so.")
      })
    ),
    "What the platform restricts for now."
  ),
  credential_last_four: nullable(Schema.String, "The end of the credential, to tell one from another."),
  token_source: nullable(Schema.Literals(["manual", "embedded_signup"]), "How the token came here."),
  token_expires_at: nullable(Timestamp, "When the token ends; null for one that does not."),
  token_refreshed_at: nullable(Timestamp, "When it was last proven good at the platform."),
  token_rotated_at: nullable(Timestamp, "When another one took its place."),
  created_at: Timestamp,
  updated_at: Timestamp,
  disconnected_at: nullable(Timestamp, "Null while it is not disconnected.")
}).annotate({ identifier: "ProviderConnection" })
export type ProviderConnection = typeof ProviderConnection.Type

/** The same as an answer by itself. */
export const AnsweredConnection = Schema.Struct({ ...ProviderConnection.fields, trace_id: TraceId }).annotate({
  identifier: "AnsweredProviderConnection"
})

const ChannelStatus = Schema.Struct({
  ready: Schema.Boolean.annotateKey({ description: "Whether something can be sent or collected through it now." }),
  status: Schema.Literals(["ready", "pending", "blocked", "missing"]).annotate({
    description: "missing: nothing is connected; pending: a connection waits to be completed; blocked: see reasons."
  }),
  active_mode: nullable(Schema.String, "sandbox, or the provider that is used; null for none."),
  connection_id: nullable(id("pcn"), "The connection that is used."),
  reasons: Schema.Array(Schema.String).annotate({ description: "Why it is not ready, as codes." })
}).annotate({ identifier: "ChannelStatus" })

/** Whether each channel is ready. M-CONN-23, gaps-2 L "Status `channels`" */
export const ProviderConnectionStatus = Schema.Struct({
  object: Schema.Literal("provider_connection_status"),
  environment: EnvironmentKind,
  channels: Schema.Struct({
    chatapp: ChannelStatus.annotateKey({ description: "Chat by numbers of an account." }),
    socialapp: ChannelStatus.annotateKey({ description: "The social channel." }),
    payments: ChannelStatus.annotateKey({ description: "Payment requests." }),
    agentic_payments: ChannelStatus.annotateKey({ description: "Payments an agent makes." })
  }).annotateKey({ description: "By channel." }),
  trace_id: TraceId
}).annotate({ identifier: "ProviderConnectionStatus" })
export type ProviderConnectionStatus = typeof ProviderConnectionStatus.Type
