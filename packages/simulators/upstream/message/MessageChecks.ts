import { type Answered, recordOf } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimNumber, SimTemplate, World } from "../World.ts"

type Body = Readonly<Record<string, unknown>>
type Check = (world: World, number: SimNumber, content: Body, body: Body) => Answered | undefined

/** Returns the platform's immediate refusal of a message; undefined when it accepts it. */
export const checkMessage = (world: World, number: SimNumber, body: Body): Answered | undefined => {
  if (!world.isProduct(body.messaging_product)) return invalid("messaging_product")
  if (typeof body.to !== "string" || body.to.replace(/\D/g, "").length < 8) return invalid("to")
  const type = typeof body.type === "string" ? body.type : ""
  const check = checks[type]
  if (check === undefined) return vendorError(131051)
  const content = recordOf(body[type])
  if (body.context !== undefined && typeof recordOf(body.context).message_id !== "string") return invalid("context")
  return check(world, number, content, body)
}

const invalid = (name: string): Answered => vendorError(100, `${name} is missing or not valid`)

const isText = (value: unknown, most: number): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= most * 2

const file: Check = (world, _number, content) => {
  const known = typeof content.id === "string" && world.files.has(content.id)
  return known ? undefined : vendorError(131053, "the media id is not known")
}

const checks: Readonly<Record<string, Check>> = {
  text: (_world, _number, { body }) => (isText(body, 4096) ? undefined : invalid("text.body")),
  image: file,
  audio: file,
  video: file,
  document: file,
  sticker: file,
  reaction: (_world, _number, { emoji, message_id }) =>
    typeof message_id === "string" && typeof emoji === "string" ? undefined : invalid("reaction"),
  interactive: (_world, _number, content) => {
    const action = recordOf(content.action)
    if (!isText(recordOf(content.body).text, 1024)) return invalid("interactive.body")
    if (content.type === "button") return Array.isArray(action.buttons) ? undefined : invalid("interactive.action")
    if (content.type === "order_details" || content.type === "flow") {
      return typeof action.name === "string" && typeof action.parameters === "object"
        ? undefined
        : invalid("interactive.action")
    }
    return invalid("interactive.type")
  },
  template: (world, number, content) => {
    const language = recordOf(content.language).code
    const template = [...world.templates.values()].find(
      (one) => one.biz_account_id === number.biz_account_id && one.name === content.name && one.language === language
    )
    if (template === undefined) return vendorError(132001)
    if (template.status === "PAUSED") return vendorError(132015)
    if (template.status === "DISABLED") return vendorError(132016)
    if (template.status !== "APPROVED") return vendorError(132001)
    return checkParameters(world, template, content)
  }
}

const checkParameters = (world: World, template: SimTemplate, content: Body): Answered | undefined => {
  const components = Array.isArray(content.components) ? content.components.map(recordOf) : []
  for (const component of components) {
    for (const parameter of listOf(component.parameters)) {
      const kind = String(parameter.type)
      const media = recordOf(parameter[kind])
      if (kind !== "text" && !(typeof media.id === "string" && world.files.has(media.id))) return vendorError(131053)
    }
  }
  if (template.body === undefined) return undefined
  const values = listOf(components.find(({ type }) => type === "body")?.parameters)
  if (typeof template.body === "number") return values.length === template.body ? undefined : vendorError(132000)
  const names = values.map((value) => String(value.parameter_name)).toSorted()
  return names.join() === template.body.toSorted().join() ? undefined : vendorError(132000)
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(recordOf) : [])
