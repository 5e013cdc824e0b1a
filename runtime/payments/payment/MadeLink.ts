import type { PixCheckout } from "@carteiro/provider/payments/PixProvider.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import { pageHash, sealColumn } from "../sealing/SealedColumns.ts"
import type { PaymentRow } from "./Payment.ts"
import { linkEvents } from "./PaymentEventRows.ts"
import { linkPaymentRequest } from "./PaymentWrites.ts"

/** The link or code by which a payer pays. C-PAY-24, C-PAY-25 */
export interface MadeLink {
  readonly payment_link_url: string
  readonly pix_copy_paste: string | null
  readonly pix_qr_code_base64: string | null
  /** The token that names the payment on a page of ours; null for any other link. */
  readonly page_token: string | null
  readonly provider_payment_id: string
}

/**
 * Returns the link of a charge: a page of ours shows the code when the provider has no page. gaps-3 C "Link URL of a
 * transparent Pix payment"
 */
export const madeLink = (
  { publicUrl, secrets }: { readonly publicUrl: () => string; readonly secrets: Secrets["Service"] },
  { id }: Pick<PaymentRow, "id">,
  charge: PixCheckout
): MadeLink => {
  const { payment_url, pix_copy_paste, pix_qr_code_base64 } = charge
  const ours = Buffer.from(secrets.mac("capability_url", `pay/${id}`))
    .toString("base64url")
    .slice(0, tokenLength)
  return {
    payment_link_url: payment_url ?? `${publicUrl()}/pay/${ours}`,
    pix_copy_paste,
    pix_qr_code_base64,
    page_token: payment_url === null ? ours : null,
    provider_payment_id: charge.id
  }
}

/** The characters of a token with 128 bits. */
const tokenLength = 22

/**
 * Returns the rows that publish a link: the payment and both its events; nothing is written when the payment ended
 * meanwhile. `due_at` is its next due time; instants in epoch milliseconds. C-PAY-24, C-PAY-29, C-PEVT-03
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
  // The address of a page of ours opens it without a key, so it is encrypted like a secret.
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
