// Made from schema/openapi.json by npm run codegen.

/** One page of a list. It may hold fewer rows than its limit while more follow. */
export type Page<Row> = {
  object: "list"
  /** The rows of this page. */
  data: Array<Row>
  /** True when another page follows. */
  has_more: boolean
  /** Where the next page starts; null on the last. */
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

export type AgenticAuthorization = {
  /** Id of the agentic authorization. */
  id: string
  object: "agentic_authorization"
  /** pending until its customer decides; payments need authorized. */
  status: "pending" | "authorized" | "rejected" | "revoked" | "expired" | (string & {})
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The customer's bank. */
  bank_id: string
  /** Name of the customer. */
  customer_name: string
  /** Tax number of the customer. */
  customer_tax_id: string
  /** The most that one payment may take. */
  max_amount_brl: string
  currency: "BRL"
  /** Where the customer decides; null until the provider names it, and in the sandbox. */
  authorization_url: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to it. */
  metadata: Record<string, unknown> | null
  provider: "pixprov1"
  /** The connection it goes through. */
  provider_connection_id: string | null
  /** The provider's id of it. */
  provider_authorization_id: string | null
  /** Trace of the request that created it. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** When its customer gave it. */
  authorized_at: string | null
  /** When it was refused. */
  rejected_at: string | null
  /** When it was taken back. */
  revoked_at: string | null
  /** When it is over. */
  expires_at: string
}

export type AgenticBank = {
  /** The provider's id of the bank. */
  id: string
  object: "agentic_bank"
  /** What it is called. */
  name: string
  /** Its number in the Brazilian payment system. */
  ispb: string
  /** A picture of it. */
  logo_url: string | null
  /** Whether it takes authorizations now. */
  status: "available" | "unavailable" | (string & {})
}

export type AgenticPayment = {
  /** Id of the agentic payment. */
  id: string
  object: "agentic_payment"
  /** Where the payment stands. */
  status: "processing" | "paid" | "failed" | (string & {})
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Id of the agentic authorization. */
  authorization_id: string
  /** BRL, a decimal string with four places */
  amount_brl: string
  currency: "BRL"
  /** What is paid for. */
  description: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to it. */
  metadata: Record<string, unknown> | null
  provider: "pixprov1"
  /** The provider's id of it. */
  provider_payment_id: string | null
  /** Why it failed; more codes may follow. */
  error_code: string | null
  /** The same in a sentence. */
  error_message: string | null
  /** Trace of the request that created it. */
  trace_id: string
  fees: PaymentFees | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** When it was paid. */
  paid_at: string | null
  /** When it failed. */
  failed_at: string | null
}

export type AnsweredNumprovConnection = {
  /** Id of the number-provider connection. */
  id: string
  object: "numprov_connection"
  /** connected once the key was proven; failed: register the account anew. */
  status: "pending" | "connected" | "failed" | "disconnected" | (string & {})
  /** What you call it. */
  display_name: string
  /** The account at the provider. */
  account_id: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The end of the key, to tell one from another. */
  credential_last_four: string | null
  /** Whether the provider's calls can be proven. */
  webhook_secret_configured: boolean
  /** What was asked last. */
  latest_operation: NumprovOperation | null
  /** When its numbers were listed last. */
  last_discovered_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Null while it is not over. */
  disconnected_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type AnsweredNumprovOperation = {
  /** Id of the number-provider operation. */
  id: string
  object: "numprov_operation"
  /** What is asked. */
  kind: "register" | "rotate" | "discovery" | (string & {})
  /** Poll until it is not pending. */
  status: "pending" | "succeeded" | "failed" | (string & {})
  /** Why it failed: the provider does not take the key for this account, could not be reached, or the connection ended. */
  error_code:
    | "numprov_credentials_invalid"
    | "numprov_provider_unavailable"
    | "numprov_connection_unavailable"
    | null
    | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Null while it is pending. */
  completed_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type AnsweredProviderConnection = {
  /** Id of the provider connection. */
  id: string
  object: "provider_connection"
  /** Who the account is at. */
  provider: "upstream" | "pixprov1" | "pixprov2" | (string & {})
  /** What the account is used for. */
  channel: "chatapp" | "socialapp" | "payments" | "agentic_payments" | (string & {})
  /** pending: complete it; connected: in use; suspended: the platform locked or banned the account; disconnected: over. */
  status: "pending" | "connected" | "suspended" | "disconnected" | (string & {})
  /** What you call it. */
  display_name: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The business account at the chat platform. */
  biz_account_id: string | null
  /** The platform's id of the number that was named with it. */
  phone_number_id: string | null
  /** That number as the platform writes it. */
  display_phone_number: string | null
  /** The business account of the social channel. */
  social_business_account_id: string | null
  /** The page of the social channel. */
  page_id: string | null
  /** The account at a provider of payments, where it names one. */
  provider_account_id: string | null
  /** Who payments go to. */
  payment_receiver: {
    /** The name that payers read. */
    merchant_name: string | null
    /** The Pix key. */
    key: string | null
    /** What kind of key it is. */
    key_type: string | null
  } | null
  /** What the account can collect. */
  payment_capabilities: {
    /** Pix charges. */
    pix: boolean
    /** A page of the provider for the customer. */
    hosted_checkout: boolean
  } | null
  /** What of agentic payments it can do. */
  agentic_capabilities: {
    /** Banks can be listed. */
    banks: boolean
    /** Customers can authorize payments. */
    authorizations: boolean
    /** Authorized payments can be made. */
    payments: boolean
  } | null
  /** The participant of agentic payments. */
  default_participant_id: string | null
  /** The agent of agentic payments. */
  agent_id: string | null
  /** Where agentic payments are called, if not at the provider's own. */
  agentic_api_base_url: string | null
  /** Whether the provider's calls about the account can be proven. */
  webhook_secret_configured: boolean
  /** Why it is suspended, such as account_locked or account_banned. */
  suspension_reason: string | null
  /** The last warning of the platform. */
  last_policy_warning_type: string | null
  /** When it came; cooldowns of marketing count from it. */
  last_policy_warning_at: string | null
  /** The worst of its accounts. Null means that nothing trusted was observed, never that it may send. */
  send_capability: "available" | "blocked" | null | (string & {})
  /** Why it is blocked, in the order of remedies. */
  send_block_codes: Array<"141006" | "141008" | "141011" | (string & {})> | null
  /** When that was observed. */
  send_capability_observed_at: string | null
  /** One entry an account that the token reaches: a number sends by the entry of its own account. */
  biz_account_send_capabilities: Array<BizAccountSendCapability>
  /** When the account was banned. */
  biz_account_ban_date: string | null
  /** The platform's word for the state of a ban. */
  biz_account_ban_state: string | null
  /** The platform's word for its review of the account. */
  account_review_status: string | null
  /** What the platform restricts for now. */
  restrictions: Array<{
    /** The platform's word for it. */
    type: string
    /** When it ends, where the platform says so. */
    expires_at: string | null
  }> | null
  /** The end of the credential, to tell one from another. */
  credential_last_four: string | null
  /** How the token came here. */
  token_source: "manual" | "embedded_signup" | null | (string & {})
  /** When the token ends; null for one that does not. */
  token_expires_at: string | null
  /** When it was last proven good at the platform. */
  token_refreshed_at: string | null
  /** When another one took its place. */
  token_rotated_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Null while it is not disconnected. */
  disconnected_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type ApiKey = {
  /** Id of the API key. */
  id: string
  object: "api_key"
  /** What people call it. */
  name: string
  /** How the secret begins: the marker of its environment and 8 characters. */
  key_prefix: string
  /** What the key may do. Write does not include read. */
  scopes: Array<KeyScope>
  /** agent: issued through a device authorization. */
  kind: "standard" | "agent" | (string & {})
  /** An active key may still have expired; see expires_at. */
  status: "active" | "revoked" | (string & {})
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Null before its first use. */
  last_used_at: string | null
  /** When it stops working; null for never. */
  expires_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Null while it is not revoked. */
  revoked_at: string | null
}

export type ApiKeyWithSecret = {
  /** Id of the API key. */
  id: string
  object: "api_key"
  /** What people call it. */
  name: string
  /** How the secret begins: the marker of its environment and 8 characters. */
  key_prefix: string
  /** What the key may do. Write does not include read. */
  scopes: Array<KeyScope>
  /** agent: issued through a device authorization. */
  kind: "standard" | "agent" | (string & {})
  /** An active key may still have expired; see expires_at. */
  status: "active" | "revoked" | (string & {})
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Null before its first use. */
  last_used_at: string | null
  /** When it stops working; null for never. */
  expires_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Null while it is not revoked. */
  revoked_at: string | null
  /** The whole key, shown in this answer only. Send it as a bearer token. */
  secret: string
}

export type ArmLlmFailure = {
  /** How calls of a language model fail. */
  failure: "provider_down" | "auth_failed" | "timeout" | "cost_cap_reached"
  /** For how many seconds every call fails, 1 to 3600; left out, the next call alone does. */
  ttl_seconds?: number | null | undefined
}

export type Audience = {
  /** Id of the audience. */
  id: string
  object: "audience"
  /** What you called it. */
  name: string
  /** Which contacts are meant, as you sent it. */
  filter: {
    /** Where their consent stands. */
    opt_in_status?: string | undefined
    /** Where they come from. */
    source?: string | undefined
    /** Made after this instant. */
    created_after?: string | undefined
  }
  /** How many contacts it names now. */
  contact_count: number
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type AuthoringSignal = {
  /** variable_at_edge, too_many_variables, promotional_wording or short_link; more may follow. */
  code: string
  /** How much it matters to reviewers. */
  severity: "info" | "warning" | (string & {})
  /** The component it is about, such as BODY. */
  component: string
  /** What to look at. */
  message: string
}

export type AutoTopupConfig = {
  /** Id of the organization, or of the sandbox environment. */
  id: string
  object: "auto_topup_config"
  /** False as well once an automatic top-up has failed. */
  enabled: boolean
  /** A top-up starts when the balance falls to it or below. */
  threshold_brl: string
  /** How much is charged then. */
  amount_brl: string
  /** The card that is charged. */
  payment_method_id: string | null
  /** When a top-up started last. */
  last_triggered_at: string | null
  /** When it was changed last; null before the first time. */
  updated_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type Batch = {
  /** Id of the batch. */
  id: string
  object: "batch"
  /** What you called it. */
  name: string | null
  /** scheduled and queued before it starts; processing while messages are made and wait; completed when all have left the queue. */
  status: "scheduled" | "queued" | "processing" | "paused" | "completed" | "cancelled" | "failed" | (string & {})
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** Who sends. */
  sender: {
    /** chatapp_phone_number. */
    type: string
    /** Id of the number that sends. */
    id: string
  }
  /** What every recipient gets. */
  template: {
    /** Name of the template. */
    name: string
    /** Its language. */
    language: string
    /** Id of the template. */
    template_id: string | null
    /** Id of the version that was approved when the batch was accepted. */
    template_version_id: string | null
    /** Number of that version. */
    template_version: number | null
  }
  /** Recipients in all; of an audience as counted when the batch was accepted, until it starts. */
  recipient_count: number
  /** Recipients a message was made for. */
  enqueued_count: number
  /** Messages that were ever sent. */
  sent_count: number
  /** Messages that were ever delivered. */
  delivered_count: number
  /** Messages that were read. */
  read_count: number
  /** Recipients it failed for: skipped ones and messages that failed, also after they were sent. */
  failed_count: number
  /** Recipients the marketing guards skipped. */
  recipient_guard_skipped_count: number
  /** Recipients it was cancelled for. */
  cancelled_count: number
  /** An estimate of the answer to POST alone; null there says that there is none, not that nothing waits. */
  pacing: {
    /** Recipients expected to wait for the number's daily allowance of new recipients. */
    deferred_recipient_count: number
    /** Roughly how many daily windows the batch spans, the current one counted. */
    estimated_windows: number
  } | null
  /** What you attached to it. */
  metadata: Record<string, unknown> | null
  /** When it starts; null for at once. */
  scheduled_at: string | null
  /** Why the batch failed as a whole. */
  failure: {
    /** What went wrong; more codes may follow. */
    code: string
    /** The same in a sentence. */
    message: string
  } | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type BatchFailure = {
  /** The phone number; null once it was erased. */
  to: string | null
  /** Id of the message; null where none was made. */
  message_id: string | null
  /** Why it failed; more codes may follow. */
  error_code: string | null
  /** The same in a sentence. */
  error_message: string | null
  /** Which guard skipped it; null after 90 days. */
  guard_reason: string | null
  /** When the guard lets the same through again; null where no time does, and after 90 days. */
  next_allowed_at: string | null
  /** When it failed. */
  failed_at: string | null
}

export type BatchRecipient = {
  /** The phone number; null once it was erased. */
  to: string | null
  /** Id of the message that was made; null before it is and where none is. */
  message_id: string | null
  /** pending before a message is made, failed without one, otherwise the status of the message. */
  status: string
  /** Why it waits: messaging_limit_pacing while the sender's daily allowance is used up. */
  status_reason: string | null
  /** Why it failed; more codes may follow. */
  error_code: string | null
}

export type BizAccountSendCapability = {
  /** The account at the platform. */
  biz_account_id: string
  /** Null means that nothing trusted was observed, never that it may send. */
  send_capability: "available" | "blocked" | null | (string & {})
  /** Why it is blocked, in the order of remedies. */
  send_block_codes: Array<"141006" | "141008" | "141011" | (string & {})> | null
  /** When the platform said so. */
  observed_at: string | null
}

/** Place of the button among the template's buttons, from 0, as a number or a text. */
export type ButtonIndex = number | string

/** A text with buttons to reply with. */
export type ButtonMessage = {
  type: "button"
  /** What stands above the text. */
  header?:
    | {
        /** May be left out: only text is taken. */
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
  /** What stands below the text. */
  footer?:
    | {
        /** Line below the text. */
        text: string
      }
    | null
    | undefined
  /** What the customer can tap. */
  action: {
    /** One to three buttons. */
    buttons: ReadonlyArray<{
      type: "reply"
      /** The button. */
      reply: {
        /** What a tap sends back; another one for each button. */
        id: string
        /** The label; another one for each button. */
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

export type CancelPayment = Record<string, unknown>

export type ChangeConsent = {
  /** The phone number in international form, 8 to 15 digits. */
  phone: string
  /** Where the choice comes from, 1 to 64 characters; api when left out. */
  source?: string | null | undefined
  /** Why, for your own record: 1 to 500 characters. */
  reason?: string | null | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type ChannelRecipient = {
  /** What the id is: a phone number on chatapp, a user of socialapp, or a chatapp_channel. */
  type: "chatapp_channel"
  /** The phone number in international form, or the channel's own id of 1 to 255 characters. */
  id: string
}

export type ChannelStatus = {
  /** Whether something can be sent or collected through it now. */
  ready: boolean
  /** missing: nothing is connected; pending: a connection waits to be completed; blocked: see reasons. */
  status: "ready" | "pending" | "blocked" | "missing" | (string & {})
  /** sandbox, or the provider that is used; null for none. */
  active_mode: string | null
  /** The connection that is used. */
  connection_id: string | null
  /** Why it is not ready, as codes. */
  reasons: Array<string>
}

export type CheckGroupEligibility = {
  /** The number that hosts the group. */
  phone_number_id: string
}

export type CompletePendingConnection = {
  /** The business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
}

export type CompleteProviderCredentialSetupSession = {
  /** upstream.chatapp: as the manual registration; payments: api_key, and webhook_secret where the provider gave one; speech: api_key. */
  credentials: Record<string, unknown>
}

export type CompleteUpstreamSignupSession = {
  /** What the embedded signup answered; good for one exchange. */
  code: string
  /** The business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
  /** What you call it, 1 to 255 characters. */
  display_name?: string | null | undefined
  /** The business portfolio at the platform. */
  business_id?: string | null | undefined
}

export type ConnectPhoneNumber = {
  /** In international form: + and 8 to 15 digits. */
  phone: string
  /** Its id at the chat platform, 1 to 64 characters. */
  upstream_phone_number_id: string
  /** The name customers see, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
}

export type Contact = {
  /** Id of the contact. */
  id: string
  object: "contact"
  /** The phone number as it was first written, with +. Null in the repeated answer of an erased contact. */
  phone: string | null
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The name on the customer's profile when they last wrote; not verified. */
  profile_name: string | null
  /** What the customer chose: opted_in, opted_out, or none yet. Only opted_out blocks messages. */
  opt_in_status: "opted_in" | "opted_out" | "none" | (string & {})
  /** Where the latest choice came from: yours, api, inbound for a customer who wrote, or inbound_keyword. */
  source: string
  /** What you attached to it. */
  metadata: Record<string, unknown> | null
  /** Whether the customer stopped marketing messages of your business at the provider. */
  marketing_stopped: boolean
  /** When they last opted in. */
  opted_in_at: string | null
  /** When they last opted out. */
  opted_out_at: string | null
  /** When they last wrote. */
  last_inbound_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type ContactBulkImport = {
  object: "contact_bulk_import"
  /** Every contact of the rows, each once, in their order. */
  data: Array<ContactEntry>
  /** Contacts that opted in by it, those who had opted out included. */
  imported: number
  /** Contacts that had opted in already. */
  skipped: number
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type ContactEntry = {
  /** Id of the contact. */
  id: string
  object: "contact"
  /** The phone number as it was first written, with +. Null in the repeated answer of an erased contact. */
  phone: string | null
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The name on the customer's profile when they last wrote; not verified. */
  profile_name: string | null
  /** What the customer chose: opted_in, opted_out, or none yet. Only opted_out blocks messages. */
  opt_in_status: "opted_in" | "opted_out" | "none" | (string & {})
  /** Where the latest choice came from: yours, api, inbound for a customer who wrote, or inbound_keyword. */
  source: string
  /** What you attached to it. */
  metadata: Record<string, unknown> | null
  /** Whether the customer stopped marketing messages of your business at the provider. */
  marketing_stopped: boolean
  /** When they last opted in. */
  opted_in_at: string | null
  /** When they last opted out. */
  opted_out_at: string | null
  /** When they last wrote. */
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
  /** Every choice, oldest first. */
  consent_events: Array<{
    /** Id of the consent event. */
    id: string
    /** What the customer chose. */
    type: "opted_in" | "opted_out" | (string & {})
    /** Where the choice came from. */
    source: string
    /** The reason given with it. */
    reason: string | null
    /** ISO 8601 in UTC with milliseconds. */
    occurred_at: string
  }>
  /** The latest 1000 messages of the customer, newest first, each as its read shows it. */
  messages: Array<Record<string, unknown>>
  /** Whether there are older messages than these. */
  truncated: boolean
  /** ISO 8601 in UTC with milliseconds. */
  generated_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type CreateAgenticAuthorization = {
  /** The customer's bank, as GET /v1/agentic/banks names it. */
  bank_id: string
  /** Name of the payer, 1 to 255 characters. */
  customer_name: string
  /** Tax number of the payer: 11 or 14 digits, nothing else. */
  customer_tax_id: string
  /** The most that one payment may take, in centavos. */
  max_amount_brl_centavos: number
  /** When it is over, at most a year from now; 90 days when left out. */
  expires_at?: string | null | undefined
  /** Absolute https URL, at most 2048 characters. */
  return_url?: string | null | undefined
  /** Your own reference, 1 to 255 characters. */
  external_reference?: string | null | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type CreateAgenticPayment = {
  /** The authorization it is made by. */
  authorization_id: string
  /** Amount in centavos of BRL: 100 is R$ 1,00. */
  amount_brl_centavos: number
  /** What is paid for, as the payer reads it, 1 to 500 characters. */
  description?: string | null | undefined
  /** Your own reference, 1 to 255 characters. */
  external_reference?: string | null | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type CreateAudience = {
  /** What you call it, 1 to 255 characters after trimming. */
  name: string
  /** Which contacts are meant; without any member all of them. */
  filter: {
    /** Where their consent stands. */
    opt_in_status?: "opted_in" | "opted_out" | "none" | null | undefined
    /** Where they come from. */
    source?: string | null | undefined
    /** Made after this instant; RFC 3339. */
    created_after?: string | null | undefined
  }
}

export type CreateBatch = {
  /** chatapp, which alone carries templates; also when left out. */
  channel?: "chatapp" | "socialapp" | "chatapp_channel" | null | undefined
  /** What you call it, 1 to 255 characters after trimming. */
  name?: string | null | undefined
  /** Who sends. */
  sender: {
    /** A phone number of yours. */
    type: "chatapp_phone_number"
    /** Id of the number that sends. */
    id: string
  }
  /** The template every recipient gets, with one media header for all of them. */
  template: {
    /** Name of an approved template. */
    name: string
    /** Its language as a string code. */
    language: string
    /** The file of a template with a media header: exactly one of asset_id, link and id. */
    header_media?:
      | {
          /** Sort of file. */
          kind: "image" | "video" | "document"
          /** Id of a file of your media library. */
          asset_id?: string | null | undefined
          /** Address the file is fetched from. */
          link?: string | null | undefined
          /** The upstream platform's handle of the file. */
          id?: string | null | undefined
          /** Name shown with a document. */
          filename?: string | null | undefined
        }
      | null
      | undefined
  }
  /** When it starts, RFC 3339, at most 30 days ahead; at once when left out. */
  scheduled_at?: string | null | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** 1 to 10000 recipients; of equal numbers the first counts. */
  recipients?:
    | ReadonlyArray<{
        /** The phone number in international form, as recipient.id of a send. */
        to: string
        /** Values of the template's body: under "1", "2" and so on for POSITIONAL variables, under their names for NAMED ones. An empty one is a mismatch. */
        variables?: Record<string, string> | null | undefined
        /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
        metadata?: Record<string, unknown> | null | undefined
      }>
    | null
    | undefined
  /** Contacts of yours: exactly one of contact_ids and filter. */
  audience?:
    | {
        /** 1 to 10000 ids of contacts. */
        contact_ids?: ReadonlyArray<string> | null | undefined
        /** Which contacts are meant; without any member all of them. */
        filter?:
          | {
              /** Where their consent stands. */
              opt_in_status?: "opted_in" | "opted_out" | "none" | null | undefined
              /** Where they come from. */
              source?: string | null | undefined
              /** Made after this instant; RFC 3339. */
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
  /** What it is called, 1 to 128 characters after trimming. */
  name: string
  /** The definition in the provider's format, at most 1 MiB of JSON: a version, and screens with ids of their own. */
  flow_json: Record<string, unknown>
  /** What it is for, 1 to 5 words of the provider, such as SURVEY. */
  categories?: ReadonlyArray<string> | null | undefined
}

export type CreateGroup = {
  /** The number that hosts the group. */
  phone_number_id: string
  /** The name participants see, not blank; kept as sent. The provider has limits of its own. */
  subject: string
  /** What it is about; kept as sent. */
  description?: string | null | undefined
  /** The only mode, and the default. */
  join_approval_mode?: "auto_approve" | null | undefined
}

export type CreatePayment = {
  /** Amount in centavos of BRL: 100 is R$ 1,00. */
  amount_brl_centavos: number
  /** What is paid for, as the payer reads it, 1 to 500 characters. */
  description?: string | null | undefined
  /** Name of the payer, 1 to 255 characters. */
  customer_name?: string | null | undefined
  /** Tax number of the payer: 11 or 14 digits, nothing else. */
  customer_tax_id?: string | null | undefined
  /** Phone number of the payer: a plus sign and 8 to 15 digits. */
  customer_phone?: string | null | undefined
  /** Address of the payer, at most 255 characters; empty for none. */
  customer_email?: string | null | undefined
  /** Your own reference, 1 to 255 characters. */
  external_reference?: string | null | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** What only the provider knows: at most one member, of the provider in use. */
  provider_options?:
    | {
        /** Of payments that pixprov1 takes. */
        pixprov1?:
          | {
              /** Seconds until it can no longer be paid, 300 to 2592000; 86400 when left out. */
              expires_in_seconds?: number | null | undefined
            }
          | null
          | undefined
        /** Of payments that pixprov2 takes. */
        pixprov2?:
          | {
              /** hosted_checkout (a page, the default) or transparent_pix (a code). */
              mode?: "hosted_checkout" | "transparent_pix" | null | undefined
              /** Seconds until it can no longer be paid, 300 to 2592000; 86400 when left out. */
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
  /** The name customers will see, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
  /** What it is for, shown to whoever approves, 1 to 500 characters. */
  purpose?: string | null | undefined
}

export type CreateProviderCredentialSetupSession = {
  /** Whose credentials are asked for, and what they are used for. */
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
  /** What it is for. Marketing templates are sent within the marketing guards. */
  category: "marketing" | "utility" | "authentication"
  /** POSITIONAL: {{1}}, {{2}}. NAMED: {{first_name}}. */
  parameter_format?: "POSITIONAL" | "NAMED" | null | undefined
  /** 1 to 4 parts: HEADER, BODY (always), FOOTER, BUTTONS. */
  components: ReadonlyArray<{
    /** Which part it is; each at most once, BODY exactly once. */
    type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | "header" | "body" | "footer" | "buttons"
    /** What a HEADER holds: TEXT or a file that each send brings. */
    format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "text" | "image" | "video" | "document" | null | undefined
    /** The text: 1 to 1024 characters in BODY, 1 to 60 in HEADER and FOOTER. */
    text?: string | null | undefined
    /** Values that show what a send looks like. */
    example?:
      | {
          header_text?: string | ReadonlyArray<string> | null | undefined
          body_text?: ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>> | null | undefined
          /** A value of the header's named variable. */
          header_text_named_params?:
            | ReadonlyArray<{
                /** Name of the variable. */
                param_name: string
                /** A value it could have. */
                example: string
              }>
            | null
            | undefined
          /** A value of each named variable of the body. */
          body_text_named_params?:
            | ReadonlyArray<{
                /** Name of the variable. */
                param_name: string
                /** A value it could have. */
                example: string
              }>
            | null
            | undefined
          header_handle?: string | ReadonlyArray<string> | null | undefined
        }
      | null
      | undefined
    /** 1 to 10 buttons of BUTTONS. */
    buttons?:
      | ReadonlyArray<{
          /** What a tap does. */
          type:
            | "QUICK_REPLY"
            | "URL"
            | "PHONE_NUMBER"
            | "COPY_CODE"
            | "FLOW"
            | "quick_reply"
            | "url"
            | "phone_number"
            | "copy_code"
            | "flow"
          /** The label, 1 to 25 characters. */
          text?: string | null | undefined
          /** What a tap on a quick reply answers; the label when left out. */
          payload?: string | null | undefined
          /** The address, with at most one variable at its end. */
          url?: string | null | undefined
          /** The number to call, in international form. */
          phone_number?: string | null | undefined
          /** The flow (flw_) a tap opens. */
          flow_id?: string | null | undefined
          example?: string | ReadonlyArray<string> | null | undefined
        }>
      | null
      | undefined
  }>
}

export type CreateUpstreamSignupSession = {
  /** Where the person is sent back to; its origin has to be agreed with the operator of this service. */
  return_url: string
  /** Your own reference of the customer. */
  end_customer_ref?: string | null | undefined
}

export type CreditBalance = {
  /** Id of the organization. */
  id: string
  object: "credit_balance"
  /** Id of the organization. */
  organization_id: string
  /** What may be spent: held credit is deducted already. */
  balance_brl: string
  /** Credit set aside by production holds that have not ended. */
  held_brl: string
  currency: "brl"
  /** Whether production keys are restricted for want of credit. Once engaged it stays until the balance is above zero. */
  production_blocked: boolean
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type CreditTopup = {
  /** Id of the credit top-up. */
  id: string
  object: "credit_topup"
  /** What was bought. */
  kind: "cash" | "package" | "x402" | (string & {})
  /** Credit is added once, when it succeeds. */
  status: "pending" | "succeeded" | "failed" | "refunded" | "expired" | (string & {})
  /** What it costs, and the credit it brings. */
  amount_brl: string
  /** How it is paid. */
  payment_method: "pix" | "card" | "x402" | "manual" | "promotion" | (string & {})
  /** The package, of kind package. */
  package_code: string | null
  /** Messages a package gives at its price. */
  quota_messages: number | null
  /** Those that are left. */
  quota_remaining: number | null
  /** Its charge at the card processor. */
  cardproc_payment_intent_id: string | null
  /** For the browser alone, while the cardholder has to prove who they are; null in lists. */
  cardproc_client_secret: string | null
  /** Who took the money. */
  provider?: "cardproc" | "pixprov2" | "manual" | "promotion" | (string & {}) | undefined
  /** Its charge at the Pix provider. */
  pixprov2_charge_id?: string | null | undefined
  /** The Pix code to pay with. */
  pix_copy_paste?: string | null | undefined
  /** The same as a PNG. */
  pix_qr_code_base64?: string | null | undefined
  /** Until when it can be paid. */
  pix_expires_at?: string | null | undefined
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** When it succeeded or failed. */
  completed_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type DataRetentionPolicy = {
  object: "data_retention_policy"
  /** Whether contacts and failures of batches can be exported. */
  data_export_enabled: boolean
  /** Days that inbound media is kept, 1 to 365. */
  media_retention_days: number
  /** Days that the content of messages and of their events is kept, 1 to 365; events at most 30. */
  payload_retention_days: number
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type DeletedAudience = {
  /** Id of the audience. */
  id: string
  object: "audience"
  deleted: true
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type DeletedContact = {
  /** Id of the contact. */
  id: string
  object: "contact"
  deleted: true
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type DeletedFlow = {
  /** Id of the flow. */
  id: string
  object: "flow"
  deleted: true
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type DeletedMediaAsset = {
  /** Id of the media asset. */
  id: string
  object: "media_asset"
  deleted: true
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type DeletedTemplate = {
  /** Id of the template. */
  id: string
  object: "template"
  deleted: true
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type DeletedWebhookEndpoint = {
  /** Id of the webhook endpoint. */
  id: string
  object: "webhook_endpoint"
  deleted: true
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  kind: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
}

/** What every refusal and every fault answers. */
export type ErrorResponse = {
  /** What was refused or went wrong. */
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
    /** For a person to read. It may change; do not compare it. */
    message: string
    /** Dot path of the field in the body, or name of the parameter or header, that was refused. */
    param?: string | undefined
    /** Identifies this request; quote it when you ask for help. */
    request_id: string
    /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
    trace_id: string
    /** Milliseconds to wait before the next try. The Retry-After header says the same in seconds. */
    retry_after_ms?: number | undefined
    /** More about this code, such as the scopes that are missing. */
    details?: Record<string, unknown> | undefined
    /** False when the same request will be refused again. */
    retryable?: boolean | undefined
    /** The page of this code: what it means, its causes, and what to do. */
    doc_url?: string | undefined
    /** Where to report this error. */
    feedback?:
      | {
          endpoint: "/v1/feedback"
          method: "POST"
        }
      | undefined
    /** Where the routes of this service are described. */
    discovery?:
      | {
          openapi: "/openapi.json"
          well_known: "/.well-known/svc.json"
        }
      | undefined
  }
}

/** What went wrong; decide by it. Each response of an operation names the codes known for it, and new codes may appear: treat an unknown one by its status. */
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
  /** What the embedded signup answered; good for one exchange. */
  code: string
  /** The business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
  /** What you call it, 1 to 255 characters. */
  display_name?: string | null | undefined
  /** The business portfolio at the platform. */
  business_id?: string | null | undefined
  /** The signup session that this ends: its UUID, with or without mss_. */
  signup_session_id?: string | null | undefined
}

export type FeedbackReport = {
  /** Id of the feedback report. */
  id: string
  object: "feedback_report"
  /** received, in_review, resolved or closed; more may follow. */
  status: string
  /** How the report begins, at most 160 characters. */
  message_excerpt: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** What came of it; null until that is published. */
  latest_resolution: {
    /** fixed, documented, already_supported, duplicate or not_planned; more may follow. */
    disposition: string
    /** The answer of the operators. */
    public_summary: string
    /** ISO 8601 in UTC with milliseconds. */
    published_at: string
  } | null
}

export type Flow = {
  /** Id of the flow. */
  id: string
  object: "flow"
  /** What it is called; a send may name it so. */
  name: string
  /** Where the flow stands. */
  status: "draft" | "publishing" | "published" | "rejected" | "deprecated" | (string & {})
  /** The provider's id, by which a send names it; null before the provider knows it. */
  provider_flow_id: string | null
  /** Why it was refused; null otherwise. */
  rejection_reason: string | null
  /** What it is for, as you said. */
  categories: Array<string>
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Null before it was published. */
  published_at: string | null
  /** Its definition, as you sent it. */
  flow_json: Record<string, unknown>
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

/** What a flow.completed event tells. */
export type FlowCompletedData = {
  /** Id of the flow. */
  flow_id: string
  /** Name of the flow. */
  name: string
  /** Where the flow stands. */
  status: "draft" | "publishing" | "published" | "rejected" | "deprecated" | (string & {})
  /** The provider's id of the flow. */
  provider_flow_id: string | null
  /** Why it was refused. */
  rejection_reason: string | null
  submission: FlowSubmission
}

/** A customer finished a flow. */
export type FlowCompletedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "flow.completed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: FlowCompletedData
}

export type FlowEntry = {
  /** Id of the flow. */
  id: string
  object: "flow"
  /** What it is called; a send may name it so. */
  name: string
  /** Where the flow stands. */
  status: "draft" | "publishing" | "published" | "rejected" | "deprecated" | (string & {})
  /** The provider's id, by which a send names it; null before the provider knows it. */
  provider_flow_id: string | null
  /** Why it was refused; null otherwise. */
  rejection_reason: string | null
  /** What it is for, as you said. */
  categories: Array<string>
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Null before it was published. */
  published_at: string | null
}

/** What the customer filled in, and when. */
export type FlowSubmission = {
  /** Id of the flow submission. */
  id: string
  /** The flow_token of the message that opened the flow. */
  provider_token: string
  /** What the customer filled in. */
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
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The number that hosts it. */
  phone_number_id: string
  /** The name its participants see. */
  subject: string
  /** What it is about; null when nothing was said. */
  description: string | null
  /** Whoever has the link joins. */
  join_approval_mode: "auto_approve"
  /** The provider's id; null until the group exists there. It starts with sb_ in a sandbox. */
  provider_group_id: string | null
  /** Anyone holding it can join: treat it as a password. Null until the group exists. */
  invite_link: string | null
  /** Current members, oldest join first. */
  participants: Array<GroupParticipant>
  /** How many they are. */
  participant_count: number
  /** Why the last operation failed; null otherwise. */
  failure: GroupFailure | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** When it was deleted; null otherwise. */
  deleted_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

/** What a group.create_failed event tells. */
export type GroupCreateFailedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** The name its participants see. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Why the operation failed; null when it succeeded. */
  failure: GroupFailure
  /** When the service recorded the outcome. */
  occurred_at: string
}

/** A group could not be made; shows the group as it is now and this operation's failure. */
export type GroupCreateFailedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.create_failed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupCreateFailedData
}

/** What a group.created event tells. */
export type GroupCreatedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** The name its participants see. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Why the operation failed; null when it succeeded. */
  failure: null
  /** When the service recorded the outcome. */
  occurred_at: string
}

/** A group exists; shows the group as it is now. */
export type GroupCreatedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.created"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupCreatedData
}

/** What a group.delete_failed event tells. */
export type GroupDeleteFailedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** The name its participants see. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Why the operation failed; null when it succeeded. */
  failure: GroupFailure
  /** When the service recorded the outcome. */
  occurred_at: string
}

/** A group could not be deleted; shows the group as it is now and this operation's failure. */
export type GroupDeleteFailedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.delete_failed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupDeleteFailedData
}

/** What a group.deleted event tells. */
export type GroupDeletedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** The name its participants see. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Why the operation failed; null when it succeeded. */
  failure: null
  /** When the service recorded the outcome. */
  occurred_at: string
}

/** A group is gone; shows the group as it is now. */
export type GroupDeletedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.deleted"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupDeletedData
}

export type GroupEligibility = {
  /** Id of the phone number. */
  id: string
  object: "group_eligibility"
  /** Id of the phone number. */
  phone_number_id: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  status: GroupEligibilityStatus
  /** Why it is not eligible; empty otherwise. */
  reasons: Array<
    | "not_cloud_api"
    | "chatapp_business_app_number"
    | "not_official_business_account"
    | "missing_messaging_permission"
    | (string & {})
  >
  /** When the latest check ended, however it ended; null before the first. */
  checked_at: string | null
  /** When a check was asked for last; it is answered once checked_at is later. */
  check_requested_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The number that hosts it. */
  phone_number_id: string
  /** The name its participants see. */
  subject: string
  /** What it is about; null when nothing was said. */
  description: string | null
  /** Whoever has the link joins. */
  join_approval_mode: "auto_approve"
  /** The provider's id; null until the group exists there. It starts with sb_ in a sandbox. */
  provider_group_id: string | null
  /** Anyone holding it can join: treat it as a password. Null until the group exists. */
  invite_link: string | null
  /** Current members, oldest join first. */
  participants: Array<GroupParticipant>
  /** How many they are. */
  participant_count: number
  /** Why the last operation failed; null otherwise. */
  failure: GroupFailure | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** When it was deleted; null otherwise. */
  deleted_at: string | null
}

export type GroupFailure = {
  /** What went wrong. */
  code:
    | "group_provider_rejected"
    | "provider_error"
    | "sender_phone_number_unavailable"
    | "group_phone_number_not_eligible"
    | (string & {})
  /** The same in a sentence. */
  message: string
  /** Null when nothing was sent. */
  provider: "upstream" | null
}

/** What a group.invite_link_reset event tells. */
export type GroupInviteLinkResetData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** The name its participants see. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Why the operation failed; null when it succeeded. */
  failure: null
  /** When the service recorded the outcome. */
  occurred_at: string
}

/** A group has a new invite link; shows the group as it is now. */
export type GroupInviteLinkResetEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.invite_link_reset"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupInviteLinkResetData
}

/** What a group.invite_link_reset_failed event tells. */
export type GroupInviteLinkResetFailedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  status: GroupStatus
  /** The name its participants see. */
  subject: string
  /** The provider's id of the group. */
  provider_group_id: string | null
  /** Anyone holding it can join: keep it secret. */
  invite_link: string | null
  /** Why the operation failed; null when it succeeded. */
  failure: GroupFailure
  /** When the service recorded the outcome. */
  occurred_at: string
}

/** An invite link was not replaced; shows the group as it is now and this operation's failure. */
export type GroupInviteLinkResetFailedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.invite_link_reset_failed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupInviteLinkResetFailedData
}

export type GroupParticipant = {
  /** The participant's id on the channel. */
  chat_id: string
  /** When they joined, in whole seconds. */
  joined_at: string
}

/** What a group.participant_joined event tells. */
export type GroupParticipantJoinedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  /** Who joined or left. */
  participant: {
    /** The participant's id on the channel. */
    chat_id: string
  }
  /** How many are in the group right after this change. */
  participant_count: number
  /** When it happened, in whole seconds. */
  occurred_at: string
}

/** Somebody joined a group. */
export type GroupParticipantJoinedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.participant_joined"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupParticipantJoinedData
}

/** What a group.participant_removed event tells. */
export type GroupParticipantRemovedData = {
  /** Id of the group. */
  group_id: string
  /** Id of the phone number. */
  phone_number_id: string
  /** Who joined or left. */
  participant: {
    /** The participant's id on the channel. */
    chat_id: string
  }
  /** How many are in the group right after this change. */
  participant_count: number
  /** When it happened, in whole seconds. */
  occurred_at: string
  /** Who ended it. */
  initiated_by: "participant" | "business" | (string & {})
}

/** Somebody left a group or was removed from it. */
export type GroupParticipantRemovedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "group.participant_removed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: GroupParticipantRemovedData
}

/** Where the group stands. */
export type GroupStatus = "pending" | "active" | "failed" | "deleting" | "deleted" | (string & {})

export type ImportContacts = {
  /** 1 to 1000 customers who agreed; of a repeated phone the last metadata counts. */
  rows: ReadonlyArray<{
    /** The phone number in international form, 8 to 15 digits. */
    phone: string
    /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
    metadata?: Record<string, unknown> | null | undefined
  }>
  /** Where the choice comes from, 1 to 64 characters; api when left out. */
  source?: string | null | undefined
}

export type ImportNumprovNumber = {
  /** Your number-provider connection (npc_…). */
  provider_connection_id: string
  /** The number's id at the provider, as its resources show it. */
  provider_number_id: string
  /** Its id at the chat platform, where it is registered there already. */
  upstream_phone_number_id?: string | null | undefined
  /** The name customers see, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
  /** That you accept the terms under which the number is managed here. */
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
    /** Name of the flow, where the provider tells it. */
    name: string | null
    /** What the customer filled in. */
    response: Record<string, unknown>
    /** The token the flow was sent with. */
    provider_token: string | null
  }
}

export type InboundInteractive = {
  type: "interactive"
  /** What was tapped. */
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
    /** The message reacted to, if it is known here. */
    message_id: string | null
    /** The provider's id of that message. */
    provider_message_id: string
    /** Empty when the reaction was taken back. */
    emoji: string
  }
}

export type InboundText = {
  type: "text"
  /** The text. */
  text: {
    /** What the customer wrote. */
    body: string
  }
}

export type InboundUnknown = {
  type: "unknown"
  /** What is known of it. */
  unknown: {
    /** The provider's name of the type. */
    provider_type: string
  }
}

export type InboundUnsupported = {
  type: "unsupported"
  /** What is known of it. */
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

/** What the customer can tap: buttons to reply with, or an order to pay. */
export type InteractiveContent = ButtonMessage | OrderDetailsMessage

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
  /** debit is spend, credit a top-up; hold and release set credit aside and return it, and are no spend. */
  type: "debit" | "credit" | "hold" | "release" | (string & {})
  /** What it is of: usage, a top-up, or the hold of a payment's completion fee. */
  source_type: "usage" | "credit_topup" | "payment_fee_hold" | (string & {})
  /** Id of the usage record, the top-up or the reservation. */
  source_id: string
  /** What was used, as the rate card names it. */
  meter_id: string | null
  /** Always positive: type tells the direction. */
  amount_brl: string
  /** What of a debit the balance did not cover when it was posted. */
  uncollected_brl: string | null
  currency: "brl"
  /** Null for top-ups of the organization. */
  environment: "sandbox" | "production" | null | (string & {})
  /** The payment whose fee it is; null for everything else. */
  payment_fee: {
    /** What kind of payment. */
    object: "payment_request" | "agentic_payment" | (string & {})
    /** Id of the payment. */
    id: string
    /** Id of the reservation, as the payment's fees name it. */
    reservation_id: string
  } | null
  /** Trace of the request that caused it; null on top-ups. */
  trace_id: string | null
  /** ISO 8601 in UTC with milliseconds. */
  recorded_at: string
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
  /** What was bought. */
  kind: "cash" | "package" | "x402" | (string & {})
  /** Credit is added once, when it succeeds. */
  status: "pending" | "succeeded" | "failed" | "refunded" | "expired" | (string & {})
  /** What it costs, and the credit it brings. */
  amount_brl: string
  /** How it is paid. */
  payment_method: "pix" | "card" | "x402" | "manual" | "promotion" | (string & {})
  /** The package, of kind package. */
  package_code: string | null
  /** Messages a package gives at its price. */
  quota_messages: number | null
  /** Those that are left. */
  quota_remaining: number | null
  /** Its charge at the card processor. */
  cardproc_payment_intent_id: string | null
  /** For the browser alone, while the cardholder has to prove who they are; null in lists. */
  cardproc_client_secret: string | null
  /** Who took the money. */
  provider?: "cardproc" | "pixprov2" | "manual" | "promotion" | (string & {}) | undefined
  /** Its charge at the Pix provider. */
  pixprov2_charge_id?: string | null | undefined
  /** The Pix code to pay with. */
  pix_copy_paste?: string | null | undefined
  /** The same as a PNG. */
  pix_qr_code_base64?: string | null | undefined
  /** Until when it can be paid. */
  pix_expires_at?: string | null | undefined
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** When it succeeded or failed. */
  completed_at: string | null
}

export type ListedPaymentMethod = {
  /** Id of the saved card. */
  id: string
  object: "billing_payment_method"
  type: "card"
  /** The card's brand. */
  brand: string | null
  /** Its last four digits. */
  last4: string | null
  /** Month it expires in, 1 to 12. */
  exp_month: number | null
  /** Year it expires in. */
  exp_year: number | null
  /** Whether it pays where no other card is named; one at most. */
  is_default: boolean
  /** A deleted card is kept and pays nothing. */
  status: "active" | "deleted" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

export type MediaAsset = {
  /** Id of the media asset. */
  id: string
  object: "media_asset"
  /** customer: you uploaded it. inbound_provider: it came with an inbound message. */
  source: "customer" | "inbound_provider" | (string & {})
  /** Who holds or rendered it; null for your own uploads. */
  provider: string | null
  /** The provider's id of it. */
  provider_media_id: string | null
  /** Sort of file. */
  kind: "image" | "document" | "audio" | "video" | "sticker" | (string & {})
  /** single_use: for one send, gone after 24 hours without one. library: kept until you delete it. */
  lifecycle: "single_use" | "library" | (string & {})
  /** Its name, as it was given. */
  filename: string | null
  /** Media type, as it was given. */
  mime_type: string
  /** Size in bytes. */
  byte_length: number
  /** pending: its bytes are awaited. ready: it can be sent. consumed: it was sent, or stored with an inbound message. */
  status: "pending" | "ready" | "consumed" | "failed" | "expired" | "deleted" | (string & {})
  /** The request that mints a download URL, while there is something to download. */
  download: {
    method: "GET"
    /** Path of this service. */
    path: string
  } | null
  /** When it will be gone; null while nothing ends it. */
  expires_at: string | null
  /** Until when its bytes may be uploaded. */
  upload_expires_at: string | null
  /** When its upload was completed. */
  completed_at: string | null
  /** When it was first sent, or stored with an inbound message. */
  consumed_at: string | null
  /** The message it was first sent with, or came with. */
  consumed_by_message_id: string | null
  /** When it was deleted. */
  deleted_at: string | null
  /** Why it failed; more codes may follow. */
  failure_code: string | null
  /** The same in a sentence. */
  failure_message: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** Call it as it is; whoever knows it needs no key. */
  download_url: string
  /** Until when it serves; ask again for another. */
  expires_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type MediaDescriptor = {
  /** Id of the stored file; null on a send of yours whose file is none of your library. */
  asset_id: string | null
  /** The provider's id of it. */
  provider_media_id: string | null
  /** Sort of file. */
  kind: "image" | "document" | "audio" | "video" | "sticker" | (string & {})
  /** True for a voice note, false for ordinary audio, left out when unknown. */
  voice?: boolean | undefined
  /** Media type, once known. */
  mime_type: string | null
  /** Size in bytes, once known. */
  byte_length: number | null
  /** Name given by the sender. */
  filename: string | null
  /** ready: it can be downloaded. pending: it is still being fetched. */
  status: "pending" | "ready" | "consumed" | "failed" | "expired" | "deleted" | (string & {})
  /** Why the file could not be had. */
  failure: {
    /** What went wrong; more codes may follow. */
    code: string
    /** The same in a sentence. */
    message: string
  } | null
  /** The request that downloads it, when it is ready. */
  download: {
    method: "GET"
    /** Path of this service. */
    path: string
  } | null
}

export type MediaStorageUsage = {
  object: "media_storage_usage"
  /** Stored bytes, and those that open uploads announced. */
  used_bytes: number
  /** What the environment may hold. */
  limit_bytes: number
  /** What is left of it, 0 or more. */
  available_bytes: number
  /** Used share in percent, two decimals; it may pass 100. */
  percent_used: number
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type MediaTranscription = {
  /** Id of the transcription. */
  id: string
  object: "media_transcription"
  /** Id of the media asset. */
  media_asset_id: string
  /** How far it has come. */
  status: "queued" | "processing" | "succeeded" | "failed" | (string & {})
  /** What was said; null before it is known, and once erasure or retention removed it. */
  text: string | null
  /** The language that was heard. */
  language: string | null
  /** How long it is, in seconds. */
  duration_seconds: number | null
  /** Who writes it down. */
  provider: string
  /** The provider's model. */
  model: string | null
  /** Why it failed. */
  error_code: TranscriptionErrorCode | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** When it succeeded or failed. */
  completed_at: string | null
}

export type MediaUpload = {
  /** Id of the media asset. */
  id: string
  object: "media_upload"
  /** Call it as it is; whoever knows it needs no key. */
  upload_url: string
  upload_method: "PUT"
  /** Headers to send with the PUT. */
  upload_headers: Record<string, string>
  /** Until when the bytes may be uploaded and the upload completed. */
  expires_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** What the message is. unsupported and unknown are inbound only. */
  type: "text" | "template" | "media" | "interactive" | "flow" | "reaction" | "unsupported" | "unknown" | (string & {})
  /** How far the message has come: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
  status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
  /** Why it waits: messaging_limit_pacing while the sender's daily allowance is used up. More reasons may follow. */
  status_reason: string | null
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Who sent it. */
  sender: {
    /** What the id is: chatapp_phone_number, phone_e164, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number or account; of a customer the phone number or the channel's own id. */
    id: string
    /** The name on the customer's profile, as it was then; not verified. */
    profile_name: string | null
  }
  /** Who receives it. */
  recipient: {
    /** What the id is: chatapp_phone_number, phone_e164, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number or account; of a customer the phone number or the channel's own id. */
    id: string
  }
  /** Who carries it; null before it was handed over. */
  provider: string | null
  /** The provider's id of it; null before it has one. */
  provider_message_id: string | null
  /** Name of the template it was made from. */
  template_name: string | null
  /** Id of the template it was made from. */
  template_id: string | null
  /** Id of that template's version. */
  template_version_id: string | null
  /** Number of that version. */
  template_version: number | null
  /** The file, with type media. */
  media: MediaDescriptor | null
  /** With type unsupported: what the provider would not deliver. */
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
  /** With type unknown: what is not understood here; the payload holds it. */
  unknown: {
    /** The provider's name of the type. */
    provider_type: string
  } | null
  /** What it quotes and whether it was forwarded. Lists show it with include=payload. */
  context?:
    | {
        /** What it quotes. */
        reply_to: {
          /** The quoted message, where it is known here. */
          message_id: string | null
          /** The provider's id of the quoted message. */
          provider_message_id: string | null
        } | null
        /** Whether it was forwarded. */
        forwarded: boolean
        /** Whether it was forwarded many times. */
        frequently_forwarded: boolean
      }
    | null
    | undefined
  /** The content: of a send as you sent it, of an inbound message as the provider told it. Lists show it with include=payload. */
  payload?: unknown | undefined
  /** What you attached to it. */
  metadata: Record<string, unknown> | null
  /** Why it failed; more codes may follow. */
  error_code:
    | "no_provider_connection"
    | "provider_connection_unauthorized"
    | "provider_connection_suspended"
    | "upstream_registration_required"
    | "sender_phone_number_unavailable"
    | "service_window_required"
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
  /** The same in a sentence. */
  error_message: string | null
  /** What the provider said when it refused. */
  provider_error: {
    /** Who refused. */
    provider: string
    /** The provider's number of the error. */
    code: number | null
    /** Its finer number. */
    subcode: number | null
    /** The provider's name of the error. */
    title: string | null
    /** The provider's sentence. */
    message: string | null
    /** Status of the provider's answer. */
    http_status: number | null
  } | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** When its content was erased. */
  redacted_at: string | null
  /** When it was given up as unconfirmed: the provider's answer never came. */
  delivery_unconfirmed_at: string | null
  /** Its steps, oldest first. */
  events: Array<{
    /** Id of the step. */
    id: string
    /** Name of the step. New ones may appear. */
    type: string
    /** How far the message has come: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
    status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
    /** ISO 8601 in UTC with milliseconds. */
    occurred_at: string
    /** Why it failed. */
    error_code: string | null
    /** More about this step. */
    details: Record<string, unknown> | null
  }>
}

export type MessageAccepted = {
  /** Id of the message. */
  id: string
  object: "message"
  /** How far the message has come: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
  status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
  /** Why it waits: messaging_limit_pacing while the sender's daily allowance is used up. More reasons may follow. */
  status_reason: string | null
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Id of the template it was made from. */
  template_id: string | null
  /** Id of that template's version. */
  template_version_id: string | null
  /** Number of that version. */
  template_version: number | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

/** What a message.delivered event tells. */
export type MessageDeliveredData = {
  /** Id of the message. */
  message_id: string
  status: "delivered"
  /** The recipient's id. */
  to: string
  /** The sending number in international form; null where it has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** What you attached to the message. */
  metadata: Record<string, unknown> | null
  /** Who sent the message. */
  sender: {
    /** The customer's profile name; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
}

/** The message reached the customer. */
export type MessageDeliveredEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "message.delivered"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: MessageDeliveredData
}

/** What a message.failed event tells. */
export type MessageFailedData = {
  /** Id of the message. */
  message_id: string
  status: "failed"
  /** The recipient's id. */
  to: string
  /** The sending number in international form; null where it has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** What you attached to the message. */
  metadata: Record<string, unknown> | null
  /** Who sent the message. */
  sender: {
    /** The customer's profile name; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
  /** Why it failed; more codes may follow. */
  error_code:
    | "no_provider_connection"
    | "provider_connection_unauthorized"
    | "provider_connection_suspended"
    | "upstream_registration_required"
    | "sender_phone_number_unavailable"
    | "service_window_required"
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
  /** The same in a sentence. */
  error_message: string | null
}

/** The message will not be sent; its error_code says why. */
export type MessageFailedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "message.failed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: MessageFailedData
}

/** What a message.media_transcribed event tells. */
export type MessageMediaTranscribedData = {
  /** Id of the media asset. */
  media_asset_id: string
  /** What was said; null once erasure or retention removed it. */
  text: string | null
  /** The language that was heard. */
  language: string | null
  /** How long it is, in seconds. */
  duration: number | null
  /** The same as `duration`, under its name on the receipt. */
  duration_seconds: number | null
  /** Who wrote it down. */
  provider: string
  /** The provider's model. */
  model: string | null
  /** Who sent the message. */
  sender: {
    /** The customer's profile name; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
}

/** The speech of a voice message was written down. */
export type MessageMediaTranscribedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "message.media_transcribed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: MessageMediaTranscribedData
}

/** What a message.media_transcription_failed event tells. */
export type MessageMediaTranscriptionFailedData = {
  /** Id of the media asset. */
  media_asset_id: string
  error_code: TranscriptionErrorCode
  /** Who sent the message. */
  sender: {
    /** The customer's profile name; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
}

/** The speech of a voice message could not be written down. */
export type MessageMediaTranscriptionFailedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "message.media_transcription_failed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: MessageMediaTranscriptionFailedData
}

/** What a message.read event tells. */
export type MessageReadData = {
  /** Id of the message. */
  message_id: string
  status: "read"
  /** The recipient's id. */
  to: string
  /** The sending number in international form; null where it has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** What you attached to the message. */
  metadata: Record<string, unknown> | null
  /** Who sent the message. */
  sender: {
    /** The customer's profile name; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
}

/** The customer read the message. */
export type MessageReadEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "message.read"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: MessageReadData
}

/** What a message.received event tells. */
export type MessageReceivedData = {
  /** Id of the message. */
  message_id: string
  status: "received"
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel" | (string & {})
  /** Who wrote. */
  sender: {
    /** What the id is, such as phone_e164. */
    type: string
    /** The customer: a phone number or the channel's own id. */
    id: string
    /** The name on the customer's profile. */
    profile_name: string | null
  }
  /** Where it was written to. */
  recipient: {
    /** What the id is, such as chatapp_phone_number. */
    type: string
    /** Id of your number or account. */
    id: string
  }
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** What you attached to the message. */
  metadata: Record<string, unknown> | null
  /** What was written, told apart by type. */
  content: InboundContent
}

/** A customer wrote. */
export type MessageReceivedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "message.received"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: MessageReceivedData
}

/** What a message.sent event tells. */
export type MessageSentData = {
  /** Id of the message. */
  message_id: string
  status: "sent"
  /** The recipient's id. */
  to: string
  /** The sending number in international form; null where it has none. */
  from: string | null
  /** The provider's id of the message. */
  provider_message_id: string | null
  /** What you attached to the message. */
  metadata: Record<string, unknown> | null
  /** Who sent the message. */
  sender: {
    /** The customer's profile name; null on outbound messages and after privacy cleanup. */
    profile_name: string | null
  }
}

/** The provider took the message. */
export type MessageSentEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "message.sent"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: MessageSentData
}

export type NameReview = {
  /** The name that was reviewed. */
  name: string | null
  /** What was decided. */
  decision: "approved" | "declined" | (string & {})
  /** Why, where that was said. */
  reason: string | null
  /** ISO 8601 in UTC with milliseconds. */
  decided_at: string
}

export type NameWarning = {
  /** What reviewers may object to. */
  code:
    | "display_name_generic"
    | "display_name_too_short"
    | "display_name_has_url"
    | "display_name_all_caps"
    | (string & {})
  field: "display_name"
  /** For a person to read. */
  message: string
}

export type NumprovConnection = {
  /** Id of the number-provider connection. */
  id: string
  object: "numprov_connection"
  /** connected once the key was proven; failed: register the account anew. */
  status: "pending" | "connected" | "failed" | "disconnected" | (string & {})
  /** What you call it. */
  display_name: string
  /** The account at the provider. */
  account_id: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The end of the key, to tell one from another. */
  credential_last_four: string | null
  /** Whether the provider's calls can be proven. */
  webhook_secret_configured: boolean
  /** What was asked last. */
  latest_operation: NumprovOperation | null
  /** When its numbers were listed last. */
  last_discovered_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Null while it is not over. */
  disconnected_at: string | null
}

export type NumprovManagement = {
  /** Id of the number management enrollment. */
  id: string
  object: "numprov_management"
  /** Whether it is managed here. */
  status: "active" | "suspended" | "ended" | (string & {})
  /** The connected account it was imported from. */
  provider_connection_id: string
  /** The terms that were accepted. */
  terms_version: string
  /** ISO 8601 in UTC with milliseconds. */
  enrolled_at: string
  /** When management ended; null before. */
  ended_at: string | null
  /** Always null: nothing is rented. */
  renewal: null
}

export type NumprovOperation = {
  /** Id of the number-provider operation. */
  id: string
  object: "numprov_operation"
  /** What is asked. */
  kind: "register" | "rotate" | "discovery" | (string & {})
  /** Poll until it is not pending. */
  status: "pending" | "succeeded" | "failed" | (string & {})
  /** Why it failed: the provider does not take the key for this account, could not be reached, or the connection ended. */
  error_code:
    | "numprov_credentials_invalid"
    | "numprov_provider_unavailable"
    | "numprov_connection_unavailable"
    | null
    | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Null while it is pending. */
  completed_at: string | null
}

export type NumprovResource = {
  /** The provider's id of the number. */
  id: string
  object: "numprov_resource"
  /** The same, as an import names it. */
  provider_number_id: string
  /** The number. */
  phone: string
  /** As the provider says. */
  status: "active" | "suspended" | "released" | (string & {})
  /** Whether it takes text messages. */
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
  /** What the customer can do. */
  action: {
    name: "review_and_pay"
    /** The order. */
    parameters: {
      /** Your id of the order. */
      reference_id: string
      type: "digital-goods"
      payment_type: "br"
      /** How it can be paid. */
      payment_settings: ReadonlyArray<{
        type: "pix_dynamic_code"
        /** A dynamic Pix code. */
        pix_dynamic_code: {
          /** The Pix code to copy and paste. */
          code: string
          /** Who is paid. */
          merchant_name: string
          /** The Pix key. */
          key: string
          /** What the key is, such as CNPJ or EVP. */
          key_type: string
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

export type OutboundFlow = {
  /** What is sent; the member of the same name holds it. */
  type: "flow"
  /** A flow for the customer to go through. */
  flow: {
    /** The text. */
    body: {
      /** The text. */
      text: string
    }
    /** What the button opens. */
    action: {
      name: "flow"
      /** Which flow, and how it opens: exactly one of flow_id and flow_name. */
      parameters: {
        /** The published flow's provider_flow_id. */
        flow_id?: string | null | undefined
        /** Name of the published flow, in place of flow_id. */
        flow_name?: string | null | undefined
        /** Yours to recognise the answer by: comes back as submission.provider_token. */
        flow_token: string
        /** Label of the button that opens it. */
        flow_cta: string
        /** published when left out. */
        mode?: "published" | "draft" | null | undefined
        /** navigate when left out. */
        flow_action?: "navigate" | "data_exchange" | null | undefined
        /** Data for the first screen. */
        flow_action_payload?: Record<string, unknown> | null | undefined
      }
    }
  }
}

export type OutboundInteractive = {
  /** What is sent; the member of the same name holds it. */
  type: "interactive"
  interactive: InteractiveContent
}

export type OutboundMedia = {
  /** What is sent; the member of the same name holds it. */
  type: "media"
  /** A file from exactly one source: id, link, asset_id, inline or source. */
  media: {
    /** Sort of file. */
    kind: "image" | "document" | "audio" | "video" | "sticker"
    /** Audio only: shown as a voice note; needs audio/ogg. */
    voice?: boolean | null | undefined
    /** Text under an image, a video or a document. */
    caption?: string | null | undefined
    /** Name shown with a document. */
    filename?: string | null | undefined
    /** The upstream platform's handle of the file, passed on as it is. */
    id?: string | null | undefined
    /** Address this service fetches the file from. */
    link?: string | null | undefined
    /** Id of a file of your media library. */
    asset_id?: string | null | undefined
    /** The file itself, for small ones. */
    inline?:
      | {
          /** Media type of the bytes. */
          mime_type: string
          /** The bytes in base64 with padding, at most 5 MiB of them. */
          data_base64: string
          /** Name of the file. */
          filename?: string | null | undefined
        }
      | null
      | undefined
    /** Speech that is made of a text before the message is sent. */
    source?:
      | {
          type: "tts"
          /** Who speaks. */
          provider: "speechprov1" | "speechprov2" | "speechprov3"
          /** What is spoken, word for word. */
          text: string
          /** The provider's name of the voice. */
          voice: string
          /** Language of the text. */
          language: string
        }
      | null
      | undefined
  }
}

export type OutboundReaction = {
  /** What is sent; the member of the same name holds it. */
  type: "reaction"
  /** A reaction to a customer's message of the last 30 days. */
  reaction: {
    /** Id of the customer's message. */
    message_id: string
    /** One emoji; empty takes the reaction back. */
    emoji: string
  }
}

export type OutboundTemplate = {
  /** What is sent; the member of the same name holds it. */
  type: "template"
  /** An approved template with its values. It needs no open service window. */
  template: {
    /** Name of an approved template. */
    name: string
    /** Its language as a string code. */
    language: string
    /** Values of the body: under "1", "2" and so on for POSITIONAL variables, under their names for NAMED ones. An empty one is a mismatch. */
    variables?: Record<string, string> | null | undefined
    /** Values of a text header and of buttons with a variable address. */
    components?:
      | ReadonlyArray<{
          /** What the values are for. */
          type: "header" | "button"
          /** The sort of button; only url takes values. */
          sub_type?: "url" | null | undefined
          index?: ButtonIndex | null | undefined
          /** The values, in the order of the variables. */
          parameters: ReadonlyArray<{
            type: "text"
            /** Name of the header's variable; only a template with NAMED variables has one. */
            parameter_name?: string | null | undefined
            /** The value, 1 to 1024 characters; an empty one is a mismatch. */
            text: string
          }>
        }>
      | null
      | undefined
    /** The file of a template with a media header: exactly one of asset_id, link and id. */
    header_media?:
      | {
          /** Sort of file. */
          kind: "image" | "video" | "document"
          /** Id of a file of your media library. */
          asset_id?: string | null | undefined
          /** Address the file is fetched from. */
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
  /** What is sent; the member of the same name holds it. */
  type: "text"
  /** Free text; the customer must have written within the last 24 hours. */
  text: {
    /** The text, 1 to 4096 characters. */
    body: string
    /** Whether the first link is shown with a preview. */
    preview_url?: boolean | null | undefined
  }
}

export type PackageOffering = {
  /** Its code. */
  id: string
  object: "package_offering"
  /** Its code. */
  code: string
  /** Its name. */
  display_name: string
  /** What it costs, and the credit it brings. */
  price_brl: string
  /** Messages it gives at its price. */
  quota_messages: number
  /** What each of them costs then. */
  unit_price_brl: string
  currency: "brl"
}

export type PackagesPage = {
  object: "list"
  /** The rows of this page. */
  data: Array<ListedCreditTopup>
  /** Whether another page follows. */
  has_more: boolean
  /** Where the next page starts; null on the last. */
  next_cursor: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** Every package that may be bought, on each page. */
  available_packages: Array<PackageOffering>
}

/** What a payment.approval_available event tells. */
export type PaymentApprovalAvailableData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** The same as id. */
  payment_request_id: string
  status: "link_generated"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to the payment. */
  metadata: unknown
  /** Where the payer pays; null while there is none. */
  payment_link_url: string
  /** Who collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name of its event. */
  provider_event_type?: string | undefined
  /** What moved the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Why it failed; more codes may follow. */
  error_code?: string | undefined
  /** The same in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route moved it. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox pay page moved it. */
  sandbox_pay_page?: boolean | undefined
}

/** The link of a payment is ready to be sent. */
export type PaymentApprovalAvailableEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "payment.approval_available"
  /** When the event was made. */
  created_at: string
  /** When it happened. */
  occurred_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: PaymentApprovalAvailableData
}

/** What a payment.cancelled event tells. */
export type PaymentCancelledData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** The same as id. */
  payment_request_id: string
  status: "cancelled"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to the payment. */
  metadata: unknown
  /** Where the payer pays; null while there is none. */
  payment_link_url: string | null
  /** Who collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name of its event. */
  provider_event_type?: string | undefined
  /** What moved the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Why it failed; more codes may follow. */
  error_code?: string | undefined
  /** The same in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route moved it. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox pay page moved it. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment was cancelled. */
export type PaymentCancelledEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "payment.cancelled"
  /** When the event was made. */
  created_at: string
  /** When it happened. */
  occurred_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: PaymentCancelledData
}

/** What a payment.created event tells. */
export type PaymentCreatedData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** The same as id. */
  payment_request_id: string
  status: "link_pending"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to the payment. */
  metadata: unknown
  /** Where the payer pays; null while there is none. */
  payment_link_url: null
  /** Who collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name of its event. */
  provider_event_type?: string | undefined
  /** What moved the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Why it failed; more codes may follow. */
  error_code?: string | undefined
  /** The same in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route moved it. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox pay page moved it. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment was accepted; its link is not made yet. */
export type PaymentCreatedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "payment.created"
  /** When the event was made. */
  created_at: string
  /** When it happened. */
  occurred_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: PaymentCreatedData
}

/** What a payment.expired event tells. */
export type PaymentExpiredData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** The same as id. */
  payment_request_id: string
  status: "expired"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to the payment. */
  metadata: unknown
  /** Where the payer pays; null while there is none. */
  payment_link_url: string | null
  /** Who collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name of its event. */
  provider_event_type?: string | undefined
  /** What moved the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Why it failed; more codes may follow. */
  error_code?: string | undefined
  /** The same in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route moved it. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox pay page moved it. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment was not paid in time. */
export type PaymentExpiredEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "payment.expired"
  /** When the event was made. */
  created_at: string
  /** When it happened. */
  occurred_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: PaymentExpiredData
}

/** What a payment.failed event tells. */
export type PaymentFailedData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** The same as id. */
  payment_request_id: string
  status: "failed"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to the payment. */
  metadata: unknown
  /** Where the payer pays; null while there is none. */
  payment_link_url: string | null
  /** Who collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name of its event. */
  provider_event_type?: string | undefined
  /** What moved the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Why it failed; more codes may follow. */
  error_code?: string | undefined
  /** The same in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route moved it. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox pay page moved it. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment failed. */
export type PaymentFailedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "payment.failed"
  /** When the event was made. */
  created_at: string
  /** When it happened. */
  occurred_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: PaymentFailedData
}

/** What the payment costs; null where no fee is owed. */
export type PaymentFees = {
  /** True in the sandbox: recorded, and never charged. */
  simulated: boolean
  /** The pricing version the fees were computed from. */
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
    /** held until the outcome; settled once it is charged; released once it is returned; unresolved while it is held beyond a final status or a day. */
    state: "held" | "settled" | "released" | "unresolved" | (string & {})
    /** Id of the reservation. */
    reservation_id: string
  }
}

/** What a payment.link_generated event tells. */
export type PaymentLinkGeneratedData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** The same as id. */
  payment_request_id: string
  status: "link_generated"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to the payment. */
  metadata: unknown
  /** Where the payer pays; null while there is none. */
  payment_link_url: string
  /** Who collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name of its event. */
  provider_event_type?: string | undefined
  /** What moved the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Why it failed; more codes may follow. */
  error_code?: string | undefined
  /** The same in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route moved it. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox pay page moved it. */
  sandbox_pay_page?: boolean | undefined
}

/** Another name of payment.approval_available; both are raised together. */
export type PaymentLinkGeneratedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "payment.link_generated"
  /** When the event was made. */
  created_at: string
  /** When it happened. */
  occurred_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** Its last four digits. */
  last4: string | null
  /** Month it expires in, 1 to 12. */
  exp_month: number | null
  /** Year it expires in. */
  exp_year: number | null
  /** Whether it pays where no other card is named; one at most. */
  is_default: boolean
  /** A deleted card is kept and pays nothing. */
  status: "active" | "deleted" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type PaymentMethodList = {
  object: "list"
  /** The default first, then the newest. */
  data: Array<ListedPaymentMethod>
  has_more: false
  /** Always null: one page holds all. */
  next_cursor: null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type PaymentMethodSetupIntent = {
  /** Id of the setup intent at the card processor. */
  id: string
  object: "billing_payment_method_setup_intent"
  /** Who you are at the card processor. */
  cardproc_customer_id: string
  /** Id of the setup intent at the card processor. */
  cardproc_setup_intent_id: string
  /** For the card processor's form in the browser alone; keep it nowhere. */
  cardproc_client_secret: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

/** What a payment.paid event tells. */
export type PaymentPaidData = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** The same as id. */
  payment_request_id: string
  status: "paid"
  /** BRL, a decimal string with four places */
  amount_brl: string | null
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to the payment. */
  metadata: unknown
  /** Where the payer pays; null while there is none. */
  payment_link_url: string | null
  /** Who collects the payment. */
  provider: string | null
  /** The provider's id of the payment. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** The provider's id of its event. */
  provider_event_id?: string | null | undefined
  /** The provider's name of its event. */
  provider_event_type?: string | undefined
  /** What moved the payment. */
  operation?: "create" | "link" | "cancel" | "provider_outcome" | "sandbox_status" | (string & {}) | undefined
  /** Why it failed; more codes may follow. */
  error_code?: string | undefined
  /** The same in a sentence. */
  error_message?: string | undefined
  /** True when the sandbox status route moved it. */
  sandbox_simulator?: boolean | undefined
  /** True when the sandbox pay page moved it. */
  sandbox_pay_page?: boolean | undefined
}

/** A payment was paid. */
export type PaymentPaidEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "payment.paid"
  /** When the event was made. */
  created_at: string
  /** When it happened. */
  occurred_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: PaymentPaidData
}

export type PaymentRequest = {
  /** Id of the payment request. */
  id: string
  object: "payment_request"
  /** Where the payment stands; paid, failed, expired and cancelled are final. */
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
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** BRL, a decimal string with four places */
  amount_brl: string
  currency: "BRL"
  /** What is paid for, as the payer reads it. */
  description: string | null
  /** Name of the payer. */
  customer_name: string | null
  /** Tax number of the payer. */
  customer_tax_id: string | null
  /** Phone number of the payer. */
  customer_phone: string | null
  /** Address of the payer. */
  customer_email: string | null
  /** Your own reference. */
  external_reference: string | null
  /** What you attached to it. */
  metadata: Record<string, unknown> | null
  /** Where the payer pays; null until the link is made. */
  payment_link_url: string | null
  /** The Pix code, to be pasted into a bank's app. */
  pix_copy_paste: string | null
  /** The same code as a picture: a PNG in base64. */
  pix_qr_code_base64: string | null
  /** Who collects the payment. */
  provider: "pixprov1" | "pixprov2" | (string & {})
  /** The connection it goes through. */
  provider_connection_id: string | null
  /** The provider's id of it. */
  provider_payment_id: string | null
  /** The provider's id of the approval. */
  provider_approval_id: string | null
  /** What else is known of it; members may change. */
  provider_metadata: Record<string, unknown> | null
  /** Trace of the request that created it. */
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
  /** Its display name. */
  display_name: string | null
  /** The kind of its environment. */
  environment: "sandbox" | "production" | (string & {})
  /** plan: a Standard or Growth plan covers the month, also the one in which it ends. prepaid: the fee of the month was charged. none: neither; the number sends nothing. */
  coverage: "plan" | "prepaid" | "none" | (string & {})
  /** The 1st from which on it is not covered unless a plan or a fee does; null without coverage. */
  covered_until: string | null
  /** The next scheduled charge: 00:05 UTC on a 1st; null when nothing is scheduled. */
  next_charge_at: string | null
  /** One full fee, never prorated; 0.0000 in sandbox, null when nothing is scheduled. */
  next_charge_brl: string | null
  currency: "brl"
  /** Of the present UTC month. unpaid: its fee left the balance below zero, and it has not been back at zero since. */
  current_month_payment_status: "paid" | "unpaid" | "not_charged" | (string & {})
  /** disabled_unpaid_month_end: until the month ends. funding_required: the balance did not allow for the fee on the 1st; with credit for one fee, the next 1st puts the number back. */
  service_state: "serving" | "disabled_unpaid_month_end" | "funding_required" | "not_serving" | (string & {})
  /** On the free plan, when an unpaid month disables the number: 12:00 UTC on the last UTC day. */
  disable_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  evaluated_at: string
}

/** All numbers of the environment together. */
export type PhoneManagementSummary = {
  /** Numbers with a scheduled charge. */
  retained_count: number
  /** Their fees together, whenever they are due. */
  monthly_total_brl: string
  /** The next scheduled charge: 00:05 UTC on a 1st; null when nothing is scheduled. */
  next_charge_at: string | null
  /** The fees due at that instant together; null when nothing is scheduled. */
  next_charge_brl: string | null
  currency: "brl"
}

export type PhoneNumber = {
  /** Id of the phone number. */
  id: string
  object: "phone_number"
  /** numprov: rented here. byon: brought by you. */
  source: "numprov" | "byon" | (string & {})
  /** Only an active number sends. */
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
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The name it was asked for under. */
  display_name: string | null
  /** Its area code in Brazil. */
  ddd: string | null
  /** In international form; null before it is known. */
  phone: string | null
  /** Its id at the number provider, where it is rented from one. */
  provider_number_id: string | null
  /** Its id at the chat platform. */
  upstream_phone_number_id: string | null
  /** The business account of the chat platform that it belongs to. */
  biz_account_id: string | null
  /** How an imported number is managed; null for every other. */
  numprov_management: NumprovManagement | null
  /** How customers take its messages. */
  quality_rating: "green" | "yellow" | "red" | "unknown" | (string & {})
  /** How many new recipients it may write to in 24 hours. */
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
  /** The same in the platform's own word. */
  messaging_limit_tier: string | null
  /** How fast the platform lets it send. */
  upstream_throughput_tier: "1" | "2" | "3" | "4" | "unlimited" | null | (string & {})
  /** Its quality in the platform's own word. */
  upstream_quality_rating: string | null
  /** The name the platform has verified, as last read. */
  verified_name: string | null
  /** The name under review; null when none is. */
  pending_name_review: PendingNameReview | null
  /** The latest decision on a name; null before the first. */
  name_review: NameReview | null
  /** When the platform was last asked about it with success; null for never. */
  upstream_health_synced_at: string | null
  /** New recipients of the last 24 hours. */
  current_24h_unique_recipients: number
  /** New recipients it may still write to before sends wait; null when nothing can be said, never zero. */
  remaining_messaging_allowance_estimate: number | null
  /** The code that came last, for ten minutes. */
  verification_code: string | null
  /** When it came. */
  verification_code_received_at: string | null
  /** What a month of it costs; null for one you brought. */
  monthly_fee_brl: string | null
  /** Why it failed. */
  error_code: string | null
  /** The same for a person to read. */
  error_message: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** When it became active first. */
  activated_at: string | null
  /** When it was released. */
  released_at: string | null
  /** The last ten, newest first; empty in lists. */
  recent_messages: Array<RecentMessage>
  /** Remarks on its display name. */
  warnings: Array<NameWarning>
  /** What this month costs; null where nothing is rented, and in a sandbox. */
  renewal: PhoneRenewal | null
}

export type PhoneNumberOrderFailure = {
  /** Why nothing came of it. */
  code:
    | "phone_number_order_declined"
    | "phone_number_order_expired"
    | "phone_number_order_terms_changed"
    | (string & {})
  /** For a person to read. */
  message: string
}

export type PhoneNumberOrderPreview = {
  /** What is reserved at approval and charged at delivery. */
  amount_brl: string
  /** What every later month costs. */
  monthly_fee_brl: string
  currency: "brl"
  /** When the first month is charged at the earliest; null in sandbox. */
  first_charge_at: string | null
  /** When the next month is charged: 00:05 UTC on the 1st; null in sandbox. */
  next_charge_at: string | null
  /** The terms of the rental. */
  terms_version: string
  /** Whether nothing is charged. */
  free: boolean
}

export type PhoneRecipient = {
  /** What the id is: a phone number on chatapp, a user of socialapp, or a chatapp_channel. */
  type: "phone_e164"
  /** The phone number in international form, or the channel's own id of 1 to 255 characters. */
  id?: string | null | undefined
  /** Calling code of a phone number written in two parts, in place of id. */
  country_calling_code?: string | null | undefined
  /** The rest of a phone number written in two parts. */
  national_number?: string | null | undefined
}

export type PhoneRegion = {
  /** The area code. */
  id: string
  object: "phone_region"
  /** The area code. */
  ddd: string
  /** The state it lies in. */
  state: string
  /** Whether a number can be ordered there. */
  available: boolean
  /** What a month costs; 0.0000 in sandbox, null while no price is in effect. */
  monthly_fee_brl: string | null
}

export type PhoneRenewal = {
  /** at_risk: this month was charged and is not covered by the balance. upcoming: all is paid. */
  state: "at_risk" | "upcoming" | "release_pending" | "released" | (string & {})
  /** insufficient_credit while at_risk. */
  reason_codes: Array<string>
  /** When the next month is charged: 00:05 UTC on the 1st. */
  next_renewal_at: string | null
  /** Until when an unpaid month has to be paid; on the free plan alone. */
  release_cutoff_at: string | null
  /** Whether an unpaid month ends in the number's release; no paid plan does that. */
  automatic_release_enabled: boolean
  /** What this month was charged; null without a charge. */
  amount_brl: string | null
  currency: "brl"
  /** What to do now. */
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
  /** As the number itself shows it. */
  renewal: PhoneRenewal | null
}

export type PixCheckout = {
  /** Id of the charge at the payment provider. */
  pixprov2_charge_id: string
  /** BRL, a decimal string with four places */
  amount_brl: string
  /** The code to paste into a bank's app. */
  pix_copy_paste: string | null
  /** The same as a PNG, in base64. */
  pix_qr_code_base64: string | null
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
}

export type PlanOffering = {
  /** Id of a plan of the catalog. */
  id: string
  object: "plan_offering"
  /** Its short name. */
  code: string
  /** Its name for people. */
  display_name: string
  /** Charged each month by card. */
  monthly_fee_brl: string
  /** Charged each year by Pix. */
  annual_fee_brl: string
  currency: "brl"
  /** How it may be paid. */
  billing_rails: Array<"cardproc_card" | "pix_annual" | (string & {})>
  /** How many messages a second each number may send: 10, 40 or 80. */
  throughput_tier: "starter" | "growth" | "scale" | (string & {})
  /** Phone numbers at most; null for any number of them. */
  max_phones: number | null
  /** What prices with multiplier_applies are multiplied by. */
  platform_fee_multiplier: string
  /** What a utility message costs under the plan. */
  net_transport_rate_brl: string
  /** Whether numbers of a number-provider account of your own may be imported. */
  numprov_byok_enabled: boolean
}

export type PreflightCheck = {
  /** What was looked at. New checks may appear. */
  code: string
  /** How it went. */
  status: "pass" | "warn" | "fail" | "skipped" | (string & {})
  /** The outcome in a sentence. */
  message: string
}

export type Project = {
  /** Id of the project. */
  id: string
  object: "project"
  /** What people call it. */
  name: string
  /** Its short name, unique in the organization. */
  slug: string
  /** The language new templates start in. */
  default_language: "pt_BR" | "en_US" | "es_ES" | (string & {})
  /** The business profile; may be empty. */
  profile: Record<string, unknown>
  /** Null while it is in use. */
  archived_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** The sandbox, then the production environment. */
  environments: Array<Environment>
}

export type ProviderConnection = {
  /** Id of the provider connection. */
  id: string
  object: "provider_connection"
  /** Who the account is at. */
  provider: "upstream" | "pixprov1" | "pixprov2" | (string & {})
  /** What the account is used for. */
  channel: "chatapp" | "socialapp" | "payments" | "agentic_payments" | (string & {})
  /** pending: complete it; connected: in use; suspended: the platform locked or banned the account; disconnected: over. */
  status: "pending" | "connected" | "suspended" | "disconnected" | (string & {})
  /** What you call it. */
  display_name: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The business account at the chat platform. */
  biz_account_id: string | null
  /** The platform's id of the number that was named with it. */
  phone_number_id: string | null
  /** That number as the platform writes it. */
  display_phone_number: string | null
  /** The business account of the social channel. */
  social_business_account_id: string | null
  /** The page of the social channel. */
  page_id: string | null
  /** The account at a provider of payments, where it names one. */
  provider_account_id: string | null
  /** Who payments go to. */
  payment_receiver: {
    /** The name that payers read. */
    merchant_name: string | null
    /** The Pix key. */
    key: string | null
    /** What kind of key it is. */
    key_type: string | null
  } | null
  /** What the account can collect. */
  payment_capabilities: {
    /** Pix charges. */
    pix: boolean
    /** A page of the provider for the customer. */
    hosted_checkout: boolean
  } | null
  /** What of agentic payments it can do. */
  agentic_capabilities: {
    /** Banks can be listed. */
    banks: boolean
    /** Customers can authorize payments. */
    authorizations: boolean
    /** Authorized payments can be made. */
    payments: boolean
  } | null
  /** The participant of agentic payments. */
  default_participant_id: string | null
  /** The agent of agentic payments. */
  agent_id: string | null
  /** Where agentic payments are called, if not at the provider's own. */
  agentic_api_base_url: string | null
  /** Whether the provider's calls about the account can be proven. */
  webhook_secret_configured: boolean
  /** Why it is suspended, such as account_locked or account_banned. */
  suspension_reason: string | null
  /** The last warning of the platform. */
  last_policy_warning_type: string | null
  /** When it came; cooldowns of marketing count from it. */
  last_policy_warning_at: string | null
  /** The worst of its accounts. Null means that nothing trusted was observed, never that it may send. */
  send_capability: "available" | "blocked" | null | (string & {})
  /** Why it is blocked, in the order of remedies. */
  send_block_codes: Array<"141006" | "141008" | "141011" | (string & {})> | null
  /** When that was observed. */
  send_capability_observed_at: string | null
  /** One entry an account that the token reaches: a number sends by the entry of its own account. */
  biz_account_send_capabilities: Array<BizAccountSendCapability>
  /** When the account was banned. */
  biz_account_ban_date: string | null
  /** The platform's word for the state of a ban. */
  biz_account_ban_state: string | null
  /** The platform's word for its review of the account. */
  account_review_status: string | null
  /** What the platform restricts for now. */
  restrictions: Array<{
    /** The platform's word for it. */
    type: string
    /** When it ends, where the platform says so. */
    expires_at: string | null
  }> | null
  /** The end of the credential, to tell one from another. */
  credential_last_four: string | null
  /** How the token came here. */
  token_source: "manual" | "embedded_signup" | null | (string & {})
  /** When the token ends; null for one that does not. */
  token_expires_at: string | null
  /** When it was last proven good at the platform. */
  token_refreshed_at: string | null
  /** When another one took its place. */
  token_rotated_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Null while it is not disconnected. */
  disconnected_at: string | null
}

export type ProviderConnectionStatus = {
  object: "provider_connection_status"
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** By channel. */
  channels: {
    /** Chat by numbers of an account. */
    chatapp: ChannelStatus
    /** The social channel. */
    socialapp: ChannelStatus
    /** Payment requests. */
    payments: ChannelStatus
    /** Payments an agent makes. */
    agentic_payments: ChannelStatus
  }
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type ProviderCredentialSetupSession = {
  /** Id of the credential setup session. */
  id: string
  object: "provider_credential_setup_session"
  /** Whose credentials are asked for, and what they are used for. */
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
  /** Poll until it is no longer pending; go on only when it is completed. */
  status: "pending" | "completed" | "denied" | "expired" | (string & {})
  /** Where an owner or admin enters the credentials. Shown by the create route and its replay only. */
  url: string | null
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The connection it made. */
  provider_connection_id: string | null
  /** Who transcribes with the key. */
  completed_stt_provider: string | null
  /** owner or admin. */
  completed_by_role: string | null
  /** Null before it is completed. */
  completed_at: string | null
  /** Null unless it was denied. */
  denied_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type ProvisionPhoneNumber = {
  /** Area code of Brazil, two digits. */
  ddd: string
  /** The name customers will see, 1 to 255 characters after trimming. */
  display_name?: string | null | undefined
}

export type PurchasePackage = {
  /** Code of the package. */
  package_code: string
  /** Only card. */
  payment_method?: "card" | null | undefined
  /** A saved card; the default card when left out. */
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
  /** The first instant it is not in effect; null when open. */
  effective_to: string | null
  /** All its prices, by meter. */
  entries: Array<RateCardEntry>
}

export type RateCardEntry = {
  /** Id of the entry. */
  id: string
  object: "rate_card_entry"
  /** What is counted. */
  meter_id: string
  /** The same for people. */
  display_name: string
  /** One of what it prices. */
  unit: "message" | "payment" | "phone_month" | (string & {})
  /** A price a unit, or a share of the amount. */
  pricing: "per_unit" | "percentage" | (string & {})
  /** The price of one unit. */
  unit_price_brl: string | null
  /** The share as a fraction: 0.01 is 1%. */
  rate: string | null
  /** Whether the plan's multiplier lowers it. */
  multiplier_applies: boolean
}

export type RecentMessage = {
  /** Id of the message. */
  id: string
  /** outbound: you sent it. inbound: a customer sent it. */
  direction: "inbound" | "outbound" | (string & {})
  /** What the message is. unsupported and unknown are inbound only. */
  type: "text" | "template" | "media" | "interactive" | "flow" | "reaction" | "unsupported" | "unknown" | (string & {})
  /** How far the message has come: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
  status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
}

export type RegisterNumprov = {
  /** What you call it. */
  display_name: string
  /** The account at the provider. */
  account_id: string
  /** Your key at the provider; it is stored sealed. */
  api_key: string
  /** What signs the provider's calls about your account. */
  webhook_secret?: string | null | undefined
}

export type RegisterUpstream = {
  /** What it is used for; chatapp when left out. */
  channel?: "chatapp" | "socialapp" | null | undefined
  /** What you call it, 1 to 255 characters. */
  display_name: string
  /** The business account at the chat platform. */
  biz_account_id?: string | null | undefined
  /** The platform's id of the number. */
  phone_number_id?: string | null | undefined
  /** The business account of the social channel. */
  social_business_account_id?: string | null | undefined
  /** The page of the social channel. */
  page_id?: string | null | undefined
  /** A token that our app minted; it is stored sealed. */
  access_token: string
  /** Where the token came from; manual unless said. */
  token_source?: "manual" | "embedded_signup" | null | undefined
  /** When the token ends, if it does. */
  token_expires_at?: string | null | undefined
}

export type ReleasePhoneNumber = {
  /** Why, at most 500 characters. */
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
  /** Status of the answer. */
  status: number
  /** error.code of the answer; null for a success. */
  code: string | null
  /** From the request's head to its answer, in milliseconds. */
  duration_ms: number
  /** Id of the key that called. */
  api_key_id: string
  /** Address that the request came from. */
  source_address: string
  /** Whether a stored answer was sent again. */
  replayed: boolean
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** Status of the answer. */
  status: number
  /** error.code of the answer; null for a success. */
  code: string | null
  /** From the request's head to its answer, in milliseconds. */
  duration_ms: number
  /** Id of the key that called. */
  api_key_id: string
  /** Address that the request came from. */
  source_address: string
  /** Whether a stored answer was sent again. */
  replayed: boolean
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** kept: path, query and bodies without secrets. masked: their texts are left out as well, since they name no customer, or too many, under whom an erasure would find them. erased: nothing is left of them. */
  details: "kept" | "masked" | "erased" | (string & {})
  /** The path as sent; null once erased. */
  path: string | null
  /** The query as sent; null for none. */
  query: string | null
  /** The idempotency key sent; null for none. */
  idempotency_key: string | null
  /** The JSON body; null for none, and for one over 16 KB. Secrets, codes and media read [REDACTED]. */
  request_body: unknown
  /** The JSON answer of a write or a refusal; null for that of a successful read, and over 16 KB. */
  response_body: unknown
}

export type RequestPaymentApproval = {
  /** What the approver reads, 1 to 500 characters. */
  note?: string | null | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type RevokeAgenticAuthorization = Record<string, unknown>

export type RotateNumprov = {
  /** Your key at the provider; it is stored sealed. */
  api_key: string
  /** What signs the provider's calls about your account. */
  webhook_secret?: string | null | undefined
}

export type RotateToken = {
  /** A token that our app minted; it is stored sealed. */
  access_token: string
  /** When the token ends, if it does. */
  token_expires_at?: string | null | undefined
}

export type SandboxClock = {
  object: "sandbox_clock"
  /** The time of this sandbox. */
  now: string
  /** The time of every other environment. */
  real_now: string
  /** By how many seconds the sandbox is ahead of real time; negative after its clock stood for a while. */
  lead_seconds: number
  /** True while the clock stands. */
  frozen: boolean
  /** Id of the advance under way. */
  advance_id: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type SandboxClockAdvance = {
  /** Id of the sandbox clock advance. */
  id: string
  object: "sandbox_clock_advance"
  /** settled once everything due on the way has run; stopped when it ended early, as error tells. */
  status: "running" | "settled" | "stopped" | (string & {})
  /** The sandbox's time when it began. */
  from: string
  /** The sandbox's time at its end. */
  to: string
  /** The sandbox's time up to which everything due has run. */
  reached: string
  /** Due instants that the clock stopped at so far. */
  steps: number
  /** The next due instant, on the way or behind its end. */
  next_due_at: string | null
  /** Why the advance stopped early; another advance goes on from there. */
  error: {
    /** Why it stopped. */
    code: "too_many_steps" | "step_not_settled" | (string & {})
    /** The reason and the next thing to do, for a person. */
    message: string
  } | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** The sandbox's time when everything due had run. */
  settled_at: string | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type SandboxQuickstart = {
  object: "sandbox_quickstart"
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** The calling key. */
  api_key: {
    /** Id of the key. */
    id: string
    /** What people call it. */
    name: string
    /** How its secret begins. */
    key_prefix: string
    /** What it may do. */
    scopes: Array<KeyScope>
  }
  /** The number to send from. */
  sender: {
    /** Send it as sender.id; null while the sandbox has no number. */
    phone_number_id: string | null
    /** The number itself, which nobody owns. */
    phone: string | null
    /** The name customers see. */
    display_name: string | null
    type: "chatapp_phone_number"
    /** active when it can send. */
    status: string | null
  }
  /** How to hear of events. */
  webhooks: {
    /** Endpoints registered in this sandbox. */
    endpoint_count: number
    /** Where events can be read without an endpoint. */
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
      /** Its category, such as marketing. */
      category: string
      /** approved when it can be sent. */
      status: string
    }>
  }
  /** What this sandbox can play. */
  capabilities: {
    /** Channels that are simulated. */
    channels: Array<string>
    /** Types that POST /v1/sandbox/inbound-messages takes. */
    inbound_types: Array<string>
    /** Outcomes that a send can ask for. */
    scenarios: Array<string>
    /** Failures of a language model that can be asked for. */
    llm_failure: Array<string>
  }
  /** Scopes that the first steps need and the calling key lacks. */
  missing_scopes: Array<KeyScope>
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type SavePaymentMethod = {
  /** Id of the collected card at the card processor. In sandbox sbpm_ok, sbpm_declined or sbpm_authentication. */
  cardproc_payment_method_id: string
  /** Whether it becomes the default; the first card does in any case. */
  set_default?: boolean | null | undefined
}

export type SendMessage = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** Who sends. */
  sender: {
    /** A phone number of yours on chatapp and chatapp_channel, a connected account on socialapp. */
    type: "chatapp_phone_number" | "social_account"
    /** Id of the number or account that sends. GET /v1/sandbox/quickstart tells the one of a sandbox. */
    id: string
  }
  /** Who receives. */
  recipient: PhoneRecipient | SocialRecipient | ChannelRecipient
  /** What is sent. */
  message: OutboundText | OutboundTemplate | OutboundMedia | OutboundInteractive | OutboundFlow | OutboundReaction
  /** The message to quote. */
  reply_to?:
    | {
        /** Id of a message of the same conversation. */
        message_id: string
      }
    | null
    | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type SetAutoTopup = {
  /** Whether the account tops itself up. */
  enabled: boolean
  /** A top-up starts when the balance falls to it or below, 0.00 to 100000.00. */
  threshold_brl: string
  /** How much is charged then, 20.00 to 10000.00. */
  amount_brl: string
  /** The card to charge; the default card when left out. */
  payment_method_id?: string | null | undefined
}

export type SetSandboxPaymentStatus = {
  /** What the payment comes to. */
  status: "paid" | "failed" | "expired" | "cancelled"
  /** The id its event tells; one is made up when left out. */
  provider_event_id?: string | null | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
}

export type SetTemplateStatus = {
  /** What becomes of it. */
  status: "rejected" | "paused" | "disabled"
  /** Why, 1 to 500 characters; required with rejected. */
  rejection_reason?: string | null | undefined
}

export type SimulateFlow = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** The customer: a phone number on chatapp, the channel's own id elsewhere. */
  from: string
  /** Id of the sandbox number that receives; GET /v1/sandbox/quickstart tells it. */
  to: string
  /** What the customer sends; the member of the same name holds it. */
  type: "flow"
  /** The flow the customer completed. */
  flow: {
    /** Name of the flow. */
    name?: string | null | undefined
    /** What the customer filled in. */
    response: Record<string, unknown>
    /** The token the flow was sent with. */
    flow_token?: string | null | undefined
  }
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The name on the customer's profile. */
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
  /** The customer: a phone number on chatapp, the channel's own id elsewhere. */
  from: string
  /** Id of the sandbox number that receives; GET /v1/sandbox/quickstart tells it. */
  to: string
  /** What the customer sends; the member of the same name holds it. */
  type: "interactive"
  /** The tap that is simulated. */
  interactive: SimulatedButtonReply | SimulatedListReply
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The name on the customer's profile. */
  profile_name?: string | null | undefined
}

export type SimulateMedia = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** The customer: a phone number on chatapp, the channel's own id elsewhere. */
  from: string
  /** Id of the sandbox number that receives; GET /v1/sandbox/quickstart tells it. */
  to: string
  /** What the customer sends; the member of the same name holds it. */
  type: "media"
  /** The file that the customer sends. */
  media: {
    /** Sort of file. */
    kind: "image" | "document" | "audio" | "video" | "sticker"
    /** Media type; the usual one of its kind if left out. */
    mime_type?: string | null | undefined
    /** Name of the file. */
    filename?: string | null | undefined
    /** Text under the file; the payload shows it. */
    caption?: string | null | undefined
    /** Audio only: true for a voice note. */
    voice?: boolean | null | undefined
    /** Id of a file of your media library whose bytes the customer sends. */
    asset_id?: string | null | undefined
  }
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The name on the customer's profile. */
  profile_name?: string | null | undefined
}

export type SimulateReaction = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** The customer: a phone number on chatapp, the channel's own id elsewhere. */
  from: string
  /** Id of the sandbox number that receives; GET /v1/sandbox/quickstart tells it. */
  to: string
  /** What the customer sends; the member of the same name holds it. */
  type: "reaction"
  /** The reaction. */
  reaction: {
    /** Id of the message that is reacted to. */
    message_id: string
    /** One emoji; empty takes the reaction back. */
    emoji: string
  }
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The name on the customer's profile. */
  profile_name?: string | null | undefined
}

export type SimulateText = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** The customer: a phone number on chatapp, the channel's own id elsewhere. */
  from: string
  /** Id of the sandbox number that receives; GET /v1/sandbox/quickstart tells it. */
  to: string
  /** What the customer sends; the member of the same name holds it. */
  type: "text"
  /** What the customer writes. */
  text: {
    /** The text, 1 to 4096 characters. */
    body: string
  }
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The name on the customer's profile. */
  profile_name?: string | null | undefined
}

export type SimulateUnknown = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** The customer: a phone number on chatapp, the channel's own id elsewhere. */
  from: string
  /** Id of the sandbox number that receives; GET /v1/sandbox/quickstart tells it. */
  to: string
  /** What the customer sends; the member of the same name holds it. */
  type: "unknown"
  /** What is not understood here. */
  unknown?:
    | {
        /** The provider's name of the type. */
        provider_type?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The name on the customer's profile. */
  profile_name?: string | null | undefined
}

export type SimulateUnsupported = {
  /** The channel a message travels on. */
  channel: "chatapp" | "socialapp" | "chatapp_channel"
  /** The customer: a phone number on chatapp, the channel's own id elsewhere. */
  from: string
  /** Id of the sandbox number that receives; GET /v1/sandbox/quickstart tells it. */
  to: string
  /** What the customer sends; the member of the same name holds it. */
  type: "unsupported"
  /** What the provider would not deliver. */
  unsupported?:
    | {
        /** The provider's name of the type. */
        provider_type?: string | null | undefined
      }
    | null
    | undefined
  /** Your own data, kept with the message and sent back in its events: at most 50 keys of 1 to 64 characters, 16 KiB as JSON. */
  metadata?: Record<string, unknown> | null | undefined
  /** The name on the customer's profile. */
  profile_name?: string | null | undefined
}

export type SimulatedButtonReply = {
  /** What the customer tapped. */
  type: "button_reply"
  /** The button that is tapped. */
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
  /** What the message is. unsupported and unknown are inbound only. */
  type: "text" | "template" | "media" | "interactive" | "flow" | "reaction" | "unsupported" | "unknown" | (string & {})
  status: "received"
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Who sent it. */
  sender: {
    /** What the id is: chatapp_phone_number, phone_e164, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number or account; of a customer the phone number or the channel's own id. */
    id: string
    /** The name on the customer's profile, as it was then; not verified. */
    profile_name: string | null
  }
  /** Who receives it. */
  recipient: {
    /** What the id is: chatapp_phone_number, phone_e164, social_account, social_user or chatapp_channel. */
    type: string
    /** Id of your number or account; of a customer the phone number or the channel's own id. */
    id: string
  }
  /** Who brought it: the sandbox. */
  provider: string | null
  /** Its id at the provider. */
  provider_message_id: string | null
  /** What the provider would have told. */
  payload: unknown
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
}

export type SimulatedListReply = {
  /** What the customer tapped. */
  type: "list_reply"
  /** The row that is chosen. */
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
  /** What the id is: a phone number on chatapp, a user of socialapp, or a chatapp_channel. */
  type: "social_user"
  /** The phone number in international form, or the channel's own id of 1 to 255 characters. */
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
  | "flow.completed"
  | "upstream_signup_session.completed"
  | "payment.created"
  | "payment.approval_available"
  | "payment.link_generated"
  | "payment.paid"
  | "payment.failed"
  | "payment.expired"
  | "payment.cancelled"
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

export type Subscription = {
  /** Id of the subscription. */
  id: string
  object: "subscription"
  /** none: the free tier. past_due: a renewal is unpaid and tried again; the plan is still in force. */
  status: "active" | "past_due" | "canceled" | "none" | (string & {})
  /** Id of a plan of the catalog. */
  plan_offering_id: string | null
  /** Name of the plan; null on the free tier. */
  display_name: string | null
  /** cardproc_card: each month by the default card. pix_annual: each year by Pix. */
  billing_rail: "cardproc_card" | "pix_annual" | null | (string & {})
  /** How many messages a second each number may send: 10, 40 or 80. */
  throughput_tier: "starter" | "growth" | "scale" | (string & {})
  /** Phone numbers at most; null for any number of them. */
  max_phones: number | null
  /** What prices with multiplier_applies are multiplied by. */
  platform_fee_multiplier: string
  /** What a utility message costs under the plan. */
  net_transport_rate_brl: string
  /** Whether numbers of a number-provider account of your own may be imported. */
  numprov_byok_enabled: boolean
  /** Null on the free tier. */
  monthly_fee_brl: string | null
  /** Until when it is paid. */
  current_period_end: string | null
  /** Whether it ends with the current period. */
  cancel_at_period_end: boolean
}

export type Template = {
  /** Id of the template. */
  id: string
  object: "template"
  /** Its name; sends find it by name and language. */
  name: string
  /** Its language. */
  language: string
  /** What it is for. Marketing templates are sent within the marketing guards. */
  category: "marketing" | "utility" | "authentication" | (string & {})
  /** POSITIONAL: {{1}}, {{2}}. NAMED: {{first_name}}. */
  parameter_format: "POSITIONAL" | "NAMED" | (string & {})
  /** Where its newest version stands. A draft or a review leaves the approved version in use. */
  status: "draft" | "submitted" | "approved" | "rejected" | "paused" | "disabled" | "orphaned" | (string & {})
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Number of the version shown here, the newest. */
  version: number
  /** Id of the template version. */
  version_id: string
  /** Number of the version that sends use; null while none is approved. */
  approved_version: number | null
  /** The parts of this version. */
  components: Array<TemplateComponent>
  /** Its id at the provider; null before the provider knows it. */
  provider_template_id: string | null
  /** Why it was refused, where that was said. */
  rejection_reason: string | null
  /** How customers take it, as the provider rates it. */
  provider_quality: "green" | "yellow" | "red" | "unknown" | (string & {})
  /** Remarks on what is written. */
  authoring_signals: Array<AuthoringSignal>
  /** When this version went to review. */
  submitted_at: string | null
  /** When this version was approved. */
  approved_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
}

/** What a template.approved event tells. */
export type TemplateApprovedData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "approved"
  /** Why it was refused, where a reason was given. */
  rejection_reason: string | null
}

/** A template may be sent. */
export type TemplateApprovedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "template.approved"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: TemplateApprovedData
}

export type TemplateComponent = {
  /** Which part it is; each at most once, BODY exactly once. */
  type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | (string & {})
  /** What a HEADER holds: TEXT or a file that each send brings. */
  format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | null | (string & {}) | undefined
  /** The text: 1 to 1024 characters in BODY, 1 to 60 in HEADER and FOOTER. */
  text?: string | null | undefined
  /** Values that show what a send looks like. */
  example?:
    | {
        header_text?: string | Array<string> | null | undefined
        body_text?: Array<string> | Array<Array<string>> | null | undefined
        /** A value of the header's named variable. */
        header_text_named_params?:
          | Array<{
              /** Name of the variable. */
              param_name: string
              /** A value it could have. */
              example: string
            }>
          | null
          | undefined
        /** A value of each named variable of the body. */
        body_text_named_params?:
          | Array<{
              /** Name of the variable. */
              param_name: string
              /** A value it could have. */
              example: string
            }>
          | null
          | undefined
        header_handle?: string | Array<string> | null | undefined
      }
    | null
    | undefined
  /** The buttons of BUTTONS. */
  buttons?:
    | Array<{
        /** What a tap does. */
        type: "QUICK_REPLY" | "URL" | "PHONE_NUMBER" | "COPY_CODE" | "FLOW" | (string & {})
        /** The label, 1 to 25 characters. */
        text?: string | null | undefined
        /** What a tap on a quick reply answers; the label when left out. */
        payload?: string | null | undefined
        /** The address, with at most one variable at its end. */
        url?: string | null | undefined
        /** The number to call, in international form. */
        phone_number?: string | null | undefined
        /** The flow (flw_) a tap opens. */
        flow_id?: string | null | undefined
        example?: string | Array<string> | null | undefined
      }>
    | null
    | undefined
}

/** What a template.disabled event tells. */
export type TemplateDisabledData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "disabled"
  /** Why it was refused, where a reason was given. */
  rejection_reason: string | null
}

/** A template may not be sent any more. */
export type TemplateDisabledEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "template.disabled"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: TemplateDisabledData
}

/** What a template.paused event tells. */
export type TemplatePausedData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "paused"
  /** Why it was refused, where a reason was given. */
  rejection_reason: string | null
}

/** A template may not be sent for a while. */
export type TemplatePausedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "template.paused"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: TemplatePausedData
}

/** What a template.rejected event tells. */
export type TemplateRejectedData = {
  /** Id of the template. */
  template_id: string
  /** Name of the template. */
  name: string
  /** Its language, such as pt_BR. */
  language: string
  status: "rejected"
  /** Why it was refused, where a reason was given. */
  rejection_reason: string | null
}

/** A template was refused; its rejection_reason says why where a reason was given. */
export type TemplateRejectedEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "template.rejected"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: TemplateRejectedData
}

/** Why the speech could not be written down. */
export type TranscriptionErrorCode =
  | "transcription_provider_error"
  | "transcription_timeout"
  | "transcription_audio_invalid"
  | (string & {})

export type TransferPhoneNumber = {
  /** The project it goes to. */
  target_project_id: string
  /** The environment it goes to, of the same kind. */
  target_environment_id: string
  /** The id in the path once more. */
  confirm_phone_number_id: string
  /** Why, 1 to 500 characters. */
  reason?: string | null | undefined
}

export type TypingIndicator = {
  /** Id of the message. */
  id: string
  object: "typing_indicator"
  /** Id of the message. */
  message_id: string
  /** When it goes out by itself. */
  expires_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type UpdateTemplate = {
  /** What it is for. Marketing templates are sent within the marketing guards. */
  category?: "marketing" | "utility" | "authentication" | undefined
  /** POSITIONAL: {{1}}, {{2}}. NAMED: {{first_name}}. */
  parameter_format?: "POSITIONAL" | "NAMED" | undefined
  /** 1 to 4 parts: HEADER, BODY (always), FOOTER, BUTTONS. */
  components?:
    | ReadonlyArray<{
        /** Which part it is; each at most once, BODY exactly once. */
        type: "HEADER" | "BODY" | "FOOTER" | "BUTTONS" | "header" | "body" | "footer" | "buttons"
        /** What a HEADER holds: TEXT or a file that each send brings. */
        format?: "TEXT" | "IMAGE" | "VIDEO" | "DOCUMENT" | "text" | "image" | "video" | "document" | null | undefined
        /** The text: 1 to 1024 characters in BODY, 1 to 60 in HEADER and FOOTER. */
        text?: string | null | undefined
        /** Values that show what a send looks like. */
        example?:
          | {
              header_text?: string | ReadonlyArray<string> | null | undefined
              body_text?: ReadonlyArray<string> | ReadonlyArray<ReadonlyArray<string>> | null | undefined
              /** A value of the header's named variable. */
              header_text_named_params?:
                | ReadonlyArray<{
                    /** Name of the variable. */
                    param_name: string
                    /** A value it could have. */
                    example: string
                  }>
                | null
                | undefined
              /** A value of each named variable of the body. */
              body_text_named_params?:
                | ReadonlyArray<{
                    /** Name of the variable. */
                    param_name: string
                    /** A value it could have. */
                    example: string
                  }>
                | null
                | undefined
              header_handle?: string | ReadonlyArray<string> | null | undefined
            }
          | null
          | undefined
        /** 1 to 10 buttons of BUTTONS. */
        buttons?:
          | ReadonlyArray<{
              /** What a tap does. */
              type:
                | "QUICK_REPLY"
                | "URL"
                | "PHONE_NUMBER"
                | "COPY_CODE"
                | "FLOW"
                | "quick_reply"
                | "url"
                | "phone_number"
                | "copy_code"
                | "flow"
              /** The label, 1 to 25 characters. */
              text?: string | null | undefined
              /** What a tap on a quick reply answers; the label when left out. */
              payload?: string | null | undefined
              /** The address, with at most one variable at its end. */
              url?: string | null | undefined
              /** The number to call, in international form. */
              phone_number?: string | null | undefined
              /** The flow (flw_) a tap opens. */
              flow_id?: string | null | undefined
              example?: string | ReadonlyArray<string> | null | undefined
            }>
          | null
          | undefined
      }>
    | undefined
}

export type UploadedBytes = {
  ok: true
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type UpstreamOnboardingConfig = {
  object: "upstream_onboarding_config"
  mode: "embedded_signup"
  /** Our app at the platform. */
  app_id: string | null
  /** The signup configuration of that app. */
  config_id: string | null
  /** Version of the platform's API. */
  graph_api_version: string
  /** The platform's script that opens the signup. */
  sdk_url: string | null
  /** Origins whose messages to your window belong to the signup; ignore others. */
  allowed_message_origins: Array<string>
  message_type: "WA_EMBEDDED_SIGNUP"
  /** What the platform's login is called with. */
  login_options: Record<string, unknown>
  completion_endpoint: "/v1/provider-connections/upstream/oauth"
  manual_credentials_endpoint: "/v1/provider-connections/upstream"
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type UpstreamSignupSession = {
  /** Id of the signup session. */
  id: string
  object: "upstream_signup_session"
  /** pending: not ended yet; processing: being completed now; completed; expired: its half hour is over. */
  status: "pending" | "processing" | "completed" | "expired" | (string & {})
  /** Send your customer there. Shown by the create route and its replay only; null on every read. */
  url: string | null
  /** Where the person is sent back to. */
  return_url: string
  /** Your own reference of the customer. */
  end_customer_ref: string | null
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** Null before it is completed. */
  completed_at: string | null
  /** The connection it ended in. */
  provider_connection_id: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

/** What a upstream_signup_session.completed event tells. */
export type UpstreamSignupSessionCompletedData = {
  /** Id of the signup session. */
  id: string
  object: "upstream_signup_session"
  status: "completed"
  /** Where the person was sent back to. */
  return_url: string
  /** Your own reference of the customer. */
  end_customer_ref: string | null
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
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
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "upstream_signup_session.completed"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  data: UpstreamSignupSessionCompletedData
}

export type WebhookAttempt = {
  /** Id of the webhook attempt. */
  id: string
  /** How the attempt went. */
  status: "pending" | "succeeded" | "failed" | (string & {})
  /** 1 for the first. */
  attempt: number
  /** Status of the receiver's answer; null for none. */
  status_code: number | null
  /** Why it failed, where that is known. */
  failure_class: WebhookFailureClass | null
  /** How the receiver's answer begins, without what looks like a secret. */
  response_body_redacted: string | null
  /** Why it failed, in a sentence. */
  error_message: string | null
  /** When the next attempt is due; null for none. */
  next_retry_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** When the attempt went out; null while it has not, and when it never did */
  attempted_at: string | null
  /** How long its answer took, in milliseconds */
  duration_ms: number | null
}

export type WebhookBulkResend = {
  object: "webhook_bulk_resend"
  /** enqueued and skipped together. */
  requested: number
  /** How many will be delivered again. */
  enqueued: number
  /** How many will not. */
  skipped: number
  /** The attempts that were made due. */
  attempts: Array<WebhookAttempt>
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

export type WebhookDisabledDetail = {
  /** Status of the last answer; null for none. */
  last_status_code: number | null
  /** Why the last attempt failed. */
  failure_class: WebhookFailureClass | null
  /** There when it was disabled again during probation. */
  probation_retrip?: true | undefined
}

export type WebhookEndpoint = {
  /** Id of the webhook endpoint. */
  id: string
  object: "webhook_endpoint"
  /** Where deliveries go. */
  url: string
  /** Your note about it. */
  description: string | null
  /** Types of events that are delivered to it. */
  subscribed_events: Array<string>
  /** disabled: nothing is delivered; see disabled_reason. */
  status: "active" | "disabled" | (string & {})
  /** True from its recovery until the first delivery that succeeds. */
  probation: boolean
  /** consecutive_failures or manual; null while it is active. */
  disabled_reason: string | null
  /** The last failure before it was disabled by failures. */
  disabled_detail: WebhookDisabledDetail | null
  /** Null before its first failure. */
  last_failure_at: string | null
  /** Null before its first success. */
  last_success_at: string | null
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
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
  /** Where deliveries go. */
  url: string
  /** Your note about it. */
  description: string | null
  /** Types of events that are delivered to it. */
  subscribed_events: Array<string>
  /** disabled: nothing is delivered; see disabled_reason. */
  status: "active" | "disabled" | (string & {})
  /** True from its recovery until the first delivery that succeeds. */
  probation: boolean
  /** consecutive_failures or manual; null while it is active. */
  disabled_reason: string | null
  /** The last failure before it was disabled by failures. */
  disabled_detail: WebhookDisabledDetail | null
  /** Null before its first failure. */
  last_failure_at: string | null
  /** Null before its first success. */
  last_success_at: string | null
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_at: string
  /** Key of the signatures, shown in this answer only. */
  signing_secret: string
  /** Key of the Standard Webhooks signatures, in the form their libraries take; shown in this answer only. */
  standard_webhooks_secret: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** What it happened to, such as message. */
  source_type: string
  /** Id of what it happened to. */
  source_id: string
  /** The envelope as delivered; null once erasure or retention cleared it. */
  payload: unknown
  /** pending while attempts go on, then delivered or failed. */
  status: "pending" | "delivered" | "failed" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Every attempt, oldest first. */
  attempts: Array<WebhookAttempt>
  /** What the receiver is sent. */
  signature_preview?: WebhookSignaturePreview | undefined
}

export type WebhookEventListen = {
  object: "webhook_event_listen"
  /** The events after the cursor, oldest first. */
  data: Array<WebhookListenEvent>
  /** Whether more are there already. */
  has_more: boolean
  /** Send it as cursor with the next poll. */
  next_cursor: string
  /** Milliseconds to wait before the next poll. */
  next_poll_after_ms: number
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

/** Why an attempt failed, where that is known. */
export type WebhookFailureClass = "auth_rejected" | "server_error" | "unreachable" | "timeout" | (string & {})

export type WebhookListenEvent = {
  /** Id of the outbox event. */
  id: string
  object: "webhook_listen_event"
  /** Type of the event. */
  type: string
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
  /** The envelope as a delivery would carry it. */
  payload: unknown
  /** What the endpoint would be sent; there when webhook_endpoint_id is given. */
  signature_preview?: WebhookSignaturePreview | undefined
}

export type WebhookListenSession = {
  /** Id of the listen session. */
  id: string
  object: "webhook_listen_session"
  environment: "production"
  /** Only an active one listens. */
  status: "active" | "disabled" | "expired" | (string & {})
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** When it was ended; null before. */
  disabled_at: string | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  /** The deliveries are made one after the other from now on. */
  status: "pending"
  /** Begin of the span that is recovered: not before the oldest event kept, nor before the endpoint was registered. */
  from: string
  /** End of the span. */
  to: string
  /** Events to deliver: never_sent and failed together. */
  missed: number
  /** Events without a delivery to this endpoint. */
  never_sent: number
  /** Events whose delivery failed for good; each gets one more attempt. */
  failed: number
  /** The counts are of events up to this instant; earlier than to when the span holds more than 20,000 events. */
  counted_to: string
  /** Null when the whole span is recovered. */
  older: {
    /** ISO 8601 in UTC with milliseconds. */
    from: string
    /** ISO 8601 in UTC with milliseconds. */
    to: string
  } | null
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
    /** The event's id; deduplicate by it. */
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
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
  trace_id: string
}

/** What a webhook.test event tells. */
export type WebhookTestData = {
  /** Id of the webhook endpoint. */
  webhook_endpoint_id: string
  message: "Test delivery"
}

/** A test of one endpoint, asked for by the caller. */
export type WebhookTestEvent = {
  /** The same for every attempt and every endpoint: deduplicate by it. */
  id: string
  type: "webhook.test"
  /** When the event was made. */
  created_at: string
  /** sandbox: simulated, free, nothing leaves. production: real customers. */
  environment: "sandbox" | "production" | (string & {})
  /** Trace of the request that caused this; send svc-trace-id to choose it, quote it when you ask for help. */
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
  | "flow.completed"
  | "upstream_signup_session.completed"
  | "payment.created"
  | "payment.approval_available"
  | "payment.link_generated"
  | "payment.paid"
  | "payment.failed"
  | "payment.expired"
  | "payment.cancelled"
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
  | FlowCompletedEvent
  | UpstreamSignupSessionCompletedEvent
  | PaymentCreatedEvent
  | PaymentApprovalAvailableEvent
  | PaymentLinkGeneratedEvent
  | PaymentPaidEvent
  | PaymentFailedEvent
  | PaymentExpiredEvent
  | PaymentCancelledEvent
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
  | WebhookTestEvent
  | NewEvent

/** An event of a type that the API learned after this version of the client. */
export type NewEvent = Omit<MessageSentEvent, "type" | "data"> & {
  /** Any type that this version of the client does not know. */
  type: NewVariant["type"]
  data: Record<string, unknown>
}
