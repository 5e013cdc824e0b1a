/** The fields of a due row that every queue uses. */
export interface QueueRow {
  readonly id: string
  /** The size of the body it holds in memory. */
  readonly bytes: number
}

/** The end of one row; a row that was never `sent` did not leave. Instants are epoch milliseconds. */
export interface Ended<Row, Result> {
  readonly row: Row
  readonly result: Result
  /** The instant at which it was taken to leave. */
  readonly since: number
  readonly at: number
  readonly sent: boolean
}

/**
 * The time for which rows read ahead may still leave, in milliseconds. An erasure ends rows in the table without a
 * notice to the owner; after this time none of them goes out.
 */
const freshMs = 5000
/** Rows that a first read takes ahead, and the fewest that a later one takes. */
const firstAhead = 200
const leastAhead = 50

/**
 * The rows of one owner in this node's memory: the head of the queue, the rows on the wire, and the ended rows that are
 * not written. `Terms` is the knowledge of the owner that decides whether a row may leave now.
 */
export class QueueRows<Terms, Row extends QueueRow, Result> {
  private head: Array<Row> = []
  private next = 0
  /** Rows that had left the head when it was read again or dropped. */
  private used = firstAhead / 4
  private readAt = 0
  private headBytes = 0
  private underWayBytes = 0
  /** The instant at which each row was taken. */
  private readonly onWire = new Map<string, number>()
  protected ended: Array<Ended<Row, Result>> = []
  private readonly parallel: number
  private readonly holdsUntilWritten: boolean

  /**
   * Allows `parallel` rows on the wire at once. With `holdsUntilWritten` a place becomes free only when its result is
   * taken to be written, so that no more rows are reserved without a result than are on the wire.
   */
  constructor(parallel: number, holdsUntilWritten = false) {
    this.parallel = parallel
    this.holdsUntilWritten = holdsUntilWritten
  }

  /** Returns the result of a row that must not leave under these terms, or undefined; `at` in epoch milliseconds. */
  protected voids(_row: Row, _terms: Terms, _at: number): Result | undefined {
    return undefined
  }

  /** True while ended rows forbid that any row starts. */
  protected stops(_terms: Terms): boolean {
    return false
  }

  /** Returns the number of rows read and not yet on the wire. */
  get waiting(): number {
    return this.head.length - this.next
  }

  /** Returns the bytes of waiting rows. */
  get waitingBytes(): number {
    return this.headBytes
  }

  get wire(): number {
    return this.onWire.size
  }

  /** Returns the number of ended rows that are not written yet. */
  get unwritten(): number {
    return this.ended.length
  }

  /** Returns the number of free places on the wire. */
  get room(): number {
    return Math.max(0, this.parallel - this.onWire.size - (this.holdsUntilWritten ? this.ended.length : 0))
  }

  /** Returns the bytes of all bodies held. */
  get bytes(): number {
    return this.headBytes + this.underWayBytes
  }

  /**
   * Returns how many rows a read takes ahead, `most` at most: four times as many as left since the read before. So the rows of a
   * fast receiver are hardly read twice, and those of a slow one do not wait until they are stale.
   */
  ahead(most: number): number {
    return Math.min(most, Math.max(leastAhead, 4 * this.used))
  }

  /** Returns rows that are under way here and that a read may still find. */
  get underWay(): ReadonlyArray<string> {
    return [...this.onWire.keys(), ...this.ended.map(({ row }) => row.id)]
  }

  /** True when the head was read too long ago to leave: it must be read again. `at` in epoch milliseconds. */
  isStale(at: number): boolean {
    return this.waiting > 0 && at - this.readAt > freshMs
  }

  /** Replaces the head by rows read at `at`, without those under way. */
  fill(rows: ReadonlyArray<Row>, at: number): void {
    const known = new Set(this.underWay)
    this.clear()
    this.readAt = at
    this.head = rows.filter(({ id }) => !known.has(id))
    this.headBytes = sum(this.head)
  }

  /** Drops the head: it is read again. */
  clear(): void {
    if (this.head.length > 0) this.used = this.next
    this.head = []
    this.next = 0
    this.headBytes = 0
  }

  /**
   * Returns the next row to send while there is room. A row that must not leave ends here. `at` in epoch milliseconds.
   */
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

  /** Ends a row that was on the wire. */
  end(row: Row, result: Result, at: number): void {
    const since = this.onWire.get(row.id)
    if (since === undefined) return
    this.onWire.delete(row.id)
    this.ended.push({ row, result, since, at, sent: true })
  }

  /** Forgets a row that was to leave and did not: only its stored state counts. */
  forget(row: Row): void {
    if (this.onWire.delete(row.id)) this.underWayBytes -= row.bytes
  }

  /** Returns ended rows, at most `count`, to be written. */
  drain(count: number): ReadonlyArray<Ended<Row, Result>> {
    const batch = this.ended.splice(0, count)
    for (const { row } of batch) this.underWayBytes -= row.bytes
    return batch
  }
}

const sum = (rows: ReadonlyArray<QueueRow>): number => rows.reduce((total, { bytes }) => total + bytes, 0)
