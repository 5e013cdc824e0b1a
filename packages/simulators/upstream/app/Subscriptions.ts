import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"
import type { World } from "../World.ts"

/** `POST /{account}/subscribed_apps`: the app of the token gets the account's webhooks from now on. U-CON-01 */
export const subscribeApp = (world: World, account: string, call: Call): SimulatedAnswer => {
  const { override_callback_uri, verify_token } = recordOf(jsonOf(call.body))
  if (override_callback_uri !== undefined && typeof verify_token !== "string") {
    return vendorError(100, "override_callback_uri needs a verify_token")
  }
  world.subscriptions.set(account, typeof override_callback_uri === "string" ? override_callback_uri : null)
  return ok({ success: true })
}

/** `GET /{account}/subscribed_apps`: the apps that get the account's webhooks. U-CON-02 */
export const listSubscriptions = (world: World, account: string): SimulatedAnswer => {
  const override = world.subscriptions.get(account)
  if (override === undefined) return ok({ data: [] })
  const { appId } = world.options
  const app = { id: appId, name: "Business Messaging App", link: `https://www.facebook.com/games/?app_id=${appId}` }
  return ok({
    data: [{ whatsapp_business_api_data: app, ...(override === null ? {} : { override_callback_uri: override }) }]
  })
}

/** `DELETE /{account}/subscribed_apps`: the account's webhooks end. */
export const unsubscribeApp = (world: World, account: string): SimulatedAnswer => {
  world.subscriptions.delete(account)
  return ok({ success: true })
}
