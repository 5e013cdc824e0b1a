import type { CallLog } from "../kit/CallLog.ts"
import { Timers } from "../kit/Timers.ts"
import type { Account } from "../pix/Accounts.ts"

export type AuthorizationStatus = "pending" | "authorized" | "rejected" | "revoked" | "expired"

/** The right that a bank's customer gives an agent. */
export interface Authorization {
  readonly id: string
  readonly external_id: string
  readonly account: Account
  readonly max_amount_centavos: number
  readonly expiresAt: number
  status: AuthorizationStatus
}

/** A payment that an agent made. */
export interface Payment {
  readonly id: string
  readonly external_id: string
  readonly account: Account
  readonly amount_centavos: number
  status: "processing" | "paid" | "failed"
  error: { readonly code: string; readonly message: string } | null
}

/** Things of accounts, by the vendor's id and by the account's own. */
class AccountThings<T extends { readonly id: string; readonly external_id: string; readonly account: Account }> {
  private readonly byId = new Map<string, T>()
  private readonly byExternalId = new Map<string, T>()

  add(one: T): T {
    this.byId.set(one.id, one)
    this.byExternalId.set(`${one.account.key}\n${one.external_id}`, one)
    return one
  }

  of(account: Account, id: string): T | undefined {
    const one = this.byId.get(id)
    return one?.account === account ? one : undefined
  }

  find({ key }: Account, externalId: string): T | undefined {
    return this.byExternalId.get(`${key}\n${externalId}`)
  }

  /** Returns a thing of any account by either id, for people and checks. */
  any(name: string): T | undefined {
    return this.byId.get(name) ?? [...this.byId.values()].find(({ external_id }) => external_id === name)
  }
}

/** The allowed transitions of an authorization. */
const next: Readonly<Record<AuthorizationStatus, ReadonlyArray<AuthorizationStatus>>> = {
  pending: ["authorized", "rejected", "revoked", "expired"],
  authorized: ["revoked", "expired"],
  rejected: [],
  revoked: [],
  expired: []
}

/** Authorizations and the payments made under them. */
export class Agentic {
  readonly authorizations = new AccountThings<Authorization>()
  readonly payments = new AccountThings<Payment>()
  private readonly timers = new Timers()
  private readonly log: CallLog
  private readonly now: () => number
  private ids = 0

  constructor(log: CallLog, now: () => number) {
    this.log = log
    this.now = now
  }

  authorize(account: Account, request: Pick<Authorization, "external_id" | "max_amount_centavos" | "expiresAt">) {
    const one = this.authorizations.add({ ...request, id: this.id("aut_"), account, status: "pending" })
    this.later(one.expiresAt - this.now(), () => this.decide(one, "expired"))
    return one
  }

  /** Changes the status of an authorization if allowed, and posts a webhook. */
  decide(one: Authorization, status: AuthorizationStatus): boolean {
    if (!next[one.status].includes(status)) return false
    one.status = status
    this.tell("authorization.updated", one)
    return true
  }

  pay(account: Account, request: Pick<Payment, "external_id" | "amount_centavos">): Payment {
    return this.payments.add({ ...request, id: this.id("agp_"), account, status: "processing", error: null })
  }

  endPayment(payment: Payment, status: "paid" | "failed"): void {
    if (payment.status !== "processing") return
    payment.status = status
    if (status === "failed") payment.error = { code: "payment_declined", message: "the bank declined" }
    this.tell("agentic_payment.updated", payment)
  }

  later(millis: number, run: () => void): void {
    this.timers.after(millis, run)
  }

  close(): void {
    this.timers.close()
  }

  private tell(type: string, { account, external_id, id, status }: Authorization | Payment): void {
    this.log.add("outcome", { type, id, external_id, status })
    account.notices.tell(type, { id, external_id, status })
  }

  private id(prefix: string): string {
    return `${prefix}${this.now().toString(36)}${(++this.ids).toString(36).padStart(4, "0")}`
  }
}
