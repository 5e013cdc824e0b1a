import type { PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import type { FlowProvider, ProviderFlow } from "@carteiro/provider/FlowProvider.ts"
import { Effect, Option } from "effect"
import { callAnswer, idOf, listOf, memberOf, succeeded } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"

const boundary = "----carteiro-flow-2c7d9e4b1f8a4035"

/** Flows of one account: `/{biz_account_id}/flows`, `/{flow_id}`. vendor-wires "upstream" */
export const upstreamFlows = (calls: UpstreamCalls, { biz_account_id, token }: PlatformAccount): FlowProvider => {
  const at = (id: string, below = "") => `/${encodeURIComponent(id)}${below}`
  const done = (method: "POST" | "DELETE", path: string) =>
    Effect.map(calls.call({ method, path, token }), (result) => callAnswer(result, succeeded))
  return {
    create: ({ categories, external_id, name }) =>
      Effect.map(
        calls.call({
          method: "POST",
          path: at(biz_account_id, "/flows"),
          token,
          json: { name, categories, external_id },
          idempotencyKey: external_id
        }),
        (result) => callAnswer(result, (json) => Option.map(idOf(json), (provider_flow_id) => ({ provider_flow_id })))
      ),
    find: (external_id) =>
      Effect.map(
        calls.call({ method: "GET", path: at(biz_account_id, "/flows"), token, query: { external_id } }),
        (result) =>
          callAnswer(result, (json) => {
            const data = memberOf(json, "data")
            if (!Array.isArray(data)) return Option.none()
            return Option.some({ provider_flow_id: Option.getOrNull(idOf(data[0])) })
          })
      ),
    upload: (id, flow_json) =>
      // A stream of bytes can be read once, so each run has its own.
      Effect.suspend(() => {
        const form = Buffer.from(formOf(JSON.stringify(flow_json)))
        const body = { type: `multipart/form-data; boundary=${boundary}`, length: form.length, bytes: once(form) }
        return Effect.map(calls.call({ method: "POST", path: at(id, "/assets"), token, body }), (result) =>
          callAnswer(result, (json) => Option.map(succeeded(json), () => ({ validation_errors: errorsOf(json) })))
        )
      }),
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

const formOf = (flow_json: string): string =>
  [
    `--${boundary}`,
    'Content-Disposition: form-data; name="name"',
    "",
    "flow.json",
    `--${boundary}`,
    'Content-Disposition: form-data; name="asset_type"',
    "",
    "FLOW_JSON",
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="flow.json"',
    "Content-Type: application/json",
    "",
    flow_json,
    `--${boundary}--`,
    ""
  ].join("\r\n")

async function* once(bytes: Uint8Array) {
  yield bytes
}
