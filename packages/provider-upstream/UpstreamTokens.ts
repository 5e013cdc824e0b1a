import type { TokenFacts } from "@carteiro/provider/ChatCredentials.ts"
import { Option } from "effect"
import { listOf, memberOf, textOf } from "./UpstreamJson.ts"
import { instantOf } from "./webhook/UpstreamValues.ts"

/** The permissions whose grants name business accounts. U-CON-04 */
const accountScopes: ReadonlySet<unknown> = new Set([
  "whatsapp_business_management",
  "whatsapp_business_messaging",
  "whatsapp_business_manage_events"
])

/** The permission whose grants name portfolios, which are no accounts. U-CON-04 */
const portfolioScope = "business_management"

/** Returns the facts about a token; undefined for a response that does not say whether it is valid. */
export const factsOf = (json: unknown): object | undefined => {
  const data = memberOf(json, "data")
  return typeof data === "object" && data !== null && typeof memberOf(data, "is_valid") === "boolean" ? data : undefined
}

/** Returns a token's facts. A grant without ids is one for everything that its scope can reach. U-CON-04 */
export const tokenFacts = (data: object): TokenFacts => {
  const app = memberOf(data, "app_id")
  const grants = listOf(memberOf(data, "granular_scopes")).map((grant) => ({
    scope: memberOf(grant, "scope"),
    ids: listOf(memberOf(grant, "target_ids")).map(String)
  }))
  const accounts = grants.filter(({ scope }) => accountScopes.has(scope))
  return {
    app_id: typeof app === "number" ? String(app) : textOf(app),
    is_valid: memberOf(data, "is_valid") === true,
    expires_at: instantOf(memberOf(data, "expires_at")),
    biz_account_ids: accounts.some(({ ids }) => ids.length === 0)
      ? []
      : [...new Set(accounts.flatMap(({ ids }) => ids))],
    portfolio_ids: [...new Set(grants.filter(({ scope }) => scope === portfolioScope).flatMap(({ ids }) => ids))]
  }
}

/** Reads whether a list of subscribed apps has the product's. */
export const isSubscribed = (json: unknown, appId: string): Option.Option<boolean> => {
  const apps = memberOf(json, "data")
  return Array.isArray(apps)
    ? Option.some(apps.some((one) => String(memberOf(memberOf(one, "whatsapp_business_api_data"), "id")) === appId))
    : Option.none()
}
