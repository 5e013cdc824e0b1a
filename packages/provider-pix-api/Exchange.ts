import type { Calls } from "@carteiro/outbound/Calls.ts"
import { storableId } from "@carteiro/provider/VendorWords.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import type { VendorResult, VendorTimes } from "@carteiro/vendor-http/VendorCalls.ts"
import { textOf } from "@carteiro/vendor-http/VendorJson.ts"
import { Clock, Effect } from "effect"
import type { PixApiAccount } from "./Accounts.ts"

/** One call of the standard. */
export interface PixApiRequest {
  readonly method: "GET" | "PUT" | "PATCH"
  /** The path below the base URL. */
  readonly at: string
  readonly json?: object
}

/** A call without an answer of the standard: the institution refused its credentials, or gave no token. */
export type NoToken = { readonly _tag: "Refused"; readonly code: string } | { readonly _tag: "Unknown" }

const connectMs = 3000
const totalMs = 15_000
/** Charges and tokens are small. */
const maxBytes = 1024 * 1024
/** How long before its end a token is no longer used, in milliseconds. */
const marginMs = 30_000
/** A token without a time of its own. */
const standardSeconds = 300
const mostSeconds = 86_400

/** The permissions that the adapter uses. */
export const permissions = ["cob.write", "cob.read", "webhook.write", "webhook.read"] as const
const scope = permissions.join(" ")

/** Makes calls of the standard to accounts: each over mutual TLS, under a token that is kept until shortly before its end. */
export const makeExchange = (calls: Calls["Service"], times: VendorTimes) => {
  const { connectTimeoutMs = connectMs, totalTimeoutMs = totalMs } = times
  const limits = { connectTimeoutMs, totalTimeoutMs, maxBytes }

  const askToken = (account: PixApiAccount, credentials: string) =>
    calls.call({
      method: "POST",
      url: account.url.atOrigin("/oauth/token"),
      headers: {
        accept: "application/json",
        authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded"
      },
      body: new URLSearchParams({ grant_type: "client_credentials", scope }).toString(),
      limits,
      certificate: account.certificate
    })

  const fetchToken = Effect.fnUntraced(function* (account: PixApiAccount): Effect.fn.Return<string | NoToken> {
    const { clientId, clientSecret } = account
    const encoded = `${formText(clientId)}:${formText(clientSecret)}`
    const plain = `${clientId}:${clientSecret}`
    const first = yield* askToken(account, encoded)
    // RFC 6749, 2.3.1 encodes both before Basic authentication does; some servers take them as they are.
    const isMisread = first._tag === "Answered" && first.status === 401 && plain !== encoded
    const result = isMisread ? yield* askToken(account, plain) : first
    if (result._tag === "Broken" || result.isCut) return { _tag: "Unknown" }
    const json = jsonOf(result)
    if (isRefusal(result.status))
      return { _tag: "Refused", code: storableId(memberOf(json, "error")) ?? "invalid_client" }
    const value = result.status >= 200 && result.status < 300 ? textOf(json, "access_token") : null
    if (value === null) return { _tag: "Unknown" }
    const seconds = memberOf(json, "expires_in")
    const lifeMs = Math.min(typeof seconds === "number" && seconds > 0 ? seconds : standardSeconds, mostSeconds) * 1000
    account.token = { value, until: (yield* Clock.currentTimeMillis) + lifeMs - marginMs }
    return value
  })

  const callWith = (account: PixApiAccount, token: string, { at, json, method }: PixApiRequest) =>
    calls.call({
      method,
      url: account.url.below(at),
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(json === undefined ? undefined : { "content-type": "application/json" })
      },
      body: json === undefined ? null : JSON.stringify(json),
      limits,
      certificate: account.certificate
    })

  return {
    /** Fetches a token, whatever is known: the harmless question whether the credentials are good. */
    fetchToken,
    /** Makes a call. A token that is refused may have been taken back: nothing happened, and one more is fetched. */
    call: Effect.fnUntraced(function* (
      account: PixApiAccount,
      request: PixApiRequest
    ): Effect.fn.Return<VendorResult | NoToken> {
      const now = yield* Clock.currentTimeMillis
      const known = account.token !== undefined && account.token.until > now ? account.token.value : undefined
      const token = known ?? (yield* fetchToken(account))
      if (typeof token !== "string") return token
      const result = yield* callWith(account, token, request)
      if (known === undefined || result._tag === "Broken" || result.status !== 401) return result
      account.token = undefined
      const fresh = yield* fetchToken(account)
      return typeof fresh === "string" ? yield* callWith(account, fresh, request) : fresh
    })
  }
}

/** Returns a text as a form has it. */
const formText = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1)

/** True for statuses that are a certain refusal. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![408, 409, 423, 425, 429].includes(status)

/** Returns the code of a problem: the last part of its type, else its title. */
export const problemCode = (json: unknown): string => {
  const type = textOf(json, "type")?.split("/").at(-1)
  return storableId(type) ?? storableId(memberOf(json, "title")) ?? "refused"
}
