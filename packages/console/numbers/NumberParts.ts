import type { NumberStatus, PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import type { Html } from "../kit/Html.ts"
import { contractWord, statusWord } from "../kit/Language.ts"
import { badge, type Tone } from "../kit/Parts.ts"

/** Where the section begins. */
export const numbersAddress = "/dashboard/phone-numbers"

/** The monthly cost of numbers. */
export const monthsAddress = `${numbersAddress}/months`

const tones: Readonly<Record<NumberStatus, Tone>> = {
  requested: "info",
  provisioning: "info",
  provisioned: "info",
  verifying: "warn",
  active: "good",
  failed: "bad",
  release_requested: "warn",
  released: "plain",
  disconnected: "plain"
}

/** Where a number stands. */
export const numberBadge = (status: NumberStatus): Html => badge(statusWord("number", status), tones[status])

const qualities: Readonly<Record<PhoneNumber["quality_rating"], Tone>> = {
  green: "good",
  yellow: "warn",
  red: "bad",
  unknown: "plain"
}

/** How customers take its messages. */
export const qualityBadge = (quality: PhoneNumber["quality_rating"]): Html =>
  badge(contractWord(quality), qualities[quality])
