import { readFileSync } from "node:fs"
import { join } from "node:path"
import { matchKey, phoneDigits } from "@carteiro/schema/messages/PhoneDigits.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { readablePhone, readPhone } from "../Phone.ts"

interface PhoneCases {
  readonly region: string
  readonly wanted: ReadonlyArray<readonly [written: string, phone: string | null]>
}

const { region, wanted } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../test/cases/phones.json"), "utf8")
) as PhoneCases

/** Returns the number that was read, or the fault and the likely number. */
const verdict = (written: string, within = region): string => {
  const { phone, refusal } = readPhone(written, within)
  return phone ?? `${refusal.fault} ${refusal.likely ?? "-"}`
}

const brazilianMobile = fc
  .tuple(fc.constantFrom("11", "21", "55", "68", "99"), fc.stringMatching(/^\d{8}$/))
  .map(([area, rest]) => ({ area, rest, phone: `+55${area}9${rest}` }))

describe("A phone as people write it", () => {
  const cited = 'gaps-2 A "Phones outside `recipient.id`"'
  for (const [written, phone] of wanted) {
    it(`reads ${JSON.stringify(written)} as ${phone ?? "no number"}, ${cited}`, () => {
      assert.strictEqual(readPhone(written, region).phone ?? null, phone)
    })
  }

  it("reads every spelling of one mobile number as that number", () => {
    fc.assert(
      fc.property(brazilianMobile, ({ area, phone, rest }) => {
        const local = `9${rest.slice(0, 4)}-${rest.slice(4)}`
        const spellings = [
          ...[
            phone,
            `00${phone.slice(1)}`,
            phone.slice(1),
            `0${area}${local}`,
            `(${area}) ${local}`,
            `(0${area}) ${local}`
          ],
          ...[`(0xx${area}) ${local}`, `0XX ${area} ${local}`, `(0**${area}) ${local}`, `+55 (0xx${area}) ${local}`],
          ...[`+55 (0${area}) ${local}`, `55 ${area} ${local}`, `\u2066${area}\u00a0${local}\u2069`, `${area}/${local}`]
        ]
        for (const spelling of spellings) assert.strictEqual(readPhone(spelling, "BR").phone, phone, spelling)
      })
    )
  })

  it("refuses the stand-in for a carrier where no area code follows, and in other regions", () => {
    assert.strictEqual(verdict("0xx 98765-4321", "BR"), "invalid -")
    assert.isDefined(readPhone("(0xx11) 98765-4321", "US").refusal)
  })

  it("reads what it made of a text as that number again, in every region", () => {
    const text = fc.string({ unit: fc.constantFrom(..."0123456789+() -."), minLength: 6, maxLength: 24 })
    fc.assert(
      fc.property(text, fc.constantFrom("BR", "US", "IT", "AR", "MX", "GB"), (written, within) => {
        const { phone, refusal } = readPhone(written, within)
        const made = phone ?? refusal.likely
        if (made === undefined) return
        assert.isDefined(phoneDigits(made), made)
        for (const again of ["BR", "US"]) assert.strictEqual(readPhone(made, again).phone, made)
      }),
      { numRuns: 300, examples: [["4960000000000000", "BR"]] }
    )
  })

  it("accepts a mobile number without its ninth digit where the number with it exists", () => {
    fc.assert(
      fc.property(brazilianMobile, fc.constantFrom("6", "7", "8", "9"), ({ area, rest }, first) => {
        const short = `55${area}${first}${rest.slice(1)}`
        assert.strictEqual(readPhone(`+${short}`, "BR").phone, `+${short}`)
        assert.strictEqual(readPhone(short.slice(2), "BR").phone, `+${matchKey(short)}`)
      })
    )
  })

  it("reads a national number in its region alone, and an international one in any", () => {
    assert.strictEqual(verdict("(415) 555-0100", "US"), "+14155550100")
    assert.strictEqual(verdict("06 1234 5678", "IT"), "+390612345678")
    assert.strictEqual(verdict("07911 123456", "GB"), "+447911123456")
    assert.strictEqual(verdict("+52 1 55 1234 5678", "BR"), "+5215512345678")
    assert.strictEqual(verdict("40041234"), "+5540041234")
    assert.strictEqual(verdict("11987654321", "XX"), "invalid -")
  })

  it("names the likely number, also one that is valid abroad with a plus", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["14155550100", "invalid +14155550100"],
      ["+11987654321", "invalid +5511987654321"],
      ["00 (11) 98765-4321", "invalid +5511987654321"],
      ["+0055 11 98765-4321", "invalid +5511987654321"],
      ["tel: (11) 98765-4321", "invalid +5511987654321"],
      ["１１９８７６５４３２１", "invalid +5511987654321"],
      ["5511987654321,00", "decimal +5511987654321"],
      ["11987654321.0", "decimal +5511987654321"],
      ["5.5119876E+12", "exponent -"],
      ["5.511987654321e12", "exponent +5511987654321"],
      ["11 98765-4321 / 11 91234-5678", "invalid -"],
      ["", "invalid -"],
      ["9".repeat(10_000), "invalid -"]
    ]
    for (const [written, expected] of cases) assert.strictEqual(verdict(written), expected, written)
    assert.strictEqual(verdict("011 55 11 98765-4321", "US"), "invalid +5511987654321")
    assert.strictEqual(
      readPhone("14155550100", "BR").refusal?.message,
      "The region BR has no such phone number. Did you mean +14155550100?"
    )
    assert.match(readPhone("11987654321.0", "BR").refusal?.message ?? "", /ends in \.0.*as text.*\+5511987654321\?$/)
    assert.match(
      readPhone("5.5119876E+12", "BR").refusal?.message ?? "",
      /ends in E\+12.*as text and write it again\.$/
    )
  })

  it("is read with spaces, and with its country where the numbering plan tells it", () => {
    const cases: ReadonlyArray<readonly [string, string, string | undefined]> = [
      ["+5511988887777", "+55 11 98888-7777", "BR"],
      ["+554155550134", "+55 41 5555-0134", "BR"],
      ["+14155550134", "+1 415 555 0134", "US"],
      ["+351912345678", "+351 912 345 678", "PT"],
      ["+10005550134", "+1 0005550134", undefined],
      ["us_abc", "us_abc", undefined]
    ]
    for (const [phone, text, region] of cases) assert.deepStrictEqual(readablePhone(phone), { text, region }, phone)
  })
})
