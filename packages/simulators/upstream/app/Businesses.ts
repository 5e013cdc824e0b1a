import { ok, type SimulatedAnswer } from "../../kit/Routes.ts"
import type { World } from "../World.ts"

/** `GET /{business}/owned_whatsapp_business_accounts` and `/client_…`: a portfolio's accounts. U-CON-04 */
export const listAccounts = (
  world: World,
  business: string,
  kind: "owned" | "client",
  token: string
): SimulatedAnswer => {
  const accounts = [...(world.tokens.get(token) ?? [])].filter((account) => {
    const portfolio = world.portfolioOf(account)
    return portfolio.id === business && portfolio.kind === kind
  })
  return ok({
    data: accounts.map((id) => ({
      id,
      name: `Account ${id}`,
      timezone_id: "25",
      message_template_namespace: `ns_${id}`
    })),
    ...(accounts.length === 0 ? {} : { paging: { cursors: { before: "MAZDZD", after: "MjQZD" } } })
  })
}
