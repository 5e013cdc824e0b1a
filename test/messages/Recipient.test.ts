import {
  readPhone,
  readPossiblePhone,
  readRecipient,
  readStructuredPhone
} from "@carteiro/runtime/messages/message/Recipient.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { matchKey, spellingsOf } from "@carteiro/schema/messages/Vocabulary.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"

const verdict = (read: Result.Result<{ readonly id: string }, ApiError>) =>
  Result.isSuccess(read) ? read.success.id : `${read.failure._tag} ${read.failure.param}`

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength })

describe("recipient.id", () => {
  it("takes 8 to 15 digits with separators anywhere and shows them with a plus M-RCP-01, M-RCP-02", () => {
    const separated = fc.tuple(
      digits(8, 15),
      fc.boolean(),
      fc.array(fc.constantFrom("", " ", "(", ")", ".", "-"), { minLength: 16, maxLength: 16 })
    )
    fc.assert(
      fc.property(separated, ([number, plus, between]) => {
        const written = [...number].map((digit, index) => `${between[index]}${digit}`).join("") + between[15]
        assert.strictEqual(verdict(readPhone((plus ? "+" : "") + written, "recipient.id")), `+${number}`)
      })
    )
  })

  it("refuses everything else with param recipient.id M-RCP-03, M-RCP-11, M-INB-18", () => {
    for (const id of [
      "",
      "+",
      "1234567",
      "+1234567890123456",
      "5511+912345678",
      "++5511912345678",
      "5511912345678x",
      "٥٥١١٩١٢٣٤٥٦٧٨",
      "55\u00a011912345678",
      "55/11912345678",
      " ".repeat(10_000)
    ]) {
      const read = readPhone(id, "recipient.id")
      assert.strictEqual(verdict(read), "invalid_phone_e164 recipient.id", id)
      if (Result.isFailure(read)) assert.strictEqual(read.failure.status, 400)
    }
  })
})

describe("structured recipient", () => {
  const cases: ReadonlyArray<readonly [code: string, national: string, expected: string]> = [
    ["55", "11912345678", "+5511912345678"],
    ["+55", "(11) 91234-5678", "+5511912345678"],
    ["1", "2125550123", "+12125550123"],
    ["800", "12345678", "+80012345678"],
    ["999", "11912345678", "invalid_phone_country_calling_code recipient.country_calling_code"],
    ["9", "11912345678", "invalid_phone_country_calling_code recipient.country_calling_code"],
    ["055", "11912345678", "invalid_phone_country_calling_code recipient.country_calling_code"],
    ["0055", "11912345678", "invalid_phone_country_calling_code recipient.country_calling_code"],
    ["BR", "11912345678", "invalid_phone_country_calling_code recipient.country_calling_code"],
    ["", "11912345678", "invalid_phone_country_calling_code recipient.country_calling_code"],
    ["55", "119", "invalid_phone_national_number recipient.national_number"],
    ["55", "1191234567890123", "invalid_phone_national_number recipient.national_number"],
    ["55", "", "invalid_phone_national_number recipient.national_number"],
    ["55", "+11912345678", "invalid_phone_national_number recipient.national_number"],
    ["55", "abc", "invalid_phone_national_number recipient.national_number"],
    ["55", "1112345678", "invalid_phone_e164 recipient"],
    ["1", "1112223333", "invalid_phone_e164 recipient"]
  ]

  it.each(cases)("+%s %s gives %s M-RCP-06, M-RCP-07, M-RCP-08, M-RCP-09", (code, national, expected) => {
    assert.strictEqual(verdict(readStructuredPhone(code, national)), expected)
  })

  it("never throws and only answers the three phone codes M-RCP-11", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 6 }),
        fc.oneof(fc.string({ maxLength: 20 }), digits(0, 20)),
        (code, national) => {
          const read = readStructuredPhone(code, national)
          if (Result.isSuccess(read)) assert.match(read.success.id, /^\+\d{4,15}$/)
          else assert.match(read.failure._tag, /^invalid_phone_/)
        }
      )
    )
  })
})

describe("both forms", () => {
  it("read alike whichever way a phone is written, gaps-2 B Both or neither recipient form", () => {
    const written = readRecipient({ type: "phone_e164", id: "55 11 91234-5678" })
    const structured = readRecipient({ type: "phone_e164", country_calling_code: "55", national_number: "11912345678" })
    assert.deepStrictEqual(written, structured)
  })

  it("leave an opaque id as it is, gaps-2 B Social and channel addressing", () => {
    assert.deepStrictEqual(
      readRecipient({ type: "social_user", id: "(1)" }),
      Result.succeed({ type: "social_user" as const, id: "(1)", key: "(1)" })
    )
  })
})

describe("match key", () => {
  it("adds the ninth digit to a Brazilian mobile number, gaps-2 B Same customer, two spellings", () => {
    assert.strictEqual(matchKey("551191234567"), "5511991234567")
    assert.strictEqual(matchKey("551161234567"), "5511961234567")
    assert.strictEqual(matchKey("551131234567"), "551131234567")
    assert.strictEqual(matchKey("5511991234567"), "5511991234567")
    assert.strictEqual(matchKey("351912345678"), "351912345678")
    assert.strictEqual(matchKey("5215512345678"), "525512345678")
    assert.strictEqual(matchKey("525512345678"), "525512345678")
    assert.strictEqual(matchKey("5491112345678"), "541112345678")
    assert.deepStrictEqual(spellingsOf("541112345678"), ["541112345678", "5491112345678"])
  })

  it("is the same after one step and changes mobiles of Brazil, Mexico and Argentina alone M-WIN-02 U-INB-08", () => {
    fc.assert(
      fc.property(digits(8, 15), (number) => {
        const key = matchKey(number)
        assert.strictEqual(matchKey(key), key)
        if (key !== number) assert.match(number, /^(?:55\d\d[6-9]\d{7}|521\d{10}|549\d{10})$/)
      })
    )
  })

  it("keeps the sent number as given, gaps-2 B Same customer, two spellings", () => {
    const read = readPhone("+551191234567", "recipient.id")
    assert.deepStrictEqual(
      read,
      Result.succeed({ type: "phone_e164" as const, id: "+551191234567", key: "5511991234567" })
    )
  })
})

describe("possible number", () => {
  it("needs a length its numbering plan has M-SBX-13", () => {
    assert.strictEqual(verdict(readPossiblePhone("+55 11 91234-5678", "from")), "+5511912345678")
    for (const from of ["+5511912", "+99912345678", "+12345678", "nobody", ""]) {
      assert.strictEqual(verdict(readPossiblePhone(from, "from")), "invalid_phone_e164 from", from)
    }
  })
})
