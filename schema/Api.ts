import { HttpApi, OpenApi } from "effect/http-api"
import { AccountApi } from "./access/Account.ts"
import { ApiKeysApi } from "./access/ApiKey.ts"
import { DeviceAuthorizationsApi } from "./access/DeviceAuthorization.ts"
import { AudiencesApi } from "./batches/Audience.ts"
import { BatchesApi } from "./batches/Batch.ts"
import { AutoTopupApi } from "./billing/AutoTopup.ts"
import { BillingApi } from "./billing/Billing.ts"
import { PackagesApi } from "./billing/CreditTopup.ts"
import { PaymentMethodsApi } from "./billing/PaymentMethod.ts"
import { PlansApi } from "./billing/Plans.ts"
import { RateCardsApi } from "./billing/RateCard.ts"
import { ContactsApi } from "./contacts/Contact.ts"
import { DataRetentionApi } from "./contacts/DataRetention.ts"
import { FeedbackApi } from "./feedback/FeedbackReport.ts"
import { FlowsApi } from "./flows/Flow.ts"
import { GroupsApi } from "./groups/GroupsApi.ts"
import { MediaApi } from "./media/Media.ts"
import { MessagesApi } from "./messages/MessagesApi.ts"
import { AgenticApi } from "./payments/AgenticApi.ts"
import { PaymentsApi, SandboxPaymentsApi } from "./payments/PaymentsApi.ts"
import { PhoneMonthsApi } from "./phone-months/PhoneMonthsApi.ts"
import { PhoneNumbersApi } from "./phone-numbers/PhoneNumbersApi.ts"
import { PhoneOrdersApi } from "./phone-orders/PhoneOrdersApi.ts"
import { ProjectsApi } from "./projects/Project.ts"
import { NumprovConnectionsApi } from "./provider-connections/NumprovConnectionsApi.ts"
import { ProviderConnectionsApi } from "./provider-connections/ProviderConnectionsApi.ts"
import { SetupDecisionsApi, SetupSessionsApi } from "./provider-connections/SetupSession.ts"
import { SignupSessionsApi } from "./provider-connections/SignupSession.ts"
import { RequestLogsApi } from "./request-logs/RequestLog.ts"
import { SandboxApi } from "./sandbox/Sandbox.ts"
import { SandboxClockApi } from "./sandbox/SandboxClock.ts"
import { TemplatesApi } from "./templates/TemplatesApi.ts"
import { WebhookListenApi } from "./webhooks/Listen.ts"
import { WebhookEndpointsApi } from "./webhooks/WebhookEndpoint.ts"
import { WebhookEventsApi } from "./webhooks/WebhookEvent.ts"

/** Every group of the contract: the table of contents of the product, of its router and of `/openapi.json`. */
export class Api extends HttpApi.make("carteiro")
  .add(AccountApi)
  .add(ApiKeysApi)
  .add(DeviceAuthorizationsApi)
  .add(ProjectsApi)
  .add(FeedbackApi)
  .add(MessagesApi)
  .add(TemplatesApi)
  .add(FlowsApi)
  .add(ContactsApi)
  .add(DataRetentionApi)
  .add(BatchesApi)
  .add(AudiencesApi)
  .add(MediaApi)
  .add(ProviderConnectionsApi)
  .add(NumprovConnectionsApi)
  .add(SignupSessionsApi)
  .add(SetupSessionsApi)
  .add(SetupDecisionsApi)
  .add(PhoneNumbersApi)
  .add(PhoneOrdersApi)
  .add(SandboxApi)
  .add(SandboxClockApi)
  .add(GroupsApi)
  .add(WebhookEndpointsApi)
  .add(WebhookEventsApi)
  .add(WebhookListenApi)
  .add(RequestLogsApi)
  .add(PaymentsApi)
  .add(SandboxPaymentsApi)
  .add(AgenticApi)
  .add(BillingApi)
  .add(PlansApi)
  .add(PackagesApi)
  .add(PaymentMethodsApi)
  .add(AutoTopupApi)
  .add(RateCardsApi)
  .add(PhoneMonthsApi)
  .annotate(OpenApi.Title, "Carteiro")
  .annotate(
    OpenApi.Description,
    "A multi-tenant messaging API with signed webhooks. Every key is bound to one environment of one project. Responses may gain members, and every error has one envelope."
  ) {}
