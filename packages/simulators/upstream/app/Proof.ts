import { createHmac, randomBytes } from "node:crypto"
import type { Call, SimulatedAnswer } from "../../kit/Routes.ts"
import type { World } from "../World.ts"

/** Refuses a call whose `appsecret_proof` is wrong, or missing although the app demands it. U-CON-05 */
export const checkProof = (world: World, token: string, { query }: Call): SimulatedAnswer | undefined => {
  const proof = query.get("appsecret_proof")
  if (proof === null) {
    if (!world.demands.has("proof")) return undefined
    return refusal("API calls from the server require an appsecret_proof argument")
  }
  const expected = createHmac("sha256", world.options.appSecret).update(token).digest("hex")
  return proof === expected ? undefined : refusal("Invalid appsecret_proof provided in the API argument")
}

/** A refusal by the graph itself: its reason is the message, and nothing of the messaging product stands in it. */
const refusal = (message: string): SimulatedAnswer => ({
  status: 400,
  body: {
    error: { message, type: "GraphMethodException", code: 100, fbtrace_id: `A${randomBytes(16).toString("base64url")}` }
  }
})
