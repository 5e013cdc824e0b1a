import { type Call, ok, type SimulatedAnswer } from "../../kit/Routes.ts"
import { fieldsOf } from "../form/Fields.ts"
import { vendorError } from "../VendorErrors.ts"
import type { Portfolio, World } from "../World.ts"

/**
 * `GET /oauth/access_token?code=`: a code has the form `code:<account>[,<account>][.<word>]` and is valid for one
 * token. A code of the consent dialog is exchanged with the dialog's `redirect_uri` alone. U-CON-07
 */
export const exchangeCode = (world: World, { query }: Call): SimulatedAnswer => {
  const { appId, appSecret } = world.options
  if (query.get("client_id") !== appId || query.get("client_secret") !== appSecret) return vendorError(190)
  const code = query.get("code") ?? ""
  const accounts = /^code:([\d,]+)(?:\.\w+)?$/.exec(code)?.[1]?.split(",")
  if (accounts === undefined || world.codes.has(code)) return vendorError(100, "the code is not known, or was used")
  const returned = world.returns.get(code)
  if (returned !== undefined && query.get("redirect_uri") !== returned) {
    return vendorError(100, "Error validating verification code. Make sure that redirect_uri is the one of the dialog.")
  }
  world.codes.set(code, accounts)
  const token = `sim-${world.id("3")}`
  world.tokens.set(token, new Set(accounts))
  return ok({ access_token: token, token_type: "bearer", expires_in: 5_184_000 })
}

/** `GET /debug_token?input_token=`: the facts about a token; one that begins with `foreign` belongs to another app. */
export const debugToken = (world: World, { query }: Call): SimulatedAnswer => {
  const token = query.get("input_token") ?? ""
  const { appId, appSecret } = world.options
  if (token === `${appId}|${appSecret}`) {
    const application = "Business Messaging App"
    return ok({ data: { app_id: appId, type: "APP", application, is_valid: true, scopes: [] } })
  }
  const accounts = world.tokens.get(token)
  const foreign = token.startsWith("foreign")
  if (accounts === undefined && !foreign) {
    const error = { code: 190, message: "Invalid OAuth access token - Cannot parse access token" }
    return ok({ data: { error, is_valid: false, scopes: [] } })
  }
  return ok({
    data: {
      app_id: foreign ? "1" : world.options.appId,
      type: "SYSTEM_USER",
      application: "Business Messaging App",
      data_access_expires_at: 0,
      expires_at: 0,
      is_valid: true,
      issued_at: Math.floor(world.options.now() / 1000) - 3600,
      scopes: [...new Set(grantsOf(world, [...(accounts ?? [])]).map(({ scope }) => scope)), "public_profile"],
      granular_scopes: grantsOf(world, [...(accounts ?? [])]),
      user_id: "122100000000000001"
    }
  })
}

/** Returns what a token was granted: a grant on everything has no ids, one on portfolios names no account. U-CON-04 */
const grantsOf = (world: World, accounts: ReadonlyArray<string>) => {
  const portfolios = [
    ...new Set(accounts.filter((id) => world.portfolios.has(id)).map((id) => world.portfolioOf(id).id))
  ]
  const on = (target_ids: ReadonlyArray<string>) => (world.grantsAll ? {} : { target_ids })
  return [
    // A grant on a portfolio names it, also where accounts are granted all. U-CON-04
    ...(portfolios.length === 0 ? [] : [{ scope: "business_management", target_ids: portfolios }]),
    { scope: "whatsapp_business_management", ...on(accounts) },
    { scope: "whatsapp_business_messaging", ...on(accounts) }
  ]
}

/** `GET /{biz_account_id}?fields=`: whether the account may send, and the result of its review. */
export const describeAccount = (world: World, biz_account_id: string, call: Call): SimulatedAnswer => {
  const { codes, review, send } = world.accounts.get(biz_account_id) ?? {
    codes: [],
    review: "APPROVED",
    send: "AVAILABLE"
  }
  const errors = codes.map((error_code) => ({ error_code, error_description: "simulated", possible_solution: "none" }))
  const facts = {
    id: biz_account_id,
    name: `Account ${biz_account_id}`,
    account_review_status: review,
    ...ownersOf(world.portfolioOf(biz_account_id)),
    health_status: {
      can_send_message: send,
      entities: [{ entity_type: "WABA", id: biz_account_id, can_send_message: send, errors }]
    }
  }
  return fieldsOf(call, "WhatsAppBusinessAccount", facts, ["name"])
}

/**
 * Returns the portfolio that owns an account, as `owner_business_info` of the vendor's SDKs (`WhatsAppBusinessAccount`)
 * names it. A client's account also says on whose behalf it works: `OnBehalfOfBusinessInfo` of the description, an id and
 * a name. U-CON-04, U-LIM-01
 */
const ownersOf = ({ id, kind }: Portfolio) => {
  const info = { id, name: `Portfolio ${id}` }
  return { owner_business_info: info, ...(kind === "client" ? { on_behalf_of_business_info: info } : {}) }
}

/**
 * `GET /dialog/oauth?redirect_uri=&state=&accounts=`: asks a person for consent, and redirects them with a code. It is
 * a page of the platform, so it is HTML.
 */
export const consentDialog = (world: World, { query }: Call): SimulatedAnswer => {
  const back = URL.parse(query.get("redirect_uri") ?? "")
  if (query.get("client_id") !== world.options.appId || back === null)
    return vendorError(100, "no such app, or no way back")
  const known = [...new Set([...world.numbers.values()].map(({ biz_account_id }) => biz_account_id))]
  const state = query.get("state") ?? ""
  const choices = known.map((account) => {
    const to = new URL(back)
    to.searchParams.set("state", state)
    const code = `code:${account}.${world.id("5")}`
    to.searchParams.set("code", code)
    world.returns.set(code, query.get("redirect_uri") ?? "")
    return `<p><a id="allow-${account}" href="${escaped(to.href)}">Connect account ${account}</a></p>`
  })
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Simulated platform</title>
<h1>Connect a business account</h1><p>An app asks for access to one of your accounts.</p>${choices.join("")}</html>`
  return { status: 200, body: Buffer.from(page), headers: { "content-type": "text/html; charset=utf-8" } }
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
