import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** M-CONN-02 */
export const ConnectionProvider = Schema.Literals(["upstream", "pixprov1", "pixprov2"]).annotate({
  description: "Provider of the account."
})
export type ConnectionProvider = typeof ConnectionProvider.Type

/** M-CONN-03 */
export const ConnectionChannel = Schema.Literals(["chatapp", "socialapp", "payments", "agentic_payments"]).annotate({
  description: "Use of the account."
})
export type ConnectionChannel = typeof ConnectionChannel.Type

/** M-CONN-04 */
export const ConnectionStatus = Schema.Literals(["pending", "connected", "suspended", "disconnected"]).annotate({
  description:
    "pending: complete it; connected: in use; suspended: the platform locked or banned the account; disconnected: ended."
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

/** The last observed send capability of one business account that the credential reaches. M-CONN-13 */
export const BizAccountSendCapability = Schema.Struct({
  biz_account_id: Schema.String.annotateKey({ description: "Id of the account at the platform." }),
  send_capability: nullable(
    SendCapability,
    "Null means that no trusted observation exists; it does not mean that the account may send."
  ),
  send_block_codes: nullable(Schema.Array(SendBlockCode), "Reasons for the block, in the order of remedies."),
  observed_at: Schema.NullOr(Timestamp).annotate({ description: "Time of the observation at the platform." })
}).annotate({ identifier: "BizAccountSendCapability" })

/** An account at a provider; its credential is never shown. M-CONN-01..18, gaps-2 L "Inner connection shapes" */
export const ProviderConnection = Schema.Struct({
  id: id("pcn"),
  object: Schema.Literal("provider_connection"),
  provider: ConnectionProvider,
  channel: ConnectionChannel,
  status: ConnectionStatus,
  display_name: Schema.String.annotateKey({ description: "Your name for the connection." }),
  environment: EnvironmentKind,
  biz_account_id: nullable(Schema.String, "Id of the business account at the chat platform."),
  phone_number_id: nullable(Schema.String, "The platform's id of the number given with the account."),
  display_phone_number: nullable(Schema.String, "The number as the platform formats it."),
  social_business_account_id: nullable(Schema.String, "Id of the business account of the social channel."),
  page_id: nullable(Schema.String, "Id of the page of the social channel."),
  provider_account_id: nullable(Schema.String, "Id of the account at a payment provider, if the provider has one."),
  payment_receiver: nullable(
    Schema.Struct({
      merchant_name: nullable(Schema.String, "Name shown to payers."),
      key: nullable(Schema.String, "The Pix key."),
      key_type: nullable(Schema.String, "Kind of key.")
    }),
    "Payee of the payments."
  ),
  payment_capabilities: nullable(
    Schema.Struct({
      pix: Schema.Boolean.annotateKey({ description: "Pix charges." }),
      hosted_checkout: Schema.Boolean.annotateKey({ description: "A payment page at the provider." })
    }),
    "Payment methods of the account."
  ),
  agentic_capabilities: nullable(
    Schema.Struct({
      banks: Schema.Boolean.annotateKey({ description: "Banks can be listed." }),
      authorizations: Schema.Boolean.annotateKey({ description: "Customers can authorize payments." }),
      payments: Schema.Boolean.annotateKey({ description: "Authorized payments can be made." })
    }),
    "Agentic payment functions of the account."
  ),
  default_participant_id: nullable(Schema.String, "Id of the participant in agentic payments."),
  agent_id: nullable(Schema.String, "Id of the agent in agentic payments."),
  agentic_api_base_url: nullable(
    Schema.String,
    "Base address for agentic payments, if it differs from the provider's own."
  ),
  driver: Schema.optionalKey(Schema.Literal("pix-api")).annotate({
    description:
      "pix-api for an account of pixprov2 at an institution that speaks the central bank's standard API; left out for any other."
  }),
  webhook_secret_configured: Schema.Boolean.annotate({
    description: "Whether the provider's calls about the account can be verified."
  }),
  suspension_reason: nullable(
    Schema.String,
    "Reason for the suspension, such as account_locked or account_banned, or why the account left: partner_removed, partner_app_uninstalled, account_deleted or account_offboarded."
  ),
  last_policy_warning_type: nullable(Schema.String, "Latest warning of the platform."),
  last_policy_warning_at: nullable(Timestamp, "Time of the warning; marketing cooldowns count from it."),
  send_capability: nullable(
    SendCapability,
    "The worst state among its accounts. Null means that no trusted observation exists; it does not mean that the connection may send."
  ),
  send_block_codes: nullable(Schema.Array(SendBlockCode), "Reasons for the block, in the order of remedies."),
  send_capability_observed_at: nullable(Timestamp, "Time of the observation."),
  biz_account_send_capabilities: Schema.Array(BizAccountSendCapability).annotate({
    description:
      "One entry for each account that the token reaches: the entry of a number's own account applies to its sends."
  }),
  biz_account_ban_date: nullable(Timestamp, "Time of the ban."),
  biz_account_ban_state: nullable(Schema.String, "The platform's name for the state of the ban."),
  account_review_status: nullable(Schema.String, "The platform's name for the state of its account review."),
  restrictions: nullable(
    Schema.Array(
      Schema.Struct({
        type: Schema.String.annotateKey({ description: "The platform's name for the restriction." }),
        expires_at: nullable(Timestamp, "End of the restriction, if the platform gives one.")
      })
    ),
    "Current restrictions by the platform."
  ),
  credential_last_four: nullable(Schema.String, "Last characters of the credential, to tell credentials apart."),
  token_source: nullable(Schema.Literals(["manual", "embedded_signup"]), "Origin of the token."),
  token_expires_at: nullable(Timestamp, "Expiry of the token; null if it does not expire."),
  token_refreshed_at: nullable(Timestamp, "Time of the last successful check at the platform."),
  token_rotated_at: nullable(Timestamp, "Time of the latest rotation."),
  created_at: Timestamp,
  updated_at: Timestamp,
  disconnected_at: nullable(Timestamp, "Time of disconnection; null before it.")
}).annotate({ identifier: "ProviderConnection" })
export type ProviderConnection = typeof ProviderConnection.Type

/** A connection as a response of its own. */
export const AnsweredConnection = Schema.Struct({ ...ProviderConnection.fields, trace_id: TraceId }).annotate({
  identifier: "AnsweredProviderConnection"
})

const ChannelStatus = Schema.Struct({
  ready: Schema.Boolean.annotateKey({ description: "Whether the channel can send or collect now." }),
  status: Schema.Literals(["ready", "pending", "blocked", "missing"]).annotate({
    description: "missing: no connection exists; pending: a connection waits to be completed; blocked: see reasons."
  }),
  active_mode: nullable(Schema.String, "sandbox, or the provider in use; null for none."),
  connection_id: nullable(id("pcn"), "Id of the connection in use."),
  reasons: Schema.Array(Schema.String).annotate({ description: "Codes of the reasons why the channel is not ready." })
}).annotate({ identifier: "ChannelStatus" })

/** The readiness of each channel. M-CONN-23, gaps-2 L "Status `channels`" */
export const ProviderConnectionStatus = Schema.Struct({
  object: Schema.Literal("provider_connection_status"),
  environment: EnvironmentKind,
  channels: Schema.Struct({
    chatapp: ChannelStatus.annotateKey({ description: "Chat through the numbers of an account." }),
    socialapp: ChannelStatus.annotateKey({ description: "The social channel." }),
    payments: ChannelStatus.annotateKey({ description: "Payment requests." }),
    agentic_payments: ChannelStatus.annotateKey({ description: "Payments that an agent makes." })
  }).annotateKey({ description: "By channel." }),
  trace_id: TraceId
}).annotate({ identifier: "ProviderConnectionStatus" })
export type ProviderConnectionStatus = typeof ProviderConnectionStatus.Type
