import { type Answered, type Call, ok } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimNumber, World } from "../World.ts"

/**
 * `GET /oauth/access_token?code=`: a code has the form `code:<account>[,<account>][.<word>]` and is valid for one
 * token.
 */
export const exchangeCode = (world: World, { query }: Call): Answered => {
  const { appId, appSecret } = world.options
  if (query.get("client_id") !== appId || query.get("client_secret") !== appSecret) return vendorError(190)
  const code = query.get("code") ?? ""
  const accounts = /^code:([\d,]+)(?:\.\w+)?$/.exec(code)?.[1]?.split(",")
  if (accounts === undefined || world.codes.has(code)) return vendorError(100, "the code is not known, or was used")
  world.codes.set(code, accounts)
  const token = `sim-${world.id("3")}`
  world.tokens.set(token, new Set(accounts))
  return ok({ access_token: token, token_type: "bearer", expires_in: 5_184_000 })
}

/** `GET /debug_token?input_token=`: the facts about a token; one that begins with `foreign` belongs to another app. */
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

/** `GET /{biz_account_id}?fields=`: whether the account may send, and the result of its review. */
export const describeAccount = (world: World, biz_account_id: string): Answered => {
  const { codes, review, send } = world.accounts.get(biz_account_id) ?? {
    codes: [],
    review: "APPROVED",
    send: "AVAILABLE"
  }
  const errors = codes.map((error_code) => ({ error_code, error_description: "simulated", possible_solution: "none" }))
  return ok({
    id: biz_account_id,
    permissions: world.permissions,
    name: `Account ${biz_account_id}`,
    account_review_status: review,
    health_status: {
      can_send_message: send,
      entities: [{ entity_type: "BUSINESS_ACCOUNT", id: biz_account_id, can_send_message: send, errors }]
    }
  })
}

/**
 * `GET /dialog/oauth?redirect_uri=&state=&accounts=`: asks a person for consent, and redirects them with a code. It is
 * a page of the platform, so it is HTML.
 */
export const consentDialog = (world: World, { query }: Call): Answered => {
  const back = URL.parse(query.get("redirect_uri") ?? "")
  if (query.get("client_id") !== world.options.appId || back === null)
    return vendorError(100, "no such app, or no way back")
  const known = [...new Set([...world.numbers.values()].map(({ biz_account_id }) => biz_account_id))]
  const state = query.get("state") ?? ""
  const choices = known.map((account) => {
    const to = new URL(back)
    to.searchParams.set("state", state)
    to.searchParams.set("code", `code:${account}.${world.id("5")}`)
    return `<p><a id="allow-${account}" href="${escaped(to.href)}">Connect account ${account}</a></p>`
  })
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Simulated platform</title>
<h1>Connect a business account</h1><p>An app asks for access to one of your accounts.</p>${choices.join("")}</html>`
  return { status: 200, body: Buffer.from(page), headers: { "content-type": "text/html; charset=utf-8" } }
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

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
    platform_type: number.platform_type,
    is_on_biz_app: number.is_on_biz_app,
    is_official_business_account: number.is_official_business_account
  })

/** `GET /{account}/phone_numbers`. */
export const listNumbers = (world: World, biz_account_id: string): Answered =>
  ok({
    data: [...world.numbers.values()]
      .filter((number) => number.biz_account_id === biz_account_id)
      .map(({ code_verification_status, display_phone_number, id, status, verified_name }) => ({
        id,
        display_phone_number,
        verified_name,
        code_verification_status,
        status
      }))
  })
