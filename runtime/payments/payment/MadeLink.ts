import type { Row } from "../../platform/commit/Write.ts"
import type { Outbox } from "../../platform/outbox/Outbox.ts"
import type { PaymentRow } from "./Payment.ts"
import { linkEvents } from "./PaymentEventRows.ts"
import { linkPaymentRequest } from "./PaymentWrites.ts"

/** By what a payer pays, as it was made. C-PAY-24, C-PAY-25 */
export interface MadeLink {
  readonly payment_link_url: string
  readonly pix_copy_paste: string | null
  readonly pix_qr_code_base64: string | null
  /** Where the link is a page of ours, what names the payment there. */
  readonly page_token: string | null
  readonly provider_payment_id: string
}

/**
 * Makes a link known: the payment and both its events, or nothing of it when it has ended meanwhile. `due_at` is when it is
 * looked at again; instants in epoch milliseconds. C-PAY-24, C-PAY-29, C-PEVT-03
 */
export const linkRows = (
  outbox: Outbox["Service"],
  payment: PaymentRow,
  link: MadeLink,
  now: number,
  due_at: number
): ReadonlyArray<Row> => {
  const { environment_id, id } = payment
  const { page_token: _token, ...shown } = link
  const moved = { at: now, occurred_at: now, operation: "link" } as const
  return [
    linkPaymentRequest.row({ environment_id, id, ...link, link_generated_at: now, doubt_at: now, due_at }),
    ...linkEvents(outbox, { ...payment, ...shown }, link.payment_link_url, moved)
  ]
}
