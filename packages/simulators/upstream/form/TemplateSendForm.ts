import { recordOf } from "../../kit/Routes.ts"
import { file } from "./InteractiveForm.ts"
import { anything, by, type Flaw, list, matching, oneOf, type Rule, record, text } from "./Shape.ts"

/** Refuses values that a template's line cannot take. U-SND-05 */
const value: Rule = (given, path) =>
  text(32_768)(given, path) ??
  (/[\n\r\t]| {5}/.test(String(given))
    ? { code: 132018, details: "Param text cannot have new-line/tab characters or more than 4 consecutive spaces" }
    : undefined)

const type = (...words: ReadonlyArray<string>) => ({ type: oneOf(...words) })

const parameter: Rule = by("type", {
  text: record({ ...type("text"), text: value }, { parameter_name: text(60) }),
  currency: record({ ...type("currency"), currency: anything }, { parameter_name: text(60) }),
  date_time: record({ ...type("date_time"), date_time: anything }, { parameter_name: text(60) }),
  image: record({ ...type("image"), image: file() }),
  video: record({ ...type("video"), video: file() }),
  document: record({ ...type("document"), document: file({ filename: text(240) }) }),
  location: record({ ...type("location"), location: anything })
})

const buttonParameter: Rule = by("type", {
  payload: record({ ...type("payload"), payload: text(256) }),
  text: record({ ...type("text"), text: text(2000) }),
  coupon_code: record({ ...type("coupon_code"), coupon_code: text(20) }),
  action: record({ ...type("action"), action: anything })
})

const index: Rule = (given, path) => matching(/^[0-9]$/, "must be from 0 to 9")(String(given), path)

const component: Rule = by("type", {
  header: record({ ...type("header"), parameters: list(parameter, 1, 1) }),
  body: record({ ...type("body"), parameters: list(parameter, 0, 100) }),
  button: record({
    ...type("button"),
    sub_type: oneOf("quick_reply", "url", "copy_code", "flow", "catalog", "mpm", "voice_call"),
    index,
    parameters: list(buttonParameter, 1, 1)
  })
})

/** The `template` member of a send. */
export const template: Rule = record(
  { name: text(512), language: record({ code: text(20) }, { policy: oneOf("deterministic") }) },
  { components: list(component, 0, 20), namespace: text(200) }
)

type Component = Readonly<Record<string, unknown>>

/** What a button demands of a send: the sub-type of its component and the type of its parameter. U-SND-04 */
const demandOf = (button: Component): readonly [subType: string, parameter: string] | undefined => {
  switch (String(button.type).toUpperCase()) {
    case "OTP":
      return ["url", "text"]
    case "COPY_CODE":
      return ["copy_code", "coupon_code"]
    case "FLOW":
      return ["flow", "action"]
    case "URL":
      return String(button.url).includes("{{") ? ["url", "text"] : undefined
    default:
      return undefined
  }
}

const listOf = (given: unknown): ReadonlyArray<Component> => (Array.isArray(given) ? given.map(recordOf) : [])

/** Returns what a send lacks for the header and the buttons that its template declares. */
export const componentsFlaw = (declared: unknown, content: Component): Flaw | undefined => {
  const sent = listOf(content.components)
  const parts = listOf(declared)
  const part = (name: string) => parts.find((one) => String(one.type).toUpperCase() === name)
  const header = part("HEADER")
  const format = String(header?.format ?? "").toLowerCase()
  const needsHeader = header !== undefined && (format !== "text" || String(header.text).includes("{{"))
  const sentHeader = listOf(sent.find((one) => one.type === "header")?.parameters)[0]
  if (needsHeader && sentHeader?.type !== format) {
    return { code: 132012, details: `header: Format mismatch, expected ${format.toUpperCase()}` }
  }
  if (!needsHeader && sentHeader !== undefined && parts.length > 0) {
    return {
      code: 132000,
      details: "header: number of localizable_params does not match the expected number of params (0)"
    }
  }
  const wrong = listOf(part("BUTTONS")?.buttons).findIndex((button, at) => {
    const demand = demandOf(button)
    if (demand === undefined) return false
    const given = sent.find((one) => one.type === "button" && String(one.index) === String(at))
    return given?.sub_type !== demand[0] || listOf(given?.parameters)[0]?.type !== demand[1]
  })
  return wrong < 0 ? undefined : { code: 131008, details: `buttons: Button at index ${wrong} requires a parameter` }
}
