/** What goes wrong from now on, and for whom. */
export interface Fault {
  /** One of the simulator's names of faults. */
  readonly name: string
  /** Only calls about this recipient, digits compared. */
  readonly recipient?: string
  /** Only calls to this operation. */
  readonly operation?: string
  /** How often it happens before it is over; always when left out. */
  readonly times?: number
  /** Of how many calls, by one in a thousand; every one when left out. */
  readonly permille?: number
  /** What the fault needs: a code, milliseconds. */
  readonly value?: number
}

/** What a call is about. */
interface Subject {
  readonly operation: string
  readonly recipient?: string | undefined
}

const digits = (text: string): string => text.replace(/\D/g, "")

/** The faults of one simulator. Chance comes from a seed, so that a run can be repeated. */
export class Faults {
  private active: Array<{ readonly fault: Fault; left: number }> = []
  private state = 1
  readonly names: ReadonlyArray<string>

  constructor(names: ReadonlyArray<string>) {
    this.names = names
  }

  /** Replaces what was set; answers the names it does not know, and then sets nothing. */
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

  /** The first fault of these names that hits the call; it counts as having happened. */
  hit(names: ReadonlyArray<string>, subject: Subject): Fault | undefined {
    for (const one of this.active) {
      const { fault } = one
      if (one.left <= 0 || !names.includes(fault.name)) continue
      if (fault.operation !== undefined && fault.operation !== subject.operation) continue
      if (fault.recipient !== undefined && digits(fault.recipient) !== digits(subject.recipient ?? "")) continue
      if (fault.permille !== undefined && this.draw() >= fault.permille) continue
      one.left--
      return fault
    }
    return undefined
  }

  /** The same of faults that name the operation: a fault of every call means those that a vendor is mainly asked. */
  hitNamed(names: ReadonlyArray<string>, operation: string): Fault | undefined {
    return this.active.some(({ fault }) => fault.operation === operation) ? this.hit(names, { operation }) : undefined
  }

  /** 0..999 of a linear congruential sequence: good enough to pick calls. */
  private draw(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return (this.state >>> 8) % 1000
  }
}
