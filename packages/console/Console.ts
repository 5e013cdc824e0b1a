export { GalleryShown } from "./gallery/GalleryHttp.ts"

import { ApiCalls } from "@carteiro/openapi/Openapi.ts"
import { Layer } from "effect"
import { BatchEditHttp } from "./batches/BatchEditHttp.ts"
import { BatchesHttp } from "./batches/BatchesHttp.ts"
import { BatchHttp } from "./batches/BatchHttp.ts"
import { BillingHttp } from "./billing/BillingHttp.ts"
import { CardsHttp } from "./billing/CardsHttp.ts"
import { PlanHttp } from "./billing/PlanHttp.ts"
import { StatementHttp } from "./billing/StatementHttp.ts"
import { TopUpHttp } from "./billing/TopUpHttp.ts"
import { ChatHttp } from "./chat/ChatHttp.ts"
import { ConnectHttp } from "./connections/ConnectHttp.ts"
import { ConnectionsHttp } from "./connections/ConnectionsHttp.ts"
import { NumberAccountHttp } from "./connections/NumberAccountHttp.ts"
import { NumberAccountsHttp } from "./connections/NumberAccountsHttp.ts"
import { NumberConnectHttp } from "./connections/NumberConnectHttp.ts"
import { SetupHttp } from "./connections/SetupHttp.ts"
import { ContactHttp } from "./contacts/ContactHttp.ts"
import { ContactsHttp } from "./contacts/ContactsHttp.ts"
import { OptOutByPhoneHttp } from "./contacts/OptOutByPhoneHttp.ts"
import { OptOutHttp } from "./contacts/OptOutHttp.ts"
import { ClockHttp } from "./developers/ClockHttp.ts"
import { EventsHttp } from "./developers/EventsHttp.ts"
import { RequestLogsHttp } from "./developers/RequestLogsHttp.ts"
import { ResetHttp } from "./developers/ResetHttp.ts"
import { DocsHttp } from "./docs/DocsHttp.ts"
import { FlowHttp } from "./flows/FlowHttp.ts"
import { FlowsHttp } from "./flows/FlowsHttp.ts"
import { GalleryHttp } from "./gallery/GalleryHttp.ts"
import { GroupHttp } from "./groups/GroupHttp.ts"
import { GroupsHttp } from "./groups/GroupsHttp.ts"
import { ApiKeysHttp } from "./keys/ApiKeysHttp.ts"
import { operationsLayer } from "./kit/OperationsLayer.ts"
import { MemberHttp } from "./members/MemberHttp.ts"
import { MembersHttp } from "./members/MembersHttp.ts"
import { MediaHttp } from "./messages/MediaHttp.ts"
import { MessageHttp } from "./messages/MessageHttp.ts"
import { MessagesHttp } from "./messages/MessagesHttp.ts"
import { SendAgainHttp } from "./messages/SendAgainHttp.ts"
import { MonthsHttp } from "./numbers/MonthsHttp.ts"
import { NumberHttp } from "./numbers/NumberHttp.ts"
import { NumbersHttp } from "./numbers/NumbersHttp.ts"
import { NotFoundHttp } from "./overview/NotFoundHttp.ts"
import { OverviewHttp } from "./overview/OverviewHttp.ts"
import { StreamHttp } from "./overview/StreamHttp.ts"
import { StyleHttp } from "./overview/StyleHttp.ts"
import { AuthorizationsHttp } from "./payments/AuthorizationsHttp.ts"
import { NewPaymentHttp } from "./payments/NewPaymentHttp.ts"
import { PayHttp } from "./payments/PayHttp.ts"
import { PaymentHttp } from "./payments/PaymentHttp.ts"
import { PaymentsHttp } from "./payments/PaymentsHttp.ts"
import { OrderHttp } from "./phone-orders/OrderHttp.ts"
import { OrdersHttp } from "./phone-orders/OrdersHttp.ts"
import { ProjectHttp } from "./projects/ProjectHttp.ts"
import { ProjectsHttp } from "./projects/ProjectsHttp.ts"
import { SearchHttp } from "./search/SearchHttp.ts"
import { AuditHttp } from "./settings/AuditHttp.ts"
import { EmailsHttp } from "./settings/EmailsHttp.ts"
import { FeedbackHttp } from "./settings/FeedbackHttp.ts"
import { DeviceHttp } from "./sign-in/DeviceHttp.ts"
import { SignInHttp } from "./sign-in/SignInHttp.ts"
import { storiesLayer } from "./story/StoriesLayer.ts"
import { TemplateEditHttp } from "./templates/TemplateEditHttp.ts"
import { TemplateHttp } from "./templates/TemplateHttp.ts"
import { TemplatesHttp } from "./templates/TemplatesHttp.ts"
import { TemplateTestHttp } from "./templates/TemplateTestHttp.ts"
import { DeliveriesHttp } from "./webhooks/DeliveriesHttp.ts"
import { EndpointFormsHttp } from "./webhooks/EndpointFormsHttp.ts"
import { EndpointHttp } from "./webhooks/EndpointHttp.ts"
import { WebhooksHttp } from "./webhooks/WebhooksHttp.ts"

/** Every page under `/dashboard`, by section; what they show and do is done by operations. They need the ports of `ports/`. Decision 0176 */
export const pages = Layer.mergeAll(
  StyleHttp,
  StreamHttp,
  DocsHttp,
  SignInHttp,
  OverviewHttp,
  SearchHttp,
  DeviceHttp,
  ApiKeysHttp,
  ProjectsHttp,
  ProjectHttp,
  ChatHttp,
  ClockHttp,
  ResetHttp,
  MessagesHttp,
  MessageHttp,
  SendAgainHttp,
  TemplatesHttp,
  TemplateEditHttp,
  TemplateTestHttp,
  TemplateHttp,
  FlowsHttp,
  FlowHttp,
  BatchesHttp,
  BatchEditHttp,
  BatchHttp,
  MediaHttp,
  ContactsHttp,
  OptOutByPhoneHttp,
  OptOutHttp,
  ContactHttp,
  GroupsHttp,
  GroupHttp,
  NumbersHttp,
  MonthsHttp,
  NumberHttp,
  OrdersHttp,
  OrderHttp,
  PaymentsHttp,
  NewPaymentHttp,
  PaymentHttp,
  AuthorizationsHttp,
  PayHttp,
  WebhooksHttp,
  EndpointHttp,
  EndpointFormsHttp,
  DeliveriesHttp,
  EventsHttp,
  RequestLogsHttp,
  BillingHttp,
  StatementHttp,
  TopUpHttp,
  CardsHttp,
  PlanHttp,
  EmailsHttp,
  FeedbackHttp,
  MembersHttp,
  MemberHttp,
  AuditHttp,
  ConnectionsHttp,
  NumberAccountsHttp,
  NumberAccountHttp,
  NumberConnectHttp,
  SetupHttp,
  ConnectHttp,
  GalleryHttp,
  NotFoundHttp
).pipe(Layer.provide(storiesLayer), Layer.provide(ApiCalls.layer), Layer.provide(operationsLayer))
