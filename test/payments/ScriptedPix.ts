import { type ApprovingPix, type PixCheckout, PixProviders } from "@carteiro/provider/payments/PixProvider.ts"
import { Effect, Layer } from "effect"

const unknown = { _tag: "Unknown" } as const
const absent = { _tag: "Absent" } as const

type Operation = "create" | "read" | "lookUp" | "cancel" | "approve"

/** A Pix provider without sockets: its objects, its recorded calls, and its next failures. */
export class ScriptedPix {
  readonly charges = new Map<string, PixCheckout>()
  readonly asked: Array<readonly [operation: Operation, id: string]> = []
  /** Operations whose call is lost before or after its effect. */
  readonly lost = new Map<Operation, "before" | "after">()
  readonly refuses = new Set<Operation>()
  /** The members of a new charge besides its ids. */
  made: Partial<PixCheckout> = {}
  /** True when an accepted cancel is confirmed at once. */
  confirmsCancels = true

  private ask<A>(operation: Operation, id: string, run: () => A) {
    return Effect.sync(() => {
      this.asked.push([operation, id])
      if (this.refuses.has(operation)) return { _tag: "Refused" as const, code: "request_invalid" }
      const lost = this.lost.get(operation)
      if (lost === "before") return unknown
      const answer = run()
      return lost === "after" ? unknown : answer
    })
  }

  readonly provider: ApprovingPix = {
    create: (_key, { amount_centavos, external_id, mode }) =>
      this.ask("create", external_id, () => {
        const isHosted = mode === "hosted_checkout"
        const made = this.charges.get(external_id) ?? {
          _tag: "Charge" as const,
          id: `chk_${external_id}`,
          external_id,
          amount_centavos,
          status: "pending" as const,
          payment_url: isHosted ? `https://pay.example/${external_id}` : null,
          pix_copy_paste: isHosted ? null : `code of ${external_id}`,
          pix_qr_code_base64: isHosted ? null : "iVBORw0KGgo=",
          expires_at: null,
          ...this.made
        }
        this.charges.set(external_id, made)
        return made
      }),
    read: (_key, id) => this.ask("read", id, () => this.charges.get(id.replace("chk_", "")) ?? absent),
    lookUp: (_key, id) => this.ask("lookUp", id, () => this.charges.get(id) ?? absent),
    cancel: (_key, id) =>
      this.ask("cancel", id, () => {
        const ours = id.replace("chk_", "")
        if (this.confirmsCancels) this.show(ours, { status: "cancelled" })
        return this.charges.get(ours) ?? absent
      }),
    requestApproval: (_key, id, { external_id }) =>
      this.ask("approve", id, () => ({ _tag: "Requested" as const, id: `apr_${external_id}` }))
  }

  /** The first vendor knows neither cancels nor approvals. */
  readonly layer = Layer.sync(PixProviders, () => {
    const { create, lookUp, read } = this.provider
    return { pixprov1: { create, lookUp, read }, pixprov2: this.provider }
  })

  /** No call fails from now on. */
  calm(): void {
    this.lost.clear()
    this.refuses.clear()
    this.made = {}
    this.confirmsCancels = true
  }

  show(id: string, more: Partial<PixCheckout>): void {
    const one = this.charges.get(id)
    if (one !== undefined) this.charges.set(id, { ...one, ...more })
  }

  /** The number of calls of an operation for one payment. */
  count(operation: Operation, id: string): number {
    return this.asked.filter(([one, about]) => one === operation && about.endsWith(id)).length
  }
}
