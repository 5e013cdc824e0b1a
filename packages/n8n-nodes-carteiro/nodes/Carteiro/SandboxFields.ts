import type { INodeProperties } from "n8n-workflow"
import { eventTypes } from "../CarteiroTrigger/SampleEvents.ts"
import { senderField } from "./MessageFields.ts"

const shownFor = (...operation: string[]) => ({ show: { resource: ["sandbox"], operation } })

/** Fields of the operations on the sandbox. */
export const sandboxFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["sandbox"] } },
    default: "getQuickstart",
    options: [
      {
        name: "Get Quickstart",
        value: "getQuickstart",
        description: "Read the number to send from, the templates and the scenarios",
        action: "Get the quickstart of the sandbox"
      },
      {
        name: "Get Sample Event",
        value: "getSampleEvent",
        description: "Return an event of any type as the trigger does, without a call",
        action: "Get a sample event"
      },
      {
        name: "Set Payment Status",
        value: "setPaymentStatus",
        description: "Let a payment be paid, fail or expire",
        action: "Set the status of a payment"
      },
      {
        name: "Write as Customer",
        value: "writeAsCustomer",
        description: "Let a customer write a text, which opens the service window",
        action: "Write as a customer"
      }
    ]
  },
  {
    displayName: "Event Type",
    name: "eventType",
    type: "options",
    default: "message.received",
    displayOptions: shownFor("getSampleEvent"),
    options: eventTypes.map((value) => ({ name: value, value }))
  },
  {
    displayName: "Payment ID",
    name: "paymentId",
    type: "string",
    default: "",
    required: true,
    placeholder: "pay_…",
    displayOptions: shownFor("setPaymentStatus")
  },
  {
    displayName: "Status",
    name: "status",
    type: "options",
    default: "paid",
    displayOptions: shownFor("setPaymentStatus"),
    options: [
      { name: "Cancelled", value: "cancelled" },
      { name: "Expired", value: "expired" },
      { name: "Failed", value: "failed" },
      { name: "Paid", value: "paid" }
    ]
  },
  { ...senderField({ resource: ["sandbox"], operation: ["writeAsCustomer"] }), displayName: "To", name: "number" },
  {
    displayName: "Customer Phone",
    name: "customer",
    type: "string",
    default: "",
    required: true,
    placeholder: "+5511988887777",
    displayOptions: shownFor("writeAsCustomer")
  },
  {
    displayName: "Text",
    name: "text",
    type: "string",
    default: "",
    required: true,
    displayOptions: shownFor("writeAsCustomer")
  }
]
