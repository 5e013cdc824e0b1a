import type { OrderStatus, PhoneNumberOrder } from "@carteiro/schema/phone-orders/PhoneOrder.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import type { Html } from "../kit/Html.ts"
import { say, statusWord } from "../kit/Language.ts"
import { badge, facts, instant, type Tone } from "../kit/Parts.ts"

/** Where the section begins; an order's approval_url lies beneath it. */
export const ordersAddress = "/dashboard/phone-orders"

const tones: Readonly<Record<OrderStatus, Tone>> = {
  awaiting_approval: "warn",
  approved: "info",
  declined: "plain",
  expired: "plain",
  provisioning: "info",
  fulfilled: "good",
  failed: "bad"
}

/** Where an order stands. */
export const orderBadge = (status: OrderStatus): Html => badge(statusWord("order", status), tones[status])

/** The amounts that an approval charges. */
export const chargesOf = ({ preview }: PhoneNumberOrder): Html =>
  facts([
    ["At delivery", preview.free ? say("nothing") : formatReais(preview.amount_brl)],
    ["Every later month", preview.free ? say("nothing") : formatReais(preview.monthly_fee_brl)],
    ["Next month is charged", instant(preview.next_charge_at)],
    ["Terms", preview.terms_version]
  ])
