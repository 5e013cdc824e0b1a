// Made from schema/openapi.json by npm run codegen.

import { MediaFiles } from "../MediaFiles.ts"
import type { ApiPromise } from "../transport/ApiPromise.ts"
import type { List } from "../transport/List.ts"
import type { RequestBytes, RequestOptions } from "../transport/Options.ts"
import type { Transport } from "../transport/Transport.ts"
import { WebhookSignatures } from "../Webhooks.ts"
import type {
  AgenticAuthorization,
  AgenticBank,
  AgenticPayment,
  AnsweredNumprovConnection,
  AnsweredNumprovOperation,
  AnsweredProviderConnection,
  ApiKey,
  ApiKeyWithSecret,
  ArmLlmFailure,
  Audience,
  AutoTopupConfig,
  Batch,
  BatchFailure,
  BatchRecipient,
  CancelPayment,
  ChangeConsent,
  CheckGroupEligibility,
  CompletePendingConnection,
  CompleteProviderCredentialSetupSession,
  CompleteUpstreamSignupSession,
  ConnectPhoneNumber,
  Contact,
  ContactBulkImport,
  ContactEntry,
  ContactExport,
  CreateAgenticAuthorization,
  CreateAgenticPayment,
  CreateAudience,
  CreateBatch,
  CreateFlow,
  CreateGroup,
  CreatePayment,
  CreatePhoneNumberOrder,
  CreateProviderCredentialSetupSession,
  CreateTemplate,
  CreateUpstreamSignupSession,
  CreditBalance,
  CreditTopup,
  DataRetentionPolicy,
  DeletedAudience,
  DeletedContact,
  DeletedFlow,
  DeletedMediaAsset,
  DeletedTemplate,
  DeletedWebhookEndpoint,
  DuplicateTemplate,
  ExchangeUpstreamCode,
  FeedbackReport,
  Flow,
  FlowEntry,
  GrantableScope,
  Group,
  GroupEligibility,
  GroupEntry,
  ImportContacts,
  ImportNumprovNumber,
  LedgerEntry,
  MediaAsset,
  MediaAssetDownload,
  MediaStorageUsage,
  MediaTranscription,
  MediaUpload,
  Message,
  MessageAccepted,
  NumprovConnection,
  NumprovResource,
  PackagesPage,
  Page,
  PaymentMethod,
  PaymentMethodList,
  PaymentMethodSetupIntent,
  PaymentRequest,
  PhoneManagementCoverage,
  PhoneManagementSummary,
  PhoneNumber,
  PhoneNumberOrderFailure,
  PhoneNumberOrderPreview,
  PhoneRegion,
  PhoneRenewalEntry,
  PixCheckout,
  PlanOffering,
  PreflightCheck,
  Project,
  ProviderConnection,
  ProviderConnectionStatus,
  ProviderCredentialSetupSession,
  ProvisionPhoneNumber,
  PurchasePackage,
  RateCard,
  RegisterNumprov,
  RegisterUpstream,
  ReleasePhoneNumber,
  RequestLog,
  RequestLogDetail,
  RequestPaymentApproval,
  ResetSandboxClock,
  RevokeAgenticAuthorization,
  RotateNumprov,
  RotateToken,
  SandboxClock,
  SandboxClockAdvance,
  SandboxQuickstart,
  SavePaymentMethod,
  SendMessage,
  SetAutoTopup,
  SetSandboxPaymentStatus,
  SetTemplateStatus,
  SimulatedInbound,
  SimulateInbound,
  SubscribableEventType,
  Subscription,
  Template,
  TemplateImport,
  Traced,
  TransferPhoneNumber,
  TypingIndicator,
  UpdateTemplate,
  UploadedBytes,
  UpstreamOnboardingConfig,
  UpstreamSignupSession,
  WebhookAttempt,
  WebhookBulkResend,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookEvent,
  WebhookEventListen,
  WebhookListenEvent,
  WebhookListenSession,
  WebhookRecovery,
  WebhookTest
} from "./Types.ts"

const segment = encodeURIComponent

/** Answer of `account.get`. */
export type AccountGetAnswer = {
  object: "account_profile"
  /** The organization that pays for requests of the key. */
  organization: {
    /** Id of the organization. */
    id: string
    object: "organization"
    /** Its name. */
    name: string
    /** ISO 8601 in UTC with milliseconds. */
    created_at: string
  }
  /** The project the key is bound to. */
  project: {
    /** Id of the project. */
    id: string
    object: "project"
    /** Its name. */
    name: string
    /** The project's short name, unique in the organization. */
    slug: string
    /** Default language of new templates. */
    default_language: "pt_BR" | "en_US" | "es_ES" | (string & {})
    /** ISO 3166 code of the country in which phone numbers without + or 00 are read; BR unless it was changed in the console. */
    default_region: string
  }
  /** The environment the key is bound to. */
  environment: {
    /** Id of the environment. */
    id: string
    object: "environment"
    /** sandbox: simulated and free, without real deliveries. production: real customers. */
    kind: "sandbox" | "production" | (string & {})
  }
  /** The calling key itself. */
  api_key: ApiKey
  /** The organization's first active owner, to match the account with a person. */
  dashboard_owner: {
    /** The owner's name. */
    name: string
    /** The owner's email address. */
    email: string
  } | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Answer of `account.me`. */
export type AccountMeAnswer = {
  object: "account_profile"
  /** The organization that pays for requests of the key. */
  organization: {
    /** Id of the organization. */
    id: string
    object: "organization"
    /** Its name. */
    name: string
    /** ISO 8601 in UTC with milliseconds. */
    created_at: string
  }
  /** The project the key is bound to. */
  project: {
    /** Id of the project. */
    id: string
    object: "project"
    /** Its name. */
    name: string
    /** The project's short name, unique in the organization. */
    slug: string
    /** Default language of new templates. */
    default_language: "pt_BR" | "en_US" | "es_ES" | (string & {})
    /** ISO 3166 code of the country in which phone numbers without + or 00 are read; BR unless it was changed in the console. */
    default_region: string
  }
  /** The environment the key is bound to. */
  environment: {
    /** Id of the environment. */
    id: string
    object: "environment"
    /** sandbox: simulated and free, without real deliveries. production: real customers. */
    kind: "sandbox" | "production" | (string & {})
  }
  /** The calling key itself. */
  api_key: ApiKey
  /** The organization's first active owner, to match the account with a person. */
  dashboard_owner: {
    /** The owner's name. */
    name: string
    /** The owner's email address. */
    email: string
  } | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Body of `apiKeys.create`. */
export type ApiKeysCreateParams = {
  /** Name of the key, 1 to 255 characters after trimming. */
  name: string
  /** Must equal the environment of the calling key. */
  environment: "sandbox" | "production"
  /** A project of the caller's organization; the calling key's project by default. */
  project_id?: string | null | undefined
  /** Scopes of the key, at most 64; may be empty. */
  scopes: ReadonlyArray<GrantableScope>
  /** Time at which the key expires, at most five years ahead. RFC 3339 with a timezone. */
  expires_at?: string | null | undefined
}

/** Query of `apiKeys.list`. */
export type ApiKeysListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Body of `apiKeys.rename`. */
export type ApiKeysRenameParams = {
  /** The new name, 3 to 80 characters after trimming. */
  name: string
}

/** Body of `deviceAuthorizations.create`. */
export type DeviceAuthorizationsCreateParams = {
  /** Name of the requesting program, shown to the person who approves: 1 to 80 characters after trimming. */
  client_name: string
  /** sandbox: simulated and free, without real deliveries. production: real customers. */
  environment: "sandbox" | "production"
  /** Scopes requested for the key, at most 64. */
  scopes: ReadonlyArray<GrantableScope>
  /** Time at which the issued key expires. RFC 3339 with a timezone. */
  expires_at?: string | null | undefined
}

/** Answer of `deviceAuthorizations.create`. */
export type DeviceAuthorizationsCreateAnswer = {
  /** Id of the device authorization. */
  id: string
  object: "agent_api_key_device_authorization"
  /** Code to poll with; keep it secret. */
  device_code: string
  /** Code that the approving person types or compares. */
  user_code: string
  /** Page on which the person types the code. */
  verification_uri: string
  /** verification_uri with the code included. */
  verification_uri_complete: string
  /** Seconds until the request can no longer be approved. */
  expires_in: number
  /** Seconds to wait between polls. */
  interval: number
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Body of `deviceAuthorizations.token`. */
export type DeviceAuthorizationsTokenParams = {
  grant_type: "urn:ietf:params:oauth:grant-type:device_code"
  /** The device_code from the create response. */
  device_code: string
}

/** Answer of `deviceAuthorizations.token`. */
export type DeviceAuthorizationsTokenAnswer =
  | {
      object: "agent_api_key_device_authorization_token"
      /** The issued key with its secret, shown once. */
      api_key: ApiKeyWithSecret
      /** Checks of the conditions that the key meets when it is used. */
      preflight: {
        /** Whether no check failed. */
        ready: boolean
        /** Each check with its outcome. */
        checks: Array<PreflightCheck>
      }
      /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
      trace_id: string
    }
  | {
      object: "agent_api_key_device_authorization_status"
      status: "pending"
      /** Seconds to wait between polls; it grows after polling too fast. */
      interval: number
      /** Seconds until the request can no longer be approved. */
      expires_in: number
      /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
      trace_id: string
    }

/** Body of `projects.create`. */
export type ProjectsCreateParams = {
  /** Name of the project, 1 to 120 characters after trimming. */
  name: string
  /** Lowercase letters, digits and hyphens, unique in the organization; derived from the name by default. */
  slug?: string | null | undefined
}

/** Query of `projects.list`. */
export type ProjectsListQuery = {
  /** Rows per page, 1 to 50; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Body of `feedback.create`. */
export type FeedbackCreateParams = {
  /** Actual and expected behaviour, 1 to 2000 characters. Leave secrets out. */
  message: string
  /** The error the report is about. */
  related_error?:
    | {
        /** error.code of the response. */
        code?: string | undefined
        /** error.request_id of the response. */
        request_id?: string | undefined
        /** error.trace_id of the response. */
        trace_id?: string | undefined
      }
    | undefined
  /** Additional facts: at most 32 entries, keys to 64, values to 1024 characters, 16 KiB as JSON. */
  context?: Record<string, string> | undefined
}

/** Answer of `feedback.create`. */
export type FeedbackCreateAnswer = {
  /** Id of the feedback report. */
  id: string
  object: "feedback_receipt"
  /** ISO 8601 in UTC with milliseconds. */
  received_at: string
  /** Whether credentials were removed before storage. */
  redacted: boolean
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Query of `feedback.list`. */
export type FeedbackListQuery = {
  /** An integer from 1 to 50. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  after?: string | undefined
}

/** Query of `messages.list`. */
export type MessagesListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Messages created after this instant; RFC 3339. */
  created_after?: string | undefined
  /** Messages created before this instant; RFC 3339. */
  created_before?: string | undefined
  /** Adds context and payload. */
  include?: "payload" | undefined
  /** The channel a message travels on. */
  channel?: "chatapp" | "socialapp" | "chatapp_channel" | undefined
  /** outbound: you sent it. inbound: a customer sent it. */
  direction?: "inbound" | "outbound" | undefined
  /** Status of the message: queued, sending, sent, delivered, read; or failed, cancelled. Inbound: received. */
  status?: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "cancelled" | "received" | undefined
  /** Type of the message. unsupported and unknown are inbound only, location and contacts outbound only: those that a customer sends are unknown. */
  type?:
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
    | undefined
  /** Id of the sending number or account. */
  sender_id?: string | undefined
  /** The customer's phone number, as it was sent or as people write it in the default_region of the project. Escape + as %2B. Or the user_id of their messages, or the id of a group. */
  recipient?: string | undefined
  /** Id of the batch of the message. */
  batch_id?: string | undefined
  /** Name of the template. */
  template_name?: string | undefined
}

/** Query of `templates.list`. */
export type TemplatesListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Status of the newest version. During a draft or a review the approved version stays in use. */
  status?: "draft" | "submitted" | "approved" | "rejected" | "paused" | "disabled" | "orphaned" | undefined
  /** Category of the template. Marketing templates are sent within the marketing guards. */
  category?: "marketing" | "utility" | "authentication" | undefined
  /** Only this language, such as pt_BR. */
  language?: string | undefined
  /** Only this name. */
  name?: string | undefined
}

/** Query of `flows.list`. */
export type FlowsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Body of `flows.update`. */
export type FlowsUpdateParams = {
  /** Name of the flow, 1 to 128 characters after trimming. */
  name?: string | undefined
  /** The definition in the provider's format, at most 1 MiB of JSON: a version, and screens with unique ids. */
  flow_json?: Record<string, unknown> | undefined
  /** Categories of the flow: 1 to 5 of the provider's terms, such as SURVEY. */
  categories?: ReadonlyArray<string> | undefined
}

/** Query of `contacts.list`. */
export type ContactsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** The phone number, read as in the body of an opt-in. Escape + as %2B. */
  phone?: string | undefined
  /** The user_id of the customer's messages, instead of phone: for a customer who hides the phone. */
  user_id?: string | undefined
  /** Consent of the customer: opted_in, opted_out, or none yet. Only opted_out blocks messages. */
  opt_in_status?: "opted_in" | "opted_out" | "none" | undefined
  /** Source of the latest consent. */
  source?: string | undefined
}

/** Body of `dataRetention.update`. */
export type DataRetentionUpdateParams = {
  /** Whether contacts and failures of batches can be exported. */
  data_export_enabled?: boolean | undefined
  /** Days for which inbound media is kept, 1 to 365. */
  media_retention_days?: number | undefined
  /** Days for which the content of messages and of their events is kept, 1 to 365; events at most 30. */
  payload_retention_days?: number | undefined
}

/** Query of `batches.list`. */
export type BatchesListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** scheduled or queued before it starts; processing while messages are created or wait; completed when all messages have left the queue. */
  status?: "scheduled" | "queued" | "processing" | "paused" | "completed" | "cancelled" | "failed" | undefined
}

/** Query of `batches.recipients`. */
export type BatchesRecipientsQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `batches.failures`. */
export type BatchesFailuresQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `audiences.list`. */
export type AudiencesListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Body of `media.uploads.create`. */
export type MediaUploadsCreateParams = {
  /** Kind of file. */
  kind: "image" | "document" | "audio" | "video" | "sticker"
  /** single_use: for one send, deleted after 24 hours without one. library: kept until you delete it. */
  lifecycle?: "single_use" | "library" | null | undefined
  /** Name shown to the recipient of a document, 1 to 255 characters. */
  filename?: string | null | undefined
  /** Media type of the bytes, such as image/png; parameters are allowed and not compared. */
  mime_type: string
  /** Exact size in bytes, within the limit for files of this type. */
  byte_length: number
}

/** Query of `media.list`. */
export type MediaListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** single_use: for one send, deleted after 24 hours without one. library: kept until you delete it. */
  lifecycle?: "single_use" | "library" | undefined
  /** pending: its bytes are awaited. ready: it can be sent. consumed: it was sent, or stored with an inbound message. */
  status?: "pending" | "ready" | "consumed" | "failed" | "expired" | "deleted" | undefined
  /** Kind of file. */
  kind?: "image" | "document" | "audio" | "video" | "sticker" | undefined
  /** customer: you uploaded it. inbound_provider: it came with an inbound message. */
  source?: "customer" | "inbound_provider" | undefined
}

/** Body of `media.transcriptions.create`. */
export type MediaTranscriptionsCreateParams = {
  /** Spoken language, such as pt_BR; recognised by default. */
  language?: string | null | undefined
  /** Provider of the transcription. */
  provider?: "speechprov1" | null | undefined
}

/** Query of `media.transcriptions.list`. */
export type MediaTranscriptionsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `providerConnections.list`. */
export type ProviderConnectionsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Provider of the account. */
  provider?: "upstream" | "pixprov1" | "pixprov2" | undefined
  /** Use of the account. */
  channel?: "chatapp" | "socialapp" | "payments" | "agentic_payments" | undefined
  /** pending: complete it; connected: in use; suspended: the platform locked or banned the account; disconnected: ended. */
  status?: "pending" | "connected" | "suspended" | "disconnected" | undefined
}

/** Query of `providerConnections.numprov.list`. */
export type ProviderConnectionsNumprovListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `providerConnections.numprov.resources`. */
export type ProviderConnectionsNumprovResourcesQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `phoneNumbers.regions`. */
export type PhoneNumbersRegionsQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `phoneNumbers.list`. */
export type PhoneNumbersListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Status of the number; only an active number can send. */
  status?:
    | "requested"
    | "provisioning"
    | "provisioned"
    | "verifying"
    | "active"
    | "failed"
    | "release_requested"
    | "released"
    | "disconnected"
    | undefined
  /** numprov: rented here. byon: your own number. */
  source?: "numprov" | "byon" | undefined
}

/** Answer of `phoneNumbers.orders.create`. */
export type PhoneNumbersOrdersCreateAnswer = {
  /** Id of the phone number order. */
  id: string
  object: "phone_number_order"
  /** awaiting_approval until an owner or admin decides, for at most 24 hours. */
  status:
    | "awaiting_approval"
    | "approved"
    | "declined"
    | "expired"
    | "provisioning"
    | "fulfilled"
    | "failed"
    | (string & {})
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** Requested area code. */
  ddd: string
  /** Name that customers will see. */
  display_name: string | null
  /** Purpose, shown to the person who approves. */
  purpose: string | null
  /** Charges and their times, as computed at creation. */
  preview: PhoneNumberOrderPreview
  /** The terms of the rental. */
  terms_version: string
  /** Page on which an owner or admin decides; null once decided or expired. */
  approval_url: string | null
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** Id of the number; null before approval. */
  phone_number_id: string | null
  /** Reason of the failure; null otherwise. */
  failure: PhoneNumberOrderFailure | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of approval. */
  approved_at: string | null
  /** Time of the refusal. */
  declined_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Answer of `phoneNumbers.orders.get`. */
export type PhoneNumbersOrdersGetAnswer = {
  /** Id of the phone number order. */
  id: string
  object: "phone_number_order"
  /** awaiting_approval until an owner or admin decides, for at most 24 hours. */
  status:
    | "awaiting_approval"
    | "approved"
    | "declined"
    | "expired"
    | "provisioning"
    | "fulfilled"
    | "failed"
    | (string & {})
  /** Id of the project. */
  project_id: string
  /** Id of the environment. */
  environment_id: string
  /** Requested area code. */
  ddd: string
  /** Name that customers will see. */
  display_name: string | null
  /** Purpose, shown to the person who approves. */
  purpose: string | null
  /** Charges and their times, as computed at creation. */
  preview: PhoneNumberOrderPreview
  /** The terms of the rental. */
  terms_version: string
  /** Page on which an owner or admin decides; null once decided or expired. */
  approval_url: string | null
  /** ISO 8601 in UTC with milliseconds. */
  expires_at: string
  /** Id of the number; null before approval. */
  phone_number_id: string | null
  /** Reason of the failure; null otherwise. */
  failure: PhoneNumberOrderFailure | null
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string
  /** Time of approval. */
  approved_at: string | null
  /** Time of the refusal. */
  declined_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Answer of `sandbox.armLlmFailure`. */
export type SandboxArmLlmFailureAnswer = {
  armed: true
  /** Failure of calls to a language model. */
  failure: "provider_down" | "auth_failed" | "timeout" | "cost_cap_reached" | (string & {})
  /** End of the failure; null when only the next call fails. */
  expires_at: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Body of `sandbox.clock.advance`. */
export type SandboxClockAdvanceParams = {
  /** Seconds by which the clock advances: at most 400 days, and never to more than ten years ahead of real time. */
  by_seconds?: number | undefined
  /** Instant to which the clock advances, instead of by_seconds: at most 400 days ahead of its time, and ten years (3,653 days) ahead of real time. */
  to?: string | undefined
}

/** Query of `groups.eligibility.get`. */
export type GroupsEligibilityGetQuery = {
  /** The number that hosts the group. */
  phone_number_id: string
}

/** Query of `groups.list`. */
export type GroupsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** The number that hosts the group. */
  phone_number_id?: string | undefined
  /** Groups with this status. */
  status?: "pending" | "active" | "failed" | "deleting" | "deleted" | undefined
}

/** Body of `sandbox.groups.addParticipant`. */
export type SandboxGroupsAddParticipantParams = {
  /** Kind of change: join or remove. */
  action: "join" | "remove"
  /** The participant's id on the channel, not blank. */
  chat_id: string
  /** Initiator of a removal; participant by default. */
  initiated_by?: "participant" | "business" | null | undefined
}

/** Body of `webhooks.endpoints.create`. */
export type WebhooksEndpointsCreateParams = {
  /** Absolute https URL reachable from the internet, at most 2048 characters, without a fragment. */
  url: string
  /** Your note about the endpoint, 1 to 255 characters after trimming. */
  description?: string | null | undefined
  /** Types of events to deliver, 1 to 100. */
  subscribed_events: ReadonlyArray<SubscribableEventType>
}

/** Query of `webhooks.endpoints.list`. */
export type WebhooksEndpointsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Body of `webhooks.endpoints.update`. */
export type WebhooksEndpointsUpdateParams = {
  /** Absolute https URL reachable from the internet, at most 2048 characters, without a fragment. */
  url?: string | undefined
  /** Your note about the endpoint, 1 to 255 characters after trimming. */
  description?: string | null | undefined
  /** Types of events to deliver, 1 to 100. */
  subscribed_events?: ReadonlyArray<SubscribableEventType> | undefined
  /** active recovers the endpoint, disabled stops it; the recover route delivers events missed meanwhile. */
  status?: "active" | "disabled" | undefined
}

/** Body of `webhooks.endpoints.recover`. */
export type WebhooksEndpointsRecoverParams = {
  /** Events from this instant on; RFC 3339, not in the future. */
  from: string
  /** Events up to this instant, not before from; now when left out or in the future. */
  to?: string | null | undefined
}

/** Query of `webhooks.events.list`. */
export type WebhooksEventsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** A type of event; an unknown one matches nothing. */
  event_type?: string | undefined
  /** Several types; write the parameter once for each. */
  event_types?: ReadonlyArray<string> | undefined
  /** Deliveries to this endpoint. */
  webhook_endpoint_id?: string | undefined
  /** pending while attempts continue, then delivered or failed. */
  status?: "pending" | "delivered" | "failed" | undefined
}

/** Body of `webhooks.events.bulkResend`. */
export type WebhooksEventsBulkResendParams = {
  /** Ids of deliveries, 1 to 100. */
  webhook_event_ids?: ReadonlyArray<string> | null | undefined
  /** A type of event; an unknown one matches nothing. */
  event_type?: string | null | undefined
  /** pending while attempts continue, then delivered or failed. */
  status?: "pending" | "delivered" | "failed" | null | undefined
  /** Maximum number of deliveries, 1 to 100. */
  limit?: number | null | undefined
}

/** Query of `webhooks.events.listen`. */
export type WebhooksEventsListenQuery = {
  /** An integer from 1 to 100. */
  limit?: number | undefined
  /** next_cursor of the previous poll. */
  cursor?: string | undefined
  /** Start without a cursor: the oldest retained event, or now. */
  start_at?: "oldest" | "tail" | undefined
  /** A type of event; an unknown one matches nothing. */
  event_type?: string | undefined
  /** Several types; write the parameter once for each. */
  event_types?: ReadonlyArray<string> | undefined
  /** An integer from 0 to 25000. */
  wait_ms?: number | undefined
  /** Only events this endpoint subscribes to, each with its signature_preview. */
  webhook_endpoint_id?: string | undefined
  /** Id of the listen session; production keys need one. */
  listen_session_id?: string | undefined
}

/** Body of `webhooks.listenSessions.create`. */
export type WebhooksListenSessionsCreateParams = {
  /** Duration in seconds, 30 to 300; 300 by default. */
  ttl_seconds?: number | null | undefined
  /** Reason for listening. */
  reason?: string | null | undefined
}

/** Query of `webhooks.events.getListened`. */
export type WebhooksEventsGetListenedQuery = {
  /** Only events this endpoint subscribes to, each with its signature_preview. */
  webhook_endpoint_id?: string | undefined
  /** Id of the listen session; production keys need one. */
  listen_session_id?: string | undefined
}

/** Query of `requestLogs.list`. */
export type RequestLogsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** A status such as 404, or a class such as 4xx. */
  status?: string | undefined
  /** error.code of the response. */
  code?: string | undefined
  /** Method of the request. */
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "HEAD" | undefined
  /** A route in the form of the documentation, such as /v1/messages/{message_id}. */
  route?: string | undefined
  /** Id of the calling key. */
  api_key_id?: string | undefined
  /** The request with this id. */
  request_id?: string | undefined
  /** Requests of this trace. */
  trace_id?: string | undefined
  /** Requests after this instant; RFC 3339. */
  created_after?: string | undefined
  /** Requests before this instant; RFC 3339. */
  created_before?: string | undefined
}

/** Answer of `requestLogs.list`. */
export type RequestLogsListAnswer = {
  object: "list"
  /** The rows of this page. */
  data: Array<RequestLog>
  /** Whether another page follows. */
  has_more: boolean
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  /** Requests that are not in the log, by whole hours between created_after and created_before. */
  not_kept: {
    /** Number of successful reads left out above their logging rate. */
    sampled: number
    /** Number of requests that did not fit into the log. */
    dropped: number
  }
}

/** Query of `payments.list`. */
export type PaymentsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Only payments with this status. */
  status?:
    | "link_pending"
    | "link_generated"
    | "approval_requested"
    | "approved"
    | "paid"
    | "failed"
    | "expired"
    | "cancelled"
    | undefined
}

/** Query of `agentic.banks.list`. */
export type AgenticBanksListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `agentic.authorizations.list`. */
export type AgenticAuthorizationsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** pending until the customer decides; payments need status authorized. */
  status?: "pending" | "authorized" | "rejected" | "revoked" | "expired" | undefined
}

/** Query of `agentic.payments.list`. */
export type AgenticPaymentsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Query of `billing.ledger`. */
export type BillingLedgerQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Entries of exactly this environment. By default, entries of production and those without an environment. */
  environment?: "sandbox" | "production" | undefined
  /** Source of the entry: usage, a top-up, or the hold of a payment's completion fee. */
  source_type?: "usage" | "credit_topup" | "payment_fee_hold" | undefined
}

/** Body of `billing.plan.subscribe`. */
export type BillingPlanSubscribeParams = {
  /** Id of a plan of the catalog. */
  plan_offering_id: string
  /** cardproc_card: each month by the default card. pix_annual: each year by Pix. */
  rail: "cardproc_card" | "pix_annual"
}

/** Answer of `billing.plan.subscribe`. */
export type BillingPlanSubscribeAnswer = {
  /** Id of the subscription. */
  id: string
  object: "subscription_checkout"
  /** The subscription as it is now. */
  subscription: Subscription
  /** Pix payment for the subscription; null when a card is charged. */
  pix: PixCheckout | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
}

/** Body of `billing.plan.change`. */
export type BillingPlanChangeParams = {
  /** Id of a plan of the catalog. */
  plan_offering_id: string
}

/** Query of `billing.packages.list`. */
export type BillingPackagesListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Only top-ups of this status. */
  status?: "pending" | "succeeded" | "failed" | "refunded" | "expired" | undefined
}

/** Query of `rateCards.list`. */
export type RateCardsListQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
  /** Only brl. */
  currency?: "brl" | undefined
}

/** Query of `billing.phoneManagement`. */
export type BillingPhoneManagementQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

/** Answer of `billing.phoneManagement`. */
export type BillingPhoneManagementAnswer = {
  object: "list"
  /** The rows of this page. */
  data: Array<PhoneManagementCoverage>
  /** Whether another page follows. */
  has_more: boolean
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help. */
  trace_id: string
  summary: PhoneManagementSummary
}

/** Query of `billing.phoneRenewal`. */
export type BillingPhoneRenewalQuery = {
  /** Rows per page, 1 to 100; 20 by default. */
  limit?: number | undefined
  /** next_cursor of the previous page; omit it for the first page. */
  starting_after?: string | undefined
}

export class AccountResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Read the account profile of the calling key.
   *
   * Organization, project and environment the key is bound to, and its scopes. Any valid key.
   *
   * `GET /v1/account`
   */
  get(options?: RequestOptions): ApiPromise<AccountGetAnswer> {
    return this.transport.call({ method: "GET", path: "/v1/account" }, options)
  }

  /**
   * Read the account profile, under its second name.
   *
   * Returns the response of GET /v1/account.
   *
   * `GET /v1/me`
   */
  me(options?: RequestOptions): ApiPromise<AccountMeAnswer> {
    return this.transport.call({ method: "GET", path: "/v1/me" }, options)
  }
}

export class ApiKeysResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create an API key.
   *
   * Creates a key in the calling key's environment, or in the environment of that kind in another project of the organization. The secret is shown once.
   *
   * Needs scope `api_keys:admin`.
   *
   * `POST /v1/api-keys`
   */
  create(body: ApiKeysCreateParams, options?: RequestOptions): ApiPromise<Traced<ApiKeyWithSecret>> {
    return this.transport.call({ method: "POST", path: "/v1/api-keys", body, keyed: true }, options)
  }

  /**
   * List API keys.
   *
   * Keys of the calling key's project and environment, newest first.
   *
   * Needs scope `api_keys:admin`.
   *
   * `GET /v1/api-keys`
   */
  list(query?: ApiKeysListQuery, options?: RequestOptions): List<Page<ApiKey>> {
    return this.transport.list({ method: "GET", path: "/v1/api-keys", query }, "starting_after", options)
  }

  /**
   * Read an API key.
   *
   * A key of the calling key's project and environment, in any status; never its secret.
   *
   * Needs scope `api_keys:admin`.
   *
   * `GET /v1/api-keys/{api_key_id}`
   */
  get(apiKeyId: string, options?: RequestOptions): ApiPromise<Traced<ApiKey>> {
    return this.transport.call({ method: "GET", path: `/v1/api-keys/${segment(apiKeyId)}` }, options)
  }

  /**
   * Rename an API key.
   *
   * Changes only the name; a key in any status can be renamed.
   *
   * Needs scope `api_keys:admin`.
   *
   * `PATCH /v1/api-keys/{api_key_id}`
   */
  rename(apiKeyId: string, body: ApiKeysRenameParams, options?: RequestOptions): ApiPromise<Traced<ApiKey>> {
    return this.transport.call({ method: "PATCH", path: `/v1/api-keys/${segment(apiKeyId)}`, body }, options)
  }

  /**
   * Revoke an API key.
   *
   * Permanent. Revoking a revoked key returns it unchanged.
   *
   * Needs scope `api_keys:admin`.
   *
   * `DELETE /v1/api-keys/{api_key_id}`
   */
  revoke(apiKeyId: string, options?: RequestOptions): ApiPromise<Traced<ApiKey>> {
    return this.transport.call({ method: "DELETE", path: `/v1/api-keys/${segment(apiKeyId)}` }, options)
  }

  /**
   * Rotate an API key.
   *
   * Returns a new secret once; the previous secret stops working immediately. The caller must hold every scope of the key.
   *
   * Needs scope `api_keys:admin`.
   *
   * `POST /v1/api-keys/{api_key_id}/rotate`
   */
  rotate(apiKeyId: string, options?: RequestOptions): ApiPromise<Traced<ApiKeyWithSecret>> {
    return this.transport.call(
      { method: "POST", path: `/v1/api-keys/${segment(apiKeyId)}/rotate`, keyed: true },
      options
    )
  }
}

export class DeviceAuthorizationsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Ask an owner or admin for an agent key.
   *
   * Valid for 15 minutes. Send the owner to verification_uri_complete, then poll.
   *
   * `POST /v1/agent-api-key-device-authorizations`
   */
  create(
    body: DeviceAuthorizationsCreateParams,
    options?: RequestOptions
  ): ApiPromise<DeviceAuthorizationsCreateAnswer> {
    return this.transport.call({ method: "POST", path: "/v1/agent-api-key-device-authorizations", body }, options)
  }

  /**
   * Poll for the approved key.
   *
   * Returns 202 until a person decides, then 200 once with the key. Wait `interval` seconds between polls.
   *
   * `POST /v1/agent-api-key-device-authorizations/token`
   */
  token(body: DeviceAuthorizationsTokenParams, options?: RequestOptions): ApiPromise<DeviceAuthorizationsTokenAnswer> {
    return this.transport.call({ method: "POST", path: "/v1/agent-api-key-device-authorizations/token", body }, options)
  }
}

export class ProjectsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create a project.
   *
   * Creates the project with its sandbox and production environments.
   *
   * Needs scope `projects:write`.
   *
   * `POST /v1/projects`
   */
  create(body: ProjectsCreateParams, options?: RequestOptions): ApiPromise<Traced<Project>> {
    return this.transport.call({ method: "POST", path: "/v1/projects", body, keyed: true }, options)
  }

  /**
   * List projects.
   *
   * Active projects of the organization, newest first; archived ones never appear.
   *
   * Needs scope `projects:read`.
   *
   * `GET /v1/projects`
   */
  list(query?: ProjectsListQuery, options?: RequestOptions): List<Page<Project>> {
    return this.transport.list({ method: "GET", path: "/v1/projects", query }, "starting_after", options)
  }

  /**
   * Read a project.
   *
   * A project of the organization with its two environments.
   *
   * Needs scope `projects:read`.
   *
   * `GET /v1/projects/{project_id}`
   */
  get(projectId: string, options?: RequestOptions): ApiPromise<Traced<Project>> {
    return this.transport.call({ method: "GET", path: `/v1/projects/${segment(projectId)}` }, options)
  }
}

export class FeedbackResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Send feedback.
   *
   * Any valid key. Credentials are redacted before storage. Body at most 32 KiB. Returns a receipt.
   *
   * `POST /v1/feedback`
   */
  create(body: FeedbackCreateParams, options?: RequestOptions): ApiPromise<FeedbackCreateAnswer> {
    return this.transport.call({ method: "POST", path: "/v1/feedback", body, keyed: true }, options)
  }

  /**
   * List feedback reports.
   *
   * Reports sent through the API from this environment, newest first.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/feedback`
   */
  list(query?: FeedbackListQuery, options?: RequestOptions): List<Page<FeedbackReport>> {
    return this.transport.list({ method: "GET", path: "/v1/feedback", query }, "after", options)
  }

  /**
   * Read a feedback report.
   *
   * A report of this environment with its status.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/feedback/{feedback_report_id}`
   */
  get(feedbackReportId: string, options?: RequestOptions): ApiPromise<Traced<FeedbackReport>> {
    return this.transport.call({ method: "GET", path: `/v1/feedback/${segment(feedbackReportId)}` }, options)
  }
}

export class MessagesResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Send a message.
   *
   * Accepted means stored; events report the progress of the message. With an idempotency-key, a repeated call never sends twice. Free text needs a customer who wrote within 24 hours; in a sandbox, simulate that first.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/messages`
   */
  send(body: SendMessage, options?: RequestOptions): ApiPromise<MessageAccepted> {
    return this.transport.call({ method: "POST", path: "/v1/messages", body, keyed: true }, options)
  }

  /**
   * List messages.
   *
   * Newest first. Filters are combined with AND; `include=payload` adds each payload.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/messages`
   */
  list(query?: MessagesListQuery, options?: RequestOptions): List<Page<Message>> {
    return this.transport.list({ method: "GET", path: "/v1/messages", query }, "starting_after", options)
  }

  /**
   * Read a message.
   *
   * A message of the calling key's environment with its payload and its events.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/messages/{message_id}`
   */
  get(messageId: string, options?: RequestOptions): ApiPromise<Message> {
    return this.transport.call({ method: "GET", path: `/v1/messages/${segment(messageId)}` }, options)
  }

  /**
   * Cancel a queued message.
   *
   * Stops a message that is still queued, including a held one; it costs nothing. Cancelling again changes nothing.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/messages/{message_id}/cancel`
   */
  cancel(messageId: string, options?: RequestOptions): ApiPromise<Message> {
    return this.transport.call(
      { method: "POST", path: `/v1/messages/${segment(messageId)}/cancel`, keyed: true },
      options
    )
  }

  /**
   * Show a typing indicator.
   *
   * Marks a customer's chatapp message as read and shows them a typing indicator for 25 seconds.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/messages/{message_id}/typing`
   */
  typing(messageId: string, options?: RequestOptions): ApiPromise<TypingIndicator> {
    return this.transport.call({ method: "POST", path: `/v1/messages/${segment(messageId)}/typing` }, options)
  }
}

export class TemplatesResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Write a template.
   *
   * Creates a draft; submit it for review before it can be sent. param names the first component that breaks the rules.
   *
   * Needs scope `templates:write`.
   *
   * `POST /v1/templates`
   */
  create(body: CreateTemplate, options?: RequestOptions): ApiPromise<Traced<Template>> {
    return this.transport.call({ method: "POST", path: "/v1/templates", body, keyed: true }, options)
  }

  /**
   * List templates.
   *
   * Templates of the calling key's environment, newest first. Filters are combined with AND.
   *
   * Needs scope `templates:read`.
   *
   * `GET /v1/templates`
   */
  list(query?: TemplatesListQuery, options?: RequestOptions): List<Page<Template>> {
    return this.transport.list({ method: "GET", path: "/v1/templates", query }, "starting_after", options)
  }

  /**
   * Import the account's approved templates.
   *
   * Takes over the approved templates that the connected account already has: name, language, category, components and quality. They can be sent at once. At most 500 are taken; call again until imported is 0. A sandbox imports none.
   *
   * Needs scope `templates:write`.
   *
   * `POST /v1/templates/import`
   */
  import(options?: RequestOptions): ApiPromise<TemplateImport> {
    return this.transport.call({ method: "POST", path: "/v1/templates/import", keyed: true }, options)
  }

  /**
   * Read a template.
   *
   * Returns the newest version; approved_version is the number of the version that sends use.
   *
   * Needs scope `templates:read`.
   *
   * `GET /v1/templates/{template_id}`
   */
  get(templateId: string, options?: RequestOptions): ApiPromise<Traced<Template>> {
    return this.transport.call({ method: "GET", path: `/v1/templates/${segment(templateId)}` }, options)
  }

  /**
   * Change a template.
   *
   * A draft or a rejected template is changed in place. An approved or paused one gets a new draft version, and sends use the approved one until the new one is approved.
   *
   * Needs scope `templates:write`.
   *
   * `PATCH /v1/templates/{template_id}`
   */
  update(templateId: string, body: UpdateTemplate, options?: RequestOptions): ApiPromise<Traced<Template>> {
    return this.transport.call({ method: "PATCH", path: `/v1/templates/${segment(templateId)}`, body }, options)
  }

  /**
   * Delete a template.
   *
   * The name becomes available again; queued sends of the template fail with template_unavailable.
   *
   * Needs scope `templates:write`.
   *
   * `DELETE /v1/templates/{template_id}`
   */
  delete(templateId: string, options?: RequestOptions): ApiPromise<DeletedTemplate> {
    return this.transport.call({ method: "DELETE", path: `/v1/templates/${segment(templateId)}` }, options)
  }

  /**
   * Submit a template for review.
   *
   * Events report the decision. A sandbox approves after a second; in production the provider reviews.
   *
   * Needs scope `templates:write`.
   *
   * `POST /v1/templates/{template_id}/submit`
   */
  submit(templateId: string, options?: RequestOptions): ApiPromise<Traced<Template>> {
    return this.transport.call(
      { method: "POST", path: `/v1/templates/${segment(templateId)}/submit`, keyed: true },
      options
    )
  }

  /**
   * Copy a template.
   *
   * Creates a draft from the newest version under another name, in another language, or both.
   *
   * Needs scope `templates:write`.
   *
   * `POST /v1/templates/{template_id}/duplicate`
   */
  duplicate(templateId: string, body: DuplicateTemplate, options?: RequestOptions): ApiPromise<Traced<Template>> {
    return this.transport.call(
      { method: "POST", path: `/v1/templates/${segment(templateId)}/duplicate`, body, keyed: true },
      options
    )
  }
}

export class SandboxTemplatesResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Reject, pause or disable a sandbox template.
   *
   * Simulates a decision of the provider, from any state, with its event; or its move of a template to another category.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/templates/{template_id}/status`
   */
  setStatus(templateId: string, body: SetTemplateStatus, options?: RequestOptions): ApiPromise<Traced<Template>> {
    return this.transport.call(
      { method: "POST", path: `/v1/sandbox/templates/${segment(templateId)}/status`, body, keyed: true },
      options
    )
  }
}

export class SandboxClockAdvancesResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Read an advance of the clock.
   *
   * Returns the instant it reached, the number of steps, and the reason if it stopped.
   *
   * `GET /v1/sandbox/clock/advances/{advance_id}`
   */
  get(advanceId: string, options?: RequestOptions): ApiPromise<SandboxClockAdvance> {
    return this.transport.call({ method: "GET", path: `/v1/sandbox/clock/advances/${segment(advanceId)}` }, options)
  }
}

export class SandboxClockResource {
  protected readonly transport: Transport
  /** Advance, freeze and resume the time of a sandbox, or empty it; production keys are refused. */
  readonly advances: SandboxClockAdvancesResource

  constructor(transport: Transport) {
    this.transport = transport
    this.advances = new SandboxClockAdvancesResource(transport)
  }

  /**
   * Read the sandbox's clock.
   *
   * Returns the sandbox's time and its lead over real time.
   *
   * `GET /v1/sandbox/clock`
   */
  get(options?: RequestOptions): ApiPromise<SandboxClock> {
    return this.transport.call({ method: "GET", path: "/v1/sandbox/clock" }, options)
  }

  /**
   * Turn the sandbox's clock ahead.
   *
   * The clock stops at each due instant on the way until the work due then has run. Read the advance until it is settled.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/clock/advance`
   */
  advance(body: SandboxClockAdvanceParams, options?: RequestOptions): ApiPromise<SandboxClockAdvance> {
    return this.transport.call({ method: "POST", path: "/v1/sandbox/clock/advance", body, keyed: true }, options)
  }

  /**
   * Stop the sandbox's clock.
   *
   * Time stands still until the clock is advanced or resumed. A first freeze stops half a second ahead.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/clock/freeze`
   */
  freeze(options?: RequestOptions): ApiPromise<SandboxClock> {
    return this.transport.call({ method: "POST", path: "/v1/sandbox/clock/freeze", keyed: true }, options)
  }

  /**
   * Resume the sandbox's clock.
   *
   * Time continues from the frozen instant. Only a reset takes it back to real time.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/clock/resume`
   */
  resume(options?: RequestOptions): ApiPromise<SandboxClock> {
    return this.transport.call({ method: "POST", path: "/v1/sandbox/clock/resume", keyed: true }, options)
  }

  /**
   * Empty the sandbox.
   *
   * Deletes the sandbox's messages, events, endpoints, batches, payments, contacts, media and all else, and takes its clock back to real time. Keys, templates and the first simulated number stay. Read the returned advance until it is settled; until then other writes of the sandbox get 503.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/clock/reset`
   */
  reset(body: ResetSandboxClock, options?: RequestOptions): ApiPromise<SandboxClockAdvance> {
    return this.transport.call({ method: "POST", path: "/v1/sandbox/clock/reset", body, keyed: true }, options)
  }
}

export class SandboxGroupsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Simulate a participant joining or leaving.
   *
   * Simulates the provider's notice for a sandbox group; at most eight participants.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/groups/{group_id}/participants`
   */
  addParticipant(
    groupId: string,
    body: SandboxGroupsAddParticipantParams,
    options?: RequestOptions
  ): ApiPromise<Group> {
    return this.transport.call(
      { method: "POST", path: `/v1/sandbox/groups/${segment(groupId)}/participants`, body },
      options
    )
  }
}

export class SandboxPaymentsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Set the status of a sandbox payment.
   *
   * Ends a payment with the given status and raises its event, without a call to a provider. Repeating the status changes nothing.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/payments/{payment_id}/status`
   */
  setStatus(paymentId: string, body: SetSandboxPaymentStatus, options?: RequestOptions): ApiPromise<PaymentRequest> {
    return this.transport.call(
      { method: "POST", path: `/v1/sandbox/payments/${segment(paymentId)}/status`, body, keyed: true },
      options
    )
  }
}

export class SandboxResource {
  protected readonly transport: Transport
  /** Reviewed messages that can be sent without an open service window. */
  readonly templates: SandboxTemplatesResource
  /** Advance, freeze and resume the time of a sandbox, or empty it; production keys are refused. */
  readonly clock: SandboxClockResource
  /** Chat groups on your own numbers (beta): the set of routes and fields may grow. */
  readonly groups: SandboxGroupsResource
  /** Simulated outcomes of payments. */
  readonly payments: SandboxPaymentsResource

  constructor(transport: Transport) {
    this.transport = transport
    this.templates = new SandboxTemplatesResource(transport)
    this.clock = new SandboxClockResource(transport)
    this.groups = new SandboxGroupsResource(transport)
    this.payments = new SandboxPaymentsResource(transport)
  }

  /**
   * Read the requirements of a first send.
   *
   * Returns, to any sandbox key, the number to send from and the scopes that the key lacks.
   *
   * `GET /v1/sandbox/quickstart`
   */
  quickstart(options?: RequestOptions): ApiPromise<SandboxQuickstart> {
    return this.transport.call({ method: "GET", path: "/v1/sandbox/quickstart" }, options)
  }

  /**
   * Simulate an inbound message.
   *
   * Creates an inbound message like a customer's: it opens the service window and raises events.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/inbound-messages`
   */
  simulateInbound(body: SimulateInbound, options?: RequestOptions): ApiPromise<SimulatedInbound> {
    return this.transport.call({ method: "POST", path: "/v1/sandbox/inbound-messages", body, keyed: true }, options)
  }

  /**
   * Simulate a language model failure.
   *
   * The next call to a language model fails this way, or every call for a while. A further request replaces the previous one. The provider is not called.
   *
   * Needs scope `sandbox:write`.
   *
   * `POST /v1/sandbox/llm/failure`
   */
  armLlmFailure(body: ArmLlmFailure, options?: RequestOptions): ApiPromise<SandboxArmLlmFailureAnswer> {
    return this.transport.call({ method: "POST", path: "/v1/sandbox/llm/failure", body, keyed: true }, options)
  }
}

export class FlowsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create a flow.
   *
   * Creates a draft; publish it before a message opens it.
   *
   * Needs scope `templates:write`.
   *
   * `POST /v1/flows`
   */
  create(body: CreateFlow, options?: RequestOptions): ApiPromise<Flow> {
    return this.transport.call({ method: "POST", path: "/v1/flows", body, keyed: true }, options)
  }

  /**
   * List flows.
   *
   * Flows of the calling key's environment without their definitions, newest first.
   *
   * Needs scope `templates:read`.
   *
   * `GET /v1/flows`
   */
  list(query?: FlowsListQuery, options?: RequestOptions): List<Page<FlowEntry>> {
    return this.transport.list({ method: "GET", path: "/v1/flows", query }, "starting_after", options)
  }

  /**
   * Read a flow.
   *
   * Returns the flow with its definition.
   *
   * Needs scope `templates:read`.
   *
   * `GET /v1/flows/{flow_id}`
   */
  get(flowId: string, options?: RequestOptions): ApiPromise<Flow> {
    return this.transport.call({ method: "GET", path: `/v1/flows/${segment(flowId)}` }, options)
  }

  /**
   * Change a flow.
   *
   * Only drafts and rejected flows can be changed; a rejected flow becomes a draft again.
   *
   * Needs scope `templates:write`.
   *
   * `PATCH /v1/flows/{flow_id}`
   */
  update(flowId: string, body: FlowsUpdateParams, options?: RequestOptions): ApiPromise<Flow> {
    return this.transport.call({ method: "PATCH", path: `/v1/flows/${segment(flowId)}`, body }, options)
  }

  /**
   * Delete a flow.
   *
   * Drafts only.
   *
   * Needs scope `templates:write`.
   *
   * `DELETE /v1/flows/{flow_id}`
   */
  delete(flowId: string, options?: RequestOptions): ApiPromise<DeletedFlow> {
    return this.transport.call({ method: "DELETE", path: `/v1/flows/${segment(flowId)}` }, options)
  }

  /**
   * Publish a flow.
   *
   * In the sandbox the flow is published immediately (200). In production the provider reviews it (202): its status is publishing until it is published or rejected.
   *
   * Needs scope `templates:write`.
   *
   * `POST /v1/flows/{flow_id}/publish`
   */
  publish(flowId: string, options?: RequestOptions): ApiPromise<Flow> {
    return this.transport.call({ method: "POST", path: `/v1/flows/${segment(flowId)}/publish`, keyed: true }, options)
  }

  /**
   * Deprecate a flow.
   *
   * Only for published flows: messages can no longer open the flow. This cannot be undone.
   *
   * Needs scope `templates:write`.
   *
   * `POST /v1/flows/{flow_id}/deprecate`
   */
  deprecate(flowId: string, options?: RequestOptions): ApiPromise<Flow> {
    return this.transport.call({ method: "POST", path: `/v1/flows/${segment(flowId)}/deprecate` }, options)
  }
}

export class ContactsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Import contacts.
   *
   * Opts in customers who agreed, including those who had opted out: never import a suppression list with it. One invalid row refuses the whole import. Send an idempotency-key and reuse it only for the identical request.
   *
   * Needs scope `contacts:write`.
   *
   * `POST /v1/contacts/bulk-import`
   */
  bulkImport(body: ImportContacts, options?: RequestOptions): ApiPromise<ContactBulkImport> {
    return this.transport.call({ method: "POST", path: "/v1/contacts/bulk-import", body, keyed: true }, options)
  }

  /**
   * Opt a contact in.
   *
   * Creates the contact if none exists. It does not lift the provider's stop of marketing messages.
   *
   * Needs scope `contacts:write`.
   *
   * `POST /v1/contacts/opt-in`
   */
  optIn(body: ChangeConsent, options?: RequestOptions): ApiPromise<Contact> {
    return this.transport.call({ method: "POST", path: "/v1/contacts/opt-in", body, keyed: true }, options)
  }

  /**
   * Opt a contact out.
   *
   * After this call every message to this customer is refused. An international number that no numbering plan lists is taken too, with svc-warning. A call takes one customer. One source address may make 10 calls per second (60 in a burst) over all keys: on 429 wait for retry-after, then repeat the unchanged body under the unchanged idempotency-key.
   *
   * Needs scope `contacts:write`.
   *
   * `POST /v1/contacts/opt-out`
   */
  optOut(body: ChangeConsent, options?: RequestOptions): ApiPromise<Contact> {
    return this.transport.call({ method: "POST", path: "/v1/contacts/opt-out", body, keyed: true }, options)
  }

  /**
   * List contacts.
   *
   * Newest first. Filters are combined with AND.
   *
   * Needs scope `contacts:read`.
   *
   * `GET /v1/contacts`
   */
  list(query?: ContactsListQuery, options?: RequestOptions): List<Page<ContactEntry>> {
    return this.transport.list({ method: "GET", path: "/v1/contacts", query }, "starting_after", options)
  }

  /**
   * Read a contact.
   *
   * A contact of the calling key's environment.
   *
   * Needs scope `contacts:read`.
   *
   * `GET /v1/contacts/{contact_id}`
   */
  get(contactId: string, options?: RequestOptions): ApiPromise<Contact> {
    return this.transport.call({ method: "GET", path: `/v1/contacts/${segment(contactId)}` }, options)
  }

  /**
   * Erase a contact.
   *
   * Immediately hides the contact and cancels its queued messages. Within an hour all personal data is removed from its messages, media, events and stored responses; ids and states stay. An opt-out stays in force.
   *
   * Needs scope `contacts:write`.
   *
   * `DELETE /v1/contacts/{contact_id}`
   */
  delete(contactId: string, options?: RequestOptions): ApiPromise<DeletedContact> {
    return this.transport.call({ method: "DELETE", path: `/v1/contacts/${segment(contactId)}` }, options)
  }

  /**
   * Export a contact.
   *
   * The contact, every change of its consent and its latest 1000 messages.
   *
   * Needs scope `contacts:read`.
   *
   * `POST /v1/contacts/{contact_id}/export`
   */
  export(contactId: string, options?: RequestOptions): ApiPromise<ContactExport> {
    return this.transport.call({ method: "POST", path: `/v1/contacts/${segment(contactId)}/export` }, options)
  }
}

export class DataRetentionResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Read the data retention policy.
   *
   * Retention periods of this environment.
   *
   * Needs scope `contacts:read`.
   *
   * `GET /v1/data-retention`
   */
  get(options?: RequestOptions): ApiPromise<DataRetentionPolicy> {
    return this.transport.call({ method: "GET", path: "/v1/data-retention" }, options)
  }

  /**
   * Change the data retention policy.
   *
   * Data older than a shortened period is deleted within a day and cannot be restored.
   *
   * Needs scope `contacts:write`.
   *
   * `PATCH /v1/data-retention`
   */
  update(body: DataRetentionUpdateParams, options?: RequestOptions): ApiPromise<DataRetentionPolicy> {
    return this.transport.call({ method: "PATCH", path: "/v1/data-retention", body }, options)
  }
}

export class BatchesResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Send a batch.
   *
   * Sends one approved template to up to 10,000 recipients, or to contacts selected by ids, a filter or an audience. Messages are created as fast as the number sends. New recipients beyond the number's daily allowance wait for the next window.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/batches`
   */
  create(body: CreateBatch, options?: RequestOptions): ApiPromise<Batch> {
    return this.transport.call({ method: "POST", path: "/v1/batches", body, keyed: true }, options)
  }

  /**
   * List batches.
   *
   * Batches of the calling key's environment, newest first.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/batches`
   */
  list(query?: BatchesListQuery, options?: RequestOptions): List<Page<Batch>> {
    return this.transport.list({ method: "GET", path: "/v1/batches", query }, "starting_after", options)
  }

  /**
   * Read a batch.
   *
   * Returns the batch with its progress.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/batches/{batch_id}`
   */
  get(batchId: string, options?: RequestOptions): ApiPromise<Batch> {
    return this.transport.call({ method: "GET", path: `/v1/batches/${segment(batchId)}` }, options)
  }

  /**
   * Pause a batch.
   *
   * Creates no further messages; queued messages are still sent.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/batches/{batch_id}/pause`
   */
  pause(batchId: string, options?: RequestOptions): ApiPromise<Batch> {
    return this.transport.call({ method: "POST", path: `/v1/batches/${segment(batchId)}/pause`, keyed: true }, options)
  }

  /**
   * Resume a batch.
   *
   * Continues where the batch was paused.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/batches/{batch_id}/resume`
   */
  resume(batchId: string, options?: RequestOptions): ApiPromise<Batch> {
    return this.transport.call({ method: "POST", path: `/v1/batches/${segment(batchId)}/resume`, keyed: true }, options)
  }

  /**
   * Cancel a batch.
   *
   * Permanent: queued messages are cancelled, messages being sent finish.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/batches/{batch_id}/cancel`
   */
  cancel(batchId: string, options?: RequestOptions): ApiPromise<Batch> {
    return this.transport.call({ method: "POST", path: `/v1/batches/${segment(batchId)}/cancel`, keyed: true }, options)
  }

  /**
   * List the recipients of a batch.
   *
   * Recipients in the order in which they were given, each with its message.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/batches/{batch_id}/recipients`
   */
  recipients(batchId: string, query?: BatchesRecipientsQuery, options?: RequestOptions): List<Page<BatchRecipient>> {
    return this.transport.list(
      { method: "GET", path: `/v1/batches/${segment(batchId)}/recipients`, query },
      "starting_after",
      options
    )
  }

  /**
   * List the failures of a batch.
   *
   * Failed recipients in the order in which they were given.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/batches/{batch_id}/failures`
   */
  failures(batchId: string, query?: BatchesFailuresQuery, options?: RequestOptions): List<Page<BatchFailure>> {
    return this.transport.list(
      { method: "GET", path: `/v1/batches/${segment(batchId)}/failures`, query },
      "starting_after",
      options
    )
  }

  /**
   * Export the failures of a batch.
   *
   * All failures as text/csv: a header line, then one line for each failure.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/batches/{batch_id}/failures/export`
   */
  exportFailures(batchId: string, options?: RequestOptions): ApiPromise<string> {
    return this.transport.call(
      { method: "GET", path: `/v1/batches/${segment(batchId)}/failures/export`, answer: "text" },
      options
    )
  }
}

export class AudiencesResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create an audience.
   *
   * Saves a filter over contacts; a batch applies it when it starts.
   *
   * Needs scope `contacts:write`.
   *
   * `POST /v1/audiences`
   */
  create(body: CreateAudience, options?: RequestOptions): ApiPromise<Traced<Audience>> {
    return this.transport.call({ method: "POST", path: "/v1/audiences", body, keyed: true }, options)
  }

  /**
   * List audiences.
   *
   * Audiences of the calling key's environment, newest first.
   *
   * Needs scope `contacts:read`.
   *
   * `GET /v1/audiences`
   */
  list(query?: AudiencesListQuery, options?: RequestOptions): List<Page<Audience>> {
    return this.transport.list({ method: "GET", path: "/v1/audiences", query }, "starting_after", options)
  }

  /**
   * Read an audience.
   *
   * Returns the filter and the number of contacts that match now.
   *
   * Needs scope `contacts:read`.
   *
   * `GET /v1/audiences/{audience_id}`
   */
  get(audienceId: string, options?: RequestOptions): ApiPromise<Traced<Audience>> {
    return this.transport.call({ method: "GET", path: `/v1/audiences/${segment(audienceId)}` }, options)
  }

  /**
   * Delete an audience.
   *
   * The contacts stay. A batch that names the audience and has not started fails.
   *
   * Needs scope `contacts:write`.
   *
   * `DELETE /v1/audiences/{audience_id}`
   */
  delete(audienceId: string, options?: RequestOptions): ApiPromise<DeletedAudience> {
    return this.transport.call({ method: "DELETE", path: `/v1/audiences/${segment(audienceId)}` }, options)
  }
}

export class MediaUploadsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Start an upload.
   *
   * Creates an upload. Then PUT the bytes to upload_url with upload_headers and without a key, and complete the upload. The id is that of the asset.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/media/uploads`
   */
  create(body: MediaUploadsCreateParams, options?: RequestOptions): ApiPromise<MediaUpload> {
    return this.transport.call({ method: "POST", path: "/v1/media/uploads", body, keyed: true }, options)
  }
}

export class MediaBlobsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Upload bytes.
   *
   * The upload_url of an upload: raw bytes with the upload's headers and no key. Content-Type is the media type that the upload was made for, as upload_headers say. The request may be repeated until the upload is completed, one at a time: a parallel one is refused with 409. A request that sends no bytes for twenty seconds ends with 408.
   *
   * `PUT /v1/media/blobs/{token}`
   */
  put(token: string, bytes: RequestBytes, contentType: string, options?: RequestOptions): ApiPromise<UploadedBytes> {
    return this.transport.call(
      { method: "PUT", path: `/v1/media/blobs/${segment(token)}`, bytes, contentType },
      options
    )
  }

  /**
   * Download bytes.
   *
   * A download_url: returns the bytes with the asset's media type; takes no key. A Range header with one range returns a part.
   *
   * `GET /v1/media/blobs/{token}`
   */
  get(token: string, options?: RequestOptions): ApiPromise<Response> {
    return this.transport.call({ method: "GET", path: `/v1/media/blobs/${segment(token)}`, answer: "stream" }, options)
  }
}

export class MediaTranscriptionsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Transcribe an audio asset.
   *
   * The text comes in a message.media_transcribed event and in the transcription.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/media/{asset_id}/transcriptions`
   */
  create(
    assetId: string,
    body?: MediaTranscriptionsCreateParams,
    options?: RequestOptions
  ): ApiPromise<MediaTranscription> {
    return this.transport.call(
      { method: "POST", path: `/v1/media/${segment(assetId)}/transcriptions`, body, keyed: true },
      options
    )
  }

  /**
   * List transcriptions of an asset.
   *
   * Newest first.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/media/{asset_id}/transcriptions`
   */
  list(
    assetId: string,
    query?: MediaTranscriptionsListQuery,
    options?: RequestOptions
  ): List<Page<MediaTranscription>> {
    return this.transport.list(
      { method: "GET", path: `/v1/media/${segment(assetId)}/transcriptions`, query },
      "starting_after",
      options
    )
  }

  /**
   * Read a transcription.
   *
   * Returns the status and the text of a transcription.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/media/{asset_id}/transcriptions/{transcription_id}`
   */
  get(assetId: string, transcriptionId: string, options?: RequestOptions): ApiPromise<MediaTranscription> {
    return this.transport.call(
      { method: "GET", path: `/v1/media/${segment(assetId)}/transcriptions/${segment(transcriptionId)}` },
      options
    )
  }
}

export class MediaResource extends MediaFiles {
  /** Files of an environment: files that you send and files that customers sent. */
  readonly uploads: MediaUploadsResource
  /** Files of an environment: files that you send and files that customers sent. */
  readonly blobs: MediaBlobsResource
  /** Files of an environment: files that you send and files that customers sent. */
  readonly transcriptions: MediaTranscriptionsResource

  constructor(transport: Transport) {
    super(transport)
    this.uploads = new MediaUploadsResource(transport)
    this.blobs = new MediaBlobsResource(transport)
    this.transcriptions = new MediaTranscriptionsResource(transport)
  }

  /**
   * Complete an upload.
   *
   * Makes the asset ready, or failed when its first bytes are of another type than announced. A repeated call returns the asset unchanged.
   *
   * Needs scope `messages:write`.
   *
   * `POST /v1/media/{asset_id}/complete`
   */
  complete(assetId: string, options?: RequestOptions): ApiPromise<MediaAsset> {
    return this.transport.call({ method: "POST", path: `/v1/media/${segment(assetId)}/complete`, keyed: true }, options)
  }

  /**
   * List media assets.
   *
   * Newest first; deleted assets only with status=deleted.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/media`
   */
  list(query?: MediaListQuery, options?: RequestOptions): List<Page<MediaAsset>> {
    return this.transport.list({ method: "GET", path: "/v1/media", query }, "starting_after", options)
  }

  /**
   * Read storage usage.
   *
   * Storage used by the files of the environment, including inbound files.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/media/storage-usage`
   */
  usage(options?: RequestOptions): ApiPromise<MediaStorageUsage> {
    return this.transport.call({ method: "GET", path: "/v1/media/storage-usage" }, options)
  }

  /**
   * Read a media asset.
   *
   * Returns the facts about a file, never its bytes.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/media/{asset_id}`
   */
  get(assetId: string, options?: RequestOptions): ApiPromise<MediaAsset> {
    return this.transport.call({ method: "GET", path: `/v1/media/${segment(assetId)}` }, options)
  }

  /**
   * Delete a media asset.
   *
   * Deletes the bytes and frees their storage. A repeated call returns the asset unchanged.
   *
   * Needs scope `messages:write`.
   *
   * `DELETE /v1/media/{asset_id}`
   */
  delete(assetId: string, options?: RequestOptions): ApiPromise<DeletedMediaAsset> {
    return this.transport.call({ method: "DELETE", path: `/v1/media/${segment(assetId)}` }, options)
  }

  /**
   * Mint a download URL.
   *
   * The URL serves the bytes for five minutes without a key; request another afterwards.
   *
   * Needs scope `messages:read`.
   *
   * `GET /v1/media/{asset_id}/download-url`
   */
  downloadUrl(assetId: string, options?: RequestOptions): ApiPromise<MediaAssetDownload> {
    return this.transport.call({ method: "GET", path: `/v1/media/${segment(assetId)}/download-url` }, options)
  }
}

export class ProviderConnectionsUpstreamResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Register an upstream account.
   *
   * The token is verified at the platform before the connection is stored. chatapp needs biz_account_id and phone_number_id, socialapp one of social_business_account_id and page_id.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/upstream`
   */
  register(body: RegisterUpstream, options?: RequestOptions): ApiPromise<AnsweredProviderConnection> {
    return this.transport.call(
      { method: "POST", path: "/v1/provider-connections/upstream", body, keyed: true },
      options
    )
  }

  /**
   * Connect an account by the code of an embedded signup.
   *
   * Without biz_account_id the token must reach exactly one account. Otherwise the connection stays pending until complete-pending completes it.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/upstream/oauth`
   */
  exchangeCode(body: ExchangeUpstreamCode, options?: RequestOptions): ApiPromise<AnsweredProviderConnection> {
    return this.transport.call(
      { method: "POST", path: "/v1/provider-connections/upstream/oauth", body, keyed: true },
      options
    )
  }
}

export class ProviderConnectionsNumprovResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Register your own account.
   *
   * The key is verified afterwards: poll the operation. The numbers of the account are listed then.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/numprov`
   */
  register(body: RegisterNumprov, options?: RequestOptions): ApiPromise<AnsweredNumprovConnection> {
    return this.transport.call({ method: "POST", path: "/v1/provider-connections/numprov", body, keyed: true }, options)
  }

  /**
   * List number-provider connections.
   *
   * Connections of the calling key's environment, newest first.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/numprov`
   */
  list(query?: ProviderConnectionsNumprovListQuery, options?: RequestOptions): List<Page<NumprovConnection>> {
    return this.transport.list(
      { method: "GET", path: "/v1/provider-connections/numprov", query },
      "starting_after",
      options
    )
  }

  /**
   * Read a number-provider connection.
   *
   * Returns the connection with its latest operation; never its key.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/numprov/{numprov_connection_id}`
   */
  get(numprovConnectionId: string, options?: RequestOptions): ApiPromise<AnsweredNumprovConnection> {
    return this.transport.call(
      { method: "GET", path: `/v1/provider-connections/numprov/${segment(numprovConnectionId)}` },
      options
    )
  }

  /**
   * Rotate the key of an account.
   *
   * The new key replaces the present one once the provider accepts it.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/numprov/{numprov_connection_id}/rotate`
   */
  rotate(
    numprovConnectionId: string,
    body: RotateNumprov,
    options?: RequestOptions
  ): ApiPromise<AnsweredNumprovOperation> {
    return this.transport.call(
      {
        method: "POST",
        path: `/v1/provider-connections/numprov/${segment(numprovConnectionId)}/rotate`,
        body,
        keyed: true
      },
      options
    )
  }

  /**
   * Refresh the numbers of an account.
   *
   * Lists the numbers at the provider again. Numbers listed more than 24 hours ago cannot be imported.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/numprov/{numprov_connection_id}/discoveries`
   */
  discover(numprovConnectionId: string, options?: RequestOptions): ApiPromise<AnsweredNumprovOperation> {
    return this.transport.call(
      {
        method: "POST",
        path: `/v1/provider-connections/numprov/${segment(numprovConnectionId)}/discoveries`,
        keyed: true
      },
      options
    )
  }

  /**
   * Disconnect an account.
   *
   * Erases the key; imported numbers stay. Disconnecting again changes nothing.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/numprov/{numprov_connection_id}/disconnect`
   */
  disconnect(numprovConnectionId: string, options?: RequestOptions): ApiPromise<AnsweredNumprovConnection> {
    return this.transport.call(
      {
        method: "POST",
        path: `/v1/provider-connections/numprov/${segment(numprovConnectionId)}/disconnect`,
        keyed: true
      },
      options
    )
  }

  /**
   * Read an operation.
   *
   * Returns the result of a registration, a rotation or a discovery.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/numprov/{numprov_connection_id}/operations/{numprov_operation_id}`
   */
  operation(
    numprovConnectionId: string,
    numprovOperationId: string,
    options?: RequestOptions
  ): ApiPromise<AnsweredNumprovOperation> {
    return this.transport.call(
      {
        method: "GET",
        path: `/v1/provider-connections/numprov/${segment(numprovConnectionId)}/operations/${segment(numprovOperationId)}`
      },
      options
    )
  }

  /**
   * List the numbers of an account.
   *
   * Numbers as they were last listed at the provider.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/numprov/{numprov_connection_id}/resources`
   */
  resources(
    numprovConnectionId: string,
    query?: ProviderConnectionsNumprovResourcesQuery,
    options?: RequestOptions
  ): List<Page<NumprovResource>> {
    return this.transport.list(
      { method: "GET", path: `/v1/provider-connections/numprov/${segment(numprovConnectionId)}/resources`, query },
      "starting_after",
      options
    )
  }
}

export class ProviderConnectionsSignupSessionsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create a signup session.
   *
   * Returns a page address, valid for 30 minutes, at which your customer connects an account without a login here.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/upstream/signup-sessions`
   */
  create(body: CreateUpstreamSignupSession, options?: RequestOptions): ApiPromise<UpstreamSignupSession> {
    return this.transport.call(
      { method: "POST", path: "/v1/provider-connections/upstream/signup-sessions", body, keyed: true },
      options
    )
  }

  /**
   * Read a signup session.
   *
   * Returns the session's status; its page address is not shown again.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/upstream/signup-sessions/{signup_session_id}`
   */
  get(signupSessionId: string, options?: RequestOptions): ApiPromise<UpstreamSignupSession> {
    return this.transport.call(
      { method: "GET", path: `/v1/provider-connections/upstream/signup-sessions/${segment(signupSessionId)}` },
      options
    )
  }

  /**
   * Complete a signup session.
   *
   * The launch page calls it with the launch token as bearer. A repeated call after success returns an unchanged response.
   *
   * `POST /v1/provider-connections/upstream/signup-sessions/{signup_session_id}/complete`
   */
  complete(
    signupSessionId: string,
    body: CompleteUpstreamSignupSession,
    options?: RequestOptions
  ): ApiPromise<UpstreamSignupSession> {
    return this.transport.call(
      {
        method: "POST",
        path: `/v1/provider-connections/upstream/signup-sessions/${segment(signupSessionId)}/complete`,
        body
      },
      options
    )
  }
}

export class ProviderConnectionsSetupSessionsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create a setup session.
   *
   * Returns a page address, valid for 30 minutes, at which an owner or admin of your organization enters credentials that you never see.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-credential-setup-sessions`
   */
  create(
    body: CreateProviderCredentialSetupSession,
    options?: RequestOptions
  ): ApiPromise<ProviderCredentialSetupSession> {
    return this.transport.call(
      { method: "POST", path: "/v1/provider-credential-setup-sessions", body, keyed: true },
      options
    )
  }

  /**
   * Read a setup session.
   *
   * Returns the session's status; its page address is not shown again.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-credential-setup-sessions/{setup_session_id}`
   */
  get(setupSessionId: string, options?: RequestOptions): ApiPromise<ProviderCredentialSetupSession> {
    return this.transport.call(
      { method: "GET", path: `/v1/provider-credential-setup-sessions/${segment(setupSessionId)}` },
      options
    )
  }

  /**
   * Complete a setup session.
   *
   * Takes the dashboard session cookie of an owner or admin and its form token in X-CSRF-Token instead of a key. Refused credentials leave the session pending.
   *
   * `POST /v1/provider-credential-setup-sessions/{setup_session_id}/complete`
   */
  complete(
    setupSessionId: string,
    body: CompleteProviderCredentialSetupSession,
    options?: RequestOptions
  ): ApiPromise<ProviderCredentialSetupSession> {
    return this.transport.call(
      { method: "POST", path: `/v1/provider-credential-setup-sessions/${segment(setupSessionId)}/complete`, body },
      options
    )
  }

  /**
   * Deny a setup session.
   *
   * Takes the dashboard session like the complete route.
   *
   * `POST /v1/provider-credential-setup-sessions/{setup_session_id}/deny`
   */
  deny(setupSessionId: string, options?: RequestOptions): ApiPromise<ProviderCredentialSetupSession> {
    return this.transport.call(
      { method: "POST", path: `/v1/provider-credential-setup-sessions/${segment(setupSessionId)}/deny` },
      options
    )
  }
}

export class ProviderConnectionsResource {
  protected readonly transport: Transport
  /** Accounts at the chat platform and at payment providers. */
  readonly upstream: ProviderConnectionsUpstreamResource
  /** Your own accounts at the number provider, whose numbers can be imported. */
  readonly numprov: ProviderConnectionsNumprovResource
  /** Hosted pages on which your customers connect accounts of the chat platform. */
  readonly signupSessions: ProviderConnectionsSignupSessionsResource
  /** Handoffs to people who may enter provider credentials. */
  readonly setupSessions: ProviderConnectionsSetupSessionsResource

  constructor(transport: Transport) {
    this.transport = transport
    this.upstream = new ProviderConnectionsUpstreamResource(transport)
    this.numprov = new ProviderConnectionsNumprovResource(transport)
    this.signupSessions = new ProviderConnectionsSignupSessionsResource(transport)
    this.setupSessions = new ProviderConnectionsSetupSessionsResource(transport)
  }

  /**
   * Read whether each channel is ready.
   *
   * The first check of an integration: the connected channels, and the reasons why others are not ready.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/status`
   */
  status(options?: RequestOptions): ApiPromise<ProviderConnectionStatus> {
    return this.transport.call({ method: "GET", path: "/v1/provider-connections/status" }, options)
  }

  /**
   * List provider connections.
   *
   * Connections of the calling key's environment, newest first.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections`
   */
  list(query?: ProviderConnectionsListQuery, options?: RequestOptions): List<Page<ProviderConnection>> {
    return this.transport.list({ method: "GET", path: "/v1/provider-connections", query }, "starting_after", options)
  }

  /**
   * Read a provider connection.
   *
   * Returns the connection's state, its accounts and the reasons that block sends; never its credential.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/{connection_id}`
   */
  get(connectionId: string, options?: RequestOptions): ApiPromise<AnsweredProviderConnection> {
    return this.transport.call({ method: "GET", path: `/v1/provider-connections/${segment(connectionId)}` }, options)
  }

  /**
   * Rotate the token of an upstream connection.
   *
   * The new token is verified first. Sends then use it, and no send fails in between. A suspended connection becomes connected again.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/{connection_id}/rotate-token`
   */
  rotateToken(
    connectionId: string,
    body: RotateToken,
    options?: RequestOptions
  ): ApiPromise<AnsweredProviderConnection> {
    return this.transport.call(
      { method: "POST", path: `/v1/provider-connections/${segment(connectionId)}/rotate-token`, body, keyed: true },
      options
    )
  }

  /**
   * Complete a pending connection.
   *
   * Verifies the stored credential again, and finds the account through it if none is named. The connection stays pending if that fails.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/{connection_id}/complete-pending`
   */
  completePending(
    connectionId: string,
    body?: CompletePendingConnection,
    options?: RequestOptions
  ): ApiPromise<AnsweredProviderConnection> {
    return this.transport.call(
      { method: "POST", path: `/v1/provider-connections/${segment(connectionId)}/complete-pending`, body, keyed: true },
      options
    )
  }

  /**
   * Disconnect an account.
   *
   * Erases the credential; queued sends fail with no_provider_connection. Disconnecting again changes nothing.
   *
   * Needs scope `provider_connections:write`.
   *
   * `POST /v1/provider-connections/{connection_id}/disconnect`
   */
  disconnect(connectionId: string, options?: RequestOptions): ApiPromise<AnsweredProviderConnection> {
    return this.transport.call(
      { method: "POST", path: `/v1/provider-connections/${segment(connectionId)}/disconnect`, keyed: true },
      options
    )
  }

  /**
   * Read the settings of an embedded signup.
   *
   * Settings for a signup in your own pages; hosted signup sessions do not need them.
   *
   * Needs scope `provider_connections:read`.
   *
   * `GET /v1/provider-connections/upstream/onboarding-config`
   */
  onboardingConfig(options?: RequestOptions): ApiPromise<UpstreamOnboardingConfig> {
    return this.transport.call({ method: "GET", path: "/v1/provider-connections/upstream/onboarding-config" }, options)
  }
}

export class PhoneNumbersOrdersResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Order a number.
   *
   * In production the order waits for an owner or admin, who sees the charges; relay approval_url to one. The decision raises no event: read the order about once a minute. In the sandbox the order is approved immediately and is free.
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/orders`
   */
  create(body: CreatePhoneNumberOrder, options?: RequestOptions): ApiPromise<PhoneNumbersOrdersCreateAnswer> {
    return this.transport.call({ method: "POST", path: "/v1/phone-numbers/orders", body, keyed: true }, options)
  }

  /**
   * Read an order.
   *
   * Returns the order with its current status.
   *
   * Needs scope `phone_numbers:read`.
   *
   * `GET /v1/phone-numbers/orders/{order_id}`
   */
  get(orderId: string, options?: RequestOptions): ApiPromise<PhoneNumbersOrdersGetAnswer> {
    return this.transport.call({ method: "GET", path: `/v1/phone-numbers/orders/${segment(orderId)}` }, options)
  }
}

export class PhoneNumbersResource {
  protected readonly transport: Transport
  /** Orders of rented numbers, which an owner or admin approves. */
  readonly orders: PhoneNumbersOrdersResource

  constructor(transport: Transport) {
    this.transport = transport
    this.orders = new PhoneNumbersOrdersResource(transport)
  }

  /**
   * List regions.
   *
   * The area codes of Brazil, ascending; a limit of 100 holds all of them.
   *
   * Needs scope `phone_numbers:read`.
   *
   * `GET /v1/phone-numbers/available-regions`
   */
  regions(query?: PhoneNumbersRegionsQuery, options?: RequestOptions): List<Page<PhoneRegion>> {
    return this.transport.list(
      { method: "GET", path: "/v1/phone-numbers/available-regions", query },
      "starting_after",
      options
    )
  }

  /**
   * List phone numbers.
   *
   * Numbers of the calling key's environment that are not released, newest first. Filters are combined with AND.
   *
   * Needs scope `phone_numbers:read`.
   *
   * `GET /v1/phone-numbers`
   */
  list(query?: PhoneNumbersListQuery, options?: RequestOptions): List<Page<PhoneNumber>> {
    return this.transport.list({ method: "GET", path: "/v1/phone-numbers", query }, "starting_after", options)
  }

  /**
   * Connect your own number.
   *
   * Adds a number that is already registered at the chat platform. In production its status is verifying until the environment's connection reaches it, and failed after 24 hours; in the sandbox it is active immediately.
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/connect`
   */
  connect(body: ConnectPhoneNumber, options?: RequestOptions): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call({ method: "POST", path: "/v1/phone-numbers/connect", body, keyed: true }, options)
  }

  /**
   * Import a number of your number-provider account.
   *
   * The number stays yours: it is never rented, charged or released here. It is active if the chat platform reaches it, and provisioned otherwise. Management is free while a Standard or Growth plan is active.
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/import-numprov`
   */
  importNumprov(body: ImportNumprovNumber, options?: RequestOptions): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call({ method: "POST", path: "/v1/phone-numbers/import-numprov", body, keyed: true }, options)
  }

  /**
   * Rent a number.
   *
   * In the sandbox, creates a simulated number that is active within a second. In production, creates an order instead, and the 409 names the page on which an owner or admin approves it.
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/provision`
   */
  provision(body: ProvisionPhoneNumber, options?: RequestOptions): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call({ method: "POST", path: "/v1/phone-numbers/provision", body, keyed: true }, options)
  }

  /**
   * Read a phone number.
   *
   * Returns the number's state, health, allowance and latest messages; also for a released number.
   *
   * Needs scope `phone_numbers:read`.
   *
   * `GET /v1/phone-numbers/{phone_number_id}`
   */
  get(phoneNumberId: string, options?: RequestOptions): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call({ method: "GET", path: `/v1/phone-numbers/${segment(phoneNumberId)}` }, options)
  }

  /**
   * Release a rented number.
   *
   * The number returns to its provider (202) and cannot send any more: queued messages fail. Repeating the request changes nothing (200).
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/{phone_number_id}/release`
   */
  release(phoneNumberId: string, body?: ReleasePhoneNumber, options?: RequestOptions): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call(
      { method: "POST", path: `/v1/phone-numbers/${segment(phoneNumberId)}/release`, body, keyed: true },
      options
    )
  }

  /**
   * Disconnect your own number.
   *
   * The number no longer sends or receives here. Disconnecting again changes nothing.
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/{phone_number_id}/disconnect`
   */
  disconnect(phoneNumberId: string, options?: RequestOptions): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call(
      { method: "POST", path: `/v1/phone-numbers/${segment(phoneNumberId)}/disconnect`, keyed: true },
      options
    )
  }

  /**
   * End the management of an imported number.
   *
   * Ends the management at no cost; the number stays active.
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/{phone_number_id}/convert-to-byon`
   */
  convert(phoneNumberId: string, options?: RequestOptions): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call(
      { method: "POST", path: `/v1/phone-numbers/${segment(phoneNumberId)}/convert-to-byon`, keyed: true },
      options
    )
  }

  /**
   * Move a number to another environment.
   *
   * Moves the number to an environment of equal kind in a project of this organization. Earlier messages and their later statuses stay in the old environment.
   *
   * Needs scope `phone_numbers:write`.
   *
   * `POST /v1/phone-numbers/{phone_number_id}/transfer`
   */
  transfer(
    phoneNumberId: string,
    body: TransferPhoneNumber,
    options?: RequestOptions
  ): ApiPromise<Traced<PhoneNumber>> {
    return this.transport.call(
      { method: "POST", path: `/v1/phone-numbers/${segment(phoneNumberId)}/transfer`, body, keyed: true },
      options
    )
  }
}

export class GroupsEligibilityResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Read whether a number may host groups.
   *
   * Returns the result of the latest check, without a call to the provider.
   *
   * Needs scope `groups:read`.
   *
   * `GET /v1/groups/eligibility`
   */
  get(query: GroupsEligibilityGetQuery, options?: RequestOptions): ApiPromise<GroupEligibility> {
    return this.transport.call({ method: "GET", path: "/v1/groups/eligibility", query }, options)
  }

  /**
   * Ask for a check of a number.
   *
   * Returns the stored result and the new check_requested_at; read the eligibility until checked_at is later.
   *
   * Needs scope `groups:write`.
   *
   * `POST /v1/groups/eligibility-checks`
   */
  check(body: CheckGroupEligibility, options?: RequestOptions): ApiPromise<GroupEligibility> {
    return this.transport.call({ method: "POST", path: "/v1/groups/eligibility-checks", body, keyed: true }, options)
  }
}

export class GroupsResource {
  protected readonly transport: Transport
  /** Chat groups on your own numbers (beta): the set of routes and fields may grow. */
  readonly eligibility: GroupsEligibilityResource

  constructor(transport: Transport) {
    this.transport = transport
    this.eligibility = new GroupsEligibilityResource(transport)
  }

  /**
   * Create a group.
   *
   * The group is pending until the provider confirms it; an event reports the outcome.
   *
   * Needs scope `groups:write`.
   *
   * `POST /v1/groups`
   */
  create(body: CreateGroup, options?: RequestOptions): ApiPromise<Group> {
    return this.transport.call({ method: "POST", path: "/v1/groups", body, keyed: true }, options)
  }

  /**
   * List groups.
   *
   * Groups of the calling key's environment, newest first; deleted ones included.
   *
   * Needs scope `groups:read`.
   *
   * `GET /v1/groups`
   */
  list(query?: GroupsListQuery, options?: RequestOptions): List<Page<GroupEntry>> {
    return this.transport.list({ method: "GET", path: "/v1/groups", query }, "starting_after", options)
  }

  /**
   * Read a group.
   *
   * Returns the group from the service's own records.
   *
   * Needs scope `groups:read`.
   *
   * `GET /v1/groups/{group_id}`
   */
  get(groupId: string, options?: RequestOptions): ApiPromise<Group> {
    return this.transport.call({ method: "GET", path: `/v1/groups/${segment(groupId)}` }, options)
  }

  /**
   * Delete a group.
   *
   * The group is deleting until the provider confirms it. A failed group is deleted immediately; a deleted group is returned unchanged.
   *
   * Needs scope `groups:write`.
   *
   * `DELETE /v1/groups/{group_id}`
   */
  delete(groupId: string, options?: RequestOptions): ApiPromise<Group> {
    return this.transport.call({ method: "DELETE", path: `/v1/groups/${segment(groupId)}`, keyed: true }, options)
  }

  /**
   * Replace the invite link of a group.
   *
   * Returns the group with the link that will be replaced; the old link stops working.
   *
   * Needs scope `groups:write`.
   *
   * `POST /v1/groups/{group_id}/invite-link/reset`
   */
  resetInviteLink(groupId: string, options?: RequestOptions): ApiPromise<Group> {
    return this.transport.call(
      { method: "POST", path: `/v1/groups/${segment(groupId)}/invite-link/reset`, keyed: true },
      options
    )
  }
}

export class WebhooksEndpointsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Register a webhook endpoint.
   *
   * One URL may be registered more than once; each registration has its own secrets, shown once.
   *
   * Needs scope `webhooks:write`.
   *
   * `POST /v1/webhook-endpoints`
   */
  create(body: WebhooksEndpointsCreateParams, options?: RequestOptions): ApiPromise<WebhookEndpointWithSecret> {
    return this.transport.call({ method: "POST", path: "/v1/webhook-endpoints", body, keyed: true }, options)
  }

  /**
   * List webhook endpoints.
   *
   * Endpoints of the calling key's environment, newest first.
   *
   * Needs scope `webhooks:read`.
   *
   * `GET /v1/webhook-endpoints`
   */
  list(query?: WebhooksEndpointsListQuery, options?: RequestOptions): List<Page<WebhookEndpoint>> {
    return this.transport.list({ method: "GET", path: "/v1/webhook-endpoints", query }, "starting_after", options)
  }

  /**
   * Read a webhook endpoint.
   *
   * Returns the endpoint with its health, never its signing secret.
   *
   * Needs scope `webhooks:read`.
   *
   * `GET /v1/webhook-endpoints/{webhook_endpoint_id}`
   */
  get(webhookEndpointId: string, options?: RequestOptions): ApiPromise<Traced<WebhookEndpoint>> {
    return this.transport.call({ method: "GET", path: `/v1/webhook-endpoints/${segment(webhookEndpointId)}` }, options)
  }

  /**
   * Change, disable or recover a webhook endpoint.
   *
   * Activating an endpoint that the breaker disabled starts probation: three consecutive failures disable it again, the first success ends probation. Missed events are not replayed; the recover route delivers them.
   *
   * Needs scope `webhooks:write`.
   *
   * `PATCH /v1/webhook-endpoints/{webhook_endpoint_id}`
   */
  update(
    webhookEndpointId: string,
    body: WebhooksEndpointsUpdateParams,
    options?: RequestOptions
  ): ApiPromise<Traced<WebhookEndpoint>> {
    return this.transport.call(
      { method: "PATCH", path: `/v1/webhook-endpoints/${segment(webhookEndpointId)}`, body },
      options
    )
  }

  /**
   * Delete a webhook endpoint.
   *
   * Waiting deliveries fail; the delivery log stays.
   *
   * Needs scope `webhooks:write`.
   *
   * `DELETE /v1/webhook-endpoints/{webhook_endpoint_id}`
   */
  delete(webhookEndpointId: string, options?: RequestOptions): ApiPromise<DeletedWebhookEndpoint> {
    return this.transport.call(
      { method: "DELETE", path: `/v1/webhook-endpoints/${segment(webhookEndpointId)}` },
      options
    )
  }

  /**
   * Rotate the signing secret.
   *
   * The new signing secret signs every further attempt, without overlap. For 24 hours the Standard Webhooks header carries signatures of both the new and the previous secret.
   *
   * Needs scope `webhooks:write`.
   *
   * `POST /v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret`
   */
  rotateSecret(webhookEndpointId: string, options?: RequestOptions): ApiPromise<WebhookEndpointWithSecret> {
    return this.transport.call(
      { method: "POST", path: `/v1/webhook-endpoints/${segment(webhookEndpointId)}/rotate-secret`, keyed: true },
      options
    )
  }

  /**
   * Send a test event.
   *
   * Queues one signed webhook.test delivery with a single attempt. At most five per rolling minute and endpoint, including replays.
   *
   * Needs scope `webhooks:write`.
   *
   * `POST /v1/webhook-endpoints/{webhook_endpoint_id}/test`
   */
  test(webhookEndpointId: string, options?: RequestOptions): ApiPromise<WebhookTest> {
    return this.transport.call(
      { method: "POST", path: `/v1/webhook-endpoints/${segment(webhookEndpointId)}/test`, keyed: true },
      options
    )
  }

  /**
   * Deliver missed events of a webhook endpoint.
   *
   * Delivers every subscribed event of the span that never reached the endpoint: events from a time when it was disabled, and deliveries that failed permanently. Events from before its registration are excluded. Activate the endpoint first. Events are kept for 7 days.
   *
   * Needs scope `webhooks:write`.
   *
   * `POST /v1/webhook-endpoints/{webhook_endpoint_id}/recover`
   */
  recover(
    webhookEndpointId: string,
    body: WebhooksEndpointsRecoverParams,
    options?: RequestOptions
  ): ApiPromise<WebhookRecovery> {
    return this.transport.call(
      { method: "POST", path: `/v1/webhook-endpoints/${segment(webhookEndpointId)}/recover`, body, keyed: true },
      options
    )
  }
}

export class WebhooksEventsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * List webhook events.
   *
   * Newest first. An unknown type or endpoint matches nothing.
   *
   * Needs scope `webhooks:read`.
   *
   * `GET /v1/webhook-events`
   */
  list(query?: WebhooksEventsListQuery, options?: RequestOptions): List<Page<WebhookEvent>> {
    return this.transport.list({ method: "GET", path: "/v1/webhook-events", query }, "starting_after", options)
  }

  /**
   * Resend many webhook events.
   *
   * Newest first. Ids that are unknown, foreign, filtered out or not resendable count as skipped.
   *
   * Needs scope `webhooks:write`.
   *
   * `POST /v1/webhook-events/bulk-resend`
   */
  bulkResend(body: WebhooksEventsBulkResendParams, options?: RequestOptions): ApiPromise<WebhookBulkResend> {
    return this.transport.call({ method: "POST", path: "/v1/webhook-events/bulk-resend", body, keyed: true }, options)
  }

  /**
   * Listen for events.
   *
   * Oldest first from the cursor; wait_ms above 0 holds the request open. Honor next_poll_after_ms and Retry-After. Retained for 7 days.
   *
   * Needs scope `webhooks:read`.
   *
   * `GET /v1/webhook-events/listen`
   */
  listen(query?: WebhooksEventsListenQuery, options?: RequestOptions): ApiPromise<WebhookEventListen> {
    return this.transport.call({ method: "GET", path: "/v1/webhook-events/listen", query }, options)
  }

  /**
   * Read a webhook event with its attempts.
   *
   * One delivery of an event to one endpoint: its state, its payload and every attempt.
   *
   * Needs scope `webhooks:read`.
   *
   * `GET /v1/webhook-events/{webhook_event_id}`
   */
  get(webhookEventId: string, options?: RequestOptions): ApiPromise<WebhookEvent> {
    return this.transport.call({ method: "GET", path: `/v1/webhook-events/${segment(webhookEventId)}` }, options)
  }

  /**
   * Resend a webhook event.
   *
   * Makes one extra attempt without automatic retry. For a pending event, the scheduled attempt becomes due now instead.
   *
   * Needs scope `webhooks:write`.
   *
   * `POST /v1/webhook-events/{webhook_event_id}/resend`
   */
  resend(webhookEventId: string, options?: RequestOptions): ApiPromise<Traced<WebhookAttempt>> {
    return this.transport.call(
      { method: "POST", path: `/v1/webhook-events/${segment(webhookEventId)}/resend`, keyed: true },
      options
    )
  }

  /**
   * Read one event of the stream.
   *
   * One retained event of the environment by its id, as in a delivery.
   *
   * Needs scope `webhooks:read`.
   *
   * `GET /v1/webhook-events/listen/{outbox_event_id}`
   */
  getListened(
    outboxEventId: string,
    query?: WebhooksEventsGetListenedQuery,
    options?: RequestOptions
  ): ApiPromise<WebhookListenEvent> {
    return this.transport.call(
      { method: "GET", path: `/v1/webhook-events/listen/${segment(outboxEventId)}`, query },
      options
    )
  }
}

export class WebhooksListenSessionsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Open a listen session.
   *
   * One session is active per production environment. Its owner may replace it with 30 seconds or less remaining.
   *
   * Needs scope `webhooks:write`.
   *
   * `POST /v1/webhook-events/listen-sessions`
   */
  create(body?: WebhooksListenSessionsCreateParams, options?: RequestOptions): ApiPromise<WebhookListenSession> {
    return this.transport.call({ method: "POST", path: "/v1/webhook-events/listen-sessions", body }, options)
  }

  /**
   * End a listen session.
   *
   * Only the key that opened the session can end it; the environment may open another immediately.
   *
   * Needs scope `webhooks:write`.
   *
   * `DELETE /v1/webhook-events/listen-sessions/{listen_session_id}`
   */
  delete(listenSessionId: string, options?: RequestOptions): ApiPromise<WebhookListenSession> {
    return this.transport.call(
      { method: "DELETE", path: `/v1/webhook-events/listen-sessions/${segment(listenSessionId)}` },
      options
    )
  }
}

export class WebhooksResource extends WebhookSignatures {
  /** Receivers of signed events, and their health. */
  readonly endpoints: WebhooksEndpointsResource
  /** The delivery log, and resends. */
  readonly events: WebhooksEventsResource
  /** The event stream of an environment, without a registered endpoint. */
  readonly listenSessions: WebhooksListenSessionsResource

  constructor(transport: Transport) {
    super(transport)
    this.endpoints = new WebhooksEndpointsResource(transport)
    this.events = new WebhooksEventsResource(transport)
    this.listenSessions = new WebhooksListenSessionsResource(transport)
  }
}

export class RequestLogsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * List requests.
   *
   * Newest first, about a second after the response. The log leaves out requests for itself and requests without a known key.
   *
   * Needs scope `logs:read`.
   *
   * `GET /v1/request-logs`
   */
  list(query?: RequestLogsListQuery, options?: RequestOptions): List<RequestLogsListAnswer> {
    return this.transport.list({ method: "GET", path: "/v1/request-logs", query }, "starting_after", options)
  }

  /**
   * Read a request.
   *
   * Returns a request with its path, query and bodies, without secrets.
   *
   * Needs scope `logs:read`.
   *
   * `GET /v1/request-logs/{request_id}`
   */
  get(requestId: string, options?: RequestOptions): ApiPromise<RequestLogDetail> {
    return this.transport.call({ method: "GET", path: `/v1/request-logs/${segment(requestId)}` }, options)
  }
}

export class PaymentsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create a payment.
   *
   * Accepts a payment. Its link follows in payment.link_generated. The initiation fee is charged now and the completion fee is held until the outcome.
   *
   * Needs scope `payments:write`.
   *
   * `POST /v1/payments`
   */
  create(body: CreatePayment, options?: RequestOptions): ApiPromise<PaymentRequest> {
    return this.transport.call({ method: "POST", path: "/v1/payments", body, keyed: true }, options)
  }

  /**
   * List payments.
   *
   * Payments of the calling key's environment, newest first.
   *
   * Needs scope `payments:read`.
   *
   * `GET /v1/payments`
   */
  list(query?: PaymentsListQuery, options?: RequestOptions): List<Page<PaymentRequest>> {
    return this.transport.list({ method: "GET", path: "/v1/payments", query }, "starting_after", options)
  }

  /**
   * Read a payment.
   *
   * Returns the payment with its status and the state of its fees.
   *
   * Needs scope `payments:read`.
   *
   * `GET /v1/payments/{payment_id}`
   */
  get(paymentId: string, options?: RequestOptions): ApiPromise<PaymentRequest> {
    return this.transport.call({ method: "GET", path: `/v1/payments/${segment(paymentId)}` }, options)
  }

  /**
   * Cancel a payment.
   *
   * Asks the provider to cancel the payment, and returns the current payment; it is cancelled once the provider confirms. An ended payment stays unchanged.
   *
   * Needs scope `payments:write`.
   *
   * `POST /v1/payments/{payment_id}/cancel`
   */
  cancel(paymentId: string, body?: CancelPayment, options?: RequestOptions): ApiPromise<PaymentRequest> {
    return this.transport.call(
      { method: "POST", path: `/v1/payments/${segment(paymentId)}/cancel`, body, keyed: true },
      options
    )
  }

  /**
   * Request an approval.
   *
   * Asks the provider to have the payment approved. A payment with an earlier request is returned unchanged.
   *
   * Needs scope `payments:write`.
   *
   * `POST /v1/payments/{payment_id}/request-approval`
   */
  requestApproval(
    paymentId: string,
    body?: RequestPaymentApproval,
    options?: RequestOptions
  ): ApiPromise<PaymentRequest> {
    return this.transport.call(
      { method: "POST", path: `/v1/payments/${segment(paymentId)}/request-approval`, body, keyed: true },
      options
    )
  }
}

export class AgenticBanksResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * List banks.
   *
   * Banks whose customers can authorize payments, by name. In production the list comes from the connected provider and may be an hour old.
   *
   * Needs scope `payments:read`.
   *
   * `GET /v1/agentic/banks`
   */
  list(query?: AgenticBanksListQuery, options?: RequestOptions): List<Page<AgenticBank>> {
    return this.transport.list({ method: "GET", path: "/v1/agentic/banks", query }, "starting_after", options)
  }
}

export class AgenticAuthorizationsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create an authorization.
   *
   * Asks a bank's customer to let you take payments up to an amount each. It is pending until the customer decides at authorization_url, for 30 minutes at most.
   *
   * Needs scope `payments:write`.
   *
   * `POST /v1/agentic/authorizations`
   */
  create(body: CreateAgenticAuthorization, options?: RequestOptions): ApiPromise<AgenticAuthorization> {
    return this.transport.call({ method: "POST", path: "/v1/agentic/authorizations", body, keyed: true }, options)
  }

  /**
   * List authorizations.
   *
   * Authorizations of the calling key's environment, newest first.
   *
   * Needs scope `payments:read`.
   *
   * `GET /v1/agentic/authorizations`
   */
  list(query?: AgenticAuthorizationsListQuery, options?: RequestOptions): List<Page<AgenticAuthorization>> {
    return this.transport.list({ method: "GET", path: "/v1/agentic/authorizations", query }, "starting_after", options)
  }

  /**
   * Read an authorization.
   *
   * Returns the authorization with its status; it raises no events.
   *
   * Needs scope `payments:read`.
   *
   * `GET /v1/agentic/authorizations/{authorization_id}`
   */
  get(authorizationId: string, options?: RequestOptions): ApiPromise<AgenticAuthorization> {
    return this.transport.call(
      { method: "GET", path: `/v1/agentic/authorizations/${segment(authorizationId)}` },
      options
    )
  }

  /**
   * Revoke an authorization.
   *
   * The authorization accepts no further payments. A rejected, expired or revoked authorization is returned unchanged.
   *
   * Needs scope `payments:write`.
   *
   * `POST /v1/agentic/authorizations/{authorization_id}/revoke`
   */
  revoke(
    authorizationId: string,
    body?: RevokeAgenticAuthorization,
    options?: RequestOptions
  ): ApiPromise<AgenticAuthorization> {
    return this.transport.call(
      { method: "POST", path: `/v1/agentic/authorizations/${segment(authorizationId)}/revoke`, body, keyed: true },
      options
    )
  }
}

export class AgenticPaymentsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Create an agentic payment.
   *
   * Collects an amount under an authorization. The initiation fee is charged now and the completion fee is held until the outcome; read the payment for the outcome.
   *
   * Needs scope `payments:write`.
   *
   * `POST /v1/agentic/payments`
   */
  create(body: CreateAgenticPayment, options?: RequestOptions): ApiPromise<AgenticPayment> {
    return this.transport.call({ method: "POST", path: "/v1/agentic/payments", body, keyed: true }, options)
  }

  /**
   * List agentic payments.
   *
   * Agentic payments of the calling key's environment, newest first.
   *
   * Needs scope `payments:read`.
   *
   * `GET /v1/agentic/payments`
   */
  list(query?: AgenticPaymentsListQuery, options?: RequestOptions): List<Page<AgenticPayment>> {
    return this.transport.list({ method: "GET", path: "/v1/agentic/payments", query }, "starting_after", options)
  }

  /**
   * Read an agentic payment.
   *
   * Returns the payment with its outcome and the state of its fees; it raises no events.
   *
   * Needs scope `payments:read`.
   *
   * `GET /v1/agentic/payments/{payment_id}`
   */
  get(paymentId: string, options?: RequestOptions): ApiPromise<AgenticPayment> {
    return this.transport.call({ method: "GET", path: `/v1/agentic/payments/${segment(paymentId)}` }, options)
  }
}

export class AgenticResource {
  protected readonly transport: Transport
  /** Payments that an agent makes under a bank customer's authorization. */
  readonly banks: AgenticBanksResource
  /** Payments that an agent makes under a bank customer's authorization. */
  readonly authorizations: AgenticAuthorizationsResource
  /** Payments that an agent makes under a bank customer's authorization. */
  readonly payments: AgenticPaymentsResource

  constructor(transport: Transport) {
    this.transport = transport
    this.banks = new AgenticBanksResource(transport)
    this.authorizations = new AgenticAuthorizationsResource(transport)
    this.payments = new AgenticPaymentsResource(transport)
  }
}

export class BillingPlansResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * List plans.
   *
   * All plans that can be subscribed to, on one page. The free tier is not listed.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/plans`
   */
  list(options?: RequestOptions): ApiPromise<Page<PlanOffering>> {
    return this.transport.call({ method: "GET", path: "/v1/billing/plans" }, options)
  }
}

export class BillingPlanResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Read the subscription.
   *
   * The plan in force; a change appears as soon as it is paid. Production keys see the organization's subscription, sandbox keys a simulated one.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/plan`
   */
  get(options?: RequestOptions): ApiPromise<Traced<Subscription>> {
    return this.transport.call({ method: "GET", path: "/v1/billing/plan" }, options)
  }

  /**
   * Subscribe to a plan.
   *
   * By card, the request charges the default card. By Pix, the response holds the charge to pay within 24 hours; the plan applies once it is paid.
   *
   * Needs scope `billing:write`.
   *
   * `POST /v1/billing/plan/subscribe`
   */
  subscribe(body: BillingPlanSubscribeParams, options?: RequestOptions): ApiPromise<BillingPlanSubscribeAnswer> {
    return this.transport.call({ method: "POST", path: "/v1/billing/plan/subscribe", body, keyed: true }, options)
  }

  /**
   * Change the plan.
   *
   * The response shows the current plan. A larger plan is charged to the default card for the rest of the period and applies once paid. A smaller plan applies with the next renewal.
   *
   * Needs scope `billing:write`.
   *
   * `POST /v1/billing/plan/change`
   */
  change(body: BillingPlanChangeParams, options?: RequestOptions): ApiPromise<Traced<Subscription>> {
    return this.transport.call({ method: "POST", path: "/v1/billing/plan/change", body, keyed: true }, options)
  }

  /**
   * Cancel the subscription.
   *
   * The subscription stays in force until the end of the period. A past-due subscription ends immediately.
   *
   * Needs scope `billing:write`.
   *
   * `POST /v1/billing/plan/cancel`
   */
  cancel(options?: RequestOptions): ApiPromise<Traced<Subscription>> {
    return this.transport.call({ method: "POST", path: "/v1/billing/plan/cancel", keyed: true }, options)
  }
}

export class BillingPackagesResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * List top-ups and packages.
   *
   * Every top-up of the account, of any kind, newest first. Each page also lists the packages on sale.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/packages`
   */
  list(query?: BillingPackagesListQuery, options?: RequestOptions): ApiPromise<PackagesPage> {
    return this.transport.call({ method: "GET", path: "/v1/billing/packages", query }, options)
  }

  /**
   * Buy a package.
   *
   * Charges a saved card once. A pending response has a client secret when the cardholder must authenticate; otherwise the list shows the outcome once it is known. A declined card is refused with 402, which is stored under the idempotency key: try again with a new key.
   *
   * Needs scope `billing:write`.
   *
   * `POST /v1/billing/packages/purchase`
   */
  purchase(body: PurchasePackage, options?: RequestOptions): ApiPromise<CreditTopup> {
    return this.transport.call({ method: "POST", path: "/v1/billing/packages/purchase", body, keyed: true }, options)
  }
}

export class BillingPaymentMethodsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * List saved cards.
   *
   * Every active card, all on one page.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/payment-methods`
   */
  list(options?: RequestOptions): ApiPromise<PaymentMethodList> {
    return this.transport.call({ method: "GET", path: "/v1/billing/payment-methods" }, options)
  }

  /**
   * Save a card.
   *
   * Saves a card that the card processor has collected. Saving a card again returns its existing record.
   *
   * Needs scope `billing:write`.
   *
   * `POST /v1/billing/payment-methods`
   */
  save(body: SavePaymentMethod, options?: RequestOptions): ApiPromise<PaymentMethod> {
    return this.transport.call({ method: "POST", path: "/v1/billing/payment-methods", body, keyed: true }, options)
  }

  /**
   * Begin collecting a card.
   *
   * Charges nothing. The client secret is for the card processor's form in the browser; no read shows it again.
   *
   * Needs scope `billing:write`.
   *
   * `POST /v1/billing/payment-methods/setup-intent`
   */
  setupIntent(options?: RequestOptions): ApiPromise<PaymentMethodSetupIntent> {
    return this.transport.call({ method: "POST", path: "/v1/billing/payment-methods/setup-intent" }, options)
  }

  /**
   * Make a card the default.
   *
   * Plans and packages are charged to this card unless another is named.
   *
   * Needs scope `billing:write`.
   *
   * `POST /v1/billing/payment-methods/{payment_method_id}/default`
   */
  setDefault(paymentMethodId: string, options?: RequestOptions): ApiPromise<PaymentMethod> {
    return this.transport.call(
      { method: "POST", path: `/v1/billing/payment-methods/${segment(paymentMethodId)}/default`, keyed: true },
      options
    )
  }

  /**
   * Delete a card.
   *
   * The record is kept with status deleted. No other card becomes the default.
   *
   * Needs scope `billing:write`.
   *
   * `DELETE /v1/billing/payment-methods/{payment_method_id}`
   */
  remove(paymentMethodId: string, options?: RequestOptions): ApiPromise<PaymentMethod> {
    return this.transport.call(
      { method: "DELETE", path: `/v1/billing/payment-methods/${segment(paymentMethodId)}`, keyed: true },
      options
    )
  }
}

export class BillingAutoTopupResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * Read automatic top-up.
   *
   * Returns the automatic top-up settings of the account.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/auto-topup`
   */
  get(options?: RequestOptions): ApiPromise<AutoTopupConfig> {
    return this.transport.call({ method: "GET", path: "/v1/billing/auto-topup" }, options)
  }

  /**
   * Set automatic top-up.
   *
   * This call charges no card. The next top-up starts when a debit takes the balance from above the threshold to the threshold or below.
   *
   * Needs scope `billing:write`.
   *
   * `PUT /v1/billing/auto-topup`
   */
  set(body: SetAutoTopup, options?: RequestOptions): ApiPromise<AutoTopupConfig> {
    return this.transport.call({ method: "PUT", path: "/v1/billing/auto-topup", body, keyed: true }, options)
  }
}

export class BillingResource {
  protected readonly transport: Transport
  /** Plans with their prices and limits, and the subscription. */
  readonly plans: BillingPlansResource
  /** Plans with their prices and limits, and the subscription. */
  readonly plan: BillingPlanResource
  /** Prepaid packages with a lower price per message, and all top-ups. */
  readonly packages: BillingPackagesResource
  /** Cards for plans, packages and automatic top-ups. */
  readonly paymentMethods: BillingPaymentMethodsResource
  /** Charges a saved card when the credit runs low. */
  readonly autoTopup: BillingAutoTopupResource

  constructor(transport: Transport) {
    this.transport = transport
    this.plans = new BillingPlansResource(transport)
    this.plan = new BillingPlanResource(transport)
    this.packages = new BillingPackagesResource(transport)
    this.paymentMethods = new BillingPaymentMethodsResource(transport)
    this.autoTopup = new BillingAutoTopupResource(transport)
  }

  /**
   * Read the credit balance.
   *
   * The prepaid credit of the organization, also for sandbox keys. The balance excludes held credit; the sum of both is the total credit.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/balance`
   */
  balance(options?: RequestOptions): ApiPromise<CreditBalance> {
    return this.transport.call({ method: "GET", path: "/v1/billing/balance" }, options)
  }

  /**
   * List ledger entries.
   *
   * Every movement of the organization's credit, newest first. Sandbox entries never change the credit and are listed with `environment=sandbox`.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/ledger`
   */
  ledger(query?: BillingLedgerQuery, options?: RequestOptions): List<Page<LedgerEntry>> {
    return this.transport.list({ method: "GET", path: "/v1/billing/ledger", query }, "starting_after", options)
  }

  /**
   * List the coverage of imported numbers.
   *
   * Numbers imported from your own number-provider account, newest first: the coverage of their management this month, the next charge, and the effect of an unpaid month. Changes nothing.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/phone-management`
   */
  phoneManagement(query?: BillingPhoneManagementQuery, options?: RequestOptions): List<BillingPhoneManagementAnswer> {
    return this.transport.list(
      { method: "GET", path: "/v1/billing/phone-management", query },
      "starting_after",
      options
    )
  }

  /**
   * List the renewals of rented numbers.
   *
   * Deprecated: read the numbers themselves, whose `renewal` is equal. Production numbers that the service rents; none for sandbox keys.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/billing/phone-renewal`
   *
   * @deprecated
   */
  phoneRenewal(query?: BillingPhoneRenewalQuery, options?: RequestOptions): List<Page<PhoneRenewalEntry>> {
    return this.transport.list({ method: "GET", path: "/v1/billing/phone-renewal", query }, "starting_after", options)
  }
}

export class RateCardsResource {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  /**
   * List rate cards.
   *
   * Newest first; earlier prices stay readable.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/rate-cards`
   */
  list(query?: RateCardsListQuery, options?: RequestOptions): List<Page<RateCard>> {
    return this.transport.list({ method: "GET", path: "/v1/rate-cards", query }, "starting_after", options)
  }

  /**
   * Read the current rate card.
   *
   * The rate card in effect now.
   *
   * Needs scope `billing:read`.
   *
   * `GET /v1/rate-cards/current`
   */
  current(options?: RequestOptions): ApiPromise<Traced<RateCard>> {
    return this.transport.call({ method: "GET", path: "/v1/rate-cards/current" }, options)
  }
}
