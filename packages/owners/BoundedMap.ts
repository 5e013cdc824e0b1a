/**
 * A map of at most `most` entries: adding another removes the oldest. Use it only for values that are cheap to compute
 * again.
 */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>()
  /**
   * Keys in the order they were added, in a ring buffer, because looking up the first key of a map that loses its
   * oldest entries is slow.
   */
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

/**
 * A bounded cache of what is known of tenants: an entry of another era than the reader's is absent. A reset of a tenant
 * begins another era; see `eraOf`.
 */
export class EraCache<V> {
  private readonly entries: BoundedMap<string, { readonly era: number; readonly value: V }>

  constructor(most: number) {
    this.entries = new BoundedMap(most)
  }

  get(key: string, era: number): V | undefined {
    const entry = this.entries.get(key)
    return entry?.era === era ? entry.value : undefined
  }

  set(key: string, era: number, value: V): void {
    this.entries.set(key, { era, value })
  }

  delete(key: string): void {
    this.entries.delete(key)
  }
}
