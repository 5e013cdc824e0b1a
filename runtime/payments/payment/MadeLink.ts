import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import { pageHash, sealColumn } from "../sealing/SealedColumns.ts"
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
  { outbox, secrets }: { readonly outbox: Outbox["Service"]; readonly secrets: Secrets["Service"] },
  payment: PaymentRow,
  link: MadeLink,
  now: number,
  due_at: number
): ReadonlyArray<Row> => {
  const { environment_id, id } = payment
  const { page_token, ...shown } = link
  const { payment_link_url } = link
  // The address of a page of ours opens it for anyone: it is kept as a secret is.
  const kept =
    page_token === null
      ? { payment_link_url, link_sealed: null, page_hash: null }
      : {
          payment_link_url: null,
          link_sealed: sealColumn(secrets, payment, "payment_link_url", payment_link_url),
          page_hash: pageHash(secrets, page_token)
        }
  const moved = { at: now, occurred_at: now, operation: "link" } as const
  return [
    linkPaymentRequest.row({ environment_id, id, ...shown, ...kept, link_generated_at: now, doubt_at: now, due_at }),
    ...linkEvents(outbox, { ...payment, ...shown }, payment_link_url, moved)
  ]
}
