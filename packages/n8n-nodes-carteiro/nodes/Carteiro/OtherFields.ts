import type { INodeProperties, INodePropertyOptions } from "n8n-workflow"
import { senderField, templateField, variablesField } from "./MessageFields.ts"

const operations = (resource: string, first: string, options: INodePropertyOptions[]): INodeProperties => ({
  displayName: "Operation",
  name: "operation",
  type: "options",
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  default: first,
  options
})

const text = (
  resource: string,
  operation: string[],
  displayName: string,
  name: string,
  more: Partial<INodeProperties> = {}
): INodeProperties =>
  ({
    displayName,
    name,
    type: "string",
    default: "",
    displayOptions: { show: { resource: [resource], operation } },
    ...more
  }) as INodeProperties

const key: INodeProperties = {
  displayName: "Idempotency Key",
  name: "idempotencyKey",
  type: "string",
  default: "",
  description: "Makes a repeat of the call the same call, for 24 hours"
}

/** Fields of the operations on contacts. */
export const contactFields: INodeProperties[] = [
  operations("contact", "getAll", [
    { name: "Get Many", value: "getAll", description: "Find contacts", action: "Get many contacts" },
    { name: "Opt In", value: "optIn", description: "Note that a customer agreed", action: "Opt a contact in" },
    { name: "Opt Out", value: "optOut", description: "Send a customer no more messages", action: "Opt a contact out" }
  ]),
  text("contact", ["optIn", "optOut"], "Phone", "phone", { required: true, placeholder: "+5511988887777" }),
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: { show: { resource: ["contact"], operation: ["getAll"] } }
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { resource: ["contact"], operation: ["getAll"], returnAll: [false] } }
  },
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: { show: { resource: ["contact"], operation: ["getAll"] } },
    options: [
      {
        displayName: "Consent",
        name: "opt_in_status",
        type: "options",
        default: "opted_in",
        options: [
          { name: "None Yet", value: "none" },
          { name: "Opted In", value: "opted_in" },
          { name: "Opted Out", value: "opted_out" }
        ]
      },
      { displayName: "Phone", name: "phone", type: "string", default: "", placeholder: "+5511988887777" },
      {
        displayName: "Source",
        name: "source",
        type: "string",
        default: "",
        description: "Source of the latest consent"
      }
    ]
  },
  {
    displayName: "Additional Fields",
    name: "more",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: { show: { resource: ["contact"], operation: ["optIn", "optOut"] } },
    options: [
      { ...key },
      { displayName: "Reason", name: "reason", type: "string", default: "", description: "For your own records" },
      {
        displayName: "Source",
        name: "source",
        type: "string",
        default: "",
        description: "Where the customer said so, such as checkout"
      }
    ]
  }
]

/** Fields of the operations on payments. */
export const paymentFields: INodeProperties[] = [
  operations("payment", "create", [
    { name: "Create", value: "create", description: "Ask for a payment by Pix or a link", action: "Create a payment" },
    { name: "Get", value: "get", description: "Read a payment with its status", action: "Get a payment" }
  ]),
  text("payment", ["get"], "Payment ID", "paymentId", { required: true, placeholder: "pay_…" }),
  {
    displayName: "Amount (BRL)",
    name: "amount",
    type: "number",
    typeOptions: { numberPrecision: 2, minValue: 0.01 },
    default: 1,
    required: true,
    displayOptions: { show: { resource: ["payment"], operation: ["create"] } },
    description: "In reais: 60.5 is R$ 60,50"
  },
  {
    displayName: "Additional Fields",
    name: "more",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: { show: { resource: ["payment"], operation: ["create"] } },
    options: [
      {
        displayName: "Customer Email",
        name: "customer_email",
        type: "string",
        default: "",
        placeholder: "ana@example.com"
      },
      { displayName: "Customer Name", name: "customer_name", type: "string", default: "" },
      {
        displayName: "Customer Phone",
        name: "customer_phone",
        type: "string",
        default: "",
        placeholder: "+5511988887777"
      },
      {
        displayName: "Customer Tax ID",
        name: "customer_tax_id",
        type: "string",
        default: "",
        description: "CPF or CNPJ, without punctuation"
      },
      {
        displayName: "Description",
        name: "description",
        type: "string",
        default: "",
        description: "Shown to the payer"
      },
      {
        displayName: "External Reference",
        name: "external_reference",
        type: "string",
        default: "",
        description: "Your own reference, returned in the payment's events"
      },
      { ...key },
      { displayName: "Metadata", name: "metadata", type: "json", default: "{}", description: "Your own data as JSON" }
    ]
  }
]

const runs = { resource: ["batch"], operation: ["run"] }

/** Fields of the operations on batches. */
export const batchFields: INodeProperties[] = [
  operations("batch", "run", [
    { name: "Get", value: "get", description: "Read a batch with its progress", action: "Get a batch" },
    {
      name: "Run",
      value: "run",
      description: "Send one template to many customers",
      action: "Run a batch"
    }
  ]),
  text("batch", ["get"], "Batch ID", "batchId", { required: true, placeholder: "bat_…" }),
  senderField(runs),
  templateField(runs),
  {
    displayName: "Recipients",
    name: "recipients",
    type: "options",
    default: "items",
    displayOptions: { show: runs },
    options: [
      { name: "All Input Items", value: "items", description: "One recipient an item; one batch for all items" },
      { name: "An Audience", value: "audience", description: "A saved filter over contacts" }
    ]
  },
  {
    displayName: "Audience ID",
    name: "audienceId",
    type: "string",
    default: "",
    required: true,
    placeholder: "aud_…",
    displayOptions: { show: { ...runs, recipients: ["audience"] } }
  },
  {
    displayName: "To",
    name: "to",
    type: "string",
    default: "",
    required: true,
    placeholder: "={{ $json.phone }}",
    description: "The customer's phone number in international form, read from each item",
    displayOptions: { show: { ...runs, recipients: ["items"] } }
  },
  variablesField({ ...runs, recipients: ["items"] }),
  {
    displayName: "Additional Fields",
    name: "more",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: { show: runs },
    options: [
      { ...key },
      { displayName: "Name", name: "name", type: "string", default: "", description: "Your name for the batch" },
      {
        displayName: "Start At",
        name: "scheduledAt",
        type: "dateTime",
        default: "",
        description: "At most 30 days ahead"
      }
    ]
  }
]
