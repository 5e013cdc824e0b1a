import type { INodeProperties } from "n8n-workflow"

const resource = ["message"]
const sends = ["sendText", "sendTemplate", "sendMedia", "sendButtons", "sendList"]
const shownFor = (...operation: string[]) => ({ show: { resource, operation } })

/** The number to send from, chosen from a list or named by its ID. */
export const senderField = (show: Record<string, string[]>): INodeProperties => ({
  displayName: "From",
  name: "from",
  type: "resourceLocator",
  default: { mode: "list", value: "" },
  required: true,
  displayOptions: { show },
  description: "The phone number of yours that sends. Em português: o seu número, que envia.",
  modes: [
    { displayName: "From List", name: "list", type: "list", typeOptions: { searchListMethod: "searchPhoneNumbers" } },
    { displayName: "By ID", name: "id", type: "string", placeholder: "pn_…" }
  ]
})

/** An approved template, chosen from a list or named by language and name. */
export const templateField = (show: Record<string, string[]>): INodeProperties => ({
  displayName: "Template Name or ID",
  name: "template",
  type: "options",
  default: "",
  required: true,
  displayOptions: { show },
  typeOptions: { loadOptionsMethod: "getTemplates" },
  description:
    'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>'
})

/** Values of a template's variables. */
export const variablesField = (show: Record<string, string[]>): INodeProperties => ({
  displayName: "Variables",
  name: "variables",
  type: "fixedCollection",
  typeOptions: { multipleValues: true },
  default: {},
  placeholder: "Add Variable",
  displayOptions: { show },
  description: "Values of the template's variables, by their names, or by 1, 2 and so on",
  options: [
    {
      displayName: "Variable",
      name: "variable",
      values: [
        { displayName: "Name", name: "name", type: "string", default: "" },
        { displayName: "Value", name: "value", type: "string", default: "" }
      ]
    }
  ]
})

const text = (displayName: string, name: string, operation: string[], more: Partial<INodeProperties> = {}) =>
  ({
    displayName,
    name,
    type: "string",
    default: "",
    displayOptions: shownFor(...operation),
    ...more
  }) as INodeProperties

/** Fields of the operations on messages. */
export const messageFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource } },
    default: "sendText",
    options: [
      { name: "Get", value: "get", description: "Read one message with its status", action: "Get a message" },
      {
        name: "Send Buttons",
        value: "sendButtons",
        description: "Send a text with one to three buttons",
        action: "Send buttons"
      },
      { name: "Send List", value: "sendList", description: "Send a list to choose from", action: "Send a list" },
      {
        name: "Send Media",
        value: "sendMedia",
        description: "Send an image, a document, a sound, a video or a sticker",
        action: "Send media"
      },
      {
        name: "Send Template",
        value: "sendTemplate",
        description: "Send an approved template, at any time",
        action: "Send a template"
      },
      {
        name: "Send Text",
        value: "sendText",
        description: "Send a text to a customer who wrote within 24 hours",
        action: "Send a text"
      }
    ]
  },
  text("Message ID", "messageId", ["get"], { required: true, placeholder: "msg_…" }),
  senderField({ resource, operation: sends }),
  text("To", "to", sends, {
    required: true,
    placeholder: "+5511988887777",
    description: "The customer's phone number in international form. Em português: o número do cliente."
  }),
  text("Text", "text", ["sendText", "sendButtons", "sendList"], { required: true, typeOptions: { rows: 3 } }),
  templateField({ resource, operation: ["sendTemplate"] }),
  variablesField({ resource, operation: ["sendTemplate"] }),
  {
    displayName: "Kind",
    name: "kind",
    type: "options",
    default: "image",
    displayOptions: shownFor("sendMedia"),
    options: [
      { name: "Audio", value: "audio" },
      { name: "Document", value: "document" },
      { name: "Image", value: "image" },
      { name: "Sticker", value: "sticker" },
      { name: "Video", value: "video" }
    ]
  },
  {
    displayName: "Source",
    name: "source",
    type: "options",
    default: "binary",
    displayOptions: shownFor("sendMedia"),
    description: "Where the file is",
    options: [
      { name: "Binary Data of the Item", value: "binary" },
      { name: "File of the Media Library", value: "asset" },
      { name: "Link", value: "link" }
    ]
  },
  {
    displayName: "Input Binary Field",
    name: "binaryField",
    type: "string",
    default: "data",
    required: true,
    displayOptions: { show: { resource, operation: ["sendMedia"], source: ["binary"] } },
    hint: "The name of the input field that holds the file"
  },
  {
    displayName: "Link",
    name: "link",
    type: "string",
    default: "",
    required: true,
    placeholder: "https://example.com/menu.pdf",
    displayOptions: { show: { resource, operation: ["sendMedia"], source: ["link"] } }
  },
  {
    displayName: "File ID",
    name: "assetId",
    type: "string",
    default: "",
    required: true,
    placeholder: "mda_…",
    displayOptions: { show: { resource, operation: ["sendMedia"], source: ["asset"] } }
  },
  text("Caption", "caption", ["sendMedia"], { description: "Text under an image, a video or a document" }),
  {
    displayName: "Buttons",
    name: "buttons",
    type: "fixedCollection",
    typeOptions: { multipleValues: true, maxValue: 3 },
    default: {},
    required: true,
    placeholder: "Add Button",
    displayOptions: shownFor("sendButtons"),
    options: [
      {
        displayName: "Button",
        name: "button",
        values: [
          { displayName: "ID", name: "id", type: "string", default: "", description: "What a tap returns" },
          { displayName: "Title", name: "title", type: "string", default: "" }
        ]
      }
    ]
  },
  text("List Button", "listButton", ["sendList"], {
    required: true,
    default: "Ver opções",
    description: "The label of the button that opens the list"
  }),
  {
    displayName: "Rows",
    name: "rows",
    type: "fixedCollection",
    typeOptions: { multipleValues: true, maxValue: 10 },
    default: {},
    required: true,
    placeholder: "Add Row",
    displayOptions: shownFor("sendList"),
    description: "One to ten rows. Rows that name the same section stand together.",
    options: [
      {
        displayName: "Row",
        name: "row",
        values: [
          { displayName: "Description", name: "description", type: "string", default: "" },
          { displayName: "ID", name: "id", type: "string", default: "", description: "What a tap returns" },
          { displayName: "Section", name: "section", type: "string", default: "" },
          { displayName: "Title", name: "title", type: "string", default: "" }
        ]
      }
    ]
  },
  {
    displayName: "Additional Fields",
    name: "more",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: shownFor(...sends),
    options: [
      {
        displayName: "File Name",
        name: "filename",
        type: "string",
        default: "",
        description: "Name that the recipient of a document sees"
      },
      {
        displayName: "Footer",
        name: "footer",
        type: "string",
        default: "",
        description: "Line below buttons or a list"
      },
      {
        displayName: "Header",
        name: "header",
        type: "string",
        default: "",
        description: "Line above the text of buttons or of a list"
      },
      {
        displayName: "Idempotency Key",
        name: "idempotencyKey",
        type: "string",
        default: "",
        description:
          "Makes a repeat of the send the same send, for 24 hours, such as the ID of the event that it answers"
      },
      {
        displayName: "Link Preview",
        name: "previewUrl",
        type: "boolean",
        default: false,
        description: "Whether the first link of a text has a preview"
      },
      {
        displayName: "Metadata",
        name: "metadata",
        type: "json",
        default: "{}",
        description: "Your own data as JSON, returned in the message's events"
      },
      {
        displayName: "Reply To Message ID",
        name: "replyTo",
        type: "string",
        default: "",
        placeholder: "msg_…",
        description: "The message to quote"
      },
      {
        displayName: "Sandbox Scenario",
        name: "scenario",
        type: "string",
        default: "",
        description: "What the sandbox lets become of the message, as Sandbox: Get Quickstart lists scenarios"
      },
      {
        displayName: "Voice Note",
        name: "voice",
        type: "boolean",
        default: false,
        description: "Whether an audio is shown as a voice note; it must be Opus in Ogg"
      }
    ]
  }
]
