import {
  AgenticPlatform,
  type AgenticProvider,
  type VendorAgenticPayment,
  type VendorAuthorization
} from "@carteiro/provider/payments/AgenticProvider.ts"
import { Effect, Layer } from "effect"

const unknown = { _tag: "Unknown" } as const
const absent = { _tag: "Absent" } as const

type Operation = "authorize" | "authorization" | "authorizationOf" | "revoke" | "pay" | "payment" | "paymentOf"

/** The agentic provider without sockets: its objects, its recorded calls, and its next failures. */
export class ScriptedAgentic {
  readonly authorizations = new Map<string, VendorAuthorization>()
  readonly payments = new Map<string, VendorAgenticPayment>()
  readonly asked: Array<readonly [operation: Operation, id: string]> = []
  /** Operations whose call is lost before or after its effect; a late one arrives when the test delivers it. */
  readonly lost = new Map<Operation, "before" | "after" | "late">()
  private late: Array<() => void> = []
  refuses: Operation | undefined
  /** Set while creates and reads return the authorization with this id of ours. */
  shows: string | undefined
  banksAnswer = true
  /** Set while the response to a payment's create says that it failed, whatever its state. */
  createsFail = false

  private ask<A>(operation: Operation, id: string, run: () => A) {
    return Effect.sync(() => {
      this.asked.push([operation, id])
      if (this.refuses === operation) return { _tag: "Refused" as const, code: "request_invalid" }
      const lost = this.lost.get(operation)
      if (lost === "before") return unknown
      if (lost === "late") {
        this.late.push(run)
        return unknown
      }
      const answer = run()
      return lost === "after" ? unknown : answer
    })
  }

  readonly provider: AgenticProvider = {
    banks: () =>
      Effect.sync(() =>
        this.banksAnswer
          ? {
              _tag: "Banks" as const,
              banks: [
                { id: "b2", name: "Verde", ispb: "10000002", logo_url: null, status: "available" as const },
                {
                  id: "b1",
                  name: "Azul",
                  ispb: "10000001",
                  logo_url: "https://x.example/a.png",
                  status: "available" as const
                }
              ]
            }
          : unknown
      ),
    authorize: (_account, { external_id }) =>
      this.ask("authorize", external_id, () => {
        const made = this.authorizations.get(external_id) ?? {
          _tag: "Authorization" as const,
          id: `aut_${external_id}`,
          external_id,
          status: "pending" as const,
          authorization_url: `https://bank.example/${external_id}`
        }
        this.authorizations.set(external_id, made)
        return this.shown(external_id) ?? made
      }),
    authorization: (_account, id) => this.ask("authorization", id, () => this.shown(id.replace("aut_", "")) ?? absent),
    authorizationOf: (_account, id) => this.ask("authorizationOf", id, () => this.authorizations.get(id) ?? absent),
    revoke: (_account, id) =>
      this.ask("revoke", id, () => {
        const ours = id.replace("aut_", "")
        this.decide(ours, "revoked")
        return this.authorizations.get(ours) ?? absent
      }),
    pay: (_account, { amount_centavos, external_id }) =>
      this.ask("pay", external_id, () => {
        const made = this.payments.get(external_id) ?? {
          _tag: "Payment" as const,
          id: `vp_${external_id}`,
          external_id,
          status: "processing" as const,
          amount_centavos,
          error: null
        }
        this.payments.set(external_id, made)
        return this.createsFail ? { ...made, status: "failed" as const } : made
      }),
    payment: (_account, id) => this.ask("payment", id, () => this.payments.get(id.replace("vp_", "")) ?? absent),
    paymentOf: (_account, id) => this.ask("paymentOf", id, () => this.payments.get(id) ?? absent)
  }

  readonly layer = Layer.succeed(AgenticPlatform, this.provider)

  private shown(id: string): VendorAuthorization | undefined {
    return this.authorizations.get(this.shows ?? id)
  }

  /** Delivers late calls. */
  land(): void {
    for (const run of this.late.splice(0)) run()
  }

  /** The state of an authorization of ours there. */
  statusOf(id: string): VendorAuthorization["status"] | undefined {
    return this.authorizations.get(id)?.status
  }

  decide(id: string, status: VendorAuthorization["status"]): void {
    const one = this.authorizations.get(id)
    if (one !== undefined) this.authorizations.set(id, { ...one, status })
  }

  end(id: string, more: Partial<VendorAgenticPayment>): void {
    const one = this.payments.get(id)
    if (one !== undefined) this.payments.set(id, { ...one, ...more })
  }

  /** The number of calls of an operation. */
  count(operation: Operation): number {
    return this.asked.filter(([one]) => one === operation).length
  }
}
