import * as Access from "../access/Access.ts"
import * as Batches from "../batches/Batches.ts"
import * as Billing from "../billing/Billing.ts"
import * as Contacts from "../contacts/Contacts.ts"
import * as Dashboard from "../dashboard/Dashboard.ts"
import * as Feedback from "../feedback/Feedback.ts"
import * as Flows from "../flows/Flows.ts"
import * as Groups from "../groups/Groups.ts"
import * as Media from "../media/Media.ts"
import * as Messages from "../messages/Messages.ts"
import * as Openapi from "../openapi/Openapi.ts"
import * as Payments from "../payments/Payments.ts"
import * as PhoneMonths from "../phone-months/PhoneMonths.ts"
import * as PhoneNumbers from "../phone-numbers/PhoneNumbers.ts"
import * as PhoneOrders from "../phone-orders/PhoneOrders.ts"
import * as Projects from "../projects/Projects.ts"
import * as ProviderConnections from "../provider-connections/ProviderConnections.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import * as Templates from "../templates/Templates.ts"
import * as Webhooks from "../webhooks/Webhooks.ts"

/** Every room, each after those whose services it is made of. `Fold.ts` makes nodes and commands of the list. */
export const rooms = [
  Access.room,
  ProviderConnections.room,
  Projects.room,
  Feedback.room,
  Webhooks.room,
  Flows.room,
  Templates.room,
  Contacts.room,
  Billing.room,
  Payments.room,
  Media.room,
  Messages.room,
  PhoneNumbers.room,
  PhoneMonths.room,
  PhoneOrders.room,
  Batches.room,
  Groups.room,
  Sandbox.room,
  Openapi.room,
  Dashboard.room
] as const
