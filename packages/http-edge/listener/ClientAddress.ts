import { BlockList, isIP } from "node:net"

/** Returns the source address of a request from its peer and forwarding header. gaps-1 M */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string

/**
 * Trusts the forwarding header of the given proxies only (addresses or CIDR ranges): the source is the last hop that is
 * not one of them.
 */
export const clientAddress = (trustedProxies: ReadonlyArray<string>): ClientAddress => {
  if (trustedProxies.length === 0) return (peer) => plain(peer ?? "")
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = "", bits] = entry.split("/", 2)
    const family = isIP(address) === 6 ? "ipv6" : "ipv4"
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")
  return (peer, forwardedFor) => {
    let source = plain(peer ?? "")
    if (forwardedFor === undefined) return source
    const hops = forwardedFor.split(",")
    while (hops.length > 0 && isIP(source) !== 0 && isTrusted(source)) {
      const hop = plain((hops.pop() as string).trim())
      if (isIP(hop) === 0) break
      source = hop
    }
    return source
  }
}

// A dual-stack listener shows IPv4 peers in their mapped form.
const plain = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address)
