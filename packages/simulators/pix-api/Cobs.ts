import { randomBytes } from "node:crypto"
import type { CallLog } from "../kit/CallLog.ts"
import { Timers } from "../kit/Timers.ts"
import { type Cob, codeOf, type Devolution, type Receipt } from "./Cob.ts"
import type { CobRequest } from "./CobRules.ts"
import type { Location, Locations } from "./Locations.ts"
import type { Receiver, Receivers } from "./Receivers.ts"
import { receiptView } from "./Views.ts"

/** The receipts and charges of all receivers. */
export class Cobs {
  private readonly byName = new Map<string, Cob>()
  private readonly receipts = new Map<string, Receipt>()
  private readonly timers = new Timers()
  private readonly receivers: Receivers
  private readonly locations: Locations
  private readonly log: CallLog
  private readonly now: () => number

  constructor(receivers: Receivers, locations: Locations, log: CallLog, now: () => number) {
    this.receivers = receivers
    this.locations = locations
    this.log = log
    this.now = now
  }

  make(receiver: Receiver, txid: string, request: CobRequest, location: Location): Cob {
    const cob: Cob = {
      txid,
      receiver,
      createdAt: this.now(),
      request,
      revision: 0,
      status: "ATIVA",
      location,
      receipt: null,
      revisions: [request]
    }
    this.locations.join(location, txid)
    this.byName.set(nameOf(receiver, txid), cob)
    return cob
  }

  /** Returns a charge of a receiver. */
  of(receiver: Receiver, txid: string): Cob | undefined {
    return this.byName.get(nameOf(receiver, txid))
  }

  ofReceiver(receiver: Receiver): ReadonlyArray<Cob> {
    return [...this.byName.values()].filter((cob) => cob.receiver === receiver)
  }

  /** Returns a charge of any receiver, for people and checks: by txid, code, or a text among its information. */
  any(name: string): Cob | undefined {
    return [...this.byName.values()].findLast(
      (cob) =>
        cob.txid === name || codeOf(cob) === name || cob.request.infoAdicionais.some(({ valor }) => valor === name)
    )
  }

  /** Changes an active charge. */
  revise(cob: Cob, request: CobRequest): void {
    cob.request = request
    cob.revision++
    cob.revisions.push(request)
  }

  /** Gives a charge another location; its old one is free again. */
  moveTo(cob: Cob, location: Location): void {
    if (cob.location !== null) this.locations.part(cob.location)
    this.locations.join(location, cob.txid)
    cob.location = location
  }

  /** Removes an active charge; false when it is not active. */
  remove(cob: Cob, status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" | "REMOVIDA_PELO_PSP"): boolean {
    if (cob.status !== "ATIVA") return false
    cob.status = status
    cob.revision++
    cob.revisions.push(cob.request)
    this.note(cob, status === "REMOVIDA_PELO_PSP" ? "expired" : "cancelled")
    return true
  }

  /** True while a payer's bank takes the code: neither paid, removed nor expired. */
  isPayable({ createdAt, request, status }: Cob): boolean {
    return status === "ATIVA" && this.now() < createdAt + request.expiracao * 1000
  }

  /**
   * Receives the money of a charge once, also after its end when the transfer was under way, and posts the receipt. Ends
   * with the webhook's first attempt; undefined when the charge is paid.
   */
  pay(cob: Cob): Promise<void> | undefined {
    if (cob.status === "CONCLUIDA") return undefined
    cob.status = "CONCLUIDA"
    const stamp = new Date(this.now()).toISOString().replaceAll(/\D/g, "").slice(0, 12)
    const endToEndId = `E99999999${stamp}${randomBytes(6).toString("hex").slice(0, 11)}`
    const receipt: Receipt = { endToEndId, cob, centavos: cob.request.centavos, paidAt: this.now(), devolutions: [] }
    cob.receipt = receipt
    this.receipts.set(endToEndId, receipt)
    this.note(cob, "paid")
    return this.tell(receipt)
  }

  receiptOf(receiver: Receiver, endToEndId: string): Receipt | undefined {
    const receipt = this.receipts.get(endToEndId)
    return receipt?.cob.receiver === receiver ? receipt : undefined
  }

  receiptsOf(receiver: Receiver): ReadonlyArray<Receipt> {
    return [...this.receipts.values()].filter(({ cob }) => cob.receiver === receiver)
  }

  /** Begins a refund, which settles after `workMs`, or fails. */
  giveBack(
    receipt: Receipt,
    { centavos, description, id }: Pick<Devolution, "id" | "centavos" | "description">,
    end: { readonly workMs: number; readonly status: "DEVOLVIDO" | "NAO_REALIZADO" }
  ): Devolution {
    const stamp = new Date(this.now()).toISOString().replaceAll(/\D/g, "").slice(0, 12)
    const devolution: Devolution = {
      id,
      rtrId: `D99999999${stamp}${randomBytes(6).toString("hex").slice(0, 11)}`,
      centavos,
      description,
      requestedAt: this.now(),
      settledAt: null,
      status: "EM_PROCESSAMENTO"
    }
    receipt.devolutions.push(devolution)
    this.after(end.workMs, () => {
      devolution.status = end.status
      if (end.status === "DEVOLVIDO") devolution.settledAt = this.now()
      void this.tell(receipt)
    })
    return devolution
  }

  after(millis: number, run: () => void): void {
    this.timers.after(millis, run)
  }

  close(): void {
    this.timers.close()
  }

  private tell(receipt: Receipt): Promise<void> {
    const { receiver, request } = receipt.cob
    return this.receivers.tell(receiver, request.chave, [receiptView(receipt)])
  }

  private note({ request, txid }: Cob, status: string): void {
    this.log.add("outcome", { id: txid, external_id: txid, status, amount_centavos: request.centavos })
  }
}

const nameOf = ({ clientId }: Receiver, txid: string): string => `${clientId}\n${txid}`
