import { BlockList, isIPv4 } from "node:net"

const listOf = (family: "ipv4" | "ipv6", subnets: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = "", bits] = subnet.split("/")
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

/**
 * The IANA special-purpose registry, multicast, class E and the retired 6to4 anycast; all other addresses are public.
 */
const specialIpv4 = listOf("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4"
])

const globalIpv6 = listOf("ipv6", ["2000::/3"])
const specialIpv6 = listOf("ipv6", ["2001::/23", "2001:db8::/32", "3fff::/20"])

const publicIpv4 = (address: string): boolean => !specialIpv4.check(address, "ipv4")

/** Returns the eight groups of an IPv6 address as the URL parser writes it: lower case, at most one `::`, no dots. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""))
  const zeros = Array<string>(8 - head.length - tail.length).fill("0")
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}

/**
 * Returns the IPv4 addresses that a packet to an address of a translating prefix may reach; undefined for any other.
 */
const translated = (
  at: (index: number) => number,
  ipv4At: (index: number) => string
): ReadonlyArray<string> | undefined => {
  const zero = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => at(from + i)).every((g) => g === 0)
  // Mapped ::ffff:a.b.c.d and compatible ::a.b.c.d; the latter holds :: and ::1 as 0.0.0.0 and 0.0.0.1.
  if (zero(0, 5) && (at(5) === 0xffff || at(5) === 0)) return [ipv4At(6)]
  // The well-known NAT64 prefix only: 64:ff9b:1::/48 is for local use, whatever it embeds.
  if (at(0) === 0x64 && at(1) === 0xff9b && zero(2, 6)) return [ipv4At(6)]
  if (at(0) === 0x2002) return [ipv4At(1)]
  // Teredo names its server in clear and its client inverted; a packet may be relayed to either.
  if (at(0) === 0x2001 && at(1) === 0) return [ipv4At(2), dotted(0xffff - at(6), 0xffff - at(7))]
  return undefined
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".")

const publicIpv6 = (address: string): boolean => {
  const groups = groupsOf(address)
  const at = (index: number): number => groups[index] ?? 0
  const ipv4At = (index: number): string => dotted(at(index), at(index + 1))
  const behind = translated(at, ipv4At)
  if (behind !== undefined) return behind.every(publicIpv4)
  if (!globalIpv6.check(address, "ipv6") || specialIpv6.check(address, "ipv6")) return false
  // ISATAP: a tunnel router hands the packet to the IPv4 address in the interface identifier.
  return (at(4) !== 0 && at(4) !== 0x200) || at(5) !== 0x5efe || publicIpv4(ipv4At(6))
}

/**
 * Returns the kind of an IP address, in any literal notation that a URL parser or resolver yields: "public" for global
 * unicast, "unsafe" for loopback, private, link-local, shared, multicast, unspecified, documentation, benchmarking and
 * reserved ranges. Forms of IPv6 that embed IPv4 are judged by the embedded address. gaps-1 J "Unsafe destinations"
 */
export const classifyAddress = (text: string): "public" | "unsafe" | "not_an_address" => {
  // Brackets and a zone are not part of an address; other characters that cannot be in one never reach the URL parser.
  const bare = text.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "")
  if (!/^[\da-fx.:]+$/i.test(bare) || bare.endsWith(".")) return "not_an_address"
  const six = bare.includes(":")
  const host = URL.parse(`http://${six ? `[${bare}]` : bare}/`)?.hostname
  if (host === undefined || !(six || isIPv4(host))) return "not_an_address"
  return (six ? publicIpv6(host.slice(1, -1)) : publicIpv4(host)) ? "public" : "unsafe"
}

/** True when a text is an IP address that is public on the internet. gaps-1 J "Unsafe destinations" */
export const isPublicAddress = (text: string): boolean => classifyAddress(text) === "public"
