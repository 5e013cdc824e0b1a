import { formParts } from "../../kit/Multipart.ts"
import { type Answered, type Call, jsonOf, ok, recordOf } from "../../kit/Routes.ts"
import type { Notices } from "../Notices.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimFlow, World } from "../World.ts"

/** `POST /{account}/flows`: makes one flow for each id of the caller. */
export const createFlow = (world: World, biz_account_id: string, call: Call): Answered => {
  const { external_id, name } = recordOf(jsonOf(call.body))
  if (typeof name !== "string") return vendorError(100, "name is required")
  const ours = typeof external_id === "string" ? external_id : null
  const known = ours === null ? undefined : findFlow(world, biz_account_id, ours)
  const flow: SimFlow = known ?? {
    id: world.id("5"),
    biz_account_id,
    external_id: ours,
    name,
    status: "DRAFT",
    validation_errors: []
  }
  world.flows.set(flow.id, flow)
  return ok({ id: flow.id })
}

/** `GET /{account}/flows?external_id=`. */
export const listFlows = (world: World, biz_account_id: string, { query }: Call): Answered => {
  const ours = query.get("external_id")
  const all = [...world.flows.values()].filter((flow) => flow.biz_account_id === biz_account_id)
  const found = ours === null ? all : all.filter((flow) => flow.external_id === ours)
  return ok({ data: found.map(({ id, name, status }) => ({ id, name, status })) })
}

const findFlow = (world: World, biz_account_id: string, external_id: string): SimFlow | undefined =>
  [...world.flows.values()].find((flow) => flow.biz_account_id === biz_account_id && flow.external_id === external_id)

/** `POST /{flow}/assets`: takes its definition in a form; screens are required. */
export const uploadFlow = (flow: SimFlow, call: Call): Answered => {
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
export const moveFlow = (notices: Notices, flow: SimFlow, to: "PUBLISHED" | "DEPRECATED"): Answered => {
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
export const removeFlow = (world: World, flow: SimFlow): Answered => {
  if (flow.status !== "DRAFT") return vendorError(100, `the flow is ${flow.status}`)
  world.flows.delete(flow.id)
  return ok({ success: true })
}

/** `GET /{flow}`. */
export const describeFlow = ({ id, name, status, validation_errors }: SimFlow): Answered =>
  ok({ id, name, status, validation_errors })
