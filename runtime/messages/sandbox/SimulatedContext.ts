import type { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { sandboxMessageId } from "./SandboxChat.ts"
import { present } from "./SimulatedUnknown.ts"

/** Returns quote, marks, product and source of a simulation; undefined without any of them. U-INB-04, U-INB-05 */
export const simulatedContext = ({ context, referral }: Pick<SimulateInbound, "context" | "referral">) => {
  const source = referral && present(referral)
  const isNamed = source !== undefined && Object.keys(source).length > 0
  if (context === undefined && !isNamed) return undefined
  const { forwarded = false, frequently_forwarded = false, referred_product, reply_to } = context ?? {}
  return {
    // The number's owner finds the quoted message.
    quoted_id: reply_to === undefined ? null : sandboxMessageId(reply_to.message_id),
    forwarded,
    frequently_forwarded,
    ...(isNamed && { referral: source }),
    ...(referred_product && { referred_product: present(referred_product) })
  }
}
