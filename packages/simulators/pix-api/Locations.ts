import { randomBytes } from "node:crypto"
import type { Receiver } from "./Receivers.ts"

/** The address of a charge's payload, which the code names. */
export interface Location {
  readonly id: number
  readonly receiver: Receiver
  readonly tipoCob: "cob" | "cobv"
  /** The last part of its address. */
  readonly token: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  txid: string | null
}

/** The locations of all receivers. */
export class Locations {
  private readonly byId = new Map<number, Location>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  make(receiver: Receiver, tipoCob: "cob" | "cobv"): Location {
    const id = this.byId.size + 1
    const token = randomBytes(16).toString("hex")
    const location: Location = { id, receiver, tipoCob, token, createdAt: this.now(), txid: null }
    this.byId.set(id, location)
    return location
  }

  of(receiver: Receiver, id: number): Location | undefined {
    const location = this.byId.get(id)
    return location?.receiver === receiver ? location : undefined
  }

  ofReceiver(receiver: Receiver): ReadonlyArray<Location> {
    return [...this.byId.values()].filter((location) => location.receiver === receiver)
  }

  join(location: Location, txid: string): void {
    location.txid = txid
  }

  part(location: Location): void {
    location.txid = null
  }
}
