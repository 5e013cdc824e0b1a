/** A fault from now on, with the calls that it affects. */
export interface Fault {
  /** The simulator's name of the fault. */
  readonly name: string
  /** Only calls about this recipient, with digits compared. */
  readonly recipient?: string
  /** Only calls to this operation. */
  readonly operation?: string
  /** How many times it happens; without limit by default. */
  readonly times?: number
  /** How many calls of a thousand it hits; all by default. */
  readonly permille?: number
  /** The parameter of the fault: a code, or milliseconds. */
  readonly value?: number
}

/** The subject of a call. */
interface Subject {
  readonly operation: string
  readonly recipient?: string | undefined
}

const digits = (text: string): string => text.replace(/\D/g, "")

/** The faults of one simulator. Chance comes from a seed, so that a run can be repeated. */
export class Faults {
  private active: Array<{ readonly fault: Fault; left: number }> = []
  private state = 1
  /** How often each fault has hit a call, by its name. */
  readonly strikes = new Map<string, number>()
  readonly names: ReadonlyArray<string>

  constructor(names: ReadonlyArray<string>) {
    this.names = names
  }

  /** Replaces the faults. Returns the unknown names, and then changes nothing. */
  set(faults: ReadonlyArray<Fault>, seed: number | undefined): ReadonlyArray<string> {
    const unknown = faults.filter(({ name }) => !this.names.includes(name)).map(({ name }) => name)
    if (unknown.length > 0) return unknown
    this.active = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }))
    if (seed !== undefined) this.state = seed >>> 0
    return []
  }

  get list(): ReadonlyArray<Fault> {
    return this.active.filter(({ left }) => left > 0).map(({ fault }) => fault)
  }

  /** Returns the first fault of these names that hits the call, and counts it. */
  hit(names: ReadonlyArray<string>, subject: Subject): Fault | undefined {
    for (const one of this.active) {
      const { fault } = one
      if (one.left <= 0 || !names.includes(fault.name)) continue
      if (fault.operation !== undefined && fault.operation !== subject.operation) continue
      if (fault.recipient !== undefined && digits(fault.recipient) !== digits(subject.recipient ?? "")) continue
      if (fault.permille !== undefined && this.draw() >= fault.permille) continue
      one.left--
      this.strikes.set(fault.name, (this.strikes.get(fault.name) ?? 0) + 1)
      return fault
    }
    return undefined
  }

  /**
   * Returns the first hit among faults that name the operation: a fault without an operation only hits the vendor's
   * main calls.
   */
  hitNamed(names: ReadonlyArray<string>, operation: string): Fault | undefined {
    return this.active.some(({ fault }) => fault.operation === operation) ? this.hit(names, { operation }) : undefined
  }

  /** Returns 0 to 999 from a linear congruential sequence, which is good enough to pick calls. */
  private draw(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return (this.state >>> 8) % 1000
  }
}
