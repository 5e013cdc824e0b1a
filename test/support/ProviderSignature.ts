import { createHmac } from "node:crypto"
import { Clock, Effect } from "effect"
import { Api } from "./ApiTest.ts"

/**
 * Returns the `x-provider-signature` of a body under a secret, at an instant in epoch seconds. gaps-3 G "Inbound
 * provider webhooks"
 */
export const providerSignature = (body: string, secret: string, t: number): string =>
  `t=${t},v1=${createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex")}`

/** Posts a body to a receiver like its vendor, signed now. */
export const tellSigned = Effect.fnUntraced(function* (path: string, body: string, secret: string) {
  const { post } = yield* Api
  const t = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  return yield* post(path, body, { headers: { "x-provider-signature": providerSignature(body, secret, t) } })
})
