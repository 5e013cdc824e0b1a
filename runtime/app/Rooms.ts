import * as Access from "../access/room.ts"
import * as Activity from "../activity/room.ts"
import * as Audit from "../audit/room.ts"
import * as Batches from "../batches/room.ts"
import * as Billing from "../billing/room.ts"
import * as Contacts from "../contacts/room.ts"
import * as Feedback from "../feedback/room.ts"
import * as Flows from "../flows/room.ts"
import * as Groups from "../groups/room.ts"
import * as Mcp from "../mcp/room.ts"
import * as Media from "../media/room.ts"
import * as Messages from "../messages/room.ts"
import * as Payments from "../payments/room.ts"
import * as PhoneMonths from "../phone-months/room.ts"
import * as PhoneNumbers from "../phone-numbers/room.ts"
import * as PhoneOrders from "../phone-orders/room.ts"
import * as Projects from "../projects/room.ts"
import * as ProviderConnections from "../provider-connections/room.ts"
import * as RequestLogs from "../request-logs/room.ts"
import * as Sandbox from "../sandbox/room.ts"
import * as Templates from "../templates/room.ts"
import * as Webhooks from "../webhooks/room.ts"
import * as Console from "./ConsoleRoom.ts"
import * as Openapi from "./OpenApiRoom.ts"

/** Every room, each after those whose services it is made of. `Fold.ts` makes nodes and commands of the list. */
export const rooms = [
  Access.room,
  Activity.room,
  Audit.room,
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
  RequestLogs.room,
  Openapi.room,
  Mcp.room,
  Console.room
] as const
