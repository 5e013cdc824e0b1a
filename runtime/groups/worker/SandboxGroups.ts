import type { RandomBytes } from "@carteiro/secrets/RandomBytes.ts"
import { Context } from "effect"

/** The duration of group work in a sandbox, in milliseconds. gaps-3 B "Sandbox worker timing" */
export const SandboxGroupsMs = Context.Reference<number>("@carteiro/runtime/groups/worker/SandboxGroupsMs", {
  defaultValue: () => 500
})

const base32 = "abcdefghijklmnopqrstuvwxyz234567"
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Returns random characters of an alphabet, each equally likely. */
const randomText = (random: RandomBytes, alphabet: string, length: number): string => {
  let text = ""
  // Higher bytes are drawn again, since they would favour the first characters.
  const fair = 256 - (256 % alphabet.length)
  while (text.length < length) {
    const byte = random.next(1)[0] ?? 255
    if (byte < fair) text += alphabet[byte % alphabet.length]
  }
  return text
}

/**
 * Returns the simulated provider's response for a created group. C-GRP-09, C-GRP-11, gaps-3 B "Sandbox ids and links"
 */
export const sandboxGroup = (random: RandomBytes, publicUrl: string) => ({
  provider_group_id: `sb_${randomText(random, base32, 24)}`,
  invite_link: `${publicUrl}/sandbox/group-invites/${randomText(random, base62, 22)}`
})
