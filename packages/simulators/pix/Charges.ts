import type { CallLog } from "../kit/CallLog.ts"
import { Timers } from "../kit/Timers.ts"
import type { Account } from "./Accounts.ts"
import { pixCode } from "./PixCode.ts"

export type ChargeStatus = "pending" | "approved" | "paid" | "failed" | "expired" | "cancelled"

/** A request for a charge. */
export interface ChargeRequest {
  readonly external_id: string
  readonly amount_centavos: number
  readonly description: string | null
  readonly mode: "hosted_checkout" | "transparent_pix"
  readonly expires_in_seconds: number
  readonly success_url: string | null
}

/** A charge of an account. */
export interface Charge extends ChargeRequest {
  readonly id: string
  readonly account: Account
  readonly pix_copy_paste: string
  /** Returns a PNG of its code, in base64. */
  readonly qrCode: () => Promise<string>
  /** Epoch milliseconds. */
  readonly expiresAt: number
  status: ChargeStatus
  approval: { readonly id: string; readonly external_id: string } | null
}

/** The shared settings of a vendor's charges. */
export interface ChargeContext {
  readonly log: CallLog
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Returns a PNG of a code, in base64. */
  readonly qrCode: (text: string) => Promise<string>
  /** The type of the vendor's webhook about a charge. */
  readonly noticeType: string
  readonly idPrefix: string
}

const terminal: ReadonlySet<ChargeStatus> = new Set(["paid", "failed", "expired", "cancelled"])

/** The charges of one vendor, by the account and its own id: a repeated request makes one charge. */
export class Charges {
  private readonly byId = new Map<string, Charge>()
  private readonly byExternalId = new Map<string, Charge>()
  private readonly timers = new Timers()
  private readonly context: ChargeContext
  private ids = 0

  constructor(context: ChargeContext) {
    this.context = context
  }

  make(account: Account, request: ChargeRequest): Charge {
    const id = `${this.context.idPrefix}${this.context.now().toString(36)}${(++this.ids).toString(36).padStart(4, "0")}`
    const code = pixCode(id, request.amount_centavos)
    // Drawn on demand, because drawing takes longer than the rest of a charge.
    let drawn: Promise<string> | undefined
    const qrCode = () => (drawn ??= this.context.qrCode(code))
    const charge: Charge = {
      ...request,
      id,
      account,
      pix_copy_paste: code,
      qrCode,
      expiresAt: this.context.now() + request.expires_in_seconds * 1000,
      status: "pending",
      approval: null
    }
    this.byId.set(id, charge)
    this.byExternalId.set(nameOf(account, request.external_id), charge)
    this.after(charge.expiresAt - this.context.now(), () => this.end(charge, "expired"))
    return charge
  }

  /** Returns a charge of an account by the vendor's id. */
  of(account: Account, id: string): Charge | undefined {
    const charge = this.byId.get(id)
    return charge?.account === account ? charge : undefined
  }

  /** Returns a charge of an account by its own id. */
  find(account: Account, externalId: string): Charge | undefined {
    return this.byExternalId.get(nameOf(account, externalId))
  }

  /** Returns a charge of any account, for people and checks: by either id, or by its code. */
  any(name: string): Charge | undefined {
    return (
      this.byId.get(name) ??
      [...this.byId.values()].find((charge) => charge.external_id === name || charge.pix_copy_paste === name)
    )
  }

  /** Changes the status of a charge and posts a webhook, unless it has ended or has that status. */
  end(charge: Charge, status: ChargeStatus): boolean {
    if (terminal.has(charge.status) || charge.status === status) return false
    charge.status = status
    const { account, amount_centavos, external_id, id } = charge
    this.context.log.add("outcome", { id, external_id, status, amount_centavos })
    account.notices.tell(this.context.noticeType, { id, external_id, status })
    return true
  }

  /** Pays a charge that ended without payment: the bank's transfer was under way. */
  payLate(charge: Charge): boolean {
    if (charge.status === "paid" || !terminal.has(charge.status)) return false
    charge.status = "pending"
    return this.end(charge, "paid")
  }

  after(millis: number, run: () => void): void {
    this.timers.after(millis, run)
  }

  close(): void {
    this.timers.close()
  }
}

/** True for a final status. */
export const hasEnded = ({ status }: Charge): boolean => terminal.has(status)

const nameOf = ({ key }: Account, externalId: string): string => `${key}\n${externalId}`
