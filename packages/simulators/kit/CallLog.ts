/** What happened at a simulator, as checkers read it. */
export interface LogEntry {
  /** 1 for the first. */
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: string
  readonly [fact: string]: unknown
}

/** Entries kept; older ones are dropped, so that a simulator can run for days. */
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

  /** Entries behind one, those of a kind alone where one is named. */
  read(after: number, kind: string | null): ReadonlyArray<LogEntry> {
    return this.entries.filter((entry) => entry.seq > after && (kind === null || entry.kind === kind))
  }

  clear(): void {
    this.entries = []
  }
}
