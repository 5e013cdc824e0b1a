/** A package with messages left; lists have the oldest first. */
export interface OpenPackage {
  readonly id: string
  readonly unit_price: number
  readonly quota_remaining: number
  /** Epoch milliseconds. */
  readonly completed_at: number
}

/** The parts of a charge that packages need. */
interface UsedMessages {
  readonly meter_id: string
  readonly quantity: number
  /** Epoch milliseconds. */
  readonly occurred_at: number
}

const messageMeter = "message.transport."

/** The packages of an account while usage is charged. gaps-3 E "What a package gives" */
export class PackageQuota {
  private readonly packages: Array<OpenPackage>
  private readonly used = new Map<string, number>()

  constructor(packages: ReadonlyArray<OpenPackage>) {
    this.packages = [...packages]
  }

  /** The packages with their remaining messages. */
  get left(): ReadonlyArray<OpenPackage> {
    return this.packages
  }

  /**
   * Returns the price of usage at a plan price per unit, in 1/10,000 BRL. A message uses a unit of the oldest package
   * that existed when it was sent, unless the plan price is as low.
   */
  charge({ meter_id, occurred_at, quantity }: UsedMessages, planPrice: number): number {
    if (!meter_id.startsWith(messageMeter) || this.packages.length === 0) return planPrice * quantity
    let amount = 0
    for (let left = quantity; left > 0; ) {
      const at = this.packages.findIndex(({ completed_at }) => completed_at <= occurred_at)
      const oldest = this.packages[at]
      if (oldest === undefined || oldest.unit_price >= planPrice) return amount + planPrice * left
      const taken = Math.min(left, oldest.quota_remaining)
      amount += taken * oldest.unit_price
      left -= taken
      this.used.set(oldest.id, (this.used.get(oldest.id) ?? 0) + taken)
      const rest = { ...oldest, quota_remaining: oldest.quota_remaining - taken }
      this.packages.splice(at, 1, ...(rest.quota_remaining > 0 ? [rest] : []))
    }
    return amount
  }

  /** The units used of each package, by its id. */
  get taken(): ReadonlyMap<string, number> {
    return this.used
  }
}
