import type { PlatformNumber } from "@carteiro/provider/ChatPlatform.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { GroupCall, GroupHostFacts, GroupProvider } from "@carteiro/provider/GroupProvider.ts"
import { Effect, Option } from "effect"
import { callAnswer, memberOf } from "./UpstreamAnswers.ts"
import type { UpstreamCalls, UpstreamResult } from "./UpstreamCalls.ts"

/** Groups of one number: `/{upstream_phone_number_id}/groups`, `/{provider_group_id}`. gaps-3 B "Production group calls" */
export const upstreamGroups = (
  calls: UpstreamCalls,
  { token, upstream_phone_number_id }: PlatformNumber
): GroupProvider => {
  const at = (id: string, below = "") => `/${encodeURIComponent(id)}${below}`
  const number = at(upstream_phone_number_id)
  const read = (path: string, query: Readonly<Record<string, string>>) =>
    Effect.map(calls.call({ method: "GET", path, token, query }), (result) => callAnswer(result, Option.some))
  return {
    create: ({ description, group_id, subject }) =>
      Effect.map(
        calls.call({
          method: "POST",
          path: `${number}/groups`,
          token,
          json: {
            messaging_product: calls.options.messagingProduct,
            subject,
            ...(description === null ? {} : { description }),
            join_approval_mode: "auto_approve"
          },
          idempotencyKey: group_id
        }),
        (result) => groupCall(result, requestOf)
      ),
    remove: (id) =>
      Effect.map(calls.call({ method: "DELETE", path: at(id), token }), (result) => groupCall(result, deletionOf)),
    resetLink: (id) =>
      Effect.map(
        calls.call({
          method: "POST",
          path: at(id, "/invite_link"),
          token,
          json: { messaging_product: calls.options.messagingProduct }
        }),
        (result) =>
          groupCall(result, (json) => Option.map(textIn(json, "invite_link"), (invite_link) => ({ invite_link })))
      ),
    facts: Effect.gen(function* () {
      const host = yield* read(number, { fields: "id,platform_type,is_on_biz_app,is_official_business_account" })
      if (host._tag !== "Done") return host
      // No field tells what a token may do, so the probe lists groups: it needs the permission that sends need.
      const probe = yield* read(`${number}/groups`, { limit: "1" })
      return probe._tag === "Failed" ? probe : done(factsOf(host.value, mayMessage(probe)))
    })
  }
}

const done = (value: GroupHostFacts): ChatCall<GroupHostFacts> => ({ _tag: "Done", value })

/**
 * Returns the meaning of a response: a call that was certainly not taken may be repeated; any other call without a
 * response may have arrived. gaps-2 E "Retry policy"
 */
const groupCall = <A>(result: UpstreamResult, read: (json: unknown) => Option.Option<A>): GroupCall<A> => {
  if (result._tag === "Broken") return result.began ? { _tag: "Unknown" } : { _tag: "NotSent" }
  const call = callAnswer(result, read)
  if (call._tag !== "Failed") return call
  const { status } = result
  return status === 429 || (status >= 500 && call.error !== null) ? { _tag: "NotSent" } : { _tag: "Unknown" }
}

const textIn = (json: unknown, name: string): Option.Option<string> => {
  const value = memberOf(json, name)
  return typeof value === "string" && value !== "" ? Option.some(value) : Option.none()
}

const requestOf = (json: unknown) => Option.map(textIn(json, "request_id"), (request_id) => ({ request_id }))

/** The platform answers a deletion by its success alone. U-GRP-01 */
const deletionOf = (json: unknown): Option.Option<{ readonly request_id: string | null }> =>
  memberOf(json, "success") === true ? Option.some({ request_id: null }) : requestOf(json)

const flag = (value: unknown): boolean | null => (typeof value === "boolean" ? value : null)

/** Codes of the platform for a token without a permission; those from 200 to 299 name one permission each. */
const isPermissionCode = (code: number | null | undefined): boolean =>
  code === 3 || code === 10 || code === 131005 || (typeof code === "number" && code >= 200 && code < 300)

/** Returns whether a token may message, by a call that needs it; null after a refusal for another reason. U-GRP-01 */
const mayMessage = (probe: Exclude<ChatCall<unknown>, { readonly _tag: "Failed" }>): boolean | null => {
  if (probe._tag === "Done") return true
  return isPermissionCode(probe.error?.code) ? false : null
}

const factsOf = (number: unknown, may_message: boolean | null): GroupHostFacts => ({
  platform_type: Option.getOrNull(Option.map(textIn(number, "platform_type"), (type) => type.toLowerCase())),
  is_business_app: flag(memberOf(number, "is_on_biz_app")),
  is_official: flag(memberOf(number, "is_official_business_account")),
  may_message
})
