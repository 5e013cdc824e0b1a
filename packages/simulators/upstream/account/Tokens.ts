import { type Answered, type Call, ok } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimNumber, World } from "../World.ts"

/** `GET /oauth/access_token?code=`: a code reads `code:<account>[,<account>]` and is good for one token. */
export const exchangeCode = (world: World, { query }: Call): Answered => {
  const { appId, appSecret } = world.options
  if (query.get("client_id") !== appId || query.get("client_secret") !== appSecret) return vendorError(190)
  const code = query.get("code") ?? ""
  const accounts = /^code:([\d,]+)$/.exec(code)?.[1]?.split(",")
  if (accounts === undefined || world.codes.has(code)) return vendorError(100, "the code is not known, or was used")
  world.codes.set(code, accounts)
  const token = `sim-${world.id("3")}`
  world.tokens.set(token, new Set(accounts))
  return ok({ access_token: token, token_type: "bearer", expires_in: 5_184_000 })
}

/** `GET /debug_token?input_token=`: what a token is; one that begins with `foreign` is another app's. */
export const debugToken = (world: World, { query }: Call): Answered => {
  const token = query.get("input_token") ?? ""
  const accounts = world.tokens.get(token)
  const foreign = token.startsWith("foreign")
  return ok({
    data: {
      app_id: foreign ? "1" : world.options.appId,
      type: "SYSTEM_USER",
      is_valid: foreign || accounts !== undefined,
      expires_at: 0,
      scopes: ["business_messaging", "business_management"],
      granular_scopes: [{ scope: "business_messaging", target_ids: [...(accounts ?? [])] }]
    }
  })
}

/** `GET /{phone_number_id}?fields=`. */
export const describeNumber = (number: SimNumber): Answered =>
  ok({
    id: number.id,
    display_phone_number: number.display_phone_number,
    verified_name: number.verified_name,
    quality_rating: number.quality_rating,
    messaging_limit_tier: number.messaging_limit_tier,
    throughput: { level: number.throughput },
    name_status: number.name_status,
    platform_type: "CLOUD_API"
  })

/** `GET /{account}/phone_numbers`. */
export const listNumbers = (world: World, biz_account_id: string): Answered =>
  ok({
    data: [...world.numbers.values()]
      .filter((number) => number.biz_account_id === biz_account_id)
      .map(({ display_phone_number, id, verified_name }) => ({ id, display_phone_number, verified_name }))
  })
