import type { Carteiro } from "@carteiro/sdk"
import { Failure } from "../shell/Failure.ts"

/** Returns the environment's only active number. Refuses when there is none, or more than one. */
export const senderOf = async (client: Carteiro): Promise<string> => {
  const [first, second] = (await client.phoneNumbers.list({ status: "active", limit: 2 })).data
  if (first !== undefined && second === undefined) return first.id
  if (first === undefined) throw new Failure("the environment has no active number", { next: "carteiro open numbers" })
  throw new Failure("the environment has several numbers", { next: "name one: carteiro api get phone-numbers" })
}
