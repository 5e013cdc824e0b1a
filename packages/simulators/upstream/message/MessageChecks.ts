import { recordOf, type SimulatedAnswer } from "../../kit/Routes.ts"
import { fits } from "../form/MediaForm.ts"
import { messageFlaw } from "../form/MessageForm.ts"
import { componentsFlaw } from "../form/TemplateSendForm.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimNumber, SimTemplate, World } from "../World.ts"
import { recipientOf } from "./Recipients.ts"

type Body = Readonly<Record<string, unknown>>
type Check = (world: World, number: SimNumber, content: Body, body: Body) => SimulatedAnswer | undefined

/** Returns the platform's immediate refusal of a message; undefined when it accepts it. */
export const checkMessage = (world: World, number: SimNumber, body: Body): SimulatedAnswer | undefined => {
  if (body.messaging_product !== "whatsapp") return invalid("messaging_product")
  const flaw = messageFlaw(body)
  if (flaw !== undefined) return vendorError(flaw.code, flaw.details)
  const recipient = recipientOf(world, body)
  if (recipient === undefined) return invalid("to")
  if (recipient.kind === "user_id" && categoryOf(world, number, body) === "authentication") return vendorError(131062)
  const type = typeof body.type === "string" ? body.type : "text"
  return checks[type]?.(world, number, recordOf(body[type]), body)
}

/** Returns the category of a template message, in lower case; undefined for other messages. */
export const categoryOf = (world: World, number: SimNumber, body: Body): string | undefined =>
  body.type === "template" ? templateOf(world, number, recordOf(body.template))?.category.toLowerCase() : undefined

const templateOf = (world: World, number: SimNumber, content: Body): SimTemplate | undefined => {
  const { code } = recordOf(content.language)
  return [...world.templates.values()].find(
    (one) => one.biz_account_id === number.biz_account_id && one.name === content.name && one.language === code
  )
}

const invalid = (name: string): SimulatedAnswer => vendorError(100, `${name} is missing or not valid`)

const file: Check = (world, _number, content, { type }) => {
  // The platform fetches a link later, and reports a failure by a status.
  if (content.id === undefined && typeof content.link === "string") return undefined
  const found = world.files.get(String(content.id))
  if (found === undefined) return vendorError(131053, "the media id is not known")
  return fits(found.mime_type, String(type))
    ? undefined
    : vendorError(131053, `media of type ${found.mime_type} is no ${String(type)}`)
}

/** What the platform looks up for a message whose form is right. */
const checks: Readonly<Record<string, Check>> = {
  image: file,
  audio: file,
  video: file,
  document: file,
  sticker: file,
  template: (world, number, content) => {
    const template = templateOf(world, number, content)
    if (template === undefined) return vendorError(132001)
    if (template.status === "PAUSED") return vendorError(132015)
    if (template.status === "DISABLED") return vendorError(132016)
    if (template.status !== "APPROVED") return vendorError(132001)
    return checkParameters(world, template, content)
  }
}

/** Returns a refusal for parameters that the template does not have, in body, header and buttons. */
const checkParameters = (world: World, template: SimTemplate, content: Body): SimulatedAnswer | undefined => {
  const components = Array.isArray(content.components) ? content.components.map(recordOf) : []
  for (const component of components) {
    for (const parameter of listOf(component.parameters)) {
      const kind = String(parameter.type)
      const media = recordOf(parameter[kind])
      const isKnown = typeof media.link === "string" || world.files.has(String(media.id))
      if (files.has(kind) && !isKnown) return vendorError(131053)
    }
  }
  const flaw = componentsFlaw(template.components, content)
  if (flaw !== undefined) return vendorError(flaw.code, flaw.details)
  if (template.body === undefined) return undefined
  const values = listOf(components.find(({ type }) => type === "body")?.parameters)
  if (typeof template.body === "number") return values.length === template.body ? undefined : vendorError(132000)
  const names = values.map((value) => String(value.parameter_name)).toSorted()
  return names.join() === template.body.toSorted().join() ? undefined : vendorError(132000)
}

const files: ReadonlySet<string> = new Set(["image", "video", "document"])

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(recordOf) : [])
