import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { classifyAddress, isPublicAddress } from "../Addresses.ts"

const dotted = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".")
const hex = (address: number): string => `${(address >>> 16).toString(16)}:${(address % 65536).toString(16)}`
const numberOf = (text: string): number => text.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0)

const address = fc.integer({ min: 0, max: 0xffffffff })

/** First and last address of every IPv4 range that is not public unicast. */
const special = [
  ["0.0.0.0", "0.255.255.255", "this network"],
  ["10.0.0.0", "10.255.255.255", "private"],
  ["100.64.0.0", "100.127.255.255", "carrier-grade NAT"],
  ["127.0.0.0", "127.255.255.255", "loopback"],
  ["169.254.0.0", "169.254.255.255", "link-local"],
  ["172.16.0.0", "172.31.255.255", "private"],
  ["192.0.0.0", "192.0.0.255", "protocol assignments"],
  ["192.0.2.0", "192.0.2.255", "documentation"],
  ["192.88.99.0", "192.88.99.255", "6to4 anycast"],
  ["192.168.0.0", "192.168.255.255", "private"],
  ["198.18.0.0", "198.19.255.255", "benchmarking"],
  ["198.51.100.0", "198.51.100.255", "documentation"],
  ["203.0.113.0", "203.0.113.255", "documentation"],
  ["224.0.0.0", "255.255.255.255", "multicast, reserved, broadcast"]
] as const

const isSpecial = (value: number): boolean =>
  special.some(([first, last]) => value >= numberOf(first) && value <= numberOf(last))

const unsafe = [
  "::",
  "::1",
  "[::1]",
  "0:0:0:0:0:0:0:1",
  "::1%lo",
  "fe80::1%eth0",
  "fc00::1",
  "fdff:ffff::1",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "100::1",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:1ff::1",
  "2001:db8::1",
  "3fff::1",
  "3fff:fff::1",
  "4000::1",
  "5f00::1",
  "::ffff:0:8.8.8.8",
  "64:ff9b:1::8.8.8.8",
  "64:ff9b:1:7f00:0:100::",
  "2606:4700::5efe:10.0.0.1",
  "2606:4700::200:5efe:127.0.0.1",
  "2130706433",
  "0x7f000001",
  "0x7F.1",
  "017700000001",
  "0177.0.0.1",
  "127.1",
  "127.0.1",
  "10.1",
  "192.168.257",
  "0",
  "0x",
  "0xa9fea9fe"
]

const open = [
  "8.8.8.8",
  "134744072",
  "0x08080808",
  "010.010.010.010",
  "8.8.2056",
  "1.1.1.1",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "[2606:4700:4700::1111]",
  "2001:200::1",
  "2001:4860:4860::8888",
  "3ffe::1",
  "3fff:1000::1",
  "64:ff9b::8.8.8.8",
  "::ffff:8.8.8.8",
  "::8.8.8.8",
  "2002:808:808::1"
]

const neither = ["", ".", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "4294967296", "08.1.1.1", "1..1", "a.b", "example.com"]
const neither6 = [
  ":",
  ":::",
  "1::2::3",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "12345::",
  "::1.2.3",
  "::256.1.1.1",
  "g::"
]

describe("Addresses (gaps-1 J Unsafe destinations)", () => {
  for (const text of unsafe) it(`refuses ${text} A-WHE-20`, () => assert.strictEqual(classifyAddress(text), "unsafe"))
  for (const text of open) it(`allows ${text}`, () => assert.strictEqual(classifyAddress(text), "public"))
  for (const text of [...neither, ...neither6]) {
    it(`takes ${JSON.stringify(text)} for no address`, () =>
      assert.strictEqual(classifyAddress(text), "not_an_address"))
  }

  for (const [first, last, name] of special) {
    it(`refuses all of ${first} to ${last}, ${name}, and nothing beside it A-WHE-20`, () => {
      const [low, high] = [numberOf(first), numberOf(last)]
      fc.assert(fc.property(fc.integer({ min: low, max: high }), (value) => !isPublicAddress(dotted(value))))
      assert.isFalse(isPublicAddress(first) || isPublicAddress(last))
      for (const beside of [low - 1, high + 1]) {
        if (beside >= 0 && beside <= 0xffffffff && !isSpecial(beside)) assert.isTrue(isPublicAddress(dotted(beside)))
      }
    })
  }

  it("judges every IPv4 address by its range, in every notation A-WHE-20", () => {
    fc.assert(
      fc.property(address, (value) => {
        const [a = "", b = "", c = "", d = ""] = dotted(value).split(".")
        const tail = Number(c) * 256 + Number(d)
        const notations = [
          dotted(value),
          `${value}`,
          `0x${value.toString(16)}`,
          `0${value.toString(8)}`,
          `${a}.${b}.${tail}`,
          `${a}.${value % 2 ** 24}`,
          [a, b, c, d].map((byte) => `0${Number(byte).toString(8)}`).join("."),
          [a, b, c, d].map((byte) => `0x${Number(byte).toString(16)}`).join(".")
        ]
        for (const text of notations) assert.strictEqual(isPublicAddress(text), !isSpecial(value), text)
      }),
      { numRuns: 500 }
    )
  })

  it("judges every IPv6 form that embeds IPv4 by the embedded address A-WHE-20", () => {
    fc.assert(
      fc.property(address, (value) => {
        const inverted = 0xffffffff - value
        const forms = [
          `::ffff:${dotted(value)}`,
          `::ffff:${hex(value)}`,
          `0:0:0:0:0:ffff:${hex(value)}`,
          `::${dotted(value)}`,
          `64:ff9b::${dotted(value)}`,
          `64:ff9b::${hex(value)}`,
          `2002:${hex(value)}::1`,
          `2001:0:${hex(value)}:0:0:${hex(0xffffffff - numberOf("8.8.8.8"))}`,
          `2001:0:808:808:0:0:${hex(inverted)}`,
          `2606:4700::5efe:${dotted(value)}`
        ]
        for (const text of forms) assert.strictEqual(isPublicAddress(text), !isSpecial(value), text)
      }),
      { numRuns: 500 }
    )
  })

  it("allows no IPv6 address outside global unicast but the translated ones A-WHE-20", () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0] = groups
        fc.pre((first < 0x2000 || first > 0x3fff) && first !== 0 && first !== 0x64)
        assert.isFalse(isPublicAddress(groups.map((value) => value.toString(16)).join(":")))
      })
    )
  })

  it("agrees with the URL parser on numeric hosts", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-fx.]{1,20}$/), (text) => {
        const url = URL.parse(`http://${text}/`)
        const parsed = url !== null && /^\d+\.\d+\.\d+\.\d+$/.test(url.hostname)
        if (parsed && !text.endsWith(".")) assert.strictEqual(classifyAddress(text), classifyAddress(url.hostname))
      }),
      { numRuns: 2000 }
    )
  })
})
