import { Schema } from "effect"
import { AmountBrl } from "../conventions/Money.ts"

/** States by the area codes (DDD) of Brazil: all 67. gaps-2 K "available-regions item" */
const statesByDdd: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    SP: "11 12 13 14 15 16 17 18 19",
    RJ: "21 22 24",
    ES: "27 28",
    MG: "31 32 33 34 35 37 38",
    PR: "41 42 43 44 45 46",
    SC: "47 48 49",
    RS: "51 53 54 55",
    DF: "61",
    GO: "62 64",
    TO: "63",
    MT: "65 66",
    MS: "67",
    AC: "68",
    RO: "69",
    BA: "71 73 74 75 77",
    SE: "79",
    PE: "81 87",
    AL: "82",
    PB: "83",
    RN: "84",
    CE: "85 88",
    PI: "86 89",
    PA: "91 93 94",
    AM: "92 97",
    RR: "95",
    AP: "96",
    MA: "98 99"
  }).flatMap(([state, codes]) => codes.split(" ").map((ddd) => [ddd, state]))
)

/** Every area code, ascending. */
export const ddds: ReadonlyArray<string> = Object.keys(statesByDdd).sort()

/** Returns the state of an area code. */
export const stateOf = (ddd: string): string | undefined =>
  Object.hasOwn(statesByDdd, ddd) ? statesByDdd[ddd] : undefined

/** An area code of Brazil. M-PHN-45, gaps-2 K "available-regions item" */
export const Ddd = Schema.String.check(
  Schema.makeFilter((text: string) => stateOf(text) !== undefined, {
    expected: "an area code of Brazil, two digits",
    toJsonSchema: () => [{ pattern: "^[1-9][1-9]$" }, true]
  })
).annotate({ description: "Area code of Brazil, two digits.", examples: ["11"] })

/** An area in which numbers can be rented. gaps-2 K "available-regions item" */
export const PhoneRegion = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The area code." }),
  object: Schema.Literal("phone_region"),
  ddd: Schema.String.annotateKey({ description: "The area code." }),
  state: Schema.String.annotateKey({ description: "State of the area code." }),
  available: Schema.Boolean.annotateKey({ description: "Whether a number can be ordered in this area." }),
  monthly_fee_brl: Schema.NullOr(AmountBrl).annotate({
    description: "Monthly price; 0.0000 in sandbox, null while no price is in effect."
  })
}).annotate({ identifier: "PhoneRegion" })
export type PhoneRegion = typeof PhoneRegion.Type
