import { formParts } from "../../kit/Multipart.ts"
import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer } from "../../kit/Routes.ts"
import type { Notices } from "../Notices.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimFlow, World } from "../World.ts"

const flowCategories: ReadonlySet<unknown> = new Set([
  "SIGN_UP",
  "SIGN_IN",
  "APPOINTMENT_BOOKING",
  "LEAD_GENERATION",
  "CONTACT_US",
  "CUSTOMER_SUPPORT",
  "SURVEY",
  "OTHER"
])

/** `POST /{account}/flows`: a form with a name and at least one category. U-FLW-01 */
export const createFlow = (world: World, biz_account_id: string, call: Call): SimulatedAnswer => {
  const parts = formParts(call.headers["content-type"], call.body)
  const part = (name: string) => parts.find((one) => one.name === name)?.bytes
  const name = part("name")?.toString("utf8") ?? ""
  if (name === "") return vendorError(100, "The parameter name is required.")
  const categories = jsonOf(part("categories") ?? Buffer.alloc(0))
  if (!Array.isArray(categories) || categories.length === 0 || !categories.every((one) => flowCategories.has(one))) {
    return vendorError(100, `Param categories must be a list of {${[...flowCategories].join(", ")}}.`)
  }
  const isTaken = [...world.flows.values()].some((flow) => flow.biz_account_id === biz_account_id && flow.name === name)
  if (isTaken) return vendorError(100, "Flow with this name already exists")
  const id = world.id("5")
  world.flows.set(id, {
    id,
    biz_account_id,
    name,
    categories,
    status: "DRAFT",
    validation_errors: []
  })
  return ok({ id })
}

/** `GET /{account}/flows`, by pages; the platform filters by nothing. */
export const listFlows = (world: World, biz_account_id: string, { query }: Call): SimulatedAnswer => {
  const all = [...world.flows.values()].filter((flow) => flow.biz_account_id === biz_account_id)
  const data = all.map(({ categories, id, name, status, validation_errors }) => ({
    id,
    name,
    status,
    categories,
    validation_errors
  }))
  const limit = Math.max(1, Number(query.get("limit") ?? 25))
  const from = Number(query.get("after") ?? 0)
  const cursors = { before: String(from), after: String(from + limit) }
  const next = from + limit < data.length ? { next: `https://graph.facebook.com/next?after=${cursors.after}` } : {}
  return ok({ data: data.slice(from, from + limit), ...(data.length === 0 ? {} : { paging: { cursors, ...next } }) })
}

/** `POST /{flow}/assets`: takes its definition in a form; screens are required. */
export const uploadFlow = (flow: SimFlow, call: Call): SimulatedAnswer => {
  const file = formParts(call.headers["content-type"], call.body).find(({ name }) => name === "file")
  if (file === undefined) return vendorError(100, "file is required")
  const screens = recordOf(jsonOf(file.bytes)).screens
  flow.validation_errors =
    Array.isArray(screens) && screens.length > 0
      ? []
      : [{ error: "INVALID_SCREENS", error_type: "FLOW_JSON_ERROR", message: "A flow needs a screen." }]
  return ok({ success: true, validation_errors: flow.validation_errors })
}

/** `POST /{flow}/publish` and `/deprecate`. */
export const moveFlow = (notices: Notices, flow: SimFlow, to: "PUBLISHED" | "DEPRECATED"): SimulatedAnswer => {
  const from = to === "PUBLISHED" ? "DRAFT" : "PUBLISHED"
  if (flow.status !== from) return vendorError(100, `the flow is ${flow.status}`)
  if (to === "PUBLISHED" && flow.validation_errors.length > 0) return vendorError(100, "the flow has errors")
  flow.status = to
  notices.change(flow.biz_account_id, "flows", {
    event: "FLOW_STATUS_CHANGE",
    flow_id: flow.id,
    old_status: from,
    new_status: to
  })
  return ok({ success: true })
}

/** `DELETE /{flow}`: only drafts. */
export const removeFlow = (world: World, flow: SimFlow): SimulatedAnswer => {
  if (flow.status !== "DRAFT") return vendorError(100, `the flow is ${flow.status}`)
  world.flows.delete(flow.id)
  return ok({ success: true })
}

/** `GET /{flow}`. */
export const describeFlow = ({ categories, id, name, status, validation_errors }: SimFlow): SimulatedAnswer =>
  ok({ id, name, status, categories, validation_errors })
