/** A moment in the order in which a client did and heard things; many share one instant of virtual time. */
export interface Moment {
  readonly order: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** From when a call was made until it was answered. */
export interface Span {
  readonly from: Moment
  readonly to: Moment
}

/** What a client can know of something that changes: at any moment one of these. */
export class Known<A> {
  private readonly entries: Array<{ readonly order: number; readonly values: ReadonlyArray<A> }>

  constructor(first: A) {
    this.entries = [{ order: 0, values: [first] }]
  }

  get now(): ReadonlyArray<A> {
    return this.entries.at(-1)?.values ?? []
  }

  /** From this moment on it is one of these. */
  set(moment: Moment, values: ReadonlyArray<A>): void {
    this.entries.push({ order: moment.order, values: [...new Set(values)] })
  }

  /** What it can have been within a span. */
  during({ from, to }: Span): ReadonlyArray<A> {
    const found = new Set<A>()
    for (let n = 0; n < this.entries.length; n++) {
      const begins = this.entries[n]?.order ?? 0
      const ends = this.entries[n + 1]?.order ?? Number.POSITIVE_INFINITY
      if (begins <= to.order && ends > from.order) for (const value of this.entries[n]?.values ?? []) found.add(value)
    }
    return [...found]
  }
}
