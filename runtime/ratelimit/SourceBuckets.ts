import { isIPv6 } from "node:net"
import { type Bucket, levelAt, type Rate, type Taken, take } from "./TokenBucket.ts"

/** The most sources in memory: beyond them the oldest is removed. */
const mostSources = 10_000

/** The interval between two removals of full buckets, in milliseconds. */
const pruneMillis = 60_000

/** The buckets of one node by source address; every draw may remove those that are full again. gaps-1 M "Numbers" */
export class SourceBuckets {
  private readonly buckets = new Map<string, { readonly bucket: Bucket; readonly rate: Rate }>()
  private prunedAt = 0

  /** Takes a token from a source's bucket. */
  take(name: string, ip: string, rate: Rate, now: number): Taken {
    this.prune(now)
    const key = `${name}/${sourceOf(ip)}`
    const taken = take(this.buckets.get(key)?.bucket, rate, now)
    this.buckets.set(key, { bucket: taken.bucket, rate })
    if (this.buckets.size > mostSources) this.buckets.delete(this.buckets.keys().next().value as string)
    return taken
  }

  /** Returns the wait in milliseconds until a source finds a token; undefined when there is one. */
  waitOf(name: string, ip: string, rate: Rate, now: number): number | undefined {
    if (this.buckets.size === 0) return undefined
    this.prune(now)
    const found = this.buckets.get(`${name}/${sourceOf(ip)}`)
    if (found === undefined || levelAt(found.bucket, rate, now) >= 1) return undefined
    return take(found.bucket, rate, now).retryAfterMs
  }

  /** The number of sources in memory. */
  get size(): number {
    return this.buckets.size
  }

  private prune(now: number): void {
    if (now - this.prunedAt < pruneMillis) return
    this.prunedAt = now
    for (const [key, { bucket, rate }] of this.buckets) {
      if (levelAt(bucket, rate, now) >= rate.burst) this.buckets.delete(key)
    }
  }
}

/**
 * Returns the part of an address that identifies a source: all of IPv4, of IPv6 the first 64 bits, because one client
 * has its whole /64 network. gaps-1 M "Numbers"
 */
export const sourceOf = (ip: string): string => {
  if (!ip.includes(":") || !isIPv6(ip)) return ip
  const groups = groupsOf(ip.split("%", 1)[0] as string)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return `${groups.slice(0, 4).map(hex).join(":")}::/64`
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".")
}

const hex = (group: number): string => group.toString(16)

/** Returns the eight groups of an IPv6 address in any of its spellings. */
const groupsOf = (ip: string): ReadonlyArray<number> => {
  const [head = "", tail] = ip.split("::")
  const before = groupsIn(head)
  if (tail === undefined) return before
  const after = groupsIn(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const groupsIn = (text: string): ReadonlyArray<number> =>
  text === ""
    ? []
    : text.split(":").flatMap((group) => {
        if (!group.includes(".")) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number)
        return [(a << 8) | b, (c << 8) | d]
      })
