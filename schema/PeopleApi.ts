import { HttpApi } from "effect/http-api"
import { DeviceDecisionsApi } from "./access/DeviceDecisionsApi.ts"
import { MembersApi } from "./access/MembersApi.ts"
import { MintedKeysApi } from "./access/MintedKeysApi.ts"
import { ActivityApi } from "./activity/ActivityApi.ts"
import { AuditLogApi } from "./audit/AuditLogApi.ts"
import { BatchLookupsApi } from "./batches/BatchLookupsApi.ts"
import { NoticesApi } from "./billing/NoticesApi.ts"
import { OwnAccountApi } from "./billing/OwnAccountApi.ts"
import { StatementsApi } from "./billing/StatementsApi.ts"
import { ContactLookupsApi } from "./contacts/ContactLookupsApi.ts"
import { EmailsApi } from "./emails/EmailsApi.ts"
import { WholeReportsApi } from "./feedback/WholeReportsApi.ts"
import { GroupChangesApi } from "./groups/GroupChangesApi.ts"
import { MediaLookupsApi } from "./media/MediaLookupsApi.ts"
import { MessageLookupsApi } from "./messages/MessageLookupsApi.ts"
import { PaymentLookupsApi } from "./payments/PaymentLookupsApi.ts"
import { PhoneCoverageApi } from "./phone-months/PhoneCoverageApi.ts"
import { NumberDetailsApi } from "./phone-numbers/NumberDetailsApi.ts"
import { PhoneOrderDecisionsApi } from "./phone-orders/PhoneOrderDecisionsApi.ts"
import { CapabilitySwitchesApi, OwnProjectsApi } from "./projects/OwnProjectsApi.ts"
import { ConnectionDecisionsApi } from "./provider-connections/ConnectionDecisionsApi.ts"
import { RequestLogLookupsApi } from "./request-logs/RequestLogLookupsApi.ts"
import { SandboxDueApi } from "./sandbox/SandboxDueApi.ts"
import { TemplateLookupsApi } from "./templates/TemplateLookupsApi.ts"
import { DeliveryLogApi } from "./webhooks/DeliveryLogApi.ts"
import { EventLogApi } from "./webhooks/EventLogApi.ts"
import { WebhookOutagesApi } from "./webhooks/WebhookOutage.ts"

/**
 * Every group of operations that only signed-in people have, called from within the process. They are no part of the public
 * contract: no path leads to them from outside, and neither `/openapi.json` nor a client has them. Decision 0155
 */
export class PeopleApi extends HttpApi.make("people")
  .add(MembersApi)
  .add(MintedKeysApi)
  .add(DeviceDecisionsApi)
  .add(OwnProjectsApi)
  .add(CapabilitySwitchesApi)
  .add(PhoneOrderDecisionsApi)
  .add(ConnectionDecisionsApi)
  .add(ActivityApi)
  .add(AuditLogApi)
  .add(EmailsApi)
  .add(NoticesApi)
  .add(OwnAccountApi)
  .add(StatementsApi)
  .add(BatchLookupsApi)
  .add(MessageLookupsApi)
  .add(ContactLookupsApi)
  .add(WholeReportsApi)
  .add(GroupChangesApi)
  .add(MediaLookupsApi)
  .add(PaymentLookupsApi)
  .add(NumberDetailsApi)
  .add(PhoneCoverageApi)
  .add(RequestLogLookupsApi)
  .add(SandboxDueApi)
  .add(TemplateLookupsApi)
  .add(DeliveryLogApi)
  .add(EventLogApi)
  .add(WebhookOutagesApi) {}
