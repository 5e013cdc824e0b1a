import type { IDataObject, IExecuteFunctions, INode } from "n8n-workflow"
import { NodeOperationError } from "n8n-workflow"
import type { Carteiro } from "../../../sdk/generated/Carteiro.ts"
import type { SendMessage } from "../../../sdk/generated/Types.ts"

/** The fields under "Additional Fields". */
export interface More extends IDataObject {
  idempotencyKey?: string | undefined
  filename?: string
  footer?: string
  header?: string
  metadata?: string | IDataObject
  name?: string
  previewUrl?: boolean
  replyTo?: string
  scenario?: string
  scheduledAt?: string
  voice?: boolean
}

type Content = SendMessage["message"]
type MediaKind = "image" | "document" | "audio" | "video" | "sticker"

const rowsOf = <Row>(collection: IDataObject, name: string): Row[] => (collection[name] as Row[] | undefined) ?? []

/** Returns the values of a template's variables by name; undefined when there are none. */
export const variablesOf = (collection: IDataObject): Record<string, string> | undefined => {
  const rows = rowsOf<{ name: string; value: string }>(collection, "variable")
  return rows.length === 0 ? undefined : Object.fromEntries(rows.map(({ name, value }) => [name, String(value)]))
}

/** Reads `pt_BR:welcome`, as the list of templates writes it. */
export const templateOf = (chosen: string): { language: string; name: string } => {
  const at = chosen.indexOf(":")
  return at < 0 ? { language: "pt_BR", name: chosen } : { language: chosen.slice(0, at), name: chosen.slice(at + 1) }
}

/** Returns the message's own data, with the scenario that the sandbox reads; undefined when there is none. */
export const metadataOf = (node: INode, more: More, itemIndex: number): IDataObject | undefined => {
  const given = more.metadata ?? {}
  const metadata = typeof given === "string" ? parsed(node, given, itemIndex) : given
  const whole = { ...metadata, ...(more.scenario ? { sandbox_scenario: more.scenario } : {}) }
  return Object.keys(whole).length === 0 ? undefined : whole
}

const parsed = (node: INode, text: string, itemIndex: number): IDataObject => {
  try {
    return JSON.parse(text) as IDataObject
  } catch {
    throw new NodeOperationError(node, 'Metadata is no JSON: write an object such as { "order": "1001" }', {
      itemIndex
    })
  }
}

/** Returns the content of the message that an operation sends; a file of the item is uploaded first. */
export const contentOf = async (
  node: IExecuteFunctions,
  carteiro: Carteiro,
  item: number,
  more: More
): Promise<Content> => {
  const text = (name: string) => node.getNodeParameter(name, item, "") as string
  const collection = (name: string) => node.getNodeParameter(name, item, {}) as IDataObject
  switch (text("operation")) {
    case "sendTemplate": {
      const variables = variablesOf(collection("variables"))
      const template = templateOf(text("template"))
      return { type: "template", template: { ...template, ...(variables === undefined ? {} : { variables }) } }
    }
    case "sendMedia":
      return media(node, carteiro, item, more)
    case "sendButtons": {
      const buttons = rowsOf<{ id: string; title: string }>(collection("buttons"), "button")
      const action = { buttons: buttons.map((reply) => ({ type: "reply", reply }) as const) }
      return { type: "interactive", interactive: { type: "button", ...framed(text("text"), more), action } }
    }
    case "sendList": {
      const action = { button: text("listButton"), sections: sectionsOf(collection("rows")) }
      return { type: "interactive", interactive: { type: "list", ...framed(text("text"), more), action } }
    }
    default: {
      const preview = more.previewUrl === undefined ? {} : { preview_url: more.previewUrl }
      return { type: "text", text: { body: text("text"), ...preview } }
    }
  }
}

const framed = (text: string, { footer, header }: More) => ({
  body: { text },
  ...(header ? { header: { text: header } } : {}),
  ...(footer ? { footer: { text: footer } } : {})
})

interface Row {
  id: string
  title: string
  description?: string
  section?: string
}

/** Rows of one section stand together, sections in the order in which they are first named. */
const sectionsOf = (collection: IDataObject) => {
  const sections = new Map<string, Array<{ id: string; title: string; description?: string }>>()
  for (const { description, id, section = "", title } of rowsOf<Row>(collection, "row")) {
    const row = { id, title, ...(description ? { description } : {}) }
    sections.set(section, [...(sections.get(section) ?? []), row])
  }
  return [...sections].map(([title, rows]) => ({ ...(title === "" ? {} : { title }), rows }))
}

const media = async (node: IExecuteFunctions, carteiro: Carteiro, item: number, more: More): Promise<Content> => {
  const text = (name: string) => node.getNodeParameter(name, item, "") as string
  const kind = text("kind") as MediaKind
  const facts = {
    kind,
    ...(text("caption") === "" ? {} : { caption: text("caption") }),
    ...(more.filename ? { filename: more.filename } : {}),
    ...(more.voice ? { voice: true } : {})
  }
  const source = text("source")
  if (source === "link") return { type: "media", media: { ...facts, link: text("link") } }
  if (source === "asset") return { type: "media", media: { ...facts, asset_id: text("assetId") } }
  const file = node.helpers.assertBinaryData(item, text("binaryField"))
  const bytes = await node.helpers.getBinaryDataBuffer(item, text("binaryField"))
  const asset = await carteiro.media.upload({
    source: new Uint8Array(bytes),
    kind,
    mimeType: file.mimeType,
    filename: more.filename ?? file.fileName,
    onWarning: (sentence) => node.addExecutionHints({ message: sentence, location: "outputPane" })
  })
  return { type: "media", media: { ...facts, asset_id: asset.id } }
}
