/** Bytes of a 32-bit address as one unsigned number, from every notation `inet_aton` takes. */
const parseIpv4 = (text: string): number | undefined => {
  const parts = text.split(".")
  if (parts.length > 4) return undefined
  const numbers: Array<number> = []
  for (const part of parts) {
    if (/^0x[0-9a-f]*$/i.test(part)) numbers.push(part.length === 2 ? 0 : Number.parseInt(part, 16))
    else if (/^0[0-7]*$/.test(part)) numbers.push(Number.parseInt(part, 8))
    else if (/^[1-9][0-9]*$/.test(part)) numbers.push(Number(part))
    else return undefined
  }
  const last = numbers.pop()
  if (last === undefined || last >= 256 ** (4 - numbers.length)) return undefined
  if (numbers.some((number) => number > 255)) return undefined
  return numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last)
}

const groupsOf = (text: string): Array<number> | undefined => {
  if (text === "") return []
  const groups: Array<number> = []
  const parts = text.split(":")
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes(".")) {
      if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(part)) return undefined
      const bytes = part.split(".").map(Number)
      if (bytes.some((byte) => byte > 255)) return undefined
      const [a = 0, b = 0, c = 0, d = 0] = bytes
      groups.push(a * 256 + b, c * 256 + d)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

/** The eight groups of an IPv6 address; brackets and a zone are taken off first. */
const parseIpv6 = (text: string): Array<number> | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "")
  const halves = bare.split("::")
  if (halves.length > 2) return undefined
  const head = groupsOf(halves[0] ?? "")
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === 8 ? head : undefined
  const tail = groupsOf(halves[1] ?? "")
  if (tail === undefined || head.length + tail.length > 7) return undefined
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const range = (network: string, bits: number) => {
  const size = 2 ** (32 - bits)
  return { first: parseIpv4(network) ?? 0, size }
}

/** The IANA special-purpose registry, multicast, class E and the retired 6to4 anycast; all else is public. */
const specialIpv4 = [
  range("0.0.0.0", 8),
  range("10.0.0.0", 8),
  range("100.64.0.0", 10),
  range("127.0.0.0", 8),
  range("169.254.0.0", 16),
  range("172.16.0.0", 12),
  range("192.0.0.0", 24),
  range("192.0.2.0", 24),
  range("192.88.99.0", 24),
  range("192.168.0.0", 16),
  range("198.18.0.0", 15),
  range("198.51.100.0", 24),
  range("203.0.113.0", 24),
  range("224.0.0.0", 4),
  range("240.0.0.0", 4)
]

const publicIpv4 = (address: number): boolean =>
  !specialIpv4.some(({ first, size }) => address >= first && address < first + size)

const publicIpv6 = (groups: ReadonlyArray<number>): boolean => {
  const at = (index: number): number => groups[index] ?? 0
  const embedded = (index: number): number => at(index) * 65536 + at(index + 1)
  const zero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0)
  // Mapped ::ffff:a.b.c.d and compatible ::a.b.c.d; the latter holds :: and ::1 as 0.0.0.0 and 0.0.0.1.
  if (zero(0, 5) && (at(5) === 0xffff || at(5) === 0)) return publicIpv4(embedded(6))
  // The well-known NAT64 prefix only: 64:ff9b:1::/48 is for local use, whatever it embeds.
  if (at(0) === 0x64 && at(1) === 0xff9b && zero(2, 6)) return publicIpv4(embedded(6))
  if (at(0) < 0x2000 || at(0) > 0x3fff) return false
  if (at(0) === 0x2002) return publicIpv4(embedded(1))
  // Teredo names its server in clear and its client inverted; a packet may be relayed to either.
  if (at(0) === 0x2001 && at(1) === 0) return publicIpv4(embedded(2)) && publicIpv4(0xffffffff - embedded(6))
  if (at(0) === 0x2001 && at(1) < 0x200) return false
  if (at(0) === 0x2001 && at(1) === 0xdb8) return false
  if (at(0) === 0x3fff && at(1) < 0x1000) return false
  // ISATAP: a tunnel router hands the packet to the IPv4 address in the interface identifier.
  if ((at(4) === 0 || at(4) === 0x200) && at(5) === 0x5efe) return publicIpv4(embedded(6))
  return true
}

/**
 * What a text is as an IP address, in any literal notation a URL parser or resolver yields: "public" for global
 * unicast, "unsafe" for loopback, private, link-local, shared, multicast, unspecified, documentation, benchmarking and
 * reserved ranges. Forms of IPv6 that embed IPv4 are judged by the embedded address. gaps-1 J "Unsafe destinations"
 */
export const classifyAddress = (text: string): "public" | "unsafe" | "not_an_address" => {
  if (text.includes(":")) {
    const groups = parseIpv6(text)
    return groups === undefined ? "not_an_address" : publicIpv6(groups) ? "public" : "unsafe"
  }
  const address = parseIpv4(text)
  return address === undefined ? "not_an_address" : publicIpv4(address) ? "public" : "unsafe"
}

/** Whether a text is an IP address anyone on the internet may be sent to. gaps-1 J "Unsafe destinations" */
export const isPublicAddress = (text: string): boolean => classifyAddress(text) === "public"
