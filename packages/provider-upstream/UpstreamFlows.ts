import type { PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import type { FlowProvider, ProviderFlow } from "@carteiro/provider/FlowProvider.ts"
import { Effect, Option } from "effect"
import { callAnswer, idOf, listOf, memberOf, succeeded } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { type FormPart, formBody } from "./UpstreamForms.ts"
import { upstreamPages } from "./UpstreamPages.ts"

/** The category of a flow without one; the platform demands one. U-FLW-01 */
const anyCategory = "OTHER"

/**
 * Flows of one account: `/{biz_account_id}/flows`, `/{flow_id}`. A flow's name there ends in the product's id, which no
 * other flow has: the platform knows no other way to find it. vendor-wires "upstream", U-FLW-01
 */
export const upstreamFlows = (calls: UpstreamCalls, { biz_account_id, token }: PlatformAccount): FlowProvider => {
  const at = (id: string, below = "") => `/${encodeURIComponent(id)}${below}`
  const done = (method: "POST" | "DELETE", path: string) =>
    Effect.map(calls.call({ method, path, token }), (result) => callAnswer(result, succeeded))
  const find: FlowProvider["find"] = (external_id) =>
    Effect.map(
      upstreamPages(calls, { path: at(biz_account_id, "/flows"), token, fields: "id,name" }, (flow) =>
        isNamed(memberOf(flow, "name"), external_id) ? Option.toArray(idOf(flow)) : []
      ),
      (listed) =>
        listed._tag === "Done" ? { _tag: "Done", value: { provider_flow_id: listed.value[0] ?? null } } : listed
    )
  return {
    create: Effect.fnUntraced(function* ({ categories, external_id, name }) {
      const body = formBody([
        { name: "name", value: nameOf(name, external_id) },
        { name: "categories", value: JSON.stringify(categories.length === 0 ? [anyCategory] : categories) }
      ])
      const result = yield* calls.call({ method: "POST", path: at(biz_account_id, "/flows"), token, body })
      const made = callAnswer(result, (json) => Option.map(idOf(json), (provider_flow_id) => ({ provider_flow_id })))
      if (made._tag !== "Refused") return made
      // The platform refuses a name that it has: an earlier call made the flow then.
      const known = yield* find(external_id)
      const provider_flow_id = known._tag === "Done" ? known.value.provider_flow_id : null
      return provider_flow_id === null ? made : ({ _tag: "Done", value: { provider_flow_id } } as const)
    }),
    find,
    upload: (id, flow_json) =>
      Effect.map(
        calls.call({
          method: "POST",
          path: at(id, "/assets"),
          token,
          body: formBody(assetOf(JSON.stringify(flow_json)))
        }),
        (result) =>
          callAnswer(result, (json) => Option.map(succeeded(json), () => ({ validation_errors: errorsOf(json) })))
      ),
    publish: (id) => done("POST", at(id, "/publish")),
    deprecate: (id) => done("POST", at(id, "/deprecate")),
    remove: (id) => done("DELETE", at(id)),
    read: (id) =>
      Effect.map(
        calls.call({ method: "GET", path: at(id), token, query: { fields: "status,validation_errors" } }),
        (result) =>
          callAnswer(result, (json) => {
            const status = flowStatus(memberOf(json, "status"))
            return status === undefined
              ? Option.none()
              : Option.some({ status, validation_errors: errorsOf(json) } satisfies ProviderFlow)
          })
      )
  }
}

/** Returns the state for the platform's word; undefined for an unknown word. */
export const flowStatus = (word: unknown): ProviderFlow["status"] | undefined => {
  const status = String(word).toLowerCase()
  return known.find((one) => one === status)
}

const known = ["draft", "published", "deprecated", "blocked", "throttled"] as const

const errorsOf = (json: unknown): ReadonlyArray<string> =>
  listOf(memberOf(json, "validation_errors")).map((error) => {
    const message = memberOf(error, "message")
    return typeof message === "string" ? message : String(memberOf(error, "error"))
  })

const assetOf = (flow_json: string): ReadonlyArray<FormPart> => [
  { name: "name", value: "flow.json" },
  { name: "asset_type", value: "FLOW_JSON" },
  { name: "file", value: flow_json, file: { name: "flow.json", type: "application/json" } }
]

/** Returns the name of a flow at the platform: the caller's name on one line, and the product's id. */
const nameOf = (name: string, external_id: string): string => `${name.replace(/\s+/g, " ")} ${external_id}`

const isNamed = (name: unknown, external_id: string): boolean =>
  typeof name === "string" && name.endsWith(` ${external_id}`)
