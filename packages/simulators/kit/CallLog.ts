/** One event at a simulator, as checks read it. */
export interface LogEntry {
  /** The number of the entry, from 1. */
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: string
  readonly [fact: string]: unknown
}

/** The most entries; older ones are dropped, so that a simulator can run for days. */
const most = 500_000

/** The log of one simulator, oldest first. */
export class CallLog {
  private entries: Array<LogEntry> = []
  private seq = 0
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  add(kind: string, facts: Readonly<Record<string, unknown>>): void {
    this.entries.push({ seq: ++this.seq, at: this.now(), kind, ...facts })
    if (this.entries.length > most) this.entries = this.entries.slice(most / 10)
  }

  /** Returns entries after one; with a kind, only entries of that kind. */
  read(after: number, kind: string | null): ReadonlyArray<LogEntry> {
    return this.entries.filter((entry) => entry.seq > after && (kind === null || entry.kind === kind))
  }

  clear(): void {
    this.entries = []
  }
}
