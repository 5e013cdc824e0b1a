import { createHmac } from "node:crypto"
import type { Answered, Call } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"
import type { World } from "../World.ts"

/** Refuses a call whose `appsecret_proof` is wrong, or missing although the app demands it. U-CON-05 */
export const checkProof = (world: World, token: string, { query }: Call): Answered | undefined => {
  const proof = query.get("appsecret_proof")
  if (proof === null) {
    if (!world.demands.has("proof")) return undefined
    return vendorError(100, "API calls from the server require an appsecret_proof argument")
  }
  const expected = createHmac("sha256", world.options.appSecret).update(token).digest("hex")
  return proof === expected ? undefined : vendorError(100, "Invalid appsecret_proof provided in the API argument")
}
