import type { FairPool, Share, Waiter } from "./FairPool.ts"
import { bytesReadAtOnce, type OutboundBudget } from "./OutboundBudget.ts"

/** The sockets and bytes that one owner's queue takes from its node's budget, and the requests it waits for. */
export class QueueBudget {
  /** Sockets that were granted after a wait and are not used yet. */
  private readonly granted: Array<Share> = []
  private waitsForSocket: Waiter | undefined
  private waitsForBytes: Waiter | undefined
  private held: { readonly share: Share; amount: number } | undefined
  /** True while bytes are reserved for a read. */
  private setAside = false
  private readonly budget: OutboundBudget["Service"]
  private readonly onTurn: () => void

  /** Calls `onTurn` when a socket or bytes that the queue waited for are granted. */
  constructor(budget: OutboundBudget["Service"], onTurn: () => void) {
    this.budget = budget
    this.onTurn = onTurn
  }

  get isWaiting(): boolean {
    return this.waitsForSocket !== undefined || this.waitsForBytes !== undefined
  }

  /** Returns a socket, or undefined: then the owner waits, and `onTurn` follows. */
  socket(destination: string): Share | undefined {
    const share = this.granted.pop() ?? this.budget.sockets.take(destination, 1)
    if (share !== undefined || this.waitsForSocket !== undefined) return share
    this.waitsForSocket = standInLine(this.budget.sockets, destination, 1, (given) => {
      this.waitsForSocket = undefined
      this.granted.push(given)
      this.onTurn()
    })
    return undefined
  }

  giveBack(share: Share): void {
    this.budget.sockets.give(share, 1)
  }

  /** Returns granted sockets that are not used, so that the next waiting owner gets them. */
  giveBackUnused(): void {
    for (const share of this.granted.splice(0)) this.giveBack(share)
  }

  /** Reserves bytes for a read. False when the owner has to wait. `hold` sets the real number later. */
  takeBytes(destination: string): boolean {
    if (this.setAside) return true
    if (this.waitsForBytes !== undefined) return false
    const towards = this.held?.share.destination ?? destination
    const share = this.budget.bytes.take(towards, bytesReadAtOnce)
    if (share !== undefined) this.keep(share)
    else {
      this.waitsForBytes = standInLine(this.budget.bytes, towards, bytesReadAtOnce, (given) => {
        this.waitsForBytes = undefined
        this.keep(given)
        this.onTurn()
      })
    }
    return this.setAside
  }

  /** Takes the bytes that the queue holds now, in place of those reserved for a read. */
  hold(bytes: number): void {
    this.setAside = false
    const { held } = this
    if (held === undefined || held.amount === bytes) return
    const change = bytes - held.amount
    if (bytes === 0) this.held = undefined
    else held.amount = bytes
    this.budget.bytes.adjust(held.share, change)
  }

  /** Stops every wait, because the queue has no row to send. */
  leave(): void {
    if (this.waitsForSocket !== undefined) this.budget.sockets.leave(this.waitsForSocket)
    if (this.waitsForBytes !== undefined) this.budget.bytes.leave(this.waitsForBytes)
    this.waitsForSocket = undefined
    this.waitsForBytes = undefined
    this.giveBackUnused()
  }

  private keep(share: Share) {
    this.setAside = true
    // While the owner waited, it may have returned all it held, and with it the share.
    if (this.held?.share === share) this.held.amount += bytesReadAtOnce
    else this.held = { share, amount: bytesReadAtOnce }
  }
}

const standInLine = (pool: FairPool, destination: string, amount: number, granted: Waiter["granted"]): Waiter => {
  const waiter = { destination, amount, granted }
  pool.wait(waiter)
  return waiter
}
