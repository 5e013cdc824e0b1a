/** A map that forgets what was added longest ago beyond `most` entries. What it forgets must be cheap to find out again. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>()
  /** Keys in the order they were added, in a ring: a map that is emptied from its front is slow to look at there. */
  private readonly order: Array<K> = []
  private next = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get(key: K): V | undefined {
    return this.entries.get(key)
  }

  set(key: K, value: V): void {
    if (!this.entries.has(key)) {
      if (this.order.length === this.most) this.entries.delete(this.order[this.next] as K)
      this.order[this.next] = key
      this.next = (this.next + 1) % this.most
    }
    this.entries.set(key, value)
  }

  delete(key: K): void {
    this.entries.delete(key)
  }
}
