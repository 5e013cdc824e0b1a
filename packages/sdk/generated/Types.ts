// Made from schema/openapi.json by npm run codegen.

/** One page of a list. It may hold fewer rows than its limit while more follow. */
export type Page<Row> = {
  object: "list"
  /** The rows of this page. */
  data: Array<Row>
  /** True when another page follows. */
  has_more: boolean
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Trace of the request. */
  trace_id: string
}

/** A thing together with the trace of the request that answered it. */
export type Traced<Thing> = Thing & {
  /** Trace of the request; quote it when you ask for help. */
  trace_id: string
}

/** A variant that the API learned after this version of the client. A `switch` over `type` meets it in its `default`. */
export type NewVariant = {
  /** Any name that this version of the client does not know. */
  type: `${string} (new)`
  [member: string]: unknown
}

/** A text with a button that opens an address. */
export type AddressMessage = {
  type: "cta_url"
  /** Header of the message: a line, or a file. */
  header?:
    | {
        /** Type of the header: text, the default, or the kind of its file. */
        type?: "text" | "image" | "video" | "document" | null | undefined
        /** Line above the text, of a header of type text. */
        text?: string | null | undefined
        /** The file of the header: exactly one of asset_id, link and id. */
        media?:
          | {
              /** Id of a file of your media library. */
              asset_id?: string | null | undefined
              /** Address from which this service fetches the file. */
              link?: string | null | undefined
              /** The upstream platform's handle of the file. */
              id?: string | null | undefined
              /** Name shown with a document. */
              filename?: string | null | undefined
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The text. */
  body: {
    /** The text. */
    text: string
  }
  /** Footer of the message. */
  footer?:
    | {
        /** Line below the text. */
        text: string
      }
    | null
    | undefined
  /** The button that opens an address. */
  action: {
    name: "cta_url"
    /** The button. */
    parameters: {
      /** Label of the button. */
      display_text: string
      /** The address that a tap opens. */
      url: string
    }
  }
}

export type AgenticAuthorization = {
  /** Id of the agentic authorization. */
  id: string
  object: "agentic_authorization"
  /** pending until the customer decides; payments need status authorized. */
  status: "pending" | "authorized" | "rejected" | "revoked" | "expired" | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The customer's bank. */
  bank_id: string
  /** Name of the customer. */
  customer_name: string
  /** Tax number of the customer. */
  customer_tax_id: string
  /** Maximum amount of one payment. */
  max_amount_brl: string
  currency: "BRL"
  /** Page on which the customer decides; null until the provider returns it, and always null in the sandbox. */
  authorization_url: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata. */
  metadata: Record<string, unknown> | null
  provider: "pixprov1"
  /** Id of the provider connection. */
  provider_connection_id: string | null
  /** The provider's id of the authorization. */
  provider_authorization_id: string | null
  /** Trace of the request that created the authorization. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time at which the customer authorized it. */
  authorized_at: string | null
  /** Time at which the customer rejected it. */
  rejected_at: string | null
  /** Time of revocation. */
  revoked_at: string | null
  /** Time of expiry. */
  expires_at: string
}

export type AgenticBank = {
  /** The provider's id of the bank. */
  id: string
  object: "agentic_bank"
  /** Name of the bank. */
  name: string
  /** Number of the bank in the Brazilian payment system. */
  ispb: string
  /** Address of the bank's logo. */
  logo_url: string | null
  /** Whether the bank accepts authorizations now. */
  status: "available" | "unavailable" | (string & {})
}

export type AgenticPayment = {
  /** Id of the agentic payment. */
  id: string
  object: "agentic_payment"
  /** Status of the payment. */
  status: "processing" | "paid" | "failed" | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Id of the agentic authorization. */
  authorization_id: string
  /** BRL, a decimal string with four places */
  amount_brl: string
  currency: "BRL"
  /** Description of the payment. */
  description: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata. */
  metadata: Record<string, unknown> | null
  provider: "pixprov1"
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** Code of the failure; new codes may appear. */
  error_code: string | null
  /** The failure in a sentence. */
  error_message: string | null
  /** Trace of the request that created the payment. */
  trace_id: string
  fees: PaymentFees | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of payment. */
  paid_at: string | null
  /** Time of the failure. */
  failed_at: string | null
}

export type AnsweredNumprovConnection = {
  /** Id of the number-provider connection. */
  id: string
  object: "numprov_connection"
  /** connected once the provider accepted the key; failed: register the account again. */
  status: "pending" | "connected" | "failed" | "disconnected" | (string & {})
  /** Your name for the account. */
  display_name: string
  /** Id of the account at the provider. */
  account_id: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Last characters of the key, to tell keys apart. */
  credential_last_four: string | null
  /** Whether the provider's calls can be verified. */
  webhook_secret_configured: boolean
  /** Latest operation. */
  latest_operation: NumprovOperation | null
  /** Time of the latest listing of its numbers. */
  last_discovered_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of disconnection; null before it. */
  disconnected_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type AnsweredNumprovOperation = {
  /** Id of the number-provider operation. */
  id: string
  object: "numprov_operation"
  /** Kind of operation. */
  kind: "register" | "rotate" | "discovery" | (string & {})
  /** Status of the operation; poll until it is not pending. */
  status: "pending" | "succeeded" | "failed" | (string & {})
  /** Code of the failure: the provider refused the key for this account or could not be reached, or the connection ended. */
  error_code:
    | "numprov_credentials_invalid"
    | "numprov_provider_unavailable"
    | "numprov_connection_unavailable"
    | null
    | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of completion; null while the operation is pending. */
  completed_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type AnsweredProviderConnection = {
  /** Id of the provider connection. */
  id: string
  object: "provider_connection"
  /** Provider of the account. */
  provider: "upstream" | "pixprov1" | "pixprov2" | (string & {})
  /** Use of the account. */
  channel: "chatapp" | "socialapp" | "payments" | "agentic_payments" | (string & {})
  /** pending: complete it; connected: in use; suspended: the platform locked or banned the account; disconnected: ended. */
  status: "pending" | "connected" | "suspended" | "disconnected" | (string & {})
  /** Your name for the connection. */
  display_name: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Id of the business account at the chat platform. */
  biz_account_id: string | null
  /** The platform's id of the number given with the account. */
  phone_number_id: string | null
  /** The number as the platform formats it. */
  display_phone_number: string | null
  /** Id of the business account of the social channel. */
  social_business_account_id: string | null
  /** Id of the page of the social channel. */
  page_id: string | null
  /** Id of the account at a payment provider, if the provider has one. */
  provider_account_id: string | null
  /** Payee of the payments. */
  payment_receiver: {
    /** Name shown to payers. */
    merchant_name: string | null
    /** The Pix key. */
    key: string | null
    /** Kind of key. */
    key_type: string | null
  } | null
  /** Payment methods of the account. */
  payment_capabilities: {
    /** Pix charges. */
    pix: boolean
    /** A payment page at the provider. */
    hosted_checkout: boolean
  } | null
  /** Agentic payment functions of the account. */
  agentic_capabilities: {
    /** Banks can be listed. */
    banks: boolean
    /** Customers can authorize payments. */
    authorizations: boolean
    /** Authorized payments can be made. */
    payments: boolean
  } | null
  /** Id of the participant in agentic payments. */
  default_participant_id: string | null
  /** Id of the agent in agentic payments. */
  agent_id: string | null
  /** Base address for agentic payments, if it differs from the provider's own. */
  agentic_api_base_url: string | null
  /** pix-api for an account of pixprov2 at an institution that speaks the central bank's standard API; left out for any other. */
  driver?: "pix-api" | undefined
  /** Whether the provider's calls about the account can be verified. */
  webhook_secret_configured: boolean
  /** Reason for the suspension, such as account_locked or account_banned, or why the account left: partner_removed, partner_app_uninstalled, account_deleted or account_offboarded. */
  suspension_reason: string | null
  /** Latest warning of the platform. */
  last_policy_warning_type: string | null
  /** Time of the warning; marketing cooldowns count from it. */
  last_policy_warning_at: string | null
  /** The worst state among its accounts. Null means that no trusted observation exists; it does not mean that the connection may send. */
  send_capability: "available" | "blocked" | null | (string & {})
  /** Reasons for the block, in the order of remedies. */
  send_block_codes: Array<"141006" | "141008" | "141011" | (string & {})> | null
  /** Time of the observation. */
  send_capability_observed_at: string | null
  /** One entry for each account that the token reaches: the entry of a number's own account applies to its sends. */
  biz_account_send_capabilities: Array<BizAccountSendCapability>
  /** Time of the ban. */
  biz_account_ban_date: string | null
  /** The platform's name for the state of the ban. */
  biz_account_ban_state: string | null
  /** The platform's name for the state of its account review. */
  account_review_status: string | null
  /** Current restrictions by the platform. */
  restrictions: Array<{
    /** The platform's name for the restriction. */
    type: string
    /** End of the restriction, if the platform gives one. */
    expires_at: string | null
  }> | null
  /** Last characters of the credential, to tell credentials apart. */
  credential_last_four: string | null
  /** Origin of the token. */
  token_source: "manual" | "embedded_signup" | null | (string & {})
  /** Expiry of the token; null if it does not expire. */
  token_expires_at: string | null
  /** Time of the last successful check at the platform. */
  token_refreshed_at: string | null
  /** Time of the latest rotation. */
  token_rotated_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of disconnection; null before it. */
  disconnected_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type ApiKey = {
  /** Id of the API key. */
  id: string
  object: "api_key"
  /** Name of the key. */
  name: string
  /** The beginning of the secret: the marker of its environment and 8 characters. */
  key_prefix: string
  /** Scopes of the key. Write does not include read. */
  scopes: Array<KeyScope>
  /** agent: issued through a device authorization. */
  kind: "standard" | "agent" | (string & {})
  /** An active key may still have expired; see expires_at. */
  status: "active" | "revoked" | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Time of the latest use; null before the first. */
  last_used_at: string | null
  /** Time at which the key expires; null for never. */
  expires_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of revocation; null while the key is not revoked. */
  revoked_at: string | null
}

export type ApiKeyWithSecret = {
  /** Id of the API key. */
  id: string
  object: "api_key"
  /** Name of the key. */
  name: string
  /** The beginning of the secret: the marker of its environment and 8 characters. */
  key_prefix: string
  /** Scopes of the key. Write does not include read. */
  scopes: Array<KeyScope>
  /** agent: issued through a device authorization. */
  kind: "standard" | "agent" | (string & {})
  /** An active key may still have expired; see expires_at. */
  status: "active" | "revoked" | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Time of the latest use; null before the first. */
  last_used_at: string | null
  /** Time at which the key expires; null for never. */
  expires_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of revocation; null while the key is not revoked. */
  revoked_at: string | null
  /** The whole key, shown in this answer only. Send it as a bearer token. */
  secret: string
}

export type ArmLlmFailure = {
  /** Failure of calls to a language model. */
  failure: "provider_down" | "auth_failed" | "timeout" | "cost_cap_reached"
  /** Seconds for which every call fails, 1 to 3600; by default only the next call fails. */
  ttl_seconds?: number | null | undefined
}

export type Audience = {
  /** Id of the audience. */
  id: string
  object: "audience"
  /** Your name for the audience. */
  name: string
  /** Filter over contacts, as you sent it. */
  filter: {
    /** Consent of the contacts. */
    opt_in_status?: string | undefined
    /** Source of the latest consent. */
    source?: string | undefined
    /** Contacts created after this instant. */
    created_after?: string | undefined
  }
  /** Number of contacts that match now. */
  contact_count: number
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type AuthoringSignal = {
  /** variable_at_edge, too_many_variables, promotional_wording or short_link; new codes may appear. */
  code: string
  /** Severity for reviewers. */
  severity: "info" | "warning" | (string & {})
  /** Component that the signal concerns, such as BODY. */
  component: string
  /** Explanation of the signal. */
  message: string
}

export type AutoTopupConfig = {
  /** Id of the organization, or of the sandbox environment. */
  id: string
  object: "auto_topup_config"
  /** Whether automatic top-up is on; it turns off after a failed top-up. */
  enabled: boolean
  /** A top-up starts when the balance falls to this amount or below. */
  threshold_brl: string
  /** Amount of each top-up. */
  amount_brl: string
  /** The card to charge. */
  payment_method_id: string | null
  /** Start of the latest top-up. */
  last_triggered_at: string | null
  /** Time of the latest change; null before the first. */
  updated_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type Batch = {
  /** Id of the batch. */
  id: string
  object: "batch"
  /** Your name for the batch. */
  name: string | null
  /** scheduled or queued before it starts; processing while messages are created or wait; completed when all messages have left the queue. */
  status: "scheduled" | "queued" | "processing" | "paused" | "completed" | "cancelled" | "failed" | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** The sender. */
  sender: {
    /** chatapp_phone_number. */
    type: string
    /** Id of the sending number. */
    id: string
  }
  /** The template that every recipient receives. */
  template: {
    /** Name of the template. */
    name: string
    /** Its language. */
    language: string
    /** Id of the template. */
    template_id: string | null
    /** Id of the version that was approved when the batch was accepted. */
    template_version_id: string | null
    /** Number of the template version. */
    template_version: number | null
  }
  /** Number of recipients. For an audience, the count at acceptance until the batch starts. */
  recipient_count: number
  /** Recipients for whom a message was created. */
  enqueued_count: number
  /** Messages sent so far. */
  sent_count: number
  /** Messages delivered so far. */
  delivered_count: number
  /** Messages read so far. */
  read_count: number
  /** Failed recipients: those skipped, and those whose message failed, even after it was sent. */
  failed_count: number
  /** Recipients skipped by the marketing guards. */
  recipient_guard_skipped_count: number
  /** Recipients whose message was cancelled. */
  cancelled_count: number
  /** An estimate, in the response of POST only. Null means that there is no estimate; messages may still wait. */
  pacing: {
    /** Recipients expected to wait for the number's daily allowance of new recipients. */
    deferred_recipient_count: number
    /** Estimated number of daily windows that the batch needs, including the current one. */
    estimated_windows: number
  } | null
  /** Your metadata. */
  metadata: Record<string, unknown> | null
  /** Start time; null for an immediate start. */
  scheduled_at: string | null
  /** Failure of the batch as a whole; null otherwise. */
  failure: {
    /** Code of the failure; new codes may appear. */
    code: string
    /** The failure in a sentence. */
    message: string
  } | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type BatchFailure = {
  /** The phone number; null for a customer who hides it, and after erasure. */
  to: string | null
  /** The platform's id of a customer who hides the phone; null otherwise, and after erasure. */
  user_id: string | null
  /** Id of the message; null when none was created. */
  message_id: string | null
  /** Code of the failure; new codes may appear. */
  error_code: string | null
  /** The failure in a sentence. */
  error_message: string | null
  /** The guard that skipped the recipient; null after 90 days. */
  guard_reason: string | null
  /** Time from which the guard allows this content again; null when waiting does not help, and after 90 days. */
  next_allowed_at: string | null
  /** Time of the failure. */
  failed_at: string | null
}

export type BatchRecipient = {
  /** The phone number; null for a customer who hides it, and after erasure. */
  to: string | null
  /** The platform's id of a customer who hides the phone; null otherwise, and after erasure. */
  user_id: string | null
  /** Id of the recipient's message; null when none was created. */
  message_id: string | null
  /** pending before the message is created, failed without one, otherwise the status of the message. */
  status: string
  /** Reason for waiting: messaging_limit_pacing while the sender's daily allowance is used up. */
  status_reason: string | null
  /** Code of the failure; new codes may appear. */
  error_code: string | null
}

export type BizAccountSendCapability = {
  /** Id of the account at the platform. */
  biz_account_id: string
  /** Null means that no trusted observation exists; it does not mean that the account may send. */
  send_capability: "available" | "blocked" | null | (string & {})
  /** Reasons for the block, in the order of remedies. */
  send_block_codes: Array<"141006" | "141008" | "141011" | (string & {})> | null
  /** Time of the observation at the platform. */
  observed_at: string | null
}

/** Index of the button among the template's buttons, from 0, as a number or a text. */
export type ButtonIndex = number | string

/** A text with buttons to reply with. */
export type ButtonMessage = {
  type: "button"
  /** Header of the message: a line, or a file. */
  header?:
    | {
        /** Type of the header: text, the default, or the kind of its file. */
        type?: "text" | "image" | "video" | "document" | null | undefined
        /** Line above the text, of a header of type text. */
        text?: string | null | undefined
        /** The file of the header: exactly one of asset_id, link and id. */
        media?:
          | {
              /** Id of a file of your media library. */
              asset_id?: string | null | undefined
              /** Address from which this service fetches the file. */
              link?: string | null | undefined
              /** The upstream platform's handle of the file. */
              id?: string | null | undefined
              /** Name shown with a document. */
              filename?: string | null | undefined
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The text. */
  body: {
    /** The text. */
    text: string
  }
  /** Footer of the message. */
  footer?:
    | {
        /** Line below the text. */
        text: string
      }
    | null
    | undefined
  /** Buttons that the customer can tap. */
  action: {
    /** One to three buttons. */
    buttons: ReadonlyArray<{
      type: "reply"
      /** The button. */
      reply: {
        /** Id that a tap returns; unique among the buttons. */
        id: string
        /** Label of the button; unique among the buttons. */
        title: string
      }
    }>
  }
}

/** The customer tapped a button. */
export type ButtonReply = {
  type: "button_reply"
  /** The button. */
  button_reply: {
    /** The id you gave it. */
    id: string
    /** The title the customer saw. */
    title: string
  }
}

export type CancelPayment = Record<string, never>

export type ChangeConsent = {
  /** The phone number. Only + or 00 begins an international number; any other is read in the default_region of the project, with or without its calling code. */
  phone?: string | undefined
  /** The user_id of the customer's messages, instead of phone: for a customer who hides the phone. */
  user_id?: string | null | undefined
  /** Source of the consent, 1 to 64 characters; api by default. */
  source?: string | null | undefined
  /** Reason for your own records, 1 to 500 characters. */
  reason?: string | null | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type ChannelRecipient = {
  /** Kind of id: a phone number on chatapp, a chatapp customer by the user_id of their messages, a group that you made, a user of socialapp, or a chatapp_channel. */
  type: "chatapp_channel"
  /** The phone number in international form, the customer's user_id, the id of your group (grp_…), or the channel's id of 1 to 255 characters. */
  id: string
}

export type ChannelStatus = {
  /** Whether the channel can send or collect now. */
  ready: boolean
  /** missing: no connection exists; pending: a connection waits to be completed; blocked: see reasons. */
  status: "ready" | "pending" | "blocked" | "missing" | (string & {})
  /** sandbox, or the provider in use; null for none. */
  active_mode: string | null
  /** Id of the connection in use. */
  connection_id: string | null
  /** Codes of the reasons why the channel is not ready. */
  reasons: Array<string>
}

export type CheckGroupEligibility = {
  /** The number that hosts the group. */
  phone_number_id: string
}

export type CompletePendingConnection = {
  /** Id of the business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
}

export type CompleteProviderCredentialSetupSession = {
  /** upstream.chatapp: as in the manual registration; payments: api_key, and webhook_secret if the provider issued one; speech: api_key. */
  credentials: Record<string, unknown>
}

export type CompleteUpstreamSignupSession = {
  /** Code from the embedded signup; valid for one exchange. */
  code: string
  /** Id of the business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
  /** Your name for the connection, 1 to 255 characters. */
  display_name?: string | null | undefined
  /** Id of the business portfolio at the platform. */
  business_id?: string | null | undefined
  /** Address to which the platform's page returned with the code; leave it out for a code of the platform's script. */
  redirect_uri?: string | null | undefined
}

export type ConnectPhoneNumber = {
  /** The number in international form: + and 8 to 15 digits. */
  phone: string
  /** Id at the chat platform, 1 to 64 characters. */
  upstream_phone_number_id: string
  /** Name shown to customers, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
}

export type Contact = {
  /** Id of the contact. */
  id: string
  object: "contact"
  /** The phone number as it was first written, with +; empty for a customer who hides it. Null in the replayed response for an erased contact. */
  phone: string | null
  /** The platform's id of the customer for your business; null while none is known. */
  user_id: string | null
  /** Username of the customer at their latest message; null while none is known. */
  username: string | null
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Profile name of the customer at their latest message; not verified. */
  profile_name: string | null
  /** Consent of the customer: opted_in, opted_out, or none yet. Only opted_out blocks messages. */
  opt_in_status: "opted_in" | "opted_out" | "none" | (string & {})
  /** Source of the latest consent: your own value, api, inbound for a customer who wrote, or inbound_keyword. */
  source: string
  /** Your metadata. */
  metadata: Record<string, unknown> | null
  /** Whether the customer stopped marketing messages of your business at the provider. */
  marketing_stopped: boolean
  /** Time of the latest opt-in. */
  opted_in_at: string | null
  /** Time of the latest opt-out. */
  opted_out_at: string | null
  /** Time of the customer's latest message. */
  last_inbound_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type ContactBulkImport = {
  object: "contact_bulk_import"
  /** Contacts of the rows, each once, in the order of the rows. */
  data: Array<ContactEntry>
  /** Contacts that this import opted in, including those that had opted out. */
  imported: number
  /** Contacts that were opted in before. */
  skipped: number
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** A card of an address book. */
export type ContactCard = {
  /** Full name on the card. */
  name: string
  /** Phone numbers, as the card shows them. */
  phones?: ReadonlyArray<string> | null | undefined
  /** Email addresses. */
  emails?: ReadonlyArray<string> | null | undefined
  /** Company on the card. */
  organization?: string | null | undefined
}

export type ContactEntry = {
  /** Id of the contact. */
  id: string
  object: "contact"
  /** The phone number as it was first written, with +; empty for a customer who hides it. Null in the replayed response for an erased contact. */
  phone: string | null
  /** The platform's id of the customer for your business; null while none is known. */
  user_id: string | null
  /** Username of the customer at their latest message; null while none is known. */
  username: string | null
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Profile name of the customer at their latest message; not verified. */
  profile_name: string | null
  /** Consent of the customer: opted_in, opted_out, or none yet. Only opted_out blocks messages. */
  opt_in_status: "opted_in" | "opted_out" | "none" | (string & {})
  /** Source of the latest consent: your own value, api, inbound for a customer who wrote, or inbound_keyword. */
  source: string
  /** Your metadata. */
  metadata: Record<string, unknown> | null
  /** Whether the customer stopped marketing messages of your business at the provider. */
  marketing_stopped: boolean
  /** Time of the latest opt-in. */
  opted_in_at: string | null
  /** Time of the latest opt-out. */
  opted_out_at: string | null
  /** Time of the customer's latest message. */
  last_inbound_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type ContactExport = {
  object: "contact_export"
  /** Id of the contact. */
  id: string
  /** The contact itself. */
  contact: ContactEntry
  /** Every change of consent, oldest first. */
  consent_events: Array<{
    /** Id of the consent event. */
    id: string
    /** Consent that the customer gave or withdrew. */
    type: "opted_in" | "opted_out" | (string & {})
    /** Source of the consent. */
    source: string
    /** Reason given with the change. */
    reason: string | null
    /** ISO 8601 in UTC with milliseconds. */
    occurred_at: string
  }>
  /** The latest 1000 messages of the customer, newest first, each as reading it returns it. */
  messages: Array<Record<string, unknown>>
  /** Whether older messages exist. */
  truncated: boolean
  /** ISO 8601 in UTC with milliseconds. */
  generated_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type CorrectedCaption = {
  type: "media"
  /** The file, which stays as it was. */
  media: {
    /** Kind of file. */
    kind: "image" | "document" | "audio" | "video" | "sticker" | (string & {})
    /** The corrected caption; null without one. */
    caption: string | null
  }
}

export type CorrectedContent = CorrectedText | CorrectedCaption | NewVariant

export type CorrectedText = {
  type: "text"
  /** The text. */
  text: {
    /** The corrected text. */
    body: string
  }
}

export type CreateAgenticAuthorization = {
  /** Id of the customer's bank, from GET /v1/agentic/banks. */
  bank_id: string
  /** Name of the payer, 1 to 255 characters. */
  customer_name: string
  /** Tax number of the payer without punctuation: a CPF of 11 digits, or a CNPJ of 14 digits or of 12 digits or capital letters and 2 digits. Wrong check digits are told by the header svc-warning. */
  customer_tax_id: string
  /** Maximum amount of one payment, in centavos. */
  max_amount_brl_centavos: number
  /** Time of expiry, at most a year from now; 90 days by default. */
  expires_at?: string | null | undefined
  /** Absolute https URL, at most 2048 characters. */
  return_url?: string | null | undefined
  /** Your own reference, 1 to 255 characters. */
  external_reference?: string | null | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type CreateAgenticPayment = {
  /** Id of the authorization to use. */
  authorization_id: string
  /** Amount in centavos of BRL: 100 is R$ 1,00. */
  amount_brl_centavos: number
  /** Description of the payment, shown to the payer, 1 to 500 characters. */
  description?: string | null | undefined
  /** Your own reference, 1 to 255 characters. */
  external_reference?: string | null | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type CreateAudience = {
  /** Your name for the audience, 1 to 255 characters after trimming. */
  name: string
  /** Filter over contacts; without any member it selects all of them. */
  filter: {
    /** Consent of the contacts. */
    opt_in_status?: "opted_in" | "opted_out" | "none" | null | undefined
    /** Source of the latest consent. */
    source?: string | null | undefined
    /** Contacts created after this instant; RFC 3339. */
    created_after?: string | null | undefined
  }
}

export type CreateBatch = {
  /** chatapp, the only channel with templates and the default. */
  channel?: "chatapp" | "socialapp" | "chatapp_channel" | null | undefined
  /** Your name for the batch, 1 to 255 characters after trimming. */
  name?: string | null | undefined
  /** The sender. */
  sender: {
    /** One of your phone numbers. */
    type: "chatapp_phone_number"
    /** Id of the sending number. */
    id: string
  }
  /** The template that every recipient receives, with one media header for all. */
  template: {
    /** Name of an approved template. */
    name: string
    /** Language code of the template. */
    language: string
    /** The file of a template with a media header: exactly one of asset_id, link and id. */
    header_media?:
      | {
          /** Kind of file. */
          kind: "image" | "video" | "document"
          /** Id of a file of your media library. */
          asset_id?: string | null | undefined
          /** Address from which the file is fetched. */
          link?: string | null | undefined
          /** The upstream platform's handle of the file. */
          id?: string | null | undefined
          /** Name shown with a document. */
          filename?: string | null | undefined
        }
      | null
      | undefined
  }
  /** Start time, RFC 3339, at most 30 days ahead; immediately by default. */
  scheduled_at?: string | null | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** 1 to 10000 recipients; for a repeated customer only the first counts. */
  recipients?:
    | ReadonlyArray<{
        /** The phone number in international form, like recipient.id of a send. Exactly one of to and user_id. */
        to?: string | null | undefined
        /** The user_id of a customer's message, for a customer who hides the phone. */
        user_id?: string | null | undefined
        /** Values of the template's body: under "1", "2" and so on for POSITIONAL variables, under their names for NAMED ones. An empty one is a mismatch. */
        variables?: Record<string, string> | null | undefined
        /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
        metadata?: Record<string, unknown> | null | undefined
      }>
    | null
    | undefined
  /** Your contacts: exactly one of contact_ids and filter. */
  audience?:
    | {
        /** 1 to 10000 ids of contacts. */
        contact_ids?: ReadonlyArray<string> | null | undefined
        /** Filter over contacts; without any member it selects all of them. */
        filter?:
          | {
              /** Consent of the contacts. */
              opt_in_status?: "opted_in" | "opted_out" | "none" | null | undefined
              /** Source of the latest consent. */
              source?: string | null | undefined
              /** Contacts created after this instant; RFC 3339. */
              created_after?: string | null | undefined
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** Id of the audience. */
  audience_id?: string | null | undefined
}

export type CreateFlow = {
  /** Name of the flow, 1 to 128 characters after trimming. */
  name: string
  /** The definition in the provider's format, at most 1 MiB of JSON: a version, and screens with unique ids. */
  flow_json: Record<string, unknown>
  /** Categories of the flow: 1 to 5 of the provider's terms, such as SURVEY. */
  categories?: ReadonlyArray<string> | null | undefined
}

export type CreateGroup = {
  /** The number that hosts the group. */
  phone_number_id: string
  /** Name shown to participants, not blank; kept as sent. The provider has its own limits. */
  subject: string
  /** Description of the group; kept as sent. */
  description?: string | null | undefined
  /** The only mode, and the default. */
  join_approval_mode?: "auto_approve" | null | undefined
}

export type CreatePayment = {
  /** Amount in centavos of BRL: 100 is R$ 1,00. */
  amount_brl_centavos: number
  /** Description of the payment, shown to the payer, 1 to 500 characters. */
  description?: string | null | undefined
  /** Name of the payer, 1 to 255 characters. */
  customer_name?: string | null | undefined
  /** Tax number of the payer without punctuation: a CPF of 11 digits, or a CNPJ of 14 digits or of 12 digits or capital letters and 2 digits. Wrong check digits are told by the header svc-warning. */
  customer_tax_id?: string | null | undefined
  /** Phone number of the payer: a plus sign and 8 to 15 digits. */
  customer_phone?: string | null | undefined
  /** Email address of the payer, at most 255 characters; empty for none. */
  customer_email?: string | null | undefined
  /** Your own reference, 1 to 255 characters. */
  external_reference?: string | null | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Options of the provider in use: at most one member. */
  provider_options?:
    | {
        /** Options of pixprov1. */
        pixprov1?:
          | {
              /** Seconds until the payment can no longer be paid, 300 to 2592000; 86400 by default. */
              expires_in_seconds?: number | null | undefined
            }
          | null
          | undefined
        /** Options of pixprov2. */
        pixprov2?:
          | {
              /** hosted_checkout (a page, the default) or transparent_pix (a code). */
              mode?: "hosted_checkout" | "transparent_pix" | null | undefined
              /** Seconds until the payment can no longer be paid, 300 to 2592000; 86400 by default. */
              expires_in_seconds?: number | null | undefined
              /** Absolute https URL, at most 2048 characters. */
              success_url?: string | null | undefined
            }
          | null
          | undefined
      }
    | null
    | undefined
}

export type CreatePhoneNumberOrder = {
  /** Area code of Brazil, two digits. */
  ddd: string
  /** Name that customers will see, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
  /** Purpose, shown to the person who approves, 1 to 500 characters. */
  purpose?: string | null | undefined
}

export type CreateProviderCredentialSetupSession = {
  /** Provider and use of the requested credentials. */
  target:
    | "upstream.chatapp"
    | "pixprov2.payments"
    | "pixprov1.payments"
    | "pixprov1.agentic_payments"
    | "speechprov1.tts"
    | "speechprov2.tts"
    | "speechprov3.tts"
    | "speechprov1.stt"
}

export type CreateTemplate = {
  /** 1 to 512 lowercase letters, digits and underscores; unique with its language. */
  name: string
  /** Two letters, or two letters with a country: pt_BR. */
  language: string
  /** Category of the template. Marketing templates are sent within the marketing guards. */
  category: "marketing" | "utility" | "authentication"
  /** POSITIONAL: {{1}}, {{2}}. NAMED: {{first_name}}. */
  parameter_format?: "POSITIONAL" | "NAMED" | null | undefined
  /** 1 to 4 parts: HEADER, BODY (always), FOOTER, BUTTONS. Authentication templates have the provider's text: BODY without one, and an OTP button. */
  components: ReadonlyArray<{
    /** Part of the template; each at most once, BODY exactly once. */
    type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | "header" | "body" | "footer" | "buttons"
    /** Content of a HEADER: TEXT, or a file given with each send. */
    format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "text" | "image" | "video" | "document" | null | undefined
    /** The text: 1 to 1024 characters in BODY, 1 to 60 in HEADER and FOOTER. */
    text?: string | null | undefined
    /** Example values for the review. */
    example?:
      | {
          header_text?: string | ReadonlyArray<string> | null | undefined
          body_text?: ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>> | null | undefined
          /** Example value of the header's named variable. */
          header_text_named_params?:
            | ReadonlyArray<{
                /** Name of the variable. */
                param_name: string
                /** Example value of the variable. */
                example: string
              }>
            | null
            | undefined
          /** Example values of the body's named variables. */
          body_text_named_params?:
            | ReadonlyArray<{
                /** Name of the variable. */
                param_name: string
                /** Example value of the variable. */
                example: string
              }>
            | null
            | undefined
          header_handle?: string | ReadonlyArray<string> | null | undefined
        }
      | null
      | undefined
    /** BODY of an authentication template: whether the text asks the customer to keep the code secret. */
    add_security_recommendation?: boolean | null | undefined
    /** FOOTER of an authentication template: minutes until the code expires, 1 to 90. */
    code_expiration_minutes?: number | null | undefined
    /** The 1 to 10 buttons of BUTTONS. */
    buttons?:
      | ReadonlyArray<{
          /** Action of a tap. */
          type:
            | "QUICK_REPLY"
            | "URL"
            | "PHONE_NUMBER"
            | "COPY_CODE"
            | "FLOW"
            | "REQUEST_CONTACT_INFO"
            | "OTP"
            | "quick_reply"
            | "url"
            | "phone_number"
            | "copy_code"
            | "flow"
            | "request_contact_info"
            | "otp"
          /** The label, 1 to 25 characters. */
          text?: string | null | undefined
          /** Payload that a tap on a quick reply returns; the label by default. */
          payload?: string | null | undefined
          /** The address, with at most one variable at its end. */
          url?: string | null | undefined
          /** The number to call, in international form. */
          phone_number?: string | null | undefined
          /** The flow (flw_) that a tap opens. */
          flow_id?: string | null | undefined
          example?: string | ReadonlyArray<string> | null | undefined
          /** Way in which an OTP button hands over the code: the customer copies it, or your app receives it. */
          otp_type?: "COPY_CODE" | "ONE_TAP" | "ZERO_TAP" | null | undefined
          /** Label of an OTP button that hands the code to your app. */
          autofill_text?: string | null | undefined
          /** Package name of your app, for ONE_TAP and ZERO_TAP. */
          package_name?: string | null | undefined
          /** Signature of your app, 11 characters, for ONE_TAP and ZERO_TAP. */
          signature_hash?: string | null | undefined
          /** True: you accept the provider's terms of ZERO_TAP. */
          zero_tap_terms_accepted?: boolean | null | undefined
        }>
      | null
      | undefined
  }>
}

export type CreateUpstreamSignupSession = {
  /** Address to which the person returns; its origin must be agreed with the operator of this service. */
  return_url: string
  /** Your own reference for the customer. */
  end_customer_ref?: string | null | undefined
}

export type CreditBalance = {
  /** Id of the organization. */
  id: string
  object: "credit_balance"
  /** Id of the organization. */
  organization_id: string
  /** Credit that can be spent; held credit is already deducted. */
  balance_brl: string
  /** Credit reserved by open production holds. */
  held_brl: string
  currency: "brl"
  /** Whether production keys are restricted for lack of credit. Once set, the restriction stays until the balance is above zero. */
  production_blocked: boolean
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type CreditTopup = {
  /** Id of the credit top-up. */
  id: string
  object: "credit_topup"
  /** Kind of purchase. */
  kind: "cash" | "package" | "x402" | (string & {})
  /** Status of the top-up. Credit is added once, when it succeeds. */
  status: "pending" | "succeeded" | "failed" | "refunded" | "expired" | (string & {})
  /** Price, and the credit that it adds. */
  amount_brl: string
  /** Method of payment. */
  payment_method: "pix" | "card" | "x402" | "manual" | "promotion" | (string & {})
  /** Code of the package, with kind package. */
  package_code: string | null
  /** Messages included in the package. */
  quota_messages: number | null
  /** Included messages that remain. */
  quota_remaining: number | null
  /** Id of the charge at the card processor. */
  cardproc_payment_intent_id: string | null
  /** For use only in the browser while the cardholder must authenticate; null in lists. */
  cardproc_client_secret: string | null
  /** Provider that collected the money. */
  provider?: "cardproc" | "pixprov2" | "manual" | "promotion" | (string & {}) | undefined
  /** Id of the charge at the Pix provider. */
  pixprov2_charge_id?: string | null | undefined
  /** The Pix code to pay with. */
  pix_copy_paste?: string | null | undefined
  /** The Pix code as a PNG. */
  pix_qr_code_base64?: string | null | undefined
  /** Time until which the top-up can be paid. */
  pix_expires_at?: string | null | undefined
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of success or failure. */
  completed_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DataRetentionPolicy = {
  object: "data_retention_policy"
  /** Whether contacts and failures of batches can be exported. */
  data_export_enabled: boolean
  /** Days for which inbound media is kept, 1 to 365. */
  media_retention_days: number
  /** Days for which the content of messages and of their events is kept, 1 to 365; events at most 30. */
  payload_retention_days: number
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DeletedAudience = {
  /** Id of the audience. */
  id: string
  object: "audience"
  deleted: true
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DeletedContact = {
  /** Id of the contact. */
  id: string
  object: "contact"
  deleted: true
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DeletedFlow = {
  /** Id of the flow. */
  id: string
  object: "flow"
  deleted: true
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DeletedMediaAsset = {
  /** Id of the media asset. */
  id: string
  object: "media_asset"
  deleted: true
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DeletedTemplate = {
  /** Id of the template. */
  id: string
  object: "template"
  deleted: true
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DeletedWebhookEndpoint = {
  /** Id of the webhook endpoint. */
  id: string
  object: "webhook_endpoint"
  deleted: true
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type DuplicateTemplate = {
  /** 1 to 512 lowercase letters, digits and underscores; unique with its language. */
  name?: string | null | undefined
  /** Two letters, or two letters with a country: pt_BR. */
  language?: string | null | undefined
}

export type Environment = {
  /** Id of the environment. */
  id: string
  object: "environment"
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  kind: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
}

/** The body of every refusal and of every fault. */
export type ErrorResponse = {
  /** The error. */
  error: {
    /** Category of the code. New categories may appear. */
    type:
      | "validation_error"
      | "authentication_error"
      | "payment_required"
      | "authorization_error"
      | "not_found"
      | "conflict"
      | "idempotency_conflict"
      | "rate_limited"
      | "provider_error"
      | "service_unavailable"
      | "internal_error"
      | (string & {})
    code: ErrorCode
    /** Text for people. It may change; do not compare it. */
    message: string
    /** Dot path of the refused field in the body, or name of the refused parameter or header. */
    param?: string | undefined
    /** Identifies this request; quote it when you ask for help. */
    request_id: string
    /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
    trace_id: string
    /** Milliseconds to wait before the next try. The Retry-After header gives this time in seconds. */
    retry_after_ms?: number | undefined
    /** Details for this code, such as the missing scopes. */
    details?: Record<string, unknown> | undefined
    /** False when repeating the request is refused again. */
    retryable?: boolean | undefined
    /** Page about this code: its meaning, causes and remedies. */
    doc_url?: string | undefined
    /** Route for reports about this error. */
    feedback?:
      | {
          endpoint: "/v1/feedback"
          method: "POST"
        }
      | undefined
    /** Address of this service's API description. */
    discovery?:
      | {
          openapi: "/openapi.json"
          well_known: "/.well-known/svc.json"
        }
      | undefined
  }
}

/** Code of the error, for decisions in your program. Each response of an operation lists its known codes, and new codes may appear: treat an unknown code by its status. */
export type ErrorCode =
  | "agentic_authorization_not_active"
  | "agentic_authorization_not_found"
  | "agentic_bank_not_found"
  | "agentic_connection_required"
  | "agentic_payment_not_found"
  | "api_key_limit_reached"
  | "api_key_not_active"
  | "api_key_not_found"
  | "audience_not_found"
  | "authentication_error"
  | "authorization_denied"
  | "batch_not_found"
  | "batch_state_conflict"
  | "billing_provider_not_configured"
  | "billing_whatsapp_required"
  | "card_declined"
  | "chatapp_credentials_invalid"
  | "contact_not_found"
  | "contact_opted_out"
  | "credit_balance_exhausted"
  | "data_export_disabled"
  | "device_code_expired"
  | "feature_disabled"
  | "feedback_report_not_found"
  | "flow_not_deletable"
  | "flow_not_deprecatable"
  | "flow_not_editable"
  | "flow_not_found"
  | "flow_not_publishable"
  | "group_invite_link_reset_in_progress"
  | "group_not_active"
  | "group_not_found"
  | "group_participant_limit_reached"
  | "group_phone_number_not_eligible"
  | "http_exception"
  | "idempotency_key_conflict"
  | "idempotency_key_in_progress"
  | "idempotency_key_required"
  | "insufficient_balance"
  | "insufficient_scope"
  | "internal_error"
  | "invalid_api_key_request"
  | "invalid_audience_request"
  | "invalid_batch_request"
  | "invalid_billing_query"
  | "invalid_billing_request"
  | "invalid_bulk_webhook_resend"
  | "invalid_connect_request"
  | "invalid_contact_request"
  | "invalid_cursor"
  | "invalid_data_retention_request"
  | "invalid_device_authorization_request"
  | "invalid_device_code"
  | "invalid_feedback_report_request"
  | "invalid_flow_json"
  | "invalid_flow_request"
  | "invalid_group_request"
  | "invalid_groups_query"
  | "invalid_idempotency_key"
  | "invalid_media_mime_type"
  | "invalid_media_request"
  | "invalid_message_request"
  | "invalid_messages_query"
  | "invalid_payment_request"
  | "invalid_payments_query"
  | "invalid_phone_country_calling_code"
  | "invalid_phone_e164"
  | "invalid_phone_national_number"
  | "invalid_phone_number_request"
  | "invalid_project_body"
  | "invalid_provider_connection_request"
  | "invalid_provider_connection_token_rotation"
  | "invalid_query"
  | "invalid_request_logs_query"
  | "invalid_sandbox_request"
  | "invalid_setup_session_request"
  | "invalid_signup_session_request"
  | "invalid_template_request"
  | "invalid_transfer_request"
  | "invalid_upstream_signup_session_token"
  | "invalid_webhook_endpoint_request"
  | "invalid_webhook_events_query"
  | "invalid_webhook_listen_session_request"
  | "kyc_pending"
  | "kyc_required"
  | "media_asset_expired"
  | "media_asset_not_found"
  | "media_asset_not_ready"
  | "media_blob_not_found"
  | "media_storage_quota_exceeded"
  | "media_too_large"
  | "media_upload_in_progress"
  | "media_upload_incomplete"
  | "media_upload_length_mismatch"
  | "message_not_cancellable"
  | "message_not_found"
  | "missing_idempotency_key"
  | "numprov_byok_subscription_required"
  | "numprov_byok_terms_required"
  | "numprov_byok_unavailable"
  | "numprov_connection_already_exists"
  | "numprov_connection_unavailable"
  | "numprov_number_already_imported"
  | "numprov_number_unavailable"
  | "numprov_resource_not_found"
  | "organization_not_found"
  | "organization_suspended"
  | "package_not_found"
  | "payload_too_large"
  | "payment_already_terminal"
  | "payment_approval_unsupported"
  | "payment_cancellation_unsupported"
  | "payment_fee_pricing_unavailable"
  | "payment_link_not_ready"
  | "payment_method_limit_reached"
  | "payment_method_not_active"
  | "payment_method_not_found"
  | "payment_method_required"
  | "payment_not_found"
  | "payment_provider_connection_required"
  | "personal_chatapp_group_not_supported"
  | "phone_number_confirmation_mismatch"
  | "phone_number_conflict"
  | "phone_number_not_convertible"
  | "phone_number_not_found"
  | "phone_number_not_removable"
  | "phone_number_not_transferable"
  | "phone_number_order_not_found"
  | "phone_number_rental_approval_required"
  | "phone_number_rental_preview_unavailable"
  | "phone_number_transfer_environment_kind_mismatch"
  | "phone_number_transfer_same_environment"
  | "phone_service_suspended"
  | "plan_already_current"
  | "plan_offering_not_found"
  | "plan_phone_limit_reached"
  | "project_limit_reached"
  | "project_not_found"
  | "project_slug_taken"
  | "provider_connection_not_found"
  | "provider_connection_not_pending"
  | "provider_connection_not_rotatable"
  | "provider_credential_setup_session_already_completed"
  | "provider_credential_setup_session_already_denied"
  | "provider_credential_setup_session_denied"
  | "provider_credential_setup_session_expired"
  | "provider_credential_setup_session_not_found"
  | "provider_credential_setup_stt_sandbox_unsupported"
  | "provider_credential_setup_target_not_configured"
  | "provider_error"
  | "rate_card_not_found"
  | "rate_limited"
  | "reaction_target_expired"
  | "reaction_target_invalid"
  | "reaction_target_unavailable"
  | "recipient_cadence_policy_unavailable"
  | "recipient_duplicate_message"
  | "recipient_frequency_capped"
  | "reply_target_unavailable"
  | "request_log_not_found"
  | "sandbox_clock_advance_not_found"
  | "sandbox_clock_advancing"
  | "sandbox_group_participant_sandbox_only"
  | "sandbox_only_route"
  | "sender_phone_number_unavailable"
  | "service_unavailable"
  | "service_window_required"
  | "slow_down"
  | "spend_limit_exceeded"
  | "subscription_already_active"
  | "subscription_change_pending"
  | "subscription_not_found"
  | "target_environment_not_found"
  | "template_name_taken"
  | "template_not_approved"
  | "template_not_editable"
  | "template_not_found"
  | "template_not_submittable"
  | "template_param_mismatch"
  | "template_provider_connection_required"
  | "transcription_byok_runtime_inactive"
  | "transcription_in_progress"
  | "transcription_media_unsupported"
  | "transcription_not_found"
  | "transcription_provider_not_configured"
  | "unsafe_webhook_url"
  | "upstream_biz_account_missing"
  | "upstream_connection_already_exists"
  | "upstream_identity_enforced"
  | "upstream_signup_session_already_completed"
  | "upstream_signup_session_expired"
  | "upstream_signup_session_not_found"
  | "upstream_token_foreign_app"
  | "webhook_endpoint_disabled"
  | "webhook_endpoint_limit_reached"
  | "webhook_endpoint_not_found"
  | "webhook_event_not_found"
  | "webhook_event_payload_unavailable"
  | "webhook_listen_session_active_exists"
  | "webhook_listen_session_not_active"
  | "webhook_listen_session_not_found"
  | "webhook_listen_session_production_only"
  | "webhook_listen_session_required"
  | "webhook_test_not_resendable"
  | (string & {})

export type ExchangeUpstreamCode = {
  /** Code from the embedded signup; valid for one exchange. */
  code: string
  /** Id of the business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
  /** Your name for the connection, 1 to 255 characters. */
  display_name?: string | null | undefined
  /** Id of the business portfolio at the platform. */
  business_id?: string | null | undefined
  /** Address to which the platform's page returned with the code; leave it out for a code of the platform's script. */
  redirect_uri?: string | null | undefined
  /** Signup session that this call completes: its UUID, with or without mss_. */
  signup_session_id?: string | null | undefined
}

export type FeedbackReport = {
  /** Id of the feedback report. */
  id: string
  object: "feedback_report"
  /** received, in_review, resolved or closed; more may follow. */
  status: string
  /** Beginning of the report, at most 160 characters. */
  message_excerpt: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Result of the report; null until it is published. */
  latest_resolution: {
    /** fixed, documented, already_supported, duplicate or not_planned; more may follow. */
    disposition: string
    /** Reply of the operators. */
    public_summary: string
    /** ISO 8601 in UTC with milliseconds. */
    published_at: string
  } | null
}

export type Flow = {
  /** Id of the flow. */
  id: string
  object: "flow"
  /** Name of the flow; a send may refer to it. */
  name: string
  /** Status of the flow. */
  status: "draft" | "publishing" | "published" | "rejected" | "deprecated" | (string & {})
  /** The provider's id, which a send may refer to; null before the provider assigns it. */
  provider_flow_id: string | null
  /** Reason for the rejection; null otherwise. */
  rejection_reason: string | null
  /** Categories of the flow, as you sent them. */
  categories: Array<string>
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of publication; null before it. */
  published_at: string | null
  /** The definition as you sent it. */
  flow_json: Record<string, unknown>
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Data of a flow.completed event. */
export type FlowCompletedData = {
  /** Id of the flow. */
  flow_id: string
  /** Name of the flow. */
  name: string
  /** Status of the flow. */
  status: "draft" | "publishing" | "published" | "rejected" | "deprecated" | (string & {})
  /** The provider's id of the flow. */
  provider_flow_id: string | null
  /** Reason for the rejection. */
  rejection_reason: string | null
  submission: FlowSubmission
}

/** A customer finished a flow. */
export type FlowCompletedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "flow.completed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: FlowCompletedData
}

export type FlowEntry = {
  /** Id of the flow. */
  id: string
  object: "flow"
  /** Name of the flow; a send may refer to it. */
  name: string
  /** Status of the flow. */
  status: "draft" | "publishing" | "published" | "rejected" | "deprecated" | (string & {})
  /** The provider's id, which a send may refer to; null before the provider assigns it. */
  provider_flow_id: string | null
  /** Reason for the rejection; null otherwise. */
  rejection_reason: string | null
  /** Categories of the flow, as you sent them. */
  categories: Array<string>
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of publication; null before it. */
  published_at: string | null
}

/** Answers of the customer, with their time. */
export type FlowSubmission = {
  /** Id of the flow submission. */
  id: string
  /** The flow_token of the message that opened the flow. */
  provider_token: string
  /** Answers of the customer. */
  response: Record<string, unknown>
  /** The message that opened the flow. */
  message_id: string
  /** ISO 8601 in UTC with milliseconds. */
  received_at: string
}

export type GrantableScope =
  | "messages:read"
  | "messages:write"
  | "templates:read"
  | "templates:write"
  | "contacts:read"
  | "contacts:write"
  | "groups:read"
  | "groups:write"
  | "payments:read"
  | "payments:write"
  | "billing:read"
  | "billing:write"
  | "phone_numbers:read"
  | "phone_numbers:write"
  | "provider_connections:read"
  | "provider_connections:write"
  | "projects:read"
  | "projects:write"
  | "webhooks:read"
  | "webhooks:write"
  | "logs:read"
  | "sandbox:write"

export type Group = {
  /** Id of the group. */
  id: string
  object: "group"
  status: GroupStatus
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The number that hosts the group. */
  phone_number_id: string
  /** Name shown to participants. */
  subject: string
  /** Description of the group; null if none was given. */
  description: string | null
  /** auto_approve: anyone with the link joins without approval. */
  join_approval_mode: "auto_approve"
  /** The provider's id; null until the group exists there. It starts with sb_ in a sandbox. */
  provider_group_id: string | null
  /** Anyone holding it can join: treat it as a password. Null until the group exists. */
  invite_link: string | null
  /** Current members, in the order they joined. */
  participants: Array<GroupParticipant>
  /** Number of current members. */
  participant_count: number
  /** Failure of the latest operation; null otherwise. */
  failure: GroupFailure | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of deletion; null otherwise. */
  deleted_at: string | null
  /** When the chat platform suspended the group: nothing can be sent to it. Absent while it is not suspended. */
  suspended_at?: string | undefined
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Data of a group.create_failed event. */
export type GroupCreateFailedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** Name shown to participants. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Failure of the operation; null when it succeeded. */
  failure: GroupFailure
  /** Time at which the service recorded the outcome. */
  occurred_at: string
}

/** A group could not be created; data shows the group as it is now and this operation's failure. */
export type GroupCreateFailedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.create_failed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupCreateFailedData
}

/** Data of a group.created event. */
export type GroupCreatedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** Name shown to participants. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Failure of the operation; null when it succeeded. */
  failure: null
  /** Time at which the service recorded the outcome. */
  occurred_at: string
}

/** A group was created; data shows the group as it is now. */
export type GroupCreatedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.created"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupCreatedData
}

/** Data of a group.delete_failed event. */
export type GroupDeleteFailedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** Name shown to participants. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Failure of the operation; null when it succeeded. */
  failure: GroupFailure
  /** Time at which the service recorded the outcome. */
  occurred_at: string
}

/** A group could not be deleted; data shows the group as it is now and this operation's failure. */
export type GroupDeleteFailedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.delete_failed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupDeleteFailedData
}

/** Data of a group.deleted event. */
export type GroupDeletedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** Name shown to participants. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Failure of the operation; null when it succeeded. */
  failure: null
  /** Time at which the service recorded the outcome. */
  occurred_at: string
}

/** A group was deleted; data shows the group as it is now. */
export type GroupDeletedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.deleted"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupDeletedData
}

export type GroupEligibility = {
  /** Id of the phone number. */
  id: string
  object: "group_eligibility"
  /** Id of the phone number. */
  phone_number_id: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  status: GroupEligibilityStatus
  /** Reasons why the number is not eligible; empty otherwise. */
  reasons: Array<
    | "not_cloud_api"
    | "chatapp_business_app_number"
    | "not_official_business_account"
    | "missing_messaging_permission"
    | (string & {})
  >
  /** End of the latest check, whatever its result; null before the first. */
  checked_at: string | null
  /** Time of the latest request for a check; it is done once checked_at is later. */
  check_requested_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Whether the number may host groups. */
export type GroupEligibilityStatus =
  | "eligible"
  | "not_eligible"
  | "unknown"
  | "not_checked"
  | "read_failed"
  | (string & {})

export type GroupEntry = {
  /** Id of the group. */
  id: string
  object: "group"
  status: GroupStatus
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The number that hosts the group. */
  phone_number_id: string
  /** Name shown to participants. */
  subject: string
  /** Description of the group; null if none was given. */
  description: string | null
  /** auto_approve: anyone with the link joins without approval. */
  join_approval_mode: "auto_approve"
  /** The provider's id; null until the group exists there. It starts with sb_ in a sandbox. */
  provider_group_id: string | null
  /** Anyone holding it can join: treat it as a password. Null until the group exists. */
  invite_link: string | null
  /** Current members, in the order they joined. */
  participants: Array<GroupParticipant>
  /** Number of current members. */
  participant_count: number
  /** Failure of the latest operation; null otherwise. */
  failure: GroupFailure | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of deletion; null otherwise. */
  deleted_at: string | null
  /** When the chat platform suspended the group: nothing can be sent to it. Absent while it is not suspended. */
  suspended_at?: string | undefined
}

export type GroupFailure = {
  /** Code of the failure. */
  code:
    | "group_provider_rejected"
    | "provider_error"
    | "sender_phone_number_unavailable"
    | "group_phone_number_not_eligible"
    | (string & {})
  /** The failure in a sentence. */
  message: string
  /** The provider's part of the failure; null when the provider was not called. */
  provider: "upstream" | null
}

/** Data of a group.invite_link_reset event. */
export type GroupInviteLinkResetData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** Name shown to participants. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Failure of the operation; null when it succeeded. */
  failure: null
  /** Time at which the service recorded the outcome. */
  occurred_at: string
}

/** A group has a new invite link; data shows the group as it is now. */
export type GroupInviteLinkResetEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.invite_link_reset"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupInviteLinkResetData
}

/** Data of a group.invite_link_reset_failed event. */
export type GroupInviteLinkResetFailedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** Name shown to participants. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Failure of the operation; null when it succeeded. */
  failure: GroupFailure
  /** Time at which the service recorded the outcome. */
  occurred_at: string
}

/** An invite link was not replaced; data shows the group as it is now and this operation's failure. */
export type GroupInviteLinkResetFailedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.invite_link_reset_failed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupInviteLinkResetFailedData
}

export type GroupParticipant = {
  /** The participant's id on the channel. */
  chat_id: string
  /** Time of joining, in whole seconds. */
  joined_at: string
}

/** Data of a group.participant_joined event. */
export type GroupParticipantJoinedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  /** The participant who joined or left. */
  participant: {
    /** The participant's id on the channel. */
    chat_id: string
  }
  /** Number of participants right after this change. */
  participant_count: number
  /** Time of the change, in whole seconds. */
  occurred_at: string
}

/** A participant joined a group. */
export type GroupParticipantJoinedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.participant_joined"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupParticipantJoinedData
}

/** Data of a group.participant_removed event. */
export type GroupParticipantRemovedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  /** The participant who joined or left. */
  participant: {
    /** The participant's id on the channel. */
    chat_id: string
  }
  /** Number of participants right after this change. */
  participant_count: number
  /** Time of the change, in whole seconds. */
  occurred_at: string
  /** Initiator of the removal. */
  initiated_by: "participant" | "business" | (string & {})
}

/** A participant left a group or was removed from it. */
export type GroupParticipantRemovedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "group.participant_removed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: GroupParticipantRemovedData
}

export type GroupRecipient = {
  /** Kind of id: a phone number on chatapp, a chatapp customer by the user_id of their messages, a group that you made, a user of socialapp, or a chatapp_channel. */
  type: "chatapp_group"
  /** The phone number in international form, the customer's user_id, the id of your group (grp_…), or the channel's id of 1 to 255 characters. */
  id: string
}

/** Status of the group. */
export type GroupStatus = "pending" | "active" | "failed" | "deleting" | "deleted" | (string & {})

export type ImportContacts = {
  /** 1 to 1000 customers who agreed. For a repeated customer the last metadata counts. */
  rows: ReadonlyArray<{
    /** The phone number. Only + or 00 begins an international number; any other is read in the default_region of the project, with or without its calling code. */
    phone?: string | undefined
    /** The user_id of the customer's messages, instead of phone: for a customer who hides the phone. */
    user_id?: string | null | undefined
    /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
    metadata?: Record<string, unknown> | null | undefined
  }>
  /** Source of the consent, 1 to 64 characters; api by default. */
  source?: string | null | undefined
}

export type ImportNumprovNumber = {
  /** Id of your number-provider connection (npc_…). */
  provider_connection_id: string
  /** Id of the number at the provider, from the list of its numbers. */
  provider_number_id: string
  /** Id at the chat platform, if the number is already registered there. */
  upstream_phone_number_id?: string | null | undefined
  /** Name shown to customers, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
  /** Version of the terms for managing the number here, which you accept. */
  continuation_terms_version: "numprov_byok_v1"
}

export type InboundContent =
  | InboundText
  | InboundMedia
  | InboundInteractive
  | InboundFlow
  | InboundReaction
  | InboundUnsupported
  | InboundUnknown
  | NewVariant

export type InboundFlow = {
  type: "flow"
  /** The flow the customer completed. */
  flow: {
    /** Name of the flow, if the provider reports it. */
    name: string | null
    /** Answers of the customer. */
    response: Record<string, unknown>
    /** The token the flow was sent with. */
    provider_token: string | null
  }
}

export type InboundInteractive = {
  type: "interactive"
  /** The button or row that the customer tapped. */
  interactive: InteractiveReply
}

export type InboundMedia = {
  type: "media"
  /** The file. */
  media: MediaDescriptor
}

export type InboundReaction = {
  type: "reaction"
  /** The reaction. */
  reaction: {
    /** Id of the message that the reaction is for, if this service knows it. */
    message_id: string | null
    /** The provider's id of the message. */
    provider_message_id: string
    /** The emoji; empty when the reaction was removed. */
    emoji: string
  }
}

export type InboundText = {
  type: "text"
  /** The text. */
  text: {
    /** Text that the customer wrote. */
    body: string
  }
}

export type InboundUnknown = {
  type: "unknown"
  /** Known facts about the content. */
  unknown: {
    /** The provider's name of the type. */
    provider_type: string
    /** With provider_type location: the sent location. */
    location?: SharedLocation | undefined
    /** With provider_type contacts: the sent cards. */
    contacts?: Array<SharedContact> | undefined
    /** With provider_type order: the ordered products. */
    order?: SharedOrder | undefined
    /** With provider_type edit: the earlier message and its corrected content. */
    edit?: MessageEdit | undefined
    /** With provider_type revoke: the earlier message that was withdrawn. */
    revoke?: MessageRevoke | undefined
    /** With provider_type system: what the platform says of the customer. */
    system?: SystemNotice | undefined
  }
}

export type InboundUnsupported = {
  type: "unsupported"
  /** Known facts about the content. */
  unsupported: {
    /** The provider's name of the type. */
    provider_type: string | null
    /** The provider's reason. */
    reason: {
      /** The provider's number of the reason. */
      code: number
      /** The provider's sentence. */
      message: string
    } | null
  }
}

/** Content for the customer to tap: reply buttons, a list, an address to open, a request for their location, or an order to pay. */
export type InteractiveContent =
  | ButtonMessage
  | ListMessage
  | AddressMessage
  | LocationRequestMessage
  | OrderDetailsMessage

export type InteractiveReply = ButtonReply | ListReply | NewVariant

export type KeyScope =
  | "messages:read"
  | "messages:write"
  | "templates:read"
  | "templates:write"
  | "contacts:read"
  | "contacts:write"
  | "groups:read"
  | "groups:write"
  | "payments:read"
  | "payments:write"
  | "billing:read"
  | "billing:write"
  | "phone_numbers:read"
  | "phone_numbers:write"
  | "provider_connections:read"
  | "provider_connections:write"
  | "projects:read"
  | "projects:write"
  | "webhooks:read"
  | "webhooks:write"
  | "logs:read"
  | "sandbox:write"
  | "api_keys:admin"
  | (string & {})

export type LedgerEntry = {
  /** Id of the ledger entry. */
  id: string
  object: "ledger_entry"
  /** debit is spend and credit is a top-up. hold and release reserve and return credit, and are not spend. */
  type: "debit" | "credit" | "hold" | "release" | (string & {})
  /** Source of the entry: usage, a top-up, or the hold of a payment's completion fee. */
  source_type: "usage" | "credit_topup" | "payment_fee_hold" | (string & {})
  /** Id of the usage record, the top-up or the reservation. */
  source_id: string
  /** The meter of the rate card that was used. */
  meter_id: string | null
  /** Always positive; type gives the direction. */
  amount_brl: string
  /** The part of a debit that the balance did not cover when it was posted. */
  uncollected_brl: string | null
  currency: "brl"
  /** Environment of the entry; null for top-ups of the organization. */
  environment: "sandbox" | "production" | null | (string & {})
  /** The payment whose fee this entry is; null for other sources. */
  payment_fee: {
    /** Kind of payment. */
    object: "payment_request" | "agentic_payment" | (string & {})
    /** Id of the payment. */
    id: string
    /** Id of the reservation, as the payment's fees name it. */
    reservation_id: string
  } | null
  /** Trace of the request that caused the entry; null for top-ups. */
  trace_id: string | null
  /** ISO 8601 in UTC with milliseconds. */
  recorded_at: string
}

/** A text with a list of rows to choose from. */
export type ListMessage = {
  type: "list"
  /** Header of the message. */
  header?:
    | {
        /** Type of the header; only text, the default. */
        type?: "text" | null | undefined
        /** Line above the text. */
        text: string
      }
    | null
    | undefined
  /** The text. */
  body: {
    /** The text. */
    text: string
  }
  /** Footer of the message. */
  footer?:
    | {
        /** Line below the text. */
        text: string
      }
    | null
    | undefined
  /** The list. */
  action: {
    /** Label of the button that opens the list. */
    button: string
    /** 1 to 10 sections with 1 to 10 rows in all. */
    sections: ReadonlyArray<{
      /** Heading of the section; required in a list of several. */
      title?: string | null | undefined
      /** Rows of the section. */
      rows: ReadonlyArray<{
        /** Id that a tap returns; unique in the list. */
        id: string
        /** Label of the row. */
        title: string
        /** Line below the label. */
        description?: string | null | undefined
      }>
    }>
  }
}

/** The customer chose a row of a list. */
export type ListReply = {
  type: "list_reply"
  /** The row. */
  list_reply: {
    /** The id you gave it. */
    id: string
    /** The title the customer saw. */
    title: string
    /** The second line of the row. */
    description: string | null
  }
}

export type ListedCreditTopup = {
  /** Id of the credit top-up. */
  id: string
  object: "credit_topup"
  /** Kind of purchase. */
  kind: "cash" | "package" | "x402" | (string & {})
  /** Status of the top-up. Credit is added once, when it succeeds. */
  status: "pending" | "succeeded" | "failed" | "refunded" | "expired" | (string & {})
  /** Price, and the credit that it adds. */
  amount_brl: string
  /** Method of payment. */
  payment_method: "pix" | "card" | "x402" | "manual" | "promotion" | (string & {})
  /** Code of the package, with kind package. */
  package_code: string | null
  /** Messages included in the package. */
  quota_messages: number | null
  /** Included messages that remain. */
  quota_remaining: number | null
  /** Id of the charge at the card processor. */
  cardproc_payment_intent_id: string | null
  /** For use only in the browser while the cardholder must authenticate; null in lists. */
  cardproc_client_secret: string | null
  /** Provider that collected the money. */
  provider?: "cardproc" | "pixprov2" | "manual" | "promotion" | (string & {}) | undefined
  /** Id of the charge at the Pix provider. */
  pixprov2_charge_id?: string | null | undefined
  /** The Pix code to pay with. */
  pix_copy_paste?: string | null | undefined
  /** The Pix code as a PNG. */
  pix_qr_code_base64?: string | null | undefined
  /** Time until which the top-up can be paid. */
  pix_expires_at?: string | null | undefined
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of success or failure. */
  completed_at: string | null
}

export type ListedPaymentMethod = {
  /** Id of the saved card. */
  id: string
  object: "billing_payment_method"
  type: "card"
  /** The card's brand. */
  brand: string | null
  /** Last four digits of the card. */
  last4: string | null
  /** Month of expiry, 1 to 12. */
  exp_month: number | null
  /** Year of expiry. */
  exp_year: number | null
  /** Whether it is the default card; an account has at most one. */
  is_default: boolean
  /** Status of the card. A deleted card stays on record and cannot be charged. */
  status: "active" | "deleted" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

/** A location to show on a map. */
export type LocationContent = {
  /** Degrees north of the equator, negative to the south. */
  latitude: number
  /** Degrees east of Greenwich, negative to the west. */
  longitude: number
  /** Name of the location. */
  name?: string | null | undefined
  /** Address of the location. */
  address?: string | null | undefined
}

/** A text with a button by which the customer sends their location. */
export type LocationRequestMessage = {
  type: "location_request"
  /** The text. */
  body: {
    /** The text. */
    text: string
  }
}

export type MediaAsset = {
  /** Id of the media asset. */
  id: string
  object: "media_asset"
  /** customer: you uploaded it. inbound_provider: it came with an inbound message. */
  source: "customer" | "inbound_provider" | (string & {})
  /** Provider that holds or rendered the file; null for your own uploads. */
  provider: string | null
  /** The provider's id of the file. */
  provider_media_id: string | null
  /** Kind of file. */
  kind: "image" | "document" | "audio" | "video" | "sticker" | (string & {})
  /** single_use: for one send, deleted after 24 hours without one. library: kept until you delete it. */
  lifecycle: "single_use" | "library" | (string & {})
  /** Name of the file, as given. */
  filename: string | null
  /** Media type, under its own name. */
  mime_type: string
  /** Size in bytes. */
  byte_length: number
  /** pending: its bytes are awaited. ready: it can be sent. consumed: it was sent, or stored with an inbound message. */
  status: "pending" | "ready" | "consumed" | "failed" | "expired" | "deleted" | (string & {})
  /** Request that creates a download URL, while the file can be downloaded. */
  download: {
    method: "GET"
    /** Path of this service. */
    path: string
  } | null
  /** Time at which the file is deleted; null while none is set. */
  expires_at: string | null
  /** Time until which the bytes may be uploaded. */
  upload_expires_at: string | null
  /** Time at which the upload was completed. */
  completed_at: string | null
  /** Time at which the file was first sent, or stored with an inbound message. */
  consumed_at: string | null
  /** Id of the message that first sent the file or brought it. */
  consumed_by_message_id: string | null
  /** Time of deletion. */
  deleted_at: string | null
  /** Code of the failure; new codes may appear. */
  failure_code: string | null
  /** The failure in a sentence. */
  failure_message: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type MediaAssetDownload = {
  /** Id of the media asset. */
  id: string
  object: "media_asset_download"
  /** Call it unchanged; it needs no key. */
  download_url: string
  /** Time until which the URL works; request another afterwards. */
  expires_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type MediaDescriptor = {
  /** Id of the stored file; null on your own send of a file outside your library. */
  asset_id: string | null
  /** The provider's id of the file. */
  provider_media_id: string | null
  /** Kind of file. */
  kind: "image" | "document" | "audio" | "video" | "sticker" | (string & {})
  /** True for a voice note, false for other audio, absent when unknown. */
  voice?: boolean | undefined
  /** Media type, once known. */
  mime_type: string | null
  /** Size in bytes, once known. */
  byte_length: number | null
  /** Name given by the sender. */
  filename: string | null
  /** Text that the customer wrote under an image, video or document; null without one, else absent. */
  caption?: string | null | undefined
  /** ready: it can be downloaded. pending: it is still being fetched. */
  status: "pending" | "ready" | "consumed" | "failed" | "expired" | "deleted" | (string & {})
  /** Reason why the file could not be fetched. */
  failure: {
    /** Code of the failure; new codes may appear. */
    code: string
    /** The failure in a sentence. */
    message: string
  } | null
  /** Request that downloads the file, once it is ready. */
  download: {
    method: "GET"
    /** Path of this service. */
    path: string
  } | null
}

export type MediaStorageUsage = {
  object: "media_storage_usage"
  /** Stored bytes, plus those announced by open uploads. */
  used_bytes: number
  /** Storage limit of the environment. */
  limit_bytes: number
  /** Storage left, 0 or more. */
  available_bytes: number
  /** Used share in percent with two decimals; it may exceed 100. */
  percent_used: number
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type MediaTranscription = {
  /** Id of the transcription. */
  id: string
  object: "media_transcription"
  /** Id of the media asset. */
  media_asset_id: string
  /** Status of the transcription. */
  status: "queued" | "processing" | "succeeded" | "failed" | (string & {})
  /** The text; null before it is known, and once erasure or retention removed it. */
  text: string | null
  /** Recognised language. */
  language: string | null
  /** Duration in seconds. */
  duration_seconds: number | null
  /** Provider of the transcription. */
  provider: string
  /** The provider's model. */
  model: string | null
  /** Code of the failure. */
  error_code: TranscriptionErrorCode | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of success or failure. */
  completed_at: string | null
}

export type MediaUpload = {
  /** Id of the media asset. */
  id: string
  object: "media_upload"
  /** Call it unchanged; it needs no key. */
  upload_url: string
  upload_method: "PUT"
  /** Headers to send with the PUT. */
  upload_headers: Record<string, string>
  /** Time until which the bytes may be uploaded and the upload completed. */
  expires_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type Message = {
  /** Id of the message. */
  id: string
  object: "message"
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** outbound: you sent it. inbound: a customer sent it. */
  direction: "inbound" | "outbound" | (string & {})
  /** Type of the message. unsupported and unknown are inbound only, location and contacts outbound only: those that a customer sends are unknown. */
  type:
    | "text"
    | "template"
    | "media"
    | "interactive"
    | "flow"
    | "reaction"
    | "location"
    | "contacts"
    | "unsupported"
    | "unknown"
    | (string & {})
  /** Status of the message: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
  status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
  /** Reason for waiting: messaging_limit_pacing while the sender's daily allowance is used up. New reasons may appear. */
  status_reason: string | null
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The sender. */
  sender: {
    /** Kind of id: chatapp_phone_number, phone_e164, chatapp_user_id, chatapp_group, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number, account or group; for a customer, the phone number or the channel's id. Empty for a sender who hides the phone. */
    id: string
    /** Profile name of the customer at the time of the message; not verified. */
    profile_name: string | null
    /** Inbound only: the platform's id of the customer for your business, which names also a customer who hides the phone; null when the platform named none. */
    user_id?: string | null | undefined
    /** Inbound only: the customer's username at the time of the message; null without one. */
    username?: string | null | undefined
  }
  /** The recipient. */
  recipient: {
    /** Kind of id: chatapp_phone_number, phone_e164, chatapp_user_id, chatapp_group, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number, account or group; for a customer, the phone number or the channel's id. Empty for a sender who hides the phone. */
    id: string
  }
  /** Provider of the message; null before the message was handed over. */
  provider: string | null
  /** The provider's id of the message; null before it has one. */
  provider_message_id: string | null
  /** Name of the template of the message. */
  template_name: string | null
  /** Id of the template of the message. */
  template_id: string | null
  /** Id of the template version. */
  template_version_id: string | null
  /** Number of the template version. */
  template_version: number | null
  /** The file, with type media. */
  media: MediaDescriptor | null
  /** With type unsupported: content that the provider did not deliver. */
  unsupported: {
    /** The provider's name of the type. */
    provider_type: string | null
    /** The provider's reason. */
    reason: {
      /** The provider's number of the reason. */
      code: number
      /** The provider's sentence. */
      message: string
    } | null
  } | null
  /** With type unknown: content that this service does not interpret; the payload holds it. */
  unknown: {
    /** The provider's name of the type. */
    provider_type: string
    /** With provider_type location: the sent location. */
    location?: SharedLocation | undefined
    /** With provider_type contacts: the sent cards. */
    contacts?: Array<SharedContact> | undefined
    /** With provider_type order: the ordered products. */
    order?: SharedOrder | undefined
    /** With provider_type edit: the earlier message and its corrected content. */
    edit?: MessageEdit | undefined
    /** With provider_type revoke: the earlier message that was withdrawn. */
    revoke?: MessageRevoke | undefined
    /** With provider_type system: what the platform says of the customer. */
    system?: SystemNotice | undefined
  } | null
  /** Quoted message and forwarding. Lists show it with include=payload. */
  context?:
    | {
        /** The quoted message. */
        reply_to: {
          /** Id of the quoted message, if this service knows it. */
          message_id: string | null
          /** The provider's id of the quoted message. */
          provider_message_id: string | null
        } | null
        /** Whether the message was forwarded. */
        forwarded: boolean
        /** Whether the message was forwarded many times. */
        frequently_forwarded: boolean
        referral?: MessageReferral | undefined
        referred_product?: ReferredProduct | undefined
      }
    | null
    | undefined
  /** The content: your own as you sent it, inbound as the provider reported it. Lists show it with include=payload. */
  payload?: unknown | undefined
  /** Your metadata. */
  metadata: Record<string, unknown> | null
  /** Code of the failure; new codes may appear. */
  error_code:
    | "no_provider_connection"
    | "provider_connection_unauthorized"
    | "provider_connection_suspended"
    | "upstream_registration_required"
    | "sender_phone_number_unavailable"
    | "service_window_required"
    | "group_not_active"
    | "contact_opted_out"
    | "credit_balance_exhausted"
    | "spend_limit_exceeded"
    | "phone_service_suspended"
    | "phone_number_rate_limit_exhausted"
    | "invalid_template_payload"
    | "template_param_mismatch"
    | "template_unavailable"
    | "recipient_duplicate_message"
    | "recipient_frequency_capped"
    | "recipient_cadence_policy_unavailable"
    | "media_asset_resolution_failed"
    | "media_asset_not_found"
    | "media_asset_not_ready"
    | "media_asset_expired"
    | "media_link_fetch_failed"
    | "invalid_media_mime_type"
    | "media_too_large"
    | "media_content_changed"
    | "media_voice_requires_ogg_opus"
    | "tts_provider_error"
    | "tts_render_failed"
    | "provider_send_result_missing"
    | "queue_expired"
    | "upstream_recipient_undeliverable"
    | "upstream_engagement_limited"
    | "upstream_experiment_holdout"
    | "upstream_marketing_opted_out"
    | "upstream_media_download_failed"
    | "upstream_recipient_phone_required"
    | "upstream_rejected"
    | "upstream_display_name_not_approved"
    | "upstream_payment_method_required"
    | "upstream_account_inactive"
    | "upstream_messaging_permission_missing"
    | "upstream_business_account_locked"
    | "sandbox_delivery_failure"
    | "sandbox_recipient_opted_out"
    | "sandbox_template_rejected"
    | (string & {})
  /** The failure in a sentence. */
  error_message: string | null
  /** The provider's error, if the provider refused the message. */
  provider_error: {
    /** Provider that refused the message. */
    provider: string
    /** The provider's error code. */
    code: number | null
    /** The provider's error subcode. */
    subcode: number | null
    /** The provider's name of the error. */
    title: string | null
    /** The provider's text. */
    message: string | null
    /** HTTP status of the provider's response. */
    http_status: number | null
  } | null
  pricing?: MessagePricing | undefined
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time at which the content was erased. */
  redacted_at: string | null
  /** Time at which the message was given up as unconfirmed: the provider's response never came. */
  delivery_unconfirmed_at: string | null
  /** Id of the group in which the customer wrote or to which you sent, null for a group that this service does not know; absent for a private message. */
  group_id?: string | null | undefined
  /** The provider's id of that group; absent for a private message. */
  provider_group_id?: string | undefined
  /** Outbound only: where it was written, if not here. business_app: in the phone app of the number. New ones may appear. */
  source?: string | undefined
  /** Time at which its author last corrected it; absent otherwise. Another message has the correction. */
  edited_at?: string | undefined
  /** Time at which its author withdrew it; absent otherwise. */
  revoked_at?: string | undefined
  /** Steps of the message, oldest first. */
  events: Array<{
    /** Id of the step. */
    id: string
    /** Name of the step. New ones may appear. */
    type: string
    /** Status of the message: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
    status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
    /** ISO 8601 in UTC with milliseconds. */
    occurred_at: string
    /** Code of the failure. */
    error_code: string | null
    /** Details of the step. */
    details: Record<string, unknown> | null
  }>
}

export type MessageAccepted = {
  /** Id of the message. */
  id: string
  object: "message"
  /** Status of the message: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
  status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
  /** Reason for waiting: messaging_limit_pacing while the sender's daily allowance is used up. New reasons may appear. */
  status_reason: string | null
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Id of the template of the message. */
  template_id: string | null
  /** Id of the template version. */
  template_version_id: string | null
  /** Number of the template version. */
  template_version: number | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Data of a message.delivered event. */
export type MessageDeliveredData = {
  /** Id of the message. */
  message_id: string
  status: "delivered"
  /** The recipient's id: the phone number, or the id of the group. */
  to: string
  /** The sending number in international form; null if the sender has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** Your metadata of the message. */
  metadata: Record<string, unknown> | null
  /** The sender of the message. */
  sender: {
    /** Profile name of the customer; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
  /** When it happened by the platform's clock, which tells whole seconds; by ours where the platform tells none. Events of earlier versions lack it. */
  occurred_at?: string | undefined
  pricing?: MessagePricing | undefined
}

/** The message reached the customer. */
export type MessageDeliveredEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.delivered"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageDeliveredData
}

/** Data of a message.echoed event. */
export type MessageEchoedData = {
  /** Id of the message. */
  message_id: string
  status: "sent"
  /** The recipient's id: the phone number, or the id of the group. */
  to: string
  /** The sending number in international form; null if the sender has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** Your metadata of the message. */
  metadata: Record<string, unknown> | null
  /** The sender of the message. */
  sender: {
    /** Profile name of the customer; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
  /** When it happened by the platform's clock, which tells whole seconds; by ours where the platform tells none. Events of earlier versions lack it. */
  occurred_at?: string | undefined
  /** Content of the message; its type gives its shape. */
  content: InboundContent
  /** Quoted message and forwarding; absent for a message without any. */
  context?:
    | {
        /** The quoted message. */
        reply_to: {
          /** Id of the quoted message, if this service knows it. */
          message_id: string | null
          /** The provider's id of the quoted message. */
          provider_message_id: string | null
        } | null
        /** Whether the message was forwarded. */
        forwarded: boolean
        /** Whether the message was forwarded many times. */
        frequently_forwarded: boolean
        referral?: MessageReferral | undefined
        referred_product?: ReferredProduct | undefined
      }
    | undefined
}

/** Staff sent a message in the phone app of the number. */
export type MessageEchoedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.echoed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageEchoedData
}

export type MessageEdit = {
  /** Id of the message, if this service knows it. */
  message_id: string | null
  /** The provider's id of the message. */
  provider_message_id: string
  /** The corrected content; null for a type that this service does not interpret. */
  content: CorrectedContent | null
}

/** Data of a message.failed event. */
export type MessageFailedData = {
  /** Id of the message. */
  message_id: string
  status: "failed"
  /** The recipient's id: the phone number, or the id of the group. */
  to: string
  /** The sending number in international form; null if the sender has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** Your metadata of the message. */
  metadata: Record<string, unknown> | null
  /** The sender of the message. */
  sender: {
    /** Profile name of the customer; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
  /** When it happened by the platform's clock, which tells whole seconds; by ours where the platform tells none. Events of earlier versions lack it. */
  occurred_at?: string | undefined
  /** Code of the failure; new codes may appear. */
  error_code:
    | "no_provider_connection"
    | "provider_connection_unauthorized"
    | "provider_connection_suspended"
    | "upstream_registration_required"
    | "sender_phone_number_unavailable"
    | "service_window_required"
    | "group_not_active"
    | "contact_opted_out"
    | "credit_balance_exhausted"
    | "spend_limit_exceeded"
    | "phone_service_suspended"
    | "phone_number_rate_limit_exhausted"
    | "invalid_template_payload"
    | "template_param_mismatch"
    | "template_unavailable"
    | "recipient_duplicate_message"
    | "recipient_frequency_capped"
    | "recipient_cadence_policy_unavailable"
    | "media_asset_resolution_failed"
    | "media_asset_not_found"
    | "media_asset_not_ready"
    | "media_asset_expired"
    | "media_link_fetch_failed"
    | "invalid_media_mime_type"
    | "media_too_large"
    | "media_content_changed"
    | "media_voice_requires_ogg_opus"
    | "tts_provider_error"
    | "tts_render_failed"
    | "provider_send_result_missing"
    | "queue_expired"
    | "upstream_recipient_undeliverable"
    | "upstream_engagement_limited"
    | "upstream_experiment_holdout"
    | "upstream_marketing_opted_out"
    | "upstream_media_download_failed"
    | "upstream_recipient_phone_required"
    | "upstream_rejected"
    | "upstream_display_name_not_approved"
    | "upstream_payment_method_required"
    | "upstream_account_inactive"
    | "upstream_messaging_permission_missing"
    | "upstream_business_account_locked"
    | "sandbox_delivery_failure"
    | "sandbox_recipient_opted_out"
    | "sandbox_template_rejected"
    | (string & {})
  /** The failure in a sentence. */
  error_message: string | null
}

/** The message will not be sent; its error_code says why. */
export type MessageFailedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.failed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageFailedData
}

/** Data of a message.media_stored event. */
export type MessageMediaStoredData = {
  /** Id of the message. */
  message_id: string
  /** The file, as a read of the message shows it now. */
  media: MediaDescriptor
}

/** A customer's file that could not be fetched at first was stored later. */
export type MessageMediaStoredEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.media_stored"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageMediaStoredData
}

/** Data of a message.media_transcribed event. */
export type MessageMediaTranscribedData = {
  /** Id of the media asset. */
  media_asset_id: string
  /** The text; null once erasure or retention removed it. */
  text: string | null
  /** Recognised language. */
  language: string | null
  /** Duration in seconds. */
  duration: number | null
  /** Equal to `duration`, under its name on the transcription. */
  duration_seconds: number | null
  /** Provider of the transcription. */
  provider: string
  /** The provider's model. */
  model: string | null
  /** The sender of the message. */
  sender: {
    /** Profile name of the customer; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
}

/** A voice message was transcribed. */
export type MessageMediaTranscribedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.media_transcribed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageMediaTranscribedData
}

/** Data of a message.media_transcription_failed event. */
export type MessageMediaTranscriptionFailedData = {
  /** Id of the media asset. */
  media_asset_id: string
  error_code: TranscriptionErrorCode
  /** The sender of the message. */
  sender: {
    /** Profile name of the customer; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
}

/** A voice message could not be transcribed. */
export type MessageMediaTranscriptionFailedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.media_transcription_failed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageMediaTranscriptionFailedData
}

/** What the platform says of the message's price; absent while it says nothing. */
export type MessagePricing = {
  /** Whether the platform charges for the message. */
  billable: boolean | null
  /** Category by which it charges, such as utility or service. New ones may appear. */
  category: string | null
  /** Kind of price, such as regular, free_customer_service or free_entry_point. New ones may appear. */
  type: string | null
  /** Pricing model, such as PMP (per message). New ones may appear. */
  model: string | null
}

/** Data of a message.read event. */
export type MessageReadData = {
  /** Id of the message. */
  message_id: string
  status: "read"
  /** The recipient's id: the phone number, or the id of the group. */
  to: string
  /** The sending number in international form; null if the sender has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** Your metadata of the message. */
  metadata: Record<string, unknown> | null
  /** The sender of the message. */
  sender: {
    /** Profile name of the customer; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
  /** When it happened by the platform's clock, which tells whole seconds; by ours where the platform tells none. Events of earlier versions lack it. */
  occurred_at?: string | undefined
}

/** The customer read the message. */
export type MessageReadEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.read"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageReadData
}

/** Data of a message.received event. */
export type MessageReceivedData = {
  /** Id of the message. */
  message_id: string
  status: "received"
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** The customer. */
  sender: {
    /** Kind of id, such as phone_e164. */
    type: string
    /** Id of the customer: a phone number or the channel's id; empty while the customer hides the phone. */
    id: string
    /** Profile name of the customer. */
    profile_name: string | null
    /** The platform's id of the customer for your business, also while they hide the phone; null when the platform named none. */
    user_id?: string | null | undefined
    /** Username of the customer; null without one. */
    username?: string | null | undefined
  }
  /** Your number or account that received the message. */
  recipient: {
    /** Kind of id, such as chatapp_phone_number. */
    type: string
    /** Id of your number or account. */
    id: string
  }
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** Your metadata of the message. */
  metadata: Record<string, unknown> | null
  /** Content of the message; its type gives its shape. */
  content: InboundContent
  /** Quoted message, forwarding and referral; absent for a message without any. */
  context?:
    | {
        /** The quoted message. */
        reply_to: {
          /** Id of the quoted message, if this service knows it. */
          message_id: string | null
          /** The provider's id of the quoted message. */
          provider_message_id: string | null
        } | null
        /** Whether the message was forwarded. */
        forwarded: boolean
        /** Whether the message was forwarded many times. */
        frequently_forwarded: boolean
        referral?: MessageReferral | undefined
        referred_product?: ReferredProduct | undefined
      }
    | undefined
  referral?: MessageReferral | undefined
  /** Id of the group in which the customer wrote, null for a group that this service does not know; absent for a private message. */
  group_id?: string | null | undefined
  /** The provider's id of that group; absent for a private message. */
  provider_group_id?: string | undefined
  /** When it happened by the platform's clock, which tells whole seconds; by ours where the platform tells none. Events of earlier versions lack it. */
  occurred_at?: string | undefined
}

/** A customer sent a message. */
export type MessageReceivedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.received"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageReceivedData
}

/** The advertisement or post from which the customer wrote; absent without one. */
export type MessageReferral = {
  /** Kind of the source, such as ad or post; new ones may appear. */
  source_type?: string | undefined
  /** The provider's id of the source. */
  source_id?: string | undefined
  /** Page of the source. */
  source_url?: string | undefined
  /** Headline of the source. */
  headline?: string | undefined
  /** Text of the source. */
  body?: string | undefined
  /** Id of the click, by which the advertiser counts conversions. */
  click_id?: string | undefined
}

export type MessageRevoke = {
  /** Id of the message, if this service knows it. */
  message_id: string | null
  /** The provider's id of the message. */
  provider_message_id: string
}

/** Data of a message.sent event. */
export type MessageSentData = {
  /** Id of the message. */
  message_id: string
  status: "sent"
  /** The recipient's id: the phone number, or the id of the group. */
  to: string
  /** The sending number in international form; null if the sender has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** Your metadata of the message. */
  metadata: Record<string, unknown> | null
  /** The sender of the message. */
  sender: {
    /** Profile name of the customer; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
  /** When it happened by the platform's clock, which tells whole seconds; by ours where the platform tells none. Events of earlier versions lack it. */
  occurred_at?: string | undefined
  pricing?: MessagePricing | undefined
}

/** The provider accepted the message. */
export type MessageSentEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "message.sent"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: MessageSentData
}

export type NameReview = {
  /** The reviewed name. */
  name: string | null
  /** The decision. */
  decision: "approved" | "declined" | (string & {})
  /** Reason for the decision, if one was given. */
  reason: string | null
  /** ISO 8601 in UTC with milliseconds. */
  decided_at: string
}

export type NameWarning = {
  /** Possible objection of reviewers. */
  code:
    | "display_name_generic"
    | "display_name_too_short"
    | "display_name_has_url"
    | "display_name_all_caps"
    | (string & {})
  field: "display_name"
  /** Text for people. */
  message: string
}

export type NumprovConnection = {
  /** Id of the number-provider connection. */
  id: string
  object: "numprov_connection"
  /** connected once the provider accepted the key; failed: register the account again. */
  status: "pending" | "connected" | "failed" | "disconnected" | (string & {})
  /** Your name for the account. */
  display_name: string
  /** Id of the account at the provider. */
  account_id: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Last characters of the key, to tell keys apart. */
  credential_last_four: string | null
  /** Whether the provider's calls can be verified. */
  webhook_secret_configured: boolean
  /** Latest operation. */
  latest_operation: NumprovOperation | null
  /** Time of the latest listing of its numbers. */
  last_discovered_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of disconnection; null before it. */
  disconnected_at: string | null
}

export type NumprovManagement = {
  /** Id of the number management enrollment. */
  id: string
  object: "numprov_management"
  /** Whether the number is managed here. */
  status: "active" | "suspended" | "ended" | (string & {})
  /** Id of the connected account that it was imported from. */
  provider_connection_id: string
  /** Version of the accepted terms. */
  terms_version: string
  /** ISO 8601 in UTC with milliseconds. */
  enrolled_at: string
  /** Time at which management ended; null before. */
  ended_at: string | null
  /** Always null: an imported number is not rented. */
  renewal: null
}

export type NumprovOperation = {
  /** Id of the number-provider operation. */
  id: string
  object: "numprov_operation"
  /** Kind of operation. */
  kind: "register" | "rotate" | "discovery" | (string & {})
  /** Status of the operation; poll until it is not pending. */
  status: "pending" | "succeeded" | "failed" | (string & {})
  /** Code of the failure: the provider refused the key for this account or could not be reached, or the connection ended. */
  error_code:
    | "numprov_credentials_invalid"
    | "numprov_provider_unavailable"
    | "numprov_connection_unavailable"
    | null
    | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of completion; null while the operation is pending. */
  completed_at: string | null
}

export type NumprovResource = {
  /** The provider's id of the number. */
  id: string
  object: "numprov_resource"
  /** The provider's id of the number, under the name that an import uses. */
  provider_number_id: string
  /** The number. */
  phone: string
  /** Status at the provider. */
  status: "active" | "suspended" | "released" | (string & {})
  /** Whether the number receives text messages. */
  sms: boolean
  /** ISO 8601 in UTC with milliseconds. */
  observed_at: string
}

/** An order to review and pay by Pix. */
export type OrderDetailsMessage = {
  type: "order_details"
  /** The text. */
  body: {
    /** The text. */
    text: string
  }
  /** The order and its payment. */
  action: {
    name: "review_and_pay"
    /** The order. */
    parameters: {
      /** Your id of the order. */
      reference_id: string
      type: "digital-goods"
      payment_type: "br"
      /** Accepted ways of payment. */
      payment_settings: ReadonlyArray<{
        type: "pix_dynamic_code"
        /** A dynamic Pix code. */
        pix_dynamic_code: {
          /** The Pix code to copy and paste. */
          code: string
          /** Name of the payee. */
          merchant_name: string
          /** The Pix key. */
          key: string
          /** Kind of the key: a tax number, an e-mail address, a phone number or, EVP, a random key. */
          key_type: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP"
        }
      }>
      currency: "BRL"
      /** The amount. */
      total_amount: {
        /** The amount in centavos. */
        value: number
        offset: 100
      }
    }
  }
}

export type OutboundContacts = {
  /** Type of the content; the member of that name holds it. */
  type: "contacts"
  /** One to five cards of an address book. */
  contacts: ReadonlyArray<ContactCard>
}

export type OutboundFlow = {
  /** Type of the content; the member of that name holds it. */
  type: "flow"
  /** A flow for the customer to complete. */
  flow: {
    /** The text. */
    body: {
      /** The text. */
      text: string
    }
    /** The flow that the button opens. */
    action: {
      name: "flow"
      /** The flow and how it opens: exactly one of flow_id and flow_name. */
      parameters: {
        /** The published flow's provider_flow_id. */
        flow_id?: string | null | undefined
        /** Name of the published flow, instead of flow_id. */
        flow_name?: string | null | undefined
        /** Your token for the answer: it is returned as submission.provider_token. */
        flow_token: string
        /** Label of the button that opens the flow. */
        flow_cta: string
        /** State of the flow to open; published by default. */
        mode?: "published" | "draft" | null | undefined
        /** Action of the flow; navigate by default. */
        flow_action?: "navigate" | "data_exchange" | null | undefined
        /** Data for the first screen. */
        flow_action_payload?: Record<string, unknown> | null | undefined
      }
    }
  }
}

export type OutboundInteractive = {
  /** Type of the content; the member of that name holds it. */
  type: "interactive"
  interactive: InteractiveContent
}

export type OutboundLocation = {
  /** Type of the content; the member of that name holds it. */
  type: "location"
  location: LocationContent
}

export type OutboundMedia = {
  /** Type of the content; the member of that name holds it. */
  type: "media"
  /** A file from exactly one source: id, link, asset_id, inline or source. */
  media: {
    /** Kind of file. */
    kind: "image" | "document" | "audio" | "video" | "sticker"
    /** Audio only: shown as a voice note; needs audio/ogg. */
    voice?: boolean | null | undefined
    /** Text under an image, a video or a document. */
    caption?: string | null | undefined
    /** Name shown with a document. */
    filename?: string | null | undefined
    /** The upstream platform's handle of the file, passed on unchanged. */
    id?: string | null | undefined
    /** Address from which this service fetches the file. */
    link?: string | null | undefined
    /** Id of a file of your media library. */
    asset_id?: string | null | undefined
    /** The file itself, for small ones. */
    inline?:
      | {
          /** Media type of the bytes. */
          mime_type: string
          /** The bytes in base64 with padding, at most 5 MiB decoded. */
          data_base64: string
          /** Name of the file. */
          filename?: string | null | undefined
        }
      | null
      | undefined
    /** Speech synthesized from a text before the message is sent. */
    source?:
      | {
          type: "tts"
          /** Provider of the speech. */
          provider: "speechprov1" | "speechprov2" | "speechprov3"
          /** Text to speak, word for word. */
          text: string
          /** The provider's name for the voice. */
          voice: string
          /** Language of the text. */
          language: string
        }
      | null
      | undefined
  }
}

export type OutboundReaction = {
  /** Type of the content; the member of that name holds it. */
  type: "reaction"
  /** A reaction to a customer's message of the last 30 days. */
  reaction: {
    /** Id of the customer's message. */
    message_id: string
    /** One emoji; an empty text removes the reaction. */
    emoji: string
  }
}

export type OutboundTemplate = {
  /** Type of the content; the member of that name holds it. */
  type: "template"
  /** An approved template with its values. It needs no open service window. */
  template: {
    /** Name of an approved template. */
    name: string
    /** Language code of the template. */
    language: string
    /** Values of the body: under "1", "2" and so on for POSITIONAL variables, under their names for NAMED ones. An empty one is a mismatch. */
    variables?: Record<string, string> | null | undefined
    /** Values of a text header, of buttons with a variable address and of coupons. */
    components?:
      | ReadonlyArray<{
          /** Part of the template that takes the values. */
          type: "header" | "button"
          /** Kind of button: one with a variable address, or one that copies a coupon. Others take no values. */
          sub_type?: "url" | "copy_code" | null | undefined
          index?: ButtonIndex | null | undefined
          /** The values, in the order of the variables. */
          parameters: ReadonlyArray<{
            /** text, or coupon_code for a button that copies one; the member of that name holds the value. */
            type: "text" | "coupon_code"
            /** Name of the header's variable; only a template with NAMED variables has one. */
            parameter_name?: string | null | undefined
            /** The value, 1 to 1024 characters; an empty one is a mismatch. */
            text?: string | null | undefined
            /** The code that a tap copies, 1 to 20 characters. */
            coupon_code?: string | null | undefined
          }>
        }>
      | null
      | undefined
    /** The file of a template with a media header: exactly one of asset_id, link and id. */
    header_media?:
      | {
          /** Kind of file. */
          kind: "image" | "video" | "document"
          /** Id of a file of your media library. */
          asset_id?: string | null | undefined
          /** Address from which the file is fetched. */
          link?: string | null | undefined
          /** The upstream platform's handle of the file. */
          id?: string | null | undefined
          /** Name shown with a document. */
          filename?: string | null | undefined
        }
      | null
      | undefined
  }
}

export type OutboundText = {
  /** Type of the content; the member of that name holds it. */
  type: "text"
  /** Free text; the customer must have written within the last 24 hours. */
  text: {
    /** The text, 1 to 4096 characters. */
    body: string
    /** Whether the first link has a preview. */
    preview_url?: boolean | null | undefined
  }
}

export type PackageOffering = {
  /** Code of the package. */
  id: string
  object: "package_offering"
  /** Code of the package. */
  code: string
  /** Name of the package. */
  display_name: string
  /** Price, and the credit that it adds. */
  price_brl: string
  /** Messages included in the price. */
  quota_messages: number
  /** Price of one included message. */
  unit_price_brl: string
  currency: "brl"
}

export type PackagesPage = {
  object: "list"
  /** The rows of this page. */
  data: Array<ListedCreditTopup>
  /** Whether another page follows. */
  has_more: boolean
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** All packages on sale, repeated on each page. */
  available_packages: Array<PackageOffering>
}

/** Data of a payment.approval_available event. */
export type PaymentApprovalAvailableData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  status: "link_generated"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: string
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
}

/** The link of a payment is ready to be sent. */
export type PaymentApprovalAvailableEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.approval_available"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentApprovalAvailableData
}

/** Data of a payment.cancelled event. */
export type PaymentCancelledData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  status: "cancelled"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: string | null
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment was cancelled. */
export type PaymentCancelledEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.cancelled"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentCancelledData
}

/** Data of a payment.created event. */
export type PaymentCreatedData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  status: "link_pending"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: null
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment was accepted; its link does not exist yet. */
export type PaymentCreatedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.created"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentCreatedData
}

/** Data of a payment.expired event. */
export type PaymentExpiredData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  status: "expired"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: string | null
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment expired before it was paid. */
export type PaymentExpiredEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.expired"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentExpiredData
}

/** Data of a payment.failed event. */
export type PaymentFailedData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  status: "failed"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: string | null
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment failed. */
export type PaymentFailedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.failed"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentFailedData
}

/** Fees of the payment; null where no fee is owed. */
export type PaymentFees = {
  /** True in the sandbox: fees are recorded and never charged. */
  simulated: boolean
  /** Pricing version from which the fees were computed. */
  rate_card_id: string
  /** Charged once at acceptance, whatever the outcome. */
  initiation: {
    /** BRL, a decimal string with four places */
    amount_brl: string
    /** Id of the reservation. */
    reservation_id: string
  }
  /** Held at acceptance, charged when the payment is paid. */
  completion: {
    /** Share of the amount, as a fraction. */
    rate: string
    /** BRL, a decimal string with four places */
    amount_brl: string
    /** held until the outcome; settled once charged; released once returned; unresolved while held beyond a final status or a day. */
    state: "held" | "settled" | "released" | "unresolved" | (string & {})
    /** Id of the reservation. */
    reservation_id: string
  }
}

export type PaymentLateOutcome = {
  /** The outcome that the provider showed; paid means that money arrived. */
  status: "paid" | "failed" | "expired" | "cancelled" | (string & {})
  /** When it was seen. */
  at: string
}

/** Data of a payment.late_outcome event. */
export type PaymentLateOutcomeData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  /** Final status, which the payment keeps. */
  status: "paid" | "failed" | "expired" | "cancelled" | (string & {})
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: string | null
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
  /** The outcome that the provider showed after the end. */
  late_outcome: PaymentLateOutcome
}

/** The provider showed another outcome of a payment that had ended, such as money after expiry. */
export type PaymentLateOutcomeEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.late_outcome"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentLateOutcomeData
}

/** Data of a payment.link_generated event. */
export type PaymentLinkGeneratedData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  status: "link_generated"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: string
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
}

/** Equal to payment.approval_available; both events are raised together. */
export type PaymentLinkGeneratedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.link_generated"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentLinkGeneratedData
}

export type PaymentMethod = {
  /** Id of the saved card. */
  id: string
  object: "billing_payment_method"
  type: "card"
  /** The card's brand. */
  brand: string | null
  /** Last four digits of the card. */
  last4: string | null
  /** Month of expiry, 1 to 12. */
  exp_month: number | null
  /** Year of expiry. */
  exp_year: number | null
  /** Whether it is the default card; an account has at most one. */
  is_default: boolean
  /** Status of the card. A deleted card stays on record and cannot be charged. */
  status: "active" | "deleted" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type PaymentMethodList = {
  object: "list"
  /** The default first, then the newest. */
  data: Array<ListedPaymentMethod>
  has_more: false
  /** Always null: one page holds all cards. */
  next_cursor: null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type PaymentMethodSetupIntent = {
  /** Id of the setup intent at the card processor. */
  id: string
  object: "billing_payment_method_setup_intent"
  /** Id of your customer record at the card processor. */
  cardproc_customer_id: string
  /** Id of the setup intent at the card processor. */
  cardproc_setup_intent_id: string
  /** For use only in the card processor's form in the browser; never store it. */
  cardproc_client_secret: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Data of a payment.paid event. */
export type PaymentPaidData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Equal to id. */
  payment_request_id: string
  status: "paid"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata of the payment. */
  metadata: unknown
  /** Payment link; null while there is none. */
  payment_link_url: string | null
  /** Provider that collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name for its event. */
  provider_event_type?: string | undefined
  /** Operation that changed the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Code of the failure; new codes may appear. */
  error_code?: string | undefined
  /** The failure in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route changed the payment. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox payment page changed the payment. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment was paid. */
export type PaymentPaidEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "payment.paid"
  /** Time at which the event was created. */
  created_at: string
  /** Time at which the change happened. */
  occurred_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: PaymentPaidData
}

export type PaymentRequest = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Status of the payment; paid, failed, expired and cancelled are final. */
  status:
    | "link_pending"
    | "link_generated"
    | "approval_requested"
    | "approved"
    | "paid"
    | "failed"
    | "expired"
    | "cancelled"
    | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** BRL, a decimal string with four places */
  amount_brl: string
  currency: "BRL"
  /** Description of the payment, shown to the payer. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Tax number of the payer. */
  customer_tax_id: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Email address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** Your metadata. */
  metadata: Record<string, unknown> | null
  /** Payment link; null until it exists. */
  payment_link_url: string | null
  /** The Pix code, to be pasted into a bank's app. */
  pix_copy_paste: string | null
  /** The Pix code as a PNG in base64. */
  pix_qr_code_base64: string | null
  /** Provider that collects the payment. */
  provider: "pixprov1" | "pixprov2" | (string & {})
  /** Id of the provider connection. */
  provider_connection_id: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** Further facts about the payment; members may change. */
  provider_metadata: Record<string, unknown> | null
  /** Trace of the request that created the payment. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** When its link was made. */
  link_generated_at: string | null
  /** When an approval was asked for. */
  approval_requested_at: string | null
  /** When it was approved. */
  approved_at: string | null
  /** When it was paid. */
  paid_at: string | null
  /** When it failed. */
  failed_at: string | null
  /** When it was over. */
  expired_at: string | null
  /** When it was cancelled. */
  cancelled_at: string | null
  /** Outcome that the provider showed after the payment had ended otherwise; absent without one. The status stays final, so money that arrives late has to be handed back or booked by you. */
  late_outcome?: PaymentLateOutcome | undefined
  fees: PaymentFees | null
}

export type PendingNameReview = {
  /** The name under review. */
  name: string
  /** ISO 8601 in UTC with milliseconds. */
  submitted_at: string
}

export type PhoneManagementCoverage = {
  /** Id of the phone number. */
  id: string
  object: "phone_management_coverage"
  /** Id of the phone number. */
  phone_number_id: string
  /** The number, in E.164. */
  phone: string | null
  /** Display name of the number. */
  display_name: string | null
  /** Kind of the number's environment. */
  environment: "sandbox" | "production" | (string & {})
  /** plan: a Standard or Growth plan covers the month, including the month in which it ends. prepaid: the month's fee was charged. none: neither; the number cannot send. */
  coverage: "plan" | "prepaid" | "none" | (string & {})
  /** The 1st at which coverage ends unless a plan or a fee extends it; null without coverage. */
  covered_until: string | null
  /** The next scheduled charge: 00:05 UTC on a 1st; null when none is scheduled. */
  next_charge_at: string | null
  /** One full fee, never prorated; 0.0000 in sandbox, null when none is scheduled. */
  next_charge_brl: string | null
  currency: "brl"
  /** Payment of the present UTC month. unpaid: its fee left the balance below zero, and the balance has not returned to zero since. */
  current_month_payment_status: "paid" | "unpaid" | "not_charged" | (string & {})
  /** disabled_unpaid_month_end: until the month ends. funding_required: the balance did not cover the fee on the 1st; with credit for one fee, the number is enabled again on the next 1st. */
  service_state: "serving" | "disabled_unpaid_month_end" | "funding_required" | "not_serving" | (string & {})
  /** Time at which an unpaid month disables the number on the free plan: 12:00 UTC on the last UTC day. */
  disable_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  evaluated_at: string
}

/** Totals over all numbers of the environment. */
export type PhoneManagementSummary = {
  /** Numbers with a scheduled charge. */
  retained_count: number
  /** Sum of their fees, whenever they are due. */
  monthly_total_brl: string
  /** The next scheduled charge: 00:05 UTC on a 1st; null when none is scheduled. */
  next_charge_at: string | null
  /** Sum of the fees due at that instant; null when none is scheduled. */
  next_charge_brl: string | null
  currency: "brl"
}

export type PhoneNumber = {
  /** Id of the phone number. */
  id: string
  object: "phone_number"
  /** numprov: rented here. byon: your own number. */
  source: "numprov" | "byon" | (string & {})
  /** Status of the number; only an active number can send. */
  status:
    | "requested"
    | "provisioning"
    | "provisioned"
    | "verifying"
    | "active"
    | "failed"
    | "release_requested"
    | "released"
    | "disconnected"
    | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Display name given in the request. */
  display_name: string | null
  /** Area code in Brazil. */
  ddd: string | null
  /** The number in international form; null before it is known. */
  phone: string | null
  /** Id at the number provider, if the number is rented from one. */
  provider_number_id: string | null
  /** Id at the chat platform. */
  upstream_phone_number_id: string | null
  /** Id of its business account at the chat platform. */
  biz_account_id: string | null
  /** Management of an imported number; null for all others. */
  numprov_management: NumprovManagement | null
  /** Quality of the number, as customers rate its messages. */
  quality_rating: "green" | "yellow" | "red" | "unknown" | (string & {})
  /** New recipients that the number may message in 24 hours. */
  messaging_tier:
    | "tier_50"
    | "tier_250"
    | "tier_1k"
    | "tier_2k"
    | "tier_10k"
    | "tier_100k"
    | "unlimited"
    | "unknown"
    | (string & {})
  /** The platform's name of the messaging limit. */
  messaging_limit_tier: string | null
  /** Throughput that the platform allows. */
  upstream_throughput_tier: "1" | "2" | "3" | "4" | "unlimited" | null | (string & {})
  /** Quality as the platform names it. */
  upstream_quality_rating: string | null
  /** Name verified by the platform, at the last read. */
  verified_name: string | null
  /** Name under review; null when there is none. */
  pending_name_review: PendingNameReview | null
  /** Latest decision on a name; null before the first. */
  name_review: NameReview | null
  /** Time of the last successful read from the platform; null before the first. */
  upstream_health_synced_at: string | null
  /** New recipients messaged in the last 24 hours. */
  current_24h_unique_recipients: number
  /** New recipients left before sends wait, for all numbers of the business portfolio together; null, not zero, when the number is unknown. */
  remaining_messaging_allowance_estimate: number | null
  /** Latest verification code received, for ten minutes. */
  verification_code: string | null
  /** Time at which the code was received. */
  verification_code_received_at: string | null
  /** Monthly price of the number; null for your own number. */
  monthly_fee_brl: string | null
  /** Code of the failure. */
  error_code: string | null
  /** The failure in a sentence. */
  error_message: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time at which the number first became active. */
  activated_at: string | null
  /** Time of release. */
  released_at: string | null
  /** Latest ten messages, newest first; empty in lists. */
  recent_messages: Array<RecentMessage>
  /** Warnings about the display name. */
  warnings: Array<NameWarning>
  /** Charge for this month; null for numbers that are not rented, and in a sandbox. */
  renewal: PhoneRenewal | null
}

export type PhoneNumberOrderFailure = {
  /** Code of the failure. */
  code:
    | "phone_number_order_declined"
    | "phone_number_order_expired"
    | "phone_number_order_terms_changed"
    | (string & {})
  /** Text for people. */
  message: string
}

export type PhoneNumberOrderPreview = {
  /** Amount reserved at approval and charged at delivery. */
  amount_brl: string
  /** Price of every later month. */
  monthly_fee_brl: string
  currency: "brl"
  /** Earliest time of the first charge; null in sandbox. */
  first_charge_at: string | null
  /** Time of the next monthly charge: 00:05 UTC on the 1st; null in sandbox. */
  next_charge_at: string | null
  /** The terms of the rental. */
  terms_version: string
  /** True when the order is free of charge. */
  free: boolean
}

export type PhoneRecipient = {
  /** Kind of id: a phone number on chatapp, a chatapp customer by the user_id of their messages, a group that you made, a user of socialapp, or a chatapp_channel. */
  type: "phone_e164"
  /** The phone number in international form, the customer's user_id, the id of your group (grp_…), or the channel's id of 1 to 255 characters. */
  id?: string | null | undefined
  /** Calling code of a phone number in two parts, instead of id. */
  country_calling_code?: string | null | undefined
  /** National number of a phone number in two parts. */
  national_number?: string | null | undefined
}

export type PhoneRegion = {
  /** The area code. */
  id: string
  object: "phone_region"
  /** The area code. */
  ddd: string
  /** State of the area code. */
  state: string
  /** Whether a number can be ordered in this area. */
  available: boolean
  /** Monthly price; 0.0000 in sandbox, null while no price is in effect. */
  monthly_fee_brl: string | null
}

export type PhoneRenewal = {
  /** at_risk: this month was charged and the balance does not cover it. upcoming: all charges are paid. */
  state: "at_risk" | "upcoming" | "release_pending" | "released" | (string & {})
  /** insufficient_credit while at_risk. */
  reason_codes: Array<string>
  /** Time of the next monthly charge: 00:05 UTC on the 1st. */
  next_renewal_at: string | null
  /** Time until which an unpaid month has to be paid; only on the free plan. */
  release_cutoff_at: string | null
  /** Whether an unpaid month releases the number; never on a paid plan. */
  automatic_release_enabled: boolean
  /** Amount charged for this month; null without a charge. */
  amount_brl: string | null
  currency: "brl"
  /** Recommended action. */
  recommended_action: "add_credit_or_enable_auto_topup" | "none" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  evaluated_at: string
  /** Always null. */
  cycle_id: null
  /** Always null. */
  renewal_warning_48h_at: null
  /** Always null. */
  renewal_warning_24h_at: null
  /** Always null. */
  grace_selected_at: null
  /** Always null. */
  grace_ends_at: null
  /** Always null. */
  release_requested_at: null
  /** Always null. */
  provider_evidence_observed_at: null
}

export type PhoneRenewalEntry = {
  /** Id of the phone number. */
  id: string
  object: "phone_renewal"
  /** Id of the phone number. */
  phone_number_id: string
  /** The number, in E.164; null until it was delivered. */
  phone: string | null
  /** The renewal as the number itself shows it. */
  renewal: PhoneRenewal | null
}

export type PixCheckout = {
  /** Id of the charge at the payment provider. */
  pixprov2_charge_id: string
  /** BRL, a decimal string with four places */
  amount_brl: string
  /** The Pix code to paste into a bank's app. */
  pix_copy_paste: string | null
  /** The Pix code as a PNG, in base64. */
  pix_qr_code_base64: string | null
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
}

export type PlanOffering = {
  /** Id of a plan of the catalog. */
  id: string
  object: "plan_offering"
  /** Short name of the plan. */
  code: string
  /** Display name of the plan. */
  display_name: string
  /** Charged each month by card. */
  monthly_fee_brl: string
  /** Charged each year by Pix. */
  annual_fee_brl: string
  currency: "brl"
  /** Accepted ways of payment. */
  billing_rails: Array<"cardproc_card" | "pix_annual" | (string & {})>
  /** Messages that each number may send per second: 10, 40 or 80. */
  throughput_tier: "starter" | "growth" | "scale" | (string & {})
  /** Maximum number of phone numbers; null for no limit. */
  max_phones: number | null
  /** Factor for prices with multiplier_applies. */
  platform_fee_multiplier: string
  /** Price of a utility message under the plan. */
  net_transport_rate_brl: string
  /** Whether you may import numbers of your own number-provider account. */
  numprov_byok_enabled: boolean
}

export type PreflightCheck = {
  /** Name of the check. New checks may appear. */
  code: string
  /** Outcome of the check. */
  status: "pass" | "warn" | "fail" | "skipped" | (string & {})
  /** The outcome in a sentence. */
  message: string
}

export type Project = {
  /** Id of the project. */
  id: string
  object: "project"
  /** Name of the project. */
  name: string
  /** Short name, unique in the organization. */
  slug: string
  /** Default language of new templates. */
  default_language: "pt_BR" | "en_US" | "es_ES" | (string & {})
  /** ISO 3166 code of the country in which phone numbers without + or 00 are read; BR unless it was changed in the console. */
  default_region: string
  /** Business profile; may be empty. */
  profile: Record<string, unknown>
  /** Time of archiving; null while the project is active. */
  archived_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** The sandbox environment, then the production environment. */
  environments: Array<Environment>
}

export type ProviderConnection = {
  /** Id of the provider connection. */
  id: string
  object: "provider_connection"
  /** Provider of the account. */
  provider: "upstream" | "pixprov1" | "pixprov2" | (string & {})
  /** Use of the account. */
  channel: "chatapp" | "socialapp" | "payments" | "agentic_payments" | (string & {})
  /** pending: complete it; connected: in use; suspended: the platform locked or banned the account; disconnected: ended. */
  status: "pending" | "connected" | "suspended" | "disconnected" | (string & {})
  /** Your name for the connection. */
  display_name: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Id of the business account at the chat platform. */
  biz_account_id: string | null
  /** The platform's id of the number given with the account. */
  phone_number_id: string | null
  /** The number as the platform formats it. */
  display_phone_number: string | null
  /** Id of the business account of the social channel. */
  social_business_account_id: string | null
  /** Id of the page of the social channel. */
  page_id: string | null
  /** Id of the account at a payment provider, if the provider has one. */
  provider_account_id: string | null
  /** Payee of the payments. */
  payment_receiver: {
    /** Name shown to payers. */
    merchant_name: string | null
    /** The Pix key. */
    key: string | null
    /** Kind of key. */
    key_type: string | null
  } | null
  /** Payment methods of the account. */
  payment_capabilities: {
    /** Pix charges. */
    pix: boolean
    /** A payment page at the provider. */
    hosted_checkout: boolean
  } | null
  /** Agentic payment functions of the account. */
  agentic_capabilities: {
    /** Banks can be listed. */
    banks: boolean
    /** Customers can authorize payments. */
    authorizations: boolean
    /** Authorized payments can be made. */
    payments: boolean
  } | null
  /** Id of the participant in agentic payments. */
  default_participant_id: string | null
  /** Id of the agent in agentic payments. */
  agent_id: string | null
  /** Base address for agentic payments, if it differs from the provider's own. */
  agentic_api_base_url: string | null
  /** pix-api for an account of pixprov2 at an institution that speaks the central bank's standard API; left out for any other. */
  driver?: "pix-api" | undefined
  /** Whether the provider's calls about the account can be verified. */
  webhook_secret_configured: boolean
  /** Reason for the suspension, such as account_locked or account_banned, or why the account left: partner_removed, partner_app_uninstalled, account_deleted or account_offboarded. */
  suspension_reason: string | null
  /** Latest warning of the platform. */
  last_policy_warning_type: string | null
  /** Time of the warning; marketing cooldowns count from it. */
  last_policy_warning_at: string | null
  /** The worst state among its accounts. Null means that no trusted observation exists; it does not mean that the connection may send. */
  send_capability: "available" | "blocked" | null | (string & {})
  /** Reasons for the block, in the order of remedies. */
  send_block_codes: Array<"141006" | "141008" | "141011" | (string & {})> | null
  /** Time of the observation. */
  send_capability_observed_at: string | null
  /** One entry for each account that the token reaches: the entry of a number's own account applies to its sends. */
  biz_account_send_capabilities: Array<BizAccountSendCapability>
  /** Time of the ban. */
  biz_account_ban_date: string | null
  /** The platform's name for the state of the ban. */
  biz_account_ban_state: string | null
  /** The platform's name for the state of its account review. */
  account_review_status: string | null
  /** Current restrictions by the platform. */
  restrictions: Array<{
    /** The platform's name for the restriction. */
    type: string
    /** End of the restriction, if the platform gives one. */
    expires_at: string | null
  }> | null
  /** Last characters of the credential, to tell credentials apart. */
  credential_last_four: string | null
  /** Origin of the token. */
  token_source: "manual" | "embedded_signup" | null | (string & {})
  /** Expiry of the token; null if it does not expire. */
  token_expires_at: string | null
  /** Time of the last successful check at the platform. */
  token_refreshed_at: string | null
  /** Time of the latest rotation. */
  token_rotated_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Time of disconnection; null before it. */
  disconnected_at: string | null
}

export type ProviderConnectionStatus = {
  object: "provider_connection_status"
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** By channel. */
  channels: {
    /** Chat through the numbers of an account. */
    chatapp: ChannelStatus
    /** The social channel. */
    socialapp: ChannelStatus
    /** Payment requests. */
    payments: ChannelStatus
    /** Payments that an agent makes. */
    agentic_payments: ChannelStatus
  }
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type ProviderCredentialSetupSession = {
  /** Id of the credential setup session. */
  id: string
  object: "provider_credential_setup_session"
  /** Provider and use of the requested credentials. */
  target:
    | "upstream.chatapp"
    | "pixprov2.payments"
    | "pixprov1.payments"
    | "pixprov1.agentic_payments"
    | "speechprov1.tts"
    | "speechprov2.tts"
    | "speechprov3.tts"
    | "speechprov1.stt"
    | (string & {})
  /** Status of the session: poll until it is no longer pending, and continue only when it is completed. */
  status: "pending" | "completed" | "denied" | "expired" | (string & {})
  /** Page on which an owner or admin enters the credentials. Only the create route and its replay return it. */
  url: string | null
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Id of the connection that was created. */
  provider_connection_id: string | null
  /** Transcription provider of the key. */
  completed_stt_provider: string | null
  /** Role of the person who completed it: owner or admin. */
  completed_by_role: string | null
  /** Time of completion; null before it. */
  completed_at: string | null
  /** Time of denial; null otherwise. */
  denied_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type ProvisionPhoneNumber = {
  /** Area code of Brazil, two digits. */
  ddd: string
  /** Name that customers will see, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
}

export type PurchasePackage = {
  /** Code of the package. */
  package_code: string
  /** Only card. */
  payment_method?: "card" | null | undefined
  /** A saved card; the default card if omitted. */
  payment_method_id?: string | null | undefined
}

export type RateCard = {
  /** Id of the rate card. */
  id: string
  object: "rate_card"
  /** Its name. */
  name: string
  currency: "brl"
  /** ISO 8601 in UTC with milliseconds. */
  effective_from: string
  /** First instant at which the rate card is no longer in effect; null when open-ended. */
  effective_to: string | null
  /** Prices by meter. */
  entries: Array<RateCardEntry>
}

export type RateCardEntry = {
  /** Id of the entry. */
  id: string
  object: "rate_card_entry"
  /** Id of the meter. */
  meter_id: string
  /** Display name of the meter. */
  display_name: string
  /** The unit that the price is for. */
  unit: "message" | "payment" | "phone_month" | (string & {})
  /** A price per unit, or a share of the amount. */
  pricing: "per_unit" | "percentage" | (string & {})
  /** The price of one unit. */
  unit_price_brl: string | null
  /** The share as a fraction: 0.01 is 1%. */
  rate: string | null
  /** Whether the plan's multiplier applies. */
  multiplier_applies: boolean
}

export type RecentMessage = {
  /** Id of the message. */
  id: string
  /** outbound: you sent it. inbound: a customer sent it. */
  direction: "inbound" | "outbound" | (string & {})
  /** Type of the message. unsupported and unknown are inbound only, location and contacts outbound only: those that a customer sends are unknown. */
  type:
    | "text"
    | "template"
    | "media"
    | "interactive"
    | "flow"
    | "reaction"
    | "location"
    | "contacts"
    | "unsupported"
    | "unknown"
    | (string & {})
  /** Status of the message: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
  status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
}

/** The product of a catalog that the customer asks about; absent without one. */
export type ReferredProduct = {
  /** The provider's id of the catalog. */
  catalog_id?: string | undefined
  /** Your id of the product in the catalog. */
  retailer_id?: string | undefined
}

export type RegisterNumprov = {
  /** Your name for the account. */
  display_name: string
  /** Id of the account at the provider. */
  account_id: string
  /** Your API key at the provider; it is stored encrypted. */
  api_key: string
  /** Secret that signs the provider's calls about your account. */
  webhook_secret?: string | null | undefined
}

export type RegisterUpstream = {
  /** Use of the account; chatapp by default. */
  channel?: "chatapp" | "socialapp" | null | undefined
  /** Your name for the connection, 1 to 255 characters. */
  display_name: string
  /** Id of the business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
  /** Id of the business account of the social channel. */
  social_business_account_id?: string | null | undefined
  /** Id of the page of the social channel. */
  page_id?: string | null | undefined
  /** A token issued to this service's app; it is stored encrypted. */
  access_token: string
  /** Origin of the token; manual by default. */
  token_source?: "manual" | "embedded_signup" | null | undefined
  /** Expiry of the token, if it expires. */
  token_expires_at?: string | null | undefined
}

export type ReleasePhoneNumber = {
  /** Reason, at most 500 characters. */
  reason?: string | null | undefined
}

export type RequestLog = {
  /** Id of the request. */
  id: string
  object: "request_log"
  /** Method of the request. */
  method: string
  /** The route it matched, such as /v1/messages/{message_id}. */
  route: string
  /** Status of the response. */
  status: number
  /** error.code of the response; null for a success. */
  code: string | null
  /** Time from the request's head to its response, in milliseconds. */
  duration_ms: number
  /** Id of the calling key. */
  api_key_id: string
  /** Source address of the request. */
  source_address: string
  /** Whether a stored response was replayed. */
  replayed: boolean
  /** Value of the header svc-warning, such as invalid_phone_number for a message to a number that no country has; null without one. */
  warning: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
}

export type RequestLogDetail = {
  /** Id of the request. */
  id: string
  object: "request_log"
  /** Method of the request. */
  method: string
  /** The route it matched, such as /v1/messages/{message_id}. */
  route: string
  /** Status of the response. */
  status: number
  /** error.code of the response; null for a success. */
  code: string | null
  /** Time from the request's head to its response, in milliseconds. */
  duration_ms: number
  /** Id of the calling key. */
  api_key_id: string
  /** Source address of the request. */
  source_address: string
  /** Whether a stored response was replayed. */
  replayed: boolean
  /** Value of the header svc-warning, such as invalid_phone_number for a message to a number that no country has; null without one. */
  warning: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** kept: path, query and bodies without secrets. masked: texts are left out too, because they name no customer, or too many, by whom an erasure could find them. erased: path, query and bodies are deleted. */
  details: "kept" | "masked" | "erased" | (string & {})
  /** The path as sent; null after erasure. */
  path: string | null
  /** The query as sent; null for none. */
  query: string | null
  /** The idempotency key sent; null for none. */
  idempotency_key: string | null
  /** The JSON body; null for none, and for one over 16 KB. Secrets, codes and media read [REDACTED]. */
  request_body: unknown
  /** The JSON response of a write or an error; null for a successful read, and for one over 16 KB. */
  response_body: unknown
}

export type RequestPaymentApproval = {
  /** Text shown to the approver, 1 to 500 characters. */
  note?: string | null | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type ResetSandboxClock = {
  /** The slug of the key's project, which confirms that this sandbox may be emptied. */
  project_slug: string
}

export type RevokeAgenticAuthorization = Record<string, never>

export type RotateNumprov = {
  /** Your API key at the provider; it is stored encrypted. */
  api_key: string
  /** Secret that signs the provider's calls about your account. */
  webhook_secret?: string | null | undefined
}

export type RotateToken = {
  /** A token issued to this service's app; it is stored encrypted. */
  access_token: string
  /** Expiry of the token, if it expires. */
  token_expires_at?: string | null | undefined
}

export type SandboxClock = {
  object: "sandbox_clock"
  /** Time of this sandbox. */
  now: string
  /** Time of all other environments. */
  real_now: string
  /** Seconds by which the sandbox is ahead of real time; negative after its clock stood still for a while. */
  lead_seconds: number
  /** True while the clock is frozen. */
  frozen: boolean
  /** Id of the running advance; null when there is none. */
  advance_id: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type SandboxClockAdvance = {
  /** Id of the sandbox clock advance. */
  id: string
  object: "sandbox_clock_advance"
  /** reset when it empties the sandbox and takes its clock back to real time. */
  kind: "advance" | "reset" | (string & {})
  /** settled once all work due on the way has run; stopped when it ended early, with the reason in error. */
  status: "running" | "settled" | "stopped" | (string & {})
  /** Sandbox time at the start of the advance. */
  from: string
  /** Sandbox time at the end of the advance; real time for a reset. */
  to: string
  /** Sandbox time up to which all due work has run. */
  reached: string
  /** Due instants at which the clock has stopped so far. */
  steps: number
  /** Next due instant, on the way or after the end. */
  next_due_at: string | null
  /** Reason why the advance stopped early; another advance continues from there. */
  error: {
    /** Code of the reason for stopping. */
    code: "too_many_steps" | "step_not_settled" | (string & {})
    /** The reason and the next step, as text for people. */
    message: string
  } | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Sandbox time at which all due work had run. */
  settled_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type SandboxQuickstart = {
  object: "sandbox_quickstart"
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The calling key. */
  api_key: {
    /** Id of the key. */
    id: string
    /** Name of the key. */
    name: string
    /** Beginning of the secret. */
    key_prefix: string
    /** Scopes of the key. */
    scopes: Array<KeyScope>
  }
  /** The number to send from. */
  sender: {
    /** Value for sender.id; null while the sandbox has no number. */
    phone_number_id: string | null
    /** The fictitious phone number. */
    phone: string | null
    /** Name shown to customers. */
    display_name: string | null
    type: "chatapp_phone_number"
    /** Status of the number; active when it can send. */
    status: string | null
  }
  /** Ways of receiving events. */
  webhooks: {
    /** Endpoints registered in this sandbox. */
    endpoint_count: number
    /** Route for reading events without an endpoint. */
    listen_path: string
  }
  /** Templates of this sandbox. */
  templates: {
    /** The templates. */
    items: Array<{
      /** Id of the template. */
      id: string
      /** Its name. */
      name: string
      /** Its language. */
      language: string
      /** Category of the template, such as marketing. */
      category: string
      /** Status of the template; approved when it can be sent. */
      status: string
    }>
  }
  /** Simulations that this sandbox supports. */
  capabilities: {
    /** Simulated channels. */
    channels: Array<string>
    /** Types that POST /v1/sandbox/inbound-messages accepts. */
    inbound_types: Array<string>
    /** Outcomes that a send can request. */
    scenarios: Array<string>
    /** Language model failures that can be simulated. */
    llm_failure: Array<string>
  }
  /** Scopes that the calling key lacks for the first steps. */
  missing_scopes: Array<KeyScope>
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type SavePaymentMethod = {
  /** Id of the collected card at the card processor. In sandbox sbpm_ok, sbpm_declined or sbpm_authentication. */
  cardproc_payment_method_id: string
  /** Whether the card becomes the default; the first card always does. */
  set_default?: boolean | null | undefined
}

export type SendMessage = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** The sender. */
  sender: {
    /** One of your phone numbers on chatapp and chatapp_channel, a connected account on socialapp. */
    type: "chatapp_phone_number" | "social_account"
    /** Id of the sending number or account. GET /v1/sandbox/quickstart returns the one of a sandbox. */
    id: string
  }
  /** The recipient. */
  recipient: PhoneRecipient | UserIdRecipient | GroupRecipient | SocialRecipient | ChannelRecipient
  /** The content. */
  message:
    | OutboundText
    | OutboundTemplate
    | OutboundMedia
    | OutboundInteractive
    | OutboundFlow
    | OutboundReaction
    | OutboundLocation
    | OutboundContacts
  /** The message to quote. */
  reply_to?:
    | {
        /** Id of a message of this conversation. */
        message_id: string
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type SetAutoTopup = {
  /** Whether the account tops itself up. */
  enabled: boolean
  /** A top-up starts when the balance falls to this amount or below, 0.00 to 100000.00. */
  threshold_brl: string
  /** Amount of each top-up, 20.00 to 10000.00. */
  amount_brl: string
  /** The card to charge; the default card if omitted. */
  payment_method_id?: string | null | undefined
}

export type SetSandboxPaymentStatus = {
  /** Outcome of the payment. */
  status: "paid" | "failed" | "expired" | "cancelled"
  /** Provider event id of the payment's event; generated by default. */
  provider_event_id?: string | null | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type SetTemplateStatus = {
  /** New status of the template; required without category. */
  status?: "rejected" | "paused" | "disabled" | null | undefined
  /** Instead of status: the category to which the provider moves a template that it has. */
  category?: "marketing" | "utility" | null | undefined
  /** Reason, 1 to 500 characters; required with rejected. */
  rejection_reason?: string | null | undefined
}

export type SharedContact = {
  /** Full name on the card. */
  name?: string | undefined
  /** Phone numbers as the card spells them. */
  phones: Array<string>
  /** Email addresses as the card spells them. */
  emails: Array<string>
  /** Company on the card. */
  organization?: string | undefined
}

export type SharedLocation = {
  /** Degrees north of the equator, negative to the south. */
  latitude: number
  /** Degrees east of Greenwich, negative to the west. */
  longitude: number
  /** Name of the location. */
  name?: string | undefined
  /** Address of the location. */
  address?: string | undefined
  /** Page about the location, as the customer sent it; not verified. */
  url?: string | undefined
}

export type SharedOrder = {
  /** The provider's id of the catalog. */
  catalog_id?: string | undefined
  /** Text that the customer wrote beside the order. */
  text?: string | undefined
  /** Ordered products. */
  items: Array<SharedOrderItem>
}

export type SharedOrderItem = {
  /** Your id of the product in the catalog. */
  retailer_id?: string | undefined
  /** Ordered pieces. */
  quantity?: number | undefined
  /** Price of one piece in units of the currency, as the catalog had it. */
  item_price?: number | undefined
  /** ISO 4217 code of the price's currency. */
  currency?: string | undefined
}

export type SimulateFlow = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone. */
  from: string
  /** chatapp only: the platform's id of the customer for your business. */
  user_id?: string | null | undefined
  /** Username of the customer. */
  username?: string | null | undefined
  /** Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it. */
  to: string
  /** Type of the content; the member of that name holds it. */
  type: "flow"
  /** The flow the customer completed. */
  flow: {
    /** Name of the flow. */
    name?: string | null | undefined
    /** Answers of the customer. */
    response: Record<string, unknown>
    /** The token the flow was sent with. */
    flow_token?: string | null | undefined
  }
  /** Id of an active group of the number, in which the customer writes. */
  group_id?: string | null | undefined
  /** Quoted message, forwarding and product. */
  context?:
    | {
        /** The quoted message. */
        reply_to?:
          | {
              /** Id of the quoted message. */
              message_id: string
            }
          | null
          | undefined
        /** Whether the message is forwarded. */
        forwarded?: boolean | null | undefined
        /** Whether the message is forwarded many times. */
        frequently_forwarded?: boolean | null | undefined
        /** The product of a catalog that the customer asks about. */
        referred_product?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Your id of the product in the catalog. */
              retailer_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The advertisement or post from which the customer writes. */
  referral?:
    | {
        /** Kind of the source, such as ad or post. */
        source_type?: string | null | undefined
        /** The provider's id of the source. */
        source_id?: string | null | undefined
        /** Page of the source. */
        source_url?: string | null | undefined
        /** Headline of the source. */
        headline?: string | null | undefined
        /** Text of the source. */
        body?: string | null | undefined
        /** Id of the click. */
        click_id?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Profile name of the customer. */
  profile_name?: string | null | undefined
}

export type SimulateInbound =
  | SimulateText
  | SimulateMedia
  | SimulateInteractive
  | SimulateFlow
  | SimulateReaction
  | SimulateUnsupported
  | SimulateUnknown

export type SimulateInteractive = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone. */
  from: string
  /** chatapp only: the platform's id of the customer for your business. */
  user_id?: string | null | undefined
  /** Username of the customer. */
  username?: string | null | undefined
  /** Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it. */
  to: string
  /** Type of the content; the member of that name holds it. */
  type: "interactive"
  /** The simulated tap. */
  interactive: SimulatedButtonReply | SimulatedListReply
  /** Id of an active group of the number, in which the customer writes. */
  group_id?: string | null | undefined
  /** Quoted message, forwarding and product. */
  context?:
    | {
        /** The quoted message. */
        reply_to?:
          | {
              /** Id of the quoted message. */
              message_id: string
            }
          | null
          | undefined
        /** Whether the message is forwarded. */
        forwarded?: boolean | null | undefined
        /** Whether the message is forwarded many times. */
        frequently_forwarded?: boolean | null | undefined
        /** The product of a catalog that the customer asks about. */
        referred_product?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Your id of the product in the catalog. */
              retailer_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The advertisement or post from which the customer writes. */
  referral?:
    | {
        /** Kind of the source, such as ad or post. */
        source_type?: string | null | undefined
        /** The provider's id of the source. */
        source_id?: string | null | undefined
        /** Page of the source. */
        source_url?: string | null | undefined
        /** Headline of the source. */
        headline?: string | null | undefined
        /** Text of the source. */
        body?: string | null | undefined
        /** Id of the click. */
        click_id?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Profile name of the customer. */
  profile_name?: string | null | undefined
}

export type SimulateMedia = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone. */
  from: string
  /** chatapp only: the platform's id of the customer for your business. */
  user_id?: string | null | undefined
  /** Username of the customer. */
  username?: string | null | undefined
  /** Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it. */
  to: string
  /** Type of the content; the member of that name holds it. */
  type: "media"
  /** The file that the customer sends. */
  media: {
    /** Kind of file. */
    kind: "image" | "document" | "audio" | "video" | "sticker"
    /** Media type; the usual one of the kind by default. */
    mime_type?: string | null | undefined
    /** Name of the file. */
    filename?: string | null | undefined
    /** Text under an image, video or document; the descriptor and the payload show it. */
    caption?: string | null | undefined
    /** Audio only: true for a voice note. */
    voice?: boolean | null | undefined
    /** Id of a file of your media library whose bytes the customer sends. */
    asset_id?: string | null | undefined
  }
  /** Id of an active group of the number, in which the customer writes. */
  group_id?: string | null | undefined
  /** Quoted message, forwarding and product. */
  context?:
    | {
        /** The quoted message. */
        reply_to?:
          | {
              /** Id of the quoted message. */
              message_id: string
            }
          | null
          | undefined
        /** Whether the message is forwarded. */
        forwarded?: boolean | null | undefined
        /** Whether the message is forwarded many times. */
        frequently_forwarded?: boolean | null | undefined
        /** The product of a catalog that the customer asks about. */
        referred_product?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Your id of the product in the catalog. */
              retailer_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The advertisement or post from which the customer writes. */
  referral?:
    | {
        /** Kind of the source, such as ad or post. */
        source_type?: string | null | undefined
        /** The provider's id of the source. */
        source_id?: string | null | undefined
        /** Page of the source. */
        source_url?: string | null | undefined
        /** Headline of the source. */
        headline?: string | null | undefined
        /** Text of the source. */
        body?: string | null | undefined
        /** Id of the click. */
        click_id?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Profile name of the customer. */
  profile_name?: string | null | undefined
}

export type SimulateReaction = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone. */
  from: string
  /** chatapp only: the platform's id of the customer for your business. */
  user_id?: string | null | undefined
  /** Username of the customer. */
  username?: string | null | undefined
  /** Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it. */
  to: string
  /** Type of the content; the member of that name holds it. */
  type: "reaction"
  /** The reaction. */
  reaction: {
    /** Id of the message that the reaction is for. */
    message_id: string
    /** One emoji; an empty text removes the reaction. */
    emoji: string
  }
  /** Id of an active group of the number, in which the customer writes. */
  group_id?: string | null | undefined
  /** Quoted message, forwarding and product. */
  context?:
    | {
        /** The quoted message. */
        reply_to?:
          | {
              /** Id of the quoted message. */
              message_id: string
            }
          | null
          | undefined
        /** Whether the message is forwarded. */
        forwarded?: boolean | null | undefined
        /** Whether the message is forwarded many times. */
        frequently_forwarded?: boolean | null | undefined
        /** The product of a catalog that the customer asks about. */
        referred_product?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Your id of the product in the catalog. */
              retailer_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The advertisement or post from which the customer writes. */
  referral?:
    | {
        /** Kind of the source, such as ad or post. */
        source_type?: string | null | undefined
        /** The provider's id of the source. */
        source_id?: string | null | undefined
        /** Page of the source. */
        source_url?: string | null | undefined
        /** Headline of the source. */
        headline?: string | null | undefined
        /** Text of the source. */
        body?: string | null | undefined
        /** Id of the click. */
        click_id?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Profile name of the customer. */
  profile_name?: string | null | undefined
}

export type SimulateText = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone. */
  from: string
  /** chatapp only: the platform's id of the customer for your business. */
  user_id?: string | null | undefined
  /** Username of the customer. */
  username?: string | null | undefined
  /** Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it. */
  to: string
  /** Type of the content; the member of that name holds it. */
  type: "text"
  /** Text of the customer. */
  text: {
    /** The text, 1 to 4096 characters. */
    body: string
  }
  /** Id of an active group of the number, in which the customer writes. */
  group_id?: string | null | undefined
  /** Quoted message, forwarding and product. */
  context?:
    | {
        /** The quoted message. */
        reply_to?:
          | {
              /** Id of the quoted message. */
              message_id: string
            }
          | null
          | undefined
        /** Whether the message is forwarded. */
        forwarded?: boolean | null | undefined
        /** Whether the message is forwarded many times. */
        frequently_forwarded?: boolean | null | undefined
        /** The product of a catalog that the customer asks about. */
        referred_product?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Your id of the product in the catalog. */
              retailer_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The advertisement or post from which the customer writes. */
  referral?:
    | {
        /** Kind of the source, such as ad or post. */
        source_type?: string | null | undefined
        /** The provider's id of the source. */
        source_id?: string | null | undefined
        /** Page of the source. */
        source_url?: string | null | undefined
        /** Headline of the source. */
        headline?: string | null | undefined
        /** Text of the source. */
        body?: string | null | undefined
        /** Id of the click. */
        click_id?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Profile name of the customer. */
  profile_name?: string | null | undefined
}

export type SimulateUnknown = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone. */
  from: string
  /** chatapp only: the platform's id of the customer for your business. */
  user_id?: string | null | undefined
  /** Username of the customer. */
  username?: string | null | undefined
  /** Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it. */
  to: string
  /** Type of the content; the member of that name holds it. */
  type: "unknown"
  /** Content that this service does not interpret. */
  unknown?:
    | {
        /** The provider's name of the type. */
        provider_type?: string | null | undefined
        /** The location that the customer sends. */
        location?:
          | {
              /** Degrees, from -90 to 90. */
              latitude: number
              /** Degrees, from -180 to 180. */
              longitude: number
              /** Name of the location. */
              name?: string | null | undefined
              /** Address of the location. */
              address?: string | null | undefined
              /** Page about the location. */
              url?: string | null | undefined
            }
          | null
          | undefined
        /** The cards that the customer sends, 1 to 20. */
        contacts?:
          | ReadonlyArray<{
              /** Full name on the card. */
              name?: string | null | undefined
              /** Phone numbers, at most 20. */
              phones?: ReadonlyArray<string> | null | undefined
              /** Email addresses, at most 20. */
              emails?: ReadonlyArray<string> | null | undefined
              /** Company on the card. */
              organization?: string | null | undefined
            }>
          | null
          | undefined
        /** The order that the customer sends. */
        order?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Text that the customer writes beside the order. */
              text?: string | null | undefined
              /** Ordered products, 1 to 100. */
              items: ReadonlyArray<{
                /** Your id of the product in the catalog. */
                retailer_id: string
                /** Ordered pieces. */
                quantity?: number | null | undefined
                /** Price of one piece. */
                item_price?: number | null | undefined
                /** ISO 4217 code of the price's currency. */
                currency?: string | null | undefined
              }>
            }
          | null
          | undefined
        /** The correction of an earlier message of the customer. */
        edit?:
          | {
              /** Id of the message that the customer corrects. */
              message_id: string
              /** The corrected content. */
              content: {
                type: "text"
                /** The text. */
                text: {
                  /** The corrected text. */
                  body: string
                }
              }
            }
          | null
          | undefined
        /** The withdrawal of an earlier message of the customer. */
        revoke?:
          | {
              /** Id of the message that the customer withdraws. */
              message_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** Id of an active group of the number, in which the customer writes. */
  group_id?: string | null | undefined
  /** Quoted message, forwarding and product. */
  context?:
    | {
        /** The quoted message. */
        reply_to?:
          | {
              /** Id of the quoted message. */
              message_id: string
            }
          | null
          | undefined
        /** Whether the message is forwarded. */
        forwarded?: boolean | null | undefined
        /** Whether the message is forwarded many times. */
        frequently_forwarded?: boolean | null | undefined
        /** The product of a catalog that the customer asks about. */
        referred_product?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Your id of the product in the catalog. */
              retailer_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The advertisement or post from which the customer writes. */
  referral?:
    | {
        /** Kind of the source, such as ad or post. */
        source_type?: string | null | undefined
        /** The provider's id of the source. */
        source_id?: string | null | undefined
        /** Page of the source. */
        source_url?: string | null | undefined
        /** Headline of the source. */
        headline?: string | null | undefined
        /** Text of the source. */
        body?: string | null | undefined
        /** Id of the click. */
        click_id?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Profile name of the customer. */
  profile_name?: string | null | undefined
}

export type SimulateUnsupported = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Id of the customer: on chatapp a phone number that begins with its country's calling code, the channel's id elsewhere. Digits without + are international too, as in recipient.id: write +5511987654321, not (11) 98765-4321. Empty on chatapp, with user_id, for a customer who hides the phone. */
  from: string
  /** chatapp only: the platform's id of the customer for your business. */
  user_id?: string | null | undefined
  /** Username of the customer. */
  username?: string | null | undefined
  /** Id of the receiving sandbox number; GET /v1/sandbox/quickstart returns it. */
  to: string
  /** Type of the content; the member of that name holds it. */
  type: "unsupported"
  /** Content that the provider does not deliver. */
  unsupported?:
    | {
        /** The provider's name of the type. */
        provider_type?: string | null | undefined
      }
    | null
    | undefined
  /** Id of an active group of the number, in which the customer writes. */
  group_id?: string | null | undefined
  /** Quoted message, forwarding and product. */
  context?:
    | {
        /** The quoted message. */
        reply_to?:
          | {
              /** Id of the quoted message. */
              message_id: string
            }
          | null
          | undefined
        /** Whether the message is forwarded. */
        forwarded?: boolean | null | undefined
        /** Whether the message is forwarded many times. */
        frequently_forwarded?: boolean | null | undefined
        /** The product of a catalog that the customer asks about. */
        referred_product?:
          | {
              /** The provider's id of the catalog. */
              catalog_id?: string | null | undefined
              /** Your id of the product in the catalog. */
              retailer_id: string
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** The advertisement or post from which the customer writes. */
  referral?:
    | {
        /** Kind of the source, such as ad or post. */
        source_type?: string | null | undefined
        /** The provider's id of the source. */
        source_id?: string | null | undefined
        /** Page of the source. */
        source_url?: string | null | undefined
        /** Headline of the source. */
        headline?: string | null | undefined
        /** Text of the source. */
        body?: string | null | undefined
        /** Id of the click. */
        click_id?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and returned in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** Profile name of the customer. */
  profile_name?: string | null | undefined
}

export type SimulatedButtonReply = {
  /** Kind of tap. */
  type: "button_reply"
  /** The tapped button. */
  button_reply: {
    /** The id you would have given it. */
    id: string
    /** The title the customer would have seen. */
    title: string
  }
}

export type SimulatedInbound = {
  /** Id of the message. */
  id: string
  object: "message"
  direction: "inbound"
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** Type of the message. unsupported and unknown are inbound only, location and contacts outbound only: those that a customer sends are unknown. */
  type:
    | "text"
    | "template"
    | "media"
    | "interactive"
    | "flow"
    | "reaction"
    | "location"
    | "contacts"
    | "unsupported"
    | "unknown"
    | (string & {})
  status: "received"
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The sender. */
  sender: {
    /** Kind of id: chatapp_phone_number, phone_e164, chatapp_user_id, chatapp_group, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number, account or group; for a customer, the phone number or the channel's id. Empty for a sender who hides the phone. */
    id: string
    /** Profile name of the customer at the time of the message; not verified. */
    profile_name: string | null
    /** Inbound only: the platform's id of the customer for your business, which names also a customer who hides the phone; null when the platform named none. */
    user_id?: string | null | undefined
    /** Inbound only: the customer's username at the time of the message; null without one. */
    username?: string | null | undefined
  }
  /** The recipient. */
  recipient: {
    /** Kind of id: chatapp_phone_number, phone_e164, chatapp_user_id, chatapp_group, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number, account or group; for a customer, the phone number or the channel's id. Empty for a sender who hides the phone. */
    id: string
  }
  /** Provider of the message: the sandbox. */
  provider: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** Payload as the provider would have sent it. */
  payload: unknown
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
}

export type SimulatedListReply = {
  /** Kind of tap. */
  type: "list_reply"
  /** The chosen row. */
  list_reply: {
    /** The id you would have given it. */
    id: string
    /** The title the customer would have seen. */
    title: string
    /** The second line of the row. */
    description?: string | null | undefined
  }
}

export type SocialRecipient = {
  /** Kind of id: a phone number on chatapp, a chatapp customer by the user_id of their messages, a group that you made, a user of socialapp, or a chatapp_channel. */
  type: "social_user"
  /** The phone number in international form, the customer's user_id, the id of your group (grp_…), or the channel's id of 1 to 255 characters. */
  id: string
}

/** A type of event that an endpoint can subscribe to. */
export type SubscribableEventType =
  | "message.sent"
  | "message.delivered"
  | "message.read"
  | "message.failed"
  | "message.received"
  | "message.media_transcribed"
  | "message.media_transcription_failed"
  | "message.media_stored"
  | "message.echoed"
  | "flow.completed"
  | "upstream_signup_session.completed"
  | "payment.created"
  | "payment.approval_available"
  | "payment.link_generated"
  | "payment.paid"
  | "payment.failed"
  | "payment.expired"
  | "payment.cancelled"
  | "payment.late_outcome"
  | "group.created"
  | "group.create_failed"
  | "group.deleted"
  | "group.delete_failed"
  | "group.invite_link_reset"
  | "group.invite_link_reset_failed"
  | "group.participant_joined"
  | "group.participant_removed"
  | "template.approved"
  | "template.rejected"
  | "template.paused"
  | "template.disabled"
  | "template.category_updated"

export type Subscription = {
  /** Id of the subscription. */
  id: string
  object: "subscription"
  /** none: the free tier. past_due: a renewal is unpaid and will be tried again; the plan stays in force. */
  status: "active" | "past_due" | "canceled" | "none" | (string & {})
  /** Id of a plan of the catalog. */
  plan_offering_id: string | null
  /** Name of the plan; null on the free tier. */
  display_name: string | null
  /** cardproc_card: each month by the default card. pix_annual: each year by Pix. */
  billing_rail: "cardproc_card" | "pix_annual" | null | (string & {})
  /** Messages that each number may send per second: 10, 40 or 80. */
  throughput_tier: "starter" | "growth" | "scale" | (string & {})
  /** Maximum number of phone numbers; null for no limit. */
  max_phones: number | null
  /** Factor for prices with multiplier_applies. */
  platform_fee_multiplier: string
  /** Price of a utility message under the plan. */
  net_transport_rate_brl: string
  /** Whether you may import numbers of your own number-provider account. */
  numprov_byok_enabled: boolean
  /** Null on the free tier. */
  monthly_fee_brl: string | null
  /** End of the paid period. */
  current_period_end: string | null
  /** Whether the subscription ends with the current period. */
  cancel_at_period_end: boolean
}

export type SystemNotice = {
  /** phone or user_id: what the customer changed. Other words are the provider's own; new ones may appear. */
  change: string
  /** The customer before; null when it is not told. */
  previous: {
    /** The phone number; null when it is not named. */
    phone: string | null
    /** The platform's id of the customer; null when it is not named. */
    user_id: string | null
  } | null
  /** The customer since then; null when it is not told. */
  current: {
    /** The phone number; null when it is not named. */
    phone: string | null
    /** The platform's id of the customer; null when it is not named. */
    user_id: string | null
  } | null
}

export type Template = {
  /** Id of the template. */
  id: string
  object: "template"
  /** Name of the template; sends refer to it by name and language. */
  name: string
  /** Its language. */
  language: string
  /** Category of the template. Marketing templates are sent within the marketing guards. */
  category: "marketing" | "utility" | "authentication" | (string & {})
  /** POSITIONAL: {{1}}, {{2}}. NAMED: {{first_name}}. */
  parameter_format: "POSITIONAL" | "NAMED" | (string & {})
  /** Status of the newest version. During a draft or a review the approved version stays in use. */
  status: "draft" | "submitted" | "approved" | "rejected" | "paused" | "disabled" | "orphaned" | (string & {})
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Number of the version shown here, the newest. */
  version: number
  /** Id of the template version. */
  version_id: string
  /** Number of the version that sends use; null while no version is approved. */
  approved_version: number | null
  /** The parts of this version. */
  components: Array<TemplateComponent>
  /** Id at the provider; null before the provider assigns it. */
  provider_template_id: string | null
  /** Reason for the rejection, if one was given. */
  rejection_reason: string | null
  /** Quality as the provider rates it from customers' reactions. */
  provider_quality: "green" | "yellow" | "red" | "unknown" | (string & {})
  /** Remarks on the wording. */
  authoring_signals: Array<AuthoringSignal>
  /** Time at which this version was submitted for review. */
  submitted_at: string | null
  /** Time at which this version was approved. */
  approved_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

/** Data of a template.approved event. */
export type TemplateApprovedData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "approved"
  /** Reason for the rejection, if one was given. */
  rejection_reason: string | null
}

/** A template was approved and can be sent. */
export type TemplateApprovedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "template.approved"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: TemplateApprovedData
}

/** Data of a template.category_updated event. */
export type TemplateCategoryUpdatedData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  /** Category of the template. Marketing templates are sent within the marketing guards. */
  category: "marketing" | "utility" | "authentication" | (string & {})
  /** Category of the template. Marketing templates are sent within the marketing guards. */
  previous_category: "marketing" | "utility" | "authentication" | (string & {})
}

/** The provider moved a template to another category, which later sends are guarded and priced by. */
export type TemplateCategoryUpdatedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "template.category_updated"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: TemplateCategoryUpdatedData
}

export type TemplateComponent = {
  /** Part of the template; each at most once, BODY exactly once. */
  type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | (string & {})
  /** Content of a HEADER: TEXT, or a file given with each send. */
  format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | null | (string & {}) | undefined
  /** The text: 1 to 1024 characters in BODY, 1 to 60 in HEADER and FOOTER. */
  text?: string | null | undefined
  /** Example values for the review. */
  example?:
    | {
        header_text?: string | Array<string> | null | undefined
        body_text?: Array<string> | Array<Array<string>> | null | undefined
        /** Example value of the header's named variable. */
        header_text_named_params?:
          | Array<{
              /** Name of the variable. */
              param_name: string
              /** Example value of the variable. */
              example: string
            }>
          | null
          | undefined
        /** Example values of the body's named variables. */
        body_text_named_params?:
          | Array<{
              /** Name of the variable. */
              param_name: string
              /** Example value of the variable. */
              example: string
            }>
          | null
          | undefined
        header_handle?: string | Array<string> | null | undefined
      }
    | null
    | undefined
  /** BODY of an authentication template: whether the text asks the customer to keep the code secret. */
  add_security_recommendation?: boolean | null | undefined
  /** FOOTER of an authentication template: minutes until the code expires, 1 to 90. */
  code_expiration_minutes?: number | null | undefined
  /** The buttons of BUTTONS. */
  buttons?:
    | Array<{
        /** Action of a tap. */
        type:
          | "QUICK_REPLY"
          | "URL"
          | "PHONE_NUMBER"
          | "COPY_CODE"
          | "FLOW"
          | "REQUEST_CONTACT_INFO"
          | "OTP"
          | (string & {})
        /** The label, 1 to 25 characters. */
        text?: string | null | undefined
        /** Payload that a tap on a quick reply returns; the label by default. */
        payload?: string | null | undefined
        /** The address, with at most one variable at its end. */
        url?: string | null | undefined
        /** The number to call, in international form. */
        phone_number?: string | null | undefined
        /** The flow (flw_) that a tap opens. */
        flow_id?: string | null | undefined
        example?: string | Array<string> | null | undefined
        /** Way in which an OTP button hands over the code: the customer copies it, or your app receives it. */
        otp_type?: "COPY_CODE" | "ONE_TAP" | "ZERO_TAP" | null | (string & {}) | undefined
        /** Label of an OTP button that hands the code to your app. */
        autofill_text?: string | null | undefined
        /** Package name of your app, for ONE_TAP and ZERO_TAP. */
        package_name?: string | null | undefined
        /** Signature of your app, 11 characters, for ONE_TAP and ZERO_TAP. */
        signature_hash?: string | null | undefined
        /** True: you accept the provider's terms of ZERO_TAP. */
        zero_tap_terms_accepted?: boolean | null | undefined
      }>
    | null
    | undefined
}

/** Data of a template.disabled event. */
export type TemplateDisabledData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "disabled"
  /** Reason for the rejection, if one was given. */
  rejection_reason: string | null
}

/** A template was disabled and can no longer be sent. */
export type TemplateDisabledEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "template.disabled"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: TemplateDisabledData
}

export type TemplateImport = {
  object: "template_import"
  /** The imported templates. */
  data: Array<Template>
  /** Number of imported templates. */
  imported: number
  /** Number of the account's templates that were left out: not approved, here already, with parts that cannot be sent from here, or beyond 500. */
  skipped: number
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Data of a template.paused event. */
export type TemplatePausedData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "paused"
  /** Reason for the rejection, if one was given. */
  rejection_reason: string | null
}

/** A template was paused and cannot be sent for a while. */
export type TemplatePausedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "template.paused"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: TemplatePausedData
}

/** Data of a template.rejected event. */
export type TemplateRejectedData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "rejected"
  /** Reason for the rejection, if one was given. */
  rejection_reason: string | null
}

/** A template was rejected; rejection_reason holds the reason if one was given. */
export type TemplateRejectedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "template.rejected"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: TemplateRejectedData
}

/** Code of the failure. */
export type TranscriptionErrorCode =
  | "transcription_provider_error"
  | "transcription_timeout"
  | "transcription_audio_invalid"
  | (string & {})

export type TransferPhoneNumber = {
  /** Id of the target project. */
  target_project_id: string
  /** Id of the target environment, of an equal kind. */
  target_environment_id: string
  /** The id in the path, repeated as confirmation. */
  confirm_phone_number_id: string
  /** Reason, 1 to 500 characters. */
  reason?: string | null | undefined
}

export type TypingIndicator = {
  /** Id of the message. */
  id: string
  object: "typing_indicator"
  /** Id of the message. */
  message_id: string
  /** Time at which the indicator disappears. */
  expires_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type UpdateTemplate = {
  /** Category of the template. Marketing templates are sent within the marketing guards. */
  category?: "marketing" | "utility" | "authentication" | undefined
  /** POSITIONAL: {{1}}, {{2}}. NAMED: {{first_name}}. */
  parameter_format?: "POSITIONAL" | "NAMED" | undefined
  /** 1 to 4 parts: HEADER, BODY (always), FOOTER, BUTTONS. Authentication templates have the provider's text: BODY without one, and an OTP button. */
  components?:
    | ReadonlyArray<{
        /** Part of the template; each at most once, BODY exactly once. */
        type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | "header" | "body" | "footer" | "buttons"
        /** Content of a HEADER: TEXT, or a file given with each send. */
        format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "text" | "image" | "video" | "document" | null | undefined
        /** The text: 1 to 1024 characters in BODY, 1 to 60 in HEADER and FOOTER. */
        text?: string | null | undefined
        /** Example values for the review. */
        example?:
          | {
              header_text?: string | ReadonlyArray<string> | null | undefined
              body_text?: ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>> | null | undefined
              /** Example value of the header's named variable. */
              header_text_named_params?:
                | ReadonlyArray<{
                    /** Name of the variable. */
                    param_name: string
                    /** Example value of the variable. */
                    example: string
                  }>
                | null
                | undefined
              /** Example values of the body's named variables. */
              body_text_named_params?:
                | ReadonlyArray<{
                    /** Name of the variable. */
                    param_name: string
                    /** Example value of the variable. */
                    example: string
                  }>
                | null
                | undefined
              header_handle?: string | ReadonlyArray<string> | null | undefined
            }
          | null
          | undefined
        /** BODY of an authentication template: whether the text asks the customer to keep the code secret. */
        add_security_recommendation?: boolean | null | undefined
        /** FOOTER of an authentication template: minutes until the code expires, 1 to 90. */
        code_expiration_minutes?: number | null | undefined
        /** The 1 to 10 buttons of BUTTONS. */
        buttons?:
          | ReadonlyArray<{
              /** Action of a tap. */
              type:
                | "QUICK_REPLY"
                | "URL"
                | "PHONE_NUMBER"
                | "COPY_CODE"
                | "FLOW"
                | "REQUEST_CONTACT_INFO"
                | "OTP"
                | "quick_reply"
                | "url"
                | "phone_number"
                | "copy_code"
                | "flow"
                | "request_contact_info"
                | "otp"
              /** The label, 1 to 25 characters. */
              text?: string | null | undefined
              /** Payload that a tap on a quick reply returns; the label by default. */
              payload?: string | null | undefined
              /** The address, with at most one variable at its end. */
              url?: string | null | undefined
              /** The number to call, in international form. */
              phone_number?: string | null | undefined
              /** The flow (flw_) that a tap opens. */
              flow_id?: string | null | undefined
              example?: string | ReadonlyArray<string> | null | undefined
              /** Way in which an OTP button hands over the code: the customer copies it, or your app receives it. */
              otp_type?: "COPY_CODE" | "ONE_TAP" | "ZERO_TAP" | null | undefined
              /** Label of an OTP button that hands the code to your app. */
              autofill_text?: string | null | undefined
              /** Package name of your app, for ONE_TAP and ZERO_TAP. */
              package_name?: string | null | undefined
              /** Signature of your app, 11 characters, for ONE_TAP and ZERO_TAP. */
              signature_hash?: string | null | undefined
              /** True: you accept the provider's terms of ZERO_TAP. */
              zero_tap_terms_accepted?: boolean | null | undefined
            }>
          | null
          | undefined
      }>
    | undefined
}

export type UploadedBytes = {
  ok: true
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type UpstreamOnboardingConfig = {
  object: "upstream_onboarding_config"
  mode: "embedded_signup"
  /** Id of this service's app at the platform. */
  app_id: string | null
  /** The signup configuration of that app. */
  config_id: string | null
  /** Version of the platform's API. */
  graph_api_version: string
  /** The platform's script that opens the signup. */
  sdk_url: string | null
  /** Origins whose window messages belong to the signup; ignore all others. */
  allowed_message_origins: Array<string>
  message_type: "WA_EMBEDDED_SIGNUP"
  /** Parameters for the platform's login. */
  login_options: Record<string, unknown>
  completion_endpoint: "/v1/provider-connections/upstream/oauth"
  manual_credentials_endpoint: "/v1/provider-connections/upstream"
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type UpstreamSignupSession = {
  /** Id of the signup session. */
  id: string
  object: "upstream_signup_session"
  /** pending: not ended; processing: being completed now; completed; expired: its 30 minutes are over. */
  status: "pending" | "processing" | "completed" | "expired" | (string & {})
  /** Address for your customer. Only the create route and its replay return it; null on every read. */
  url: string | null
  /** Address to which the person returns. */
  return_url: string
  /** Your own reference for the customer. */
  end_customer_ref: string | null
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** Time of completion; null before it. */
  completed_at: string | null
  /** Id of the connection that was created. */
  provider_connection_id: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Data of a upstream_signup_session.completed event. */
export type UpstreamSignupSessionCompletedData = {
  /** Id of the signup session. */
  id: string
  object: "upstream_signup_session"
  status: "completed"
  /** Address to which the person returned. */
  return_url: string
  /** Your own reference for the customer. */
  end_customer_ref: string | null
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** ISO 8601 in UTC with milliseconds. */
  completed_at: string
  /** Id of the provider connection. */
  provider_connection_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

/** A hosted signup ended with a connected account. */
export type UpstreamSignupSessionCompletedEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "upstream_signup_session.completed"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: UpstreamSignupSessionCompletedData
}

export type UserIdRecipient = {
  /** Kind of id: a phone number on chatapp, a chatapp customer by the user_id of their messages, a group that you made, a user of socialapp, or a chatapp_channel. */
  type: "chatapp_user_id"
  /** The phone number in international form, the customer's user_id, the id of your group (grp_…), or the channel's id of 1 to 255 characters. */
  id: string
}

export type WebhookAttempt = {
  /** Id of the webhook attempt. */
  id: string
  /** Outcome of the attempt. */
  status: "pending" | "succeeded" | "failed" | (string & {})
  /** Number of the attempt; 1 for the first. */
  attempt: number
  /** Status of the receiver's response; null for none. */
  status_code: number | null
  /** Class of the failure, if known. */
  failure_class: WebhookFailureClass | null
  /** Beginning of the receiver's response, without texts that look like secrets. */
  response_body_redacted: string | null
  /** Reason of the failure in a sentence. */
  error_message: string | null
  /** Time of the next attempt; null for none. */
  next_retry_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time at which the attempt was sent; null before that, and if it was never sent */
  attempted_at: string | null
  /** Response time in milliseconds */
  duration_ms: number | null
}

export type WebhookBulkResend = {
  object: "webhook_bulk_resend"
  /** enqueued and skipped together. */
  requested: number
  /** Number of deliveries that are sent again. */
  enqueued: number
  /** Number of deliveries that are not sent again. */
  skipped: number
  /** The attempts that are now due. */
  attempts: Array<WebhookAttempt>
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type WebhookDisabledDetail = {
  /** Status of the last response; null for none. */
  last_status_code: number | null
  /** Class of the last failure. */
  failure_class: WebhookFailureClass | null
  /** Present when the endpoint was disabled again during probation. */
  probation_retrip?: true | undefined
}

export type WebhookEndpoint = {
  /** Id of the webhook endpoint. */
  id: string
  object: "webhook_endpoint"
  /** Address of deliveries. */
  url: string
  /** Your note about the endpoint. */
  description: string | null
  /** Types of events that the endpoint receives. */
  subscribed_events: Array<string>
  /** disabled: no event is delivered; see disabled_reason. */
  status: "active" | "disabled" | (string & {})
  /** True from recovery until the first successful delivery. */
  probation: boolean
  /** consecutive_failures or manual; null while it is active. */
  disabled_reason: string | null
  /** The last failure before it was disabled by failures. */
  disabled_detail: WebhookDisabledDetail | null
  /** Time of the latest failure; null before the first. */
  last_failure_at: string | null
  /** Time of the latest success; null before the first. */
  last_success_at: string | null
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type WebhookEndpointWithSecret = {
  /** Id of the webhook endpoint. */
  id: string
  object: "webhook_endpoint"
  /** Address of deliveries. */
  url: string
  /** Your note about the endpoint. */
  description: string | null
  /** Types of events that the endpoint receives. */
  subscribed_events: Array<string>
  /** disabled: no event is delivered; see disabled_reason. */
  status: "active" | "disabled" | (string & {})
  /** True from recovery until the first successful delivery. */
  probation: boolean
  /** consecutive_failures or manual; null while it is active. */
  disabled_reason: string | null
  /** The last failure before it was disabled by failures. */
  disabled_detail: WebhookDisabledDetail | null
  /** Time of the latest failure; null before the first. */
  last_failure_at: string | null
  /** Time of the latest success; null before the first. */
  last_success_at: string | null
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Key of the signatures, shown only in this response. */
  signing_secret: string
  /** Key of the Standard Webhooks signatures, in the form that their libraries accept; shown only in this response. */
  standard_webhooks_secret: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type WebhookEvent = {
  /** Id of the webhook event. */
  id: string
  object: "webhook_event"
  /** Id of the endpoint; null once it is deleted. */
  endpoint_id: string | null
  /** Type of the event. */
  type: string
  /** Kind of the resource, such as message. */
  source_type: string
  /** Id of the resource. */
  source_id: string
  /** The envelope as delivered; null once erasure or retention cleared it. */
  payload: unknown
  /** pending while attempts continue, then delivered or failed. */
  status: "pending" | "delivered" | "failed" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Every attempt, oldest first. */
  attempts: Array<WebhookAttempt>
  /** Request that the receiver gets. */
  signature_preview?: WebhookSignaturePreview | undefined
}

export type WebhookEventListen = {
  object: "webhook_event_listen"
  /** The events after the cursor, oldest first. */
  data: Array<WebhookListenEvent>
  /** Whether more events are available now. */
  has_more: boolean
  /** Value for cursor of the next poll. */
  next_cursor: string
  /** Milliseconds to wait before the next poll. */
  next_poll_after_ms: number
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Class of the failure, if known. */
export type WebhookFailureClass = "auth_rejected" | "server_error" | "unreachable" | "timeout" | (string & {})

export type WebhookListenEvent = {
  /** Id of the outbox event. */
  id: string
  object: "webhook_listen_event"
  /** Type of the event. */
  type: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** The envelope as in a delivery. */
  payload: unknown
  /** Request that the endpoint would receive; present when webhook_endpoint_id is given. */
  signature_preview?: WebhookSignaturePreview | undefined
}

export type WebhookListenSession = {
  /** Id of the listen session. */
  id: string
  object: "webhook_listen_session"
  environment: "production"
  /** Status of the session; only an active session can listen. */
  status: "active" | "disabled" | "expired" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** Time at which the session was ended; null before. */
  disabled_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  poll_endpoint: "/v1/webhook-events/listen"
  retrieve_endpoint: "/v1/webhook-events/listen/:outbox_event_id"
}

export type WebhookRecovery = {
  /** Id of the webhook recovery. */
  id: string
  object: "webhook_recovery"
  /** Id of the webhook endpoint. */
  webhook_endpoint_id: string
  /** Status of the recovery: deliveries are made one after another from now on. */
  status: "pending"
  /** Start of the recovered span: not before the oldest event kept, nor before the endpoint's registration. */
  from: string
  /** End of the recovered span. */
  to: string
  /** Events to deliver: never_sent and failed together. */
  missed: number
  /** Events without a delivery to this endpoint. */
  never_sent: number
  /** Events whose delivery failed permanently; each gets one more attempt. */
  failed: number
  /** End of the counted events; earlier than to when the span holds more than 20,000 events. */
  counted_to: string
  /** Null when the whole span is recovered. */
  older: {
    /** ISO 8601 in UTC with milliseconds. */
    from: string
    /** ISO 8601 in UTC with milliseconds. */
    to: string
  } | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

export type WebhookSignaturePreview = {
  /** The body to send, byte for byte. */
  raw_body: string
  /** Seconds since 1970. */
  timestamp: string
  /** The signature of that body at that time. */
  signature: string
  /** The headers to send with it. */
  headers: {
    /** Id of the event; deduplicate by it. */
    "svc-webhook-id": string
    /** Seconds since 1970. */
    "svc-webhook-timestamp": string
    /** HMAC-SHA256 of timestamp, dot and raw body, as 64 lowercase hex characters. */
    "svc-webhook-signature": string
  }
}

export type WebhookTest = {
  object: "webhook_test"
  /** Id of the webhook event. */
  webhook_event_id: string
  /** Id of the webhook endpoint. */
  webhook_endpoint_id: string
  status: "pending"
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Data of a webhook.test event. */
export type WebhookTestData = {
  /** Id of the webhook endpoint. */
  webhook_endpoint_id: string
  message: "Test delivery"
}

/** A test of one endpoint, asked for by the caller. */
export type WebhookTestEvent = {
  /** Id of the event, equal in every attempt and for every endpoint: deduplicate by it. */
  id: string
  type: "webhook.test"
  /** Time at which the event was created. */
  created_at: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  data: WebhookTestData
}

/** The types of events. New ones may appear. */
export type EventType =
  | "message.sent"
  | "message.delivered"
  | "message.read"
  | "message.failed"
  | "message.received"
  | "message.media_transcribed"
  | "message.media_transcription_failed"
  | "message.media_stored"
  | "message.echoed"
  | "flow.completed"
  | "upstream_signup_session.completed"
  | "payment.created"
  | "payment.approval_available"
  | "payment.link_generated"
  | "payment.paid"
  | "payment.failed"
  | "payment.expired"
  | "payment.cancelled"
  | "payment.late_outcome"
  | "group.created"
  | "group.create_failed"
  | "group.deleted"
  | "group.delete_failed"
  | "group.invite_link_reset"
  | "group.invite_link_reset_failed"
  | "group.participant_joined"
  | "group.participant_removed"
  | "template.approved"
  | "template.rejected"
  | "template.paused"
  | "template.disabled"
  | "template.category_updated"
  | "webhook.test"
  | (string & {})

/**
 * One event, told apart by its `type`. New types may appear: end a `switch` over them with a `default` that ignores them.
 */
export type Event =
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageReadEvent
  | MessageFailedEvent
  | MessageReceivedEvent
  | MessageMediaTranscribedEvent
  | MessageMediaTranscriptionFailedEvent
  | MessageMediaStoredEvent
  | MessageEchoedEvent
  | FlowCompletedEvent
  | UpstreamSignupSessionCompletedEvent
  | PaymentCreatedEvent
  | PaymentApprovalAvailableEvent
  | PaymentLinkGeneratedEvent
  | PaymentPaidEvent
  | PaymentFailedEvent
  | PaymentExpiredEvent
  | PaymentCancelledEvent
  | PaymentLateOutcomeEvent
  | GroupCreatedEvent
  | GroupCreateFailedEvent
  | GroupDeletedEvent
  | GroupDeleteFailedEvent
  | GroupInviteLinkResetEvent
  | GroupInviteLinkResetFailedEvent
  | GroupParticipantJoinedEvent
  | GroupParticipantRemovedEvent
  | TemplateApprovedEvent
  | TemplateRejectedEvent
  | TemplatePausedEvent
  | TemplateDisabledEvent
  | TemplateCategoryUpdatedEvent
  | WebhookTestEvent
  | NewEvent

/** An event of a type that the API learned after this version of the client. */
export type NewEvent = Omit<MessageSentEvent, "type" | "data"> & {
  /** Any type that this version of the client does not know. */
  type: NewVariant["type"]
  data: Record<string, unknown>
}
