/** Acts in the order of their instants; acts of one instant keep the order of their entry. */
export class Agenda {
  /** The instant of the act that runs, in milliseconds. */
  now = 0
  private entered = 0
  private readonly heap: Array<readonly [at: number, order: number, act: () => void]> = []

  after(ms: number, act: () => void): void {
    const { heap } = this
    heap.push([this.now + ms, this.entered++, act])
    let at = heap.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.before(at, parent)) break
      this.swap(at, parent)
      at = parent
    }
  }

  /** Acts until the instant; what comes later stays. */
  runUntil(end: number): void {
    for (let next = this.heap[0]; next !== undefined && next[0] <= end; next = this.heap[0]) {
      this.takeFirst()
      this.now = next[0]
      next[2]()
    }
  }

  private takeFirst(): void {
    const { heap } = this
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && this.before(child, least)) least = child
      if (least === at) return
      this.swap(at, least)
      at = least
    }
  }

  private before(a: number, b: number): boolean {
    const [one, other] = [this.heap[a], this.heap[b]]
    if (one === undefined || other === undefined) return false
    return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1])
  }

  private swap(a: number, b: number): void {
    const [one, other] = [this.heap[a], this.heap[b]]
    if (one === undefined || other === undefined) return
    this.heap[a] = other
    this.heap[b] = one
  }
}

/** Cores that serve one queue in its order, and count how long they are busy. */
export class Cores {
  busyMs = 0
  private free: number
  private readonly agenda: Agenda
  private readonly queue: Array<readonly [ms: number, done: () => void]> = []
  private head = 0

  constructor(agenda: Agenda, cores: number) {
    this.agenda = agenda
    this.free = cores
  }

  serve(ms: number, done: () => void): void {
    this.queue.push([ms, done])
    this.next()
  }

  private next(): void {
    const work = this.queue[this.head]
    if (this.free === 0 || work === undefined) return
    this.head++
    if (this.head > 1024) this.head -= this.queue.splice(0, this.head).length
    const [ms, done] = work
    this.free--
    this.busyMs += ms
    this.agenda.after(ms, () => {
      this.free++
      done()
      this.next()
    })
  }
}
