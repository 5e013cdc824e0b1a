/** A row that is due, as far as every queue knows it. */
export interface QueueRow {
  readonly id: string
  /** Size of the body it holds in memory. */
  readonly bytes: number
}

/** How one row ended; one that was never `sent` did not leave. Instants are epoch milliseconds. */
export interface Ended<Row, Result> {
  readonly row: Row
  readonly result: Result
  /** When it was taken to leave. */
  readonly since: number
  readonly at: number
  readonly sent: boolean
}

/**
 * How long what was read ahead may leave, in milliseconds. Whoever ends rows in the table, as an erasure does, tells no
 * owner, and still has them off the wire within this time.
 */
const freshMs = 5000

/**
 * The rows of one owner in this node's memory: the head of the queue, what is on the wire, what has ended and is not
 * written. `Terms` is what the owner knows that decides whether a row may leave now.
 */
export class QueueRows<Terms, Row extends QueueRow, Result> {
  private head: Array<Row> = []
  private next = 0
  private readAt = 0
  private headBytes = 0
  private underWayBytes = 0
  /** When each was taken. */
  private readonly onWire = new Map<string, number>()
  protected ended: Array<Ended<Row, Result>> = []
  private readonly parallel: number
  private readonly holdsUntilWritten: boolean

  /**
   * `parallel` rows may be on the wire at once; with `holdsUntilWritten` a place on it is free again only once its result
   * is taken to be written, so that no more rows are reserved without a result than are on the wire.
   */
  constructor(parallel: number, holdsUntilWritten = false) {
    this.parallel = parallel
    this.holdsUntilWritten = holdsUntilWritten
  }

  /** The result of a row that must not leave under these terms, or undefined; `at` in epoch milliseconds. */
  protected voids(_row: Row, _terms: Terms, _at: number): Result | undefined {
    return undefined
  }

  /** True while what has ended forbids that anything starts. */
  protected stops(_terms: Terms): boolean {
    return false
  }

  /** Rows read and not yet on the wire. */
  get waiting(): number {
    return this.head.length - this.next
  }

  /** Bytes of those. */
  get waitingBytes(): number {
    return this.headBytes
  }

  get wire(): number {
    return this.onWire.size
  }

  /** Rows that have ended and are not written yet. */
  get unwritten(): number {
    return this.ended.length
  }

  /** Places on the wire that are free. */
  get room(): number {
    return Math.max(0, this.parallel - this.onWire.size - (this.holdsUntilWritten ? this.ended.length : 0))
  }

  /** Bytes of all bodies held. */
  get bytes(): number {
    return this.headBytes + this.underWayBytes
  }

  /** Rows a read may find although they are under way here. */
  get underWay(): ReadonlyArray<string> {
    return [...this.onWire.keys(), ...this.ended.map(({ row }) => row.id)]
  }

  /** True while the head was read too long ago to leave: it must be read again. `at` in epoch milliseconds. */
  isStale(at: number): boolean {
    return this.waiting > 0 && at - this.readAt > freshMs
  }

  /** Replaces the head by what was just read, at `at`; what is under way is left out. */
  fill(rows: ReadonlyArray<Row>, at: number): void {
    const known = new Set(this.underWay)
    this.readAt = at
    this.head = rows.filter(({ id }) => !known.has(id))
    this.next = 0
    this.headBytes = sum(this.head)
  }

  /** Forgets the head: it will be read again. */
  clear(): void {
    this.head = []
    this.next = 0
    this.headBytes = 0
  }

  /** The next row to put on the wire, while there is room; one that must not leave ends here. `at` in epoch milliseconds. */
  take(terms: Terms, at: number): Row | undefined {
    if (this.stops(terms)) return undefined
    while (this.room > 0 && this.next < this.head.length) {
      const row = this.head[this.next++] as Row
      this.headBytes -= row.bytes
      this.underWayBytes += row.bytes
      const result = this.voids(row, terms, at)
      if (result === undefined) {
        this.onWire.set(row.id, at)
        return row
      }
      this.ended.push({ row, result, since: at, at, sent: false })
    }
    return undefined
  }

  /** A row that was on the wire ended. */
  end(row: Row, result: Result, at: number): void {
    const since = this.onWire.get(row.id)
    if (since === undefined) return
    this.onWire.delete(row.id)
    this.ended.push({ row, result, since, at, sent: true })
  }

  /** A row that was to leave did not, and nothing is known of it but what is stored. */
  forget(row: Row): void {
    if (this.onWire.delete(row.id)) this.underWayBytes -= row.bytes
  }

  /** Takes what has ended, at most `count`, to be written. */
  drain(count: number): ReadonlyArray<Ended<Row, Result>> {
    const batch = this.ended.splice(0, count)
    for (const { row } of batch) this.underWayBytes -= row.bytes
    return batch
  }
}

const sum = (rows: ReadonlyArray<QueueRow>): number => rows.reduce((total, { bytes }) => total + bytes, 0)
