import { type ApprovingPix, type PixCheckout, PixProviders } from "@carteiro/provider/payments/PixProvider.ts"
import { Effect, Layer } from "effect"

/** The provider's behaviour for calls. `loses`: it does its work, and the response is lost; `deaf`: no call arrives. */
export type PixMode = "answers" | "loses" | "deaf" | "refuses"

type Outcome = "paid" | "failed" | "expired" | "cancelled"

const ended: ReadonlySet<string> = new Set(["paid", "failed", "expired", "cancelled"])
const absent = { _tag: "Absent" } as const

/** A Pix provider without sockets that keeps each charge under our id, for comparison with the payments. */
export class PixWorld {
  readonly charges = new Map<string, PixCheckout>()
  mode: PixMode = "answers"
  /** True when it confirms accepted cancels. */
  confirms = true
  /** The number of repeated requests for an existing charge. */
  repeated = 0

  /** Changes a charge; an ended one does not change. */
  move(id: string, status: Outcome | "approved"): void {
    const charge = this.charges.get(id)
    if (charge !== undefined && !ended.has(charge.status)) this.charges.set(id, { ...charge, status })
  }

  /** The provider as a node reaches it. */
  layer(passing: (label: string) => Effect.Effect<void>) {
    const provider = this.provider(passing)
    return Layer.succeed(PixProviders, { pixprov2: provider })
  }

  private provider(passing: (label: string) => Effect.Effect<void>): ApprovingPix {
    const asked = <A>(label: string, answer: () => A, refuses = false) =>
      Effect.gen({ self: this }, function* () {
        yield* passing(label)
        const { mode } = this
        if (mode === "deaf") return { _tag: "Unknown" as const }
        if (mode === "refuses" && refuses) return { _tag: "Refused" as const, code: "request_invalid" }
        const given = answer()
        yield* passing(`answer to ${label}`)
        return mode === "loses" ? { _tag: "Unknown" as const } : given
      })
    const found = (id: string) => this.charges.get(id) ?? absent
    const ours = (id: string) => id.slice("chk_".length)
    return {
      create: (_key, { amount_centavos, external_id }) =>
        asked(
          "create",
          () => {
            const before = this.charges.get(external_id)
            if (before !== undefined) this.repeated++
            const charge: PixCheckout = before ?? {
              _tag: "Charge",
              id: `chk_${external_id}`,
              external_id,
              amount_centavos,
              status: "pending",
              payment_url: `https://pay.example/${external_id}`,
              pix_copy_paste: null,
              pix_qr_code_base64: null,
              expires_at: null
            }
            this.charges.set(external_id, charge)
            return charge
          },
          true
        ),
      read: (_key, id) => asked("read", () => found(ours(id))),
      lookUp: (_key, id) => asked("look-up", () => found(id)),
      cancel: (_key, id) =>
        asked(
          "cancel",
          () => {
            if (this.confirms) this.move(ours(id), "cancelled")
            return found(ours(id))
          },
          true
        ),
      requestApproval: (_key, id) =>
        asked("approval", () => ({ _tag: "Requested" as const, id: `apr_${ours(id)}` }), true)
    }
  }
}
