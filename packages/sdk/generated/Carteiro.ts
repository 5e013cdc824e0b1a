// Made from schema/openapi.json by npm run codegen.

import { CarteiroBase } from "../Base.ts"
import type { ClientOptions } from "../transport/Options.ts"
import * as Resources from "./Resources.ts"
import type * as Types from "./Types.ts"

/** A client of the API under one key. */
export class Carteiro extends CarteiroBase {
  /** The account behind the calling key. */
  readonly account: Resources.AccountResource
  /** Secrets that act for one project and environment, with scopes. */
  readonly apiKeys: Resources.ApiKeysResource
  /** Issues a key to a program after a person approves. */
  readonly deviceAuthorizations: Resources.DeviceAuthorizationsResource
  /** Each project has one sandbox and one production environment. */
  readonly projects: Resources.ProjectsResource
  /** Reports to the people who run the service. */
  readonly feedback: Resources.FeedbackResource
  /** Messages to customers and from customers. */
  readonly messages: Resources.MessagesResource
  /** Reviewed messages that can be sent without an open service window. */
  readonly templates: Resources.TemplatesResource
  /** Tools for sandbox keys; production keys are refused. */
  readonly sandbox: Resources.SandboxResource
  /** Forms with several screens that a message opens in the chat. */
  readonly flows: Resources.FlowsResource
  /** Customers and their consent. */
  readonly contacts: Resources.ContactsResource
  /** Retention of customer data in an environment. */
  readonly dataRetention: Resources.DataRetentionResource
  /** One template to many recipients. */
  readonly batches: Resources.BatchesResource
  /** Saved filters over contacts, for batches. */
  readonly audiences: Resources.AudiencesResource
  /** Files of an environment: files that you send and files that customers sent. */
  readonly media: Resources.MediaResource
  /** Accounts at the chat platform and at payment providers. */
  readonly providerConnections: Resources.ProviderConnectionsResource
  /** Phone numbers that send and receive. */
  readonly phoneNumbers: Resources.PhoneNumbersResource
  /** Chat groups on your own numbers (beta): the set of routes and fields may grow. */
  readonly groups: Resources.GroupsResource
  /** Receivers of signed events, and their health. */
  readonly webhooks: Resources.WebhooksResource
  /** Requests of your keys and their responses. */
  readonly requestLogs: Resources.RequestLogsResource
  /** Payment requests in BRL by a link or a Pix code. */
  readonly payments: Resources.PaymentsResource
  /** Payments that an agent makes under a bank customer's authorization. */
  readonly agentic: Resources.AgenticResource
  /** Prepaid credit and its use, plans and cards. */
  readonly billing: Resources.BillingResource
  /** Prices in BRL, with the time from which they apply. */
  readonly rateCards: Resources.RateCardsResource

  constructor(options: ClientOptions = {}) {
    super(options)
    this.account = new Resources.AccountResource(this.transport)
    this.apiKeys = new Resources.ApiKeysResource(this.transport)
    this.deviceAuthorizations = new Resources.DeviceAuthorizationsResource(this.transport)
    this.projects = new Resources.ProjectsResource(this.transport)
    this.feedback = new Resources.FeedbackResource(this.transport)
    this.messages = new Resources.MessagesResource(this.transport)
    this.templates = new Resources.TemplatesResource(this.transport)
    this.sandbox = new Resources.SandboxResource(this.transport)
    this.flows = new Resources.FlowsResource(this.transport)
    this.contacts = new Resources.ContactsResource(this.transport)
    this.dataRetention = new Resources.DataRetentionResource(this.transport)
    this.batches = new Resources.BatchesResource(this.transport)
    this.audiences = new Resources.AudiencesResource(this.transport)
    this.media = new Resources.MediaResource(this.transport)
    this.providerConnections = new Resources.ProviderConnectionsResource(this.transport)
    this.phoneNumbers = new Resources.PhoneNumbersResource(this.transport)
    this.groups = new Resources.GroupsResource(this.transport)
    this.webhooks = new Resources.WebhooksResource(this.transport)
    this.requestLogs = new Resources.RequestLogsResource(this.transport)
    this.payments = new Resources.PaymentsResource(this.transport)
    this.agentic = new Resources.AgenticResource(this.transport)
    this.billing = new Resources.BillingResource(this.transport)
    this.rateCards = new Resources.RateCardsResource(this.transport)
  }
}

export declare namespace Carteiro {
  export type AddressMessage = Types.AddressMessage
  export type AgenticAuthorization = Types.AgenticAuthorization
  export type AgenticBank = Types.AgenticBank
  export type AgenticPayment = Types.AgenticPayment
  export type AnsweredNumprovConnection = Types.AnsweredNumprovConnection
  export type AnsweredNumprovOperation = Types.AnsweredNumprovOperation
  export type AnsweredProviderConnection = Types.AnsweredProviderConnection
  export type ApiKey = Types.ApiKey
  export type ApiKeyWithSecret = Types.ApiKeyWithSecret
  export type ArmLlmFailure = Types.ArmLlmFailure
  export type Audience = Types.Audience
  export type AuthoringSignal = Types.AuthoringSignal
  export type AutoTopupConfig = Types.AutoTopupConfig
  export type Batch = Types.Batch
  export type BatchFailure = Types.BatchFailure
  export type BatchRecipient = Types.BatchRecipient
  export type BizAccountSendCapability = Types.BizAccountSendCapability
  export type ButtonIndex = Types.ButtonIndex
  export type ButtonMessage = Types.ButtonMessage
  export type ButtonReply = Types.ButtonReply
  export type CancelPayment = Types.CancelPayment
  export type ChangeConsent = Types.ChangeConsent
  export type ChannelRecipient = Types.ChannelRecipient
  export type ChannelStatus = Types.ChannelStatus
  export type CheckGroupEligibility = Types.CheckGroupEligibility
  export type CompletePendingConnection = Types.CompletePendingConnection
  export type CompleteProviderCredentialSetupSession = Types.CompleteProviderCredentialSetupSession
  export type CompleteUpstreamSignupSession = Types.CompleteUpstreamSignupSession
  export type ConnectPhoneNumber = Types.ConnectPhoneNumber
  export type Contact = Types.Contact
  export type ContactBulkImport = Types.ContactBulkImport
  export type ContactCard = Types.ContactCard
  export type ContactEntry = Types.ContactEntry
  export type ContactExport = Types.ContactExport
  export type CorrectedCaption = Types.CorrectedCaption
  export type CorrectedContent = Types.CorrectedContent
  export type CorrectedText = Types.CorrectedText
  export type CreateAgenticAuthorization = Types.CreateAgenticAuthorization
  export type CreateAgenticPayment = Types.CreateAgenticPayment
  export type CreateAudience = Types.CreateAudience
  export type CreateBatch = Types.CreateBatch
  export type CreateFlow = Types.CreateFlow
  export type CreateGroup = Types.CreateGroup
  export type CreatePayment = Types.CreatePayment
  export type CreatePhoneNumberOrder = Types.CreatePhoneNumberOrder
  export type CreateProviderCredentialSetupSession = Types.CreateProviderCredentialSetupSession
  export type CreateTemplate = Types.CreateTemplate
  export type CreateUpstreamSignupSession = Types.CreateUpstreamSignupSession
  export type CreditBalance = Types.CreditBalance
  export type CreditTopup = Types.CreditTopup
  export type DataRetentionPolicy = Types.DataRetentionPolicy
  export type DeletedAudience = Types.DeletedAudience
  export type DeletedContact = Types.DeletedContact
  export type DeletedFlow = Types.DeletedFlow
  export type DeletedMediaAsset = Types.DeletedMediaAsset
  export type DeletedTemplate = Types.DeletedTemplate
  export type DeletedWebhookEndpoint = Types.DeletedWebhookEndpoint
  export type DuplicateTemplate = Types.DuplicateTemplate
  export type Environment = Types.Environment
  export type ErrorCode = Types.ErrorCode
  export type ErrorResponse = Types.ErrorResponse
  export type Event = Types.Event
  export type EventType = Types.EventType
  export type ExchangeUpstreamCode = Types.ExchangeUpstreamCode
  export type FeedbackReport = Types.FeedbackReport
  export type Flow = Types.Flow
  export type FlowCompletedData = Types.FlowCompletedData
  export type FlowCompletedEvent = Types.FlowCompletedEvent
  export type FlowEntry = Types.FlowEntry
  export type FlowSubmission = Types.FlowSubmission
  export type GrantableScope = Types.GrantableScope
  export type Group = Types.Group
  export type GroupCreateFailedData = Types.GroupCreateFailedData
  export type GroupCreateFailedEvent = Types.GroupCreateFailedEvent
  export type GroupCreatedData = Types.GroupCreatedData
  export type GroupCreatedEvent = Types.GroupCreatedEvent
  export type GroupDeleteFailedData = Types.GroupDeleteFailedData
  export type GroupDeleteFailedEvent = Types.GroupDeleteFailedEvent
  export type GroupDeletedData = Types.GroupDeletedData
  export type GroupDeletedEvent = Types.GroupDeletedEvent
  export type GroupEligibility = Types.GroupEligibility
  export type GroupEligibilityStatus = Types.GroupEligibilityStatus
  export type GroupEntry = Types.GroupEntry
  export type GroupFailure = Types.GroupFailure
  export type GroupInviteLinkResetData = Types.GroupInviteLinkResetData
  export type GroupInviteLinkResetEvent = Types.GroupInviteLinkResetEvent
  export type GroupInviteLinkResetFailedData = Types.GroupInviteLinkResetFailedData
  export type GroupInviteLinkResetFailedEvent = Types.GroupInviteLinkResetFailedEvent
  export type GroupParticipant = Types.GroupParticipant
  export type GroupParticipantJoinedData = Types.GroupParticipantJoinedData
  export type GroupParticipantJoinedEvent = Types.GroupParticipantJoinedEvent
  export type GroupParticipantRemovedData = Types.GroupParticipantRemovedData
  export type GroupParticipantRemovedEvent = Types.GroupParticipantRemovedEvent
  export type GroupRecipient = Types.GroupRecipient
  export type GroupStatus = Types.GroupStatus
  export type ImportContacts = Types.ImportContacts
  export type ImportNumprovNumber = Types.ImportNumprovNumber
  export type InboundContent = Types.InboundContent
  export type InboundFlow = Types.InboundFlow
  export type InboundInteractive = Types.InboundInteractive
  export type InboundMedia = Types.InboundMedia
  export type InboundReaction = Types.InboundReaction
  export type InboundText = Types.InboundText
  export type InboundUnknown = Types.InboundUnknown
  export type InboundUnsupported = Types.InboundUnsupported
  export type InteractiveContent = Types.InteractiveContent
  export type InteractiveReply = Types.InteractiveReply
  export type KeyScope = Types.KeyScope
  export type LedgerEntry = Types.LedgerEntry
  export type ListMessage = Types.ListMessage
  export type ListReply = Types.ListReply
  export type ListedCreditTopup = Types.ListedCreditTopup
  export type ListedPaymentMethod = Types.ListedPaymentMethod
  export type LocationContent = Types.LocationContent
  export type LocationRequestMessage = Types.LocationRequestMessage
  export type MediaAsset = Types.MediaAsset
  export type MediaAssetDownload = Types.MediaAssetDownload
  export type MediaDescriptor = Types.MediaDescriptor
  export type MediaStorageUsage = Types.MediaStorageUsage
  export type MediaTranscription = Types.MediaTranscription
  export type MediaUpload = Types.MediaUpload
  export type Message = Types.Message
  export type MessageAccepted = Types.MessageAccepted
  export type MessageDeliveredData = Types.MessageDeliveredData
  export type MessageDeliveredEvent = Types.MessageDeliveredEvent
  export type MessageEchoedData = Types.MessageEchoedData
  export type MessageEchoedEvent = Types.MessageEchoedEvent
  export type MessageEdit = Types.MessageEdit
  export type MessageFailedData = Types.MessageFailedData
  export type MessageFailedEvent = Types.MessageFailedEvent
  export type MessageMediaStoredData = Types.MessageMediaStoredData
  export type MessageMediaStoredEvent = Types.MessageMediaStoredEvent
  export type MessageMediaTranscribedData = Types.MessageMediaTranscribedData
  export type MessageMediaTranscribedEvent = Types.MessageMediaTranscribedEvent
  export type MessageMediaTranscriptionFailedData = Types.MessageMediaTranscriptionFailedData
  export type MessageMediaTranscriptionFailedEvent = Types.MessageMediaTranscriptionFailedEvent
  export type MessagePricing = Types.MessagePricing
  export type MessageReadData = Types.MessageReadData
  export type MessageReadEvent = Types.MessageReadEvent
  export type MessageReceivedData = Types.MessageReceivedData
  export type MessageReceivedEvent = Types.MessageReceivedEvent
  export type MessageReferral = Types.MessageReferral
  export type MessageRevoke = Types.MessageRevoke
  export type MessageSentData = Types.MessageSentData
  export type MessageSentEvent = Types.MessageSentEvent
  export type NameReview = Types.NameReview
  export type NameWarning = Types.NameWarning
  export type NewEvent = Types.NewEvent
  export type NewVariant = Types.NewVariant
  export type NumprovConnection = Types.NumprovConnection
  export type NumprovManagement = Types.NumprovManagement
  export type NumprovOperation = Types.NumprovOperation
  export type NumprovResource = Types.NumprovResource
  export type OrderDetailsMessage = Types.OrderDetailsMessage
  export type OutboundContacts = Types.OutboundContacts
  export type OutboundFlow = Types.OutboundFlow
  export type OutboundInteractive = Types.OutboundInteractive
  export type OutboundLocation = Types.OutboundLocation
  export type OutboundMedia = Types.OutboundMedia
  export type OutboundReaction = Types.OutboundReaction
  export type OutboundTemplate = Types.OutboundTemplate
  export type OutboundText = Types.OutboundText
  export type PackageOffering = Types.PackageOffering
  export type PackagesPage = Types.PackagesPage
  export type Page<T> = Types.Page<T>
  export type PaymentApprovalAvailableData = Types.PaymentApprovalAvailableData
  export type PaymentApprovalAvailableEvent = Types.PaymentApprovalAvailableEvent
  export type PaymentCancelledData = Types.PaymentCancelledData
  export type PaymentCancelledEvent = Types.PaymentCancelledEvent
  export type PaymentCreatedData = Types.PaymentCreatedData
  export type PaymentCreatedEvent = Types.PaymentCreatedEvent
  export type PaymentExpiredData = Types.PaymentExpiredData
  export type PaymentExpiredEvent = Types.PaymentExpiredEvent
  export type PaymentFailedData = Types.PaymentFailedData
  export type PaymentFailedEvent = Types.PaymentFailedEvent
  export type PaymentFees = Types.PaymentFees
  export type PaymentLateOutcome = Types.PaymentLateOutcome
  export type PaymentLateOutcomeData = Types.PaymentLateOutcomeData
  export type PaymentLateOutcomeEvent = Types.PaymentLateOutcomeEvent
  export type PaymentLinkGeneratedData = Types.PaymentLinkGeneratedData
  export type PaymentLinkGeneratedEvent = Types.PaymentLinkGeneratedEvent
  export type PaymentMethod = Types.PaymentMethod
  export type PaymentMethodList = Types.PaymentMethodList
  export type PaymentMethodSetupIntent = Types.PaymentMethodSetupIntent
  export type PaymentPaidData = Types.PaymentPaidData
  export type PaymentPaidEvent = Types.PaymentPaidEvent
  export type PaymentRequest = Types.PaymentRequest
  export type PendingNameReview = Types.PendingNameReview
  export type PhoneManagementCoverage = Types.PhoneManagementCoverage
  export type PhoneManagementSummary = Types.PhoneManagementSummary
  export type PhoneNumber = Types.PhoneNumber
  export type PhoneNumberOrderFailure = Types.PhoneNumberOrderFailure
  export type PhoneNumberOrderPreview = Types.PhoneNumberOrderPreview
  export type PhoneRecipient = Types.PhoneRecipient
  export type PhoneRegion = Types.PhoneRegion
  export type PhoneRenewal = Types.PhoneRenewal
  export type PhoneRenewalEntry = Types.PhoneRenewalEntry
  export type PixCheckout = Types.PixCheckout
  export type PlanOffering = Types.PlanOffering
  export type PreflightCheck = Types.PreflightCheck
  export type Project = Types.Project
  export type ProviderConnection = Types.ProviderConnection
  export type ProviderConnectionStatus = Types.ProviderConnectionStatus
  export type ProviderCredentialSetupSession = Types.ProviderCredentialSetupSession
  export type ProvisionPhoneNumber = Types.ProvisionPhoneNumber
  export type PurchasePackage = Types.PurchasePackage
  export type RateCard = Types.RateCard
  export type RateCardEntry = Types.RateCardEntry
  export type RecentMessage = Types.RecentMessage
  export type ReferredProduct = Types.ReferredProduct
  export type RegisterNumprov = Types.RegisterNumprov
  export type RegisterUpstream = Types.RegisterUpstream
  export type ReleasePhoneNumber = Types.ReleasePhoneNumber
  export type RequestLog = Types.RequestLog
  export type RequestLogDetail = Types.RequestLogDetail
  export type RequestPaymentApproval = Types.RequestPaymentApproval
  export type ResetSandboxClock = Types.ResetSandboxClock
  export type RevokeAgenticAuthorization = Types.RevokeAgenticAuthorization
  export type RotateNumprov = Types.RotateNumprov
  export type RotateToken = Types.RotateToken
  export type SandboxClock = Types.SandboxClock
  export type SandboxClockAdvance = Types.SandboxClockAdvance
  export type SandboxQuickstart = Types.SandboxQuickstart
  export type SavePaymentMethod = Types.SavePaymentMethod
  export type SendMessage = Types.SendMessage
  export type SetAutoTopup = Types.SetAutoTopup
  export type SetSandboxPaymentStatus = Types.SetSandboxPaymentStatus
  export type SetTemplateStatus = Types.SetTemplateStatus
  export type SharedContact = Types.SharedContact
  export type SharedLocation = Types.SharedLocation
  export type SharedOrder = Types.SharedOrder
  export type SharedOrderItem = Types.SharedOrderItem
  export type SimulateFlow = Types.SimulateFlow
  export type SimulateInbound = Types.SimulateInbound
  export type SimulateInteractive = Types.SimulateInteractive
  export type SimulateMedia = Types.SimulateMedia
  export type SimulateReaction = Types.SimulateReaction
  export type SimulateText = Types.SimulateText
  export type SimulateUnknown = Types.SimulateUnknown
  export type SimulateUnsupported = Types.SimulateUnsupported
  export type SimulatedButtonReply = Types.SimulatedButtonReply
  export type SimulatedInbound = Types.SimulatedInbound
  export type SimulatedListReply = Types.SimulatedListReply
  export type SocialRecipient = Types.SocialRecipient
  export type SubscribableEventType = Types.SubscribableEventType
  export type Subscription = Types.Subscription
  export type SystemNotice = Types.SystemNotice
  export type Template = Types.Template
  export type TemplateApprovedData = Types.TemplateApprovedData
  export type TemplateApprovedEvent = Types.TemplateApprovedEvent
  export type TemplateCategoryUpdatedData = Types.TemplateCategoryUpdatedData
  export type TemplateCategoryUpdatedEvent = Types.TemplateCategoryUpdatedEvent
  export type TemplateComponent = Types.TemplateComponent
  export type TemplateDisabledData = Types.TemplateDisabledData
  export type TemplateDisabledEvent = Types.TemplateDisabledEvent
  export type TemplateImport = Types.TemplateImport
  export type TemplatePausedData = Types.TemplatePausedData
  export type TemplatePausedEvent = Types.TemplatePausedEvent
  export type TemplateRejectedData = Types.TemplateRejectedData
  export type TemplateRejectedEvent = Types.TemplateRejectedEvent
  export type Traced<T> = Types.Traced<T>
  export type TranscriptionErrorCode = Types.TranscriptionErrorCode
  export type TransferPhoneNumber = Types.TransferPhoneNumber
  export type TypingIndicator = Types.TypingIndicator
  export type UpdateTemplate = Types.UpdateTemplate
  export type UploadedBytes = Types.UploadedBytes
  export type UpstreamOnboardingConfig = Types.UpstreamOnboardingConfig
  export type UpstreamSignupSession = Types.UpstreamSignupSession
  export type UpstreamSignupSessionCompletedData = Types.UpstreamSignupSessionCompletedData
  export type UpstreamSignupSessionCompletedEvent = Types.UpstreamSignupSessionCompletedEvent
  export type UserIdRecipient = Types.UserIdRecipient
  export type WebhookAttempt = Types.WebhookAttempt
  export type WebhookBulkResend = Types.WebhookBulkResend
  export type WebhookDisabledDetail = Types.WebhookDisabledDetail
  export type WebhookEndpoint = Types.WebhookEndpoint
  export type WebhookEndpointWithSecret = Types.WebhookEndpointWithSecret
  export type WebhookEvent = Types.WebhookEvent
  export type WebhookEventListen = Types.WebhookEventListen
  export type WebhookFailureClass = Types.WebhookFailureClass
  export type WebhookListenEvent = Types.WebhookListenEvent
  export type WebhookListenSession = Types.WebhookListenSession
  export type WebhookRecovery = Types.WebhookRecovery
  export type WebhookSignaturePreview = Types.WebhookSignaturePreview
  export type WebhookTest = Types.WebhookTest
  export type WebhookTestData = Types.WebhookTestData
  export type WebhookTestEvent = Types.WebhookTestEvent
  export type AccountGetAnswer = Resources.AccountGetAnswer
  export type AccountMeAnswer = Resources.AccountMeAnswer
  export type ApiKeysCreateParams = Resources.ApiKeysCreateParams
  export type ApiKeysListQuery = Resources.ApiKeysListQuery
  export type ApiKeysRenameParams = Resources.ApiKeysRenameParams
  export type DeviceAuthorizationsCreateParams = Resources.DeviceAuthorizationsCreateParams
  export type DeviceAuthorizationsCreateAnswer = Resources.DeviceAuthorizationsCreateAnswer
  export type DeviceAuthorizationsTokenParams = Resources.DeviceAuthorizationsTokenParams
  export type DeviceAuthorizationsTokenAnswer = Resources.DeviceAuthorizationsTokenAnswer
  export type ProjectsCreateParams = Resources.ProjectsCreateParams
  export type ProjectsListQuery = Resources.ProjectsListQuery
  export type FeedbackCreateParams = Resources.FeedbackCreateParams
  export type FeedbackCreateAnswer = Resources.FeedbackCreateAnswer
  export type FeedbackListQuery = Resources.FeedbackListQuery
  export type MessagesListQuery = Resources.MessagesListQuery
  export type TemplatesListQuery = Resources.TemplatesListQuery
  export type FlowsListQuery = Resources.FlowsListQuery
  export type FlowsUpdateParams = Resources.FlowsUpdateParams
  export type ContactsListQuery = Resources.ContactsListQuery
  export type DataRetentionUpdateParams = Resources.DataRetentionUpdateParams
  export type BatchesListQuery = Resources.BatchesListQuery
  export type BatchesRecipientsQuery = Resources.BatchesRecipientsQuery
  export type BatchesFailuresQuery = Resources.BatchesFailuresQuery
  export type AudiencesListQuery = Resources.AudiencesListQuery
  export type MediaUploadsCreateParams = Resources.MediaUploadsCreateParams
  export type MediaListQuery = Resources.MediaListQuery
  export type MediaTranscriptionsCreateParams = Resources.MediaTranscriptionsCreateParams
  export type MediaTranscriptionsListQuery = Resources.MediaTranscriptionsListQuery
  export type ProviderConnectionsListQuery = Resources.ProviderConnectionsListQuery
  export type ProviderConnectionsNumprovListQuery = Resources.ProviderConnectionsNumprovListQuery
  export type ProviderConnectionsNumprovResourcesQuery = Resources.ProviderConnectionsNumprovResourcesQuery
  export type PhoneNumbersRegionsQuery = Resources.PhoneNumbersRegionsQuery
  export type PhoneNumbersListQuery = Resources.PhoneNumbersListQuery
  export type PhoneNumbersOrdersCreateAnswer = Resources.PhoneNumbersOrdersCreateAnswer
  export type PhoneNumbersOrdersGetAnswer = Resources.PhoneNumbersOrdersGetAnswer
  export type SandboxArmLlmFailureAnswer = Resources.SandboxArmLlmFailureAnswer
  export type SandboxClockAdvanceParams = Resources.SandboxClockAdvanceParams
  export type GroupsEligibilityGetQuery = Resources.GroupsEligibilityGetQuery
  export type GroupsListQuery = Resources.GroupsListQuery
  export type SandboxGroupsAddParticipantParams = Resources.SandboxGroupsAddParticipantParams
  export type WebhooksEndpointsCreateParams = Resources.WebhooksEndpointsCreateParams
  export type WebhooksEndpointsListQuery = Resources.WebhooksEndpointsListQuery
  export type WebhooksEndpointsUpdateParams = Resources.WebhooksEndpointsUpdateParams
  export type WebhooksEndpointsRecoverParams = Resources.WebhooksEndpointsRecoverParams
  export type WebhooksEventsListQuery = Resources.WebhooksEventsListQuery
  export type WebhooksEventsBulkResendParams = Resources.WebhooksEventsBulkResendParams
  export type WebhooksEventsListenQuery = Resources.WebhooksEventsListenQuery
  export type WebhooksListenSessionsCreateParams = Resources.WebhooksListenSessionsCreateParams
  export type WebhooksEventsGetListenedQuery = Resources.WebhooksEventsGetListenedQuery
  export type RequestLogsListQuery = Resources.RequestLogsListQuery
  export type RequestLogsListAnswer = Resources.RequestLogsListAnswer
  export type PaymentsListQuery = Resources.PaymentsListQuery
  export type AgenticBanksListQuery = Resources.AgenticBanksListQuery
  export type AgenticAuthorizationsListQuery = Resources.AgenticAuthorizationsListQuery
  export type AgenticPaymentsListQuery = Resources.AgenticPaymentsListQuery
  export type BillingLedgerQuery = Resources.BillingLedgerQuery
  export type BillingPlanSubscribeParams = Resources.BillingPlanSubscribeParams
  export type BillingPlanSubscribeAnswer = Resources.BillingPlanSubscribeAnswer
  export type BillingPlanChangeParams = Resources.BillingPlanChangeParams
  export type BillingPackagesListQuery = Resources.BillingPackagesListQuery
  export type RateCardsListQuery = Resources.RateCardsListQuery
  export type BillingPhoneManagementQuery = Resources.BillingPhoneManagementQuery
  export type BillingPhoneManagementAnswer = Resources.BillingPhoneManagementAnswer
  export type BillingPhoneRenewalQuery = Resources.BillingPhoneRenewalQuery
}
