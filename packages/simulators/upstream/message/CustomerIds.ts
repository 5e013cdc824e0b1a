import { createHash } from "node:crypto"
import type { World } from "../World.ts"

/** A customer as the platform shows one to this business; without a phone when they hide it. */
export interface Customer {
  /** Digits. */
  readonly phone: string | undefined
  /** The business-scoped id: country, full stop, up to 128 letters and digits. */
  readonly user_id: string
  readonly username: string | undefined
  readonly name: string
}

/** Countries of business-scoped ids, by the digits that phones begin with. */
const countries: ReadonlyArray<readonly [prefix: string, country: string]> = [
  ["55", "BR"],
  ["52", "MX"],
  ["54", "AR"],
  ["351", "PT"],
  ["1", "US"]
]

const idOf = (country: string, seed: string): string => {
  const digits = BigInt(`0x${createHash("sha256").update(seed).digest("hex").slice(0, 15)}`)
  return `${country}.${String(digits).padStart(17, "1")}`
}

/** Returns the business-scoped id of a phone: its own, or the one that a control call has given it. U-HID-03 */
export const userIdOf = (world: World, phone: string): string => {
  const digits = phone.replace(/\D/g, "")
  const country = countries.find(([prefix]) => digits.startsWith(prefix))?.[1] ?? "US"
  return world.userIds.get(digits) ?? idOf(country, digits)
}

/** True for the form of a business-scoped id, a parent portfolio's too. */
export const isUserId = (value: unknown): value is `${string}.${string}` =>
  typeof value === "string" && /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/.test(value)

/**
 * Returns the customer of a control call: `from` is their phone, or null when they hide it; `user_id` is their
 * business-scoped id, made of the phone unless it is given.
 */
export const customerFrom = (world: World, body: Readonly<Record<string, unknown>>): Customer | string => {
  const { from, profile_name, user_id, username } = body
  if (user_id !== undefined && !isUserId(user_id)) return "user_id: expected a business-scoped id such as BR.1234567890"
  const phone = typeof from === "string" ? from.replace(/\D/g, "") : ""
  const isHidden = from === null || (from === undefined && user_id !== undefined)
  if (!isHidden && phone === "") return "from: expected the customer's phone, or null for a hidden one"
  const name = typeof profile_name === "string" ? profile_name : "Customer"
  if (!isHidden) world.profiles.set(phone, name)
  if (!isHidden && user_id !== undefined) world.userIds.set(phone, user_id)
  return {
    phone: isHidden ? undefined : phone,
    user_id: user_id ?? (isHidden ? idOf("BR", world.messageId()) : userIdOf(world, phone)),
    username: typeof username === "string" ? username : undefined,
    name
  }
}
