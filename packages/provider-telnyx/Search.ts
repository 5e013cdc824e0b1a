import type { AvailableNumber, NumberCall } from "@carteiro/provider/NumberProvider.ts"
import type { Effect } from "effect"
import type { Client } from "./Client.ts"
import { ask } from "./NumberCalls.ts"

/** A number of the vendor's stock. */
export type Candidate = AvailableNumber

/** `GET /v2/available_phone_numbers` of one Brazilian area code; of those that receive text messages when `sms`. */
export const searchNumbers = (
  client: Client,
  ddd: string,
  limit: number,
  sms: boolean
): Effect.Effect<NumberCall<ReadonlyArray<Candidate>>> =>
  ask(
    client,
    (telnyx, signal) =>
      telnyx.availablePhoneNumbers.list(
        {
          filter: {
            country_code: "BR",
            national_destination_code: ddd,
            limit,
            ...(sms ? { features: ["sms"] } : undefined)
          }
        },
        { signal }
      ),
    ({ data }) => (Array.isArray(data) ? data.flatMap((one) => candidateOf(one, ddd)) : undefined)
  )

interface VendorNumber {
  readonly phone_number?: string
  readonly features?: ReadonlyArray<{ readonly name?: string }>
  readonly cost_information?: { readonly currency?: string; readonly monthly_cost?: string }
}

const candidateOf = (
  { cost_information, features, phone_number }: VendorNumber,
  ddd: string
): ReadonlyArray<Candidate> =>
  // A number of another area code is not the one that was asked for.
  phone_number?.startsWith(`+55${ddd}`)
    ? [
        {
          number: phone_number,
          ddd,
          monthly_price_centavos: centavosOf(cost_information),
          sms: (features ?? []).some(({ name }) => name === "sms")
        }
      ]
    : []

/** The vendor bills most accounts in dollars; those prices are not converted. */
const centavosOf = (cost: VendorNumber["cost_information"]): number | null => {
  const [, reais, cents = ""] = /^(\d{1,9})(?:\.(\d{1,10}))?$/.exec(cost?.monthly_cost ?? "") ?? []
  if (cost?.currency !== "BRL" || reais === undefined) return null
  return Number(reais) * 100 + Math.round(Number(`0.${cents || "0"}`) * 100)
}
