import { qrCode } from "@carteiro/html/QrCode.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { pixCode } from "@carteiro/spellings/PixCode.ts"
import { Context, Effect, Layer } from "effect"
import type { MadeLink } from "../payment/MadeLink.ts"
import type { PaymentRow } from "../payment/Payment.ts"

/** The simulated provider of a sandbox: it makes links in this process, without any call. C-PAY-34 */
export class SandboxCheckouts extends Context.Service<
  SandboxCheckouts,
  {
    /** Returns the link of a payment, always the same for one payment. C-PAY-37, gaps-3 C "Sandbox fixture" */
    link(payment: PaymentRow): Effect.Effect<MadeLink>
  }
>()("@carteiro/runtime/payments/sandbox/SandboxCheckouts") {
  static readonly layer = Layer.effect(
    SandboxCheckouts,
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl
      const secrets = yield* Secrets
      return SandboxCheckouts.of({
        link: Effect.fnUntraced(function* ({ amount, id, mode }) {
          const page_token = secrets.macText("capability_url", `sandbox/pay/${id}`)
          const provider_payment_id = `sbpay_${id.slice("pay_".length)}`
          if (mode === "hosted_checkout") {
            const payment_link_url = `${publicUrl()}/sandbox/pay/${page_token}`
            return { payment_link_url, pix_copy_paste: null, pix_qr_code_base64: null, page_token, provider_payment_id }
          }
          // Fields and checksum of a real code, and a receiver that no bank knows.
          const pix_copy_paste = pixCode({
            location: `sandbox.invalid/pix/${provider_payment_id}`,
            name: "CARTEIRO SANDBOX",
            city: "SAO PAULO",
            amount: formatBrl(amount).slice(0, -2)
          })
          return {
            payment_link_url: `${publicUrl()}/pay/${page_token}`,
            pix_copy_paste,
            pix_qr_code_base64: yield* qrCode(pix_copy_paste),
            page_token,
            provider_payment_id
          }
        })
      })
    })
  )
}
