import { assert, it } from "@effect/vitest"
import { currentDescription } from "../../packages/openapi/Contract.ts"

interface Described {
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<string | null>
  readonly pattern?: string
  readonly description?: string
}

/** Every member of the description with what is said of it, wherever it stands. */
const members = (node: unknown): ReadonlyArray<readonly [name: string, described: Described]> => {
  if (typeof node !== "object" || node === null) return []
  const { properties } = node as { readonly properties?: Readonly<Record<string, Described>> }
  return [...Object.entries(properties ?? {}), ...Object.values(node).flatMap(members)]
}

const all = members(JSON.parse(currentDescription()))
const of = (name: (text: string) => boolean) => all.filter(([member]) => name(member)).map(([, described]) => described)
const literals = (name: string) =>
  new Set(
    of((member) => member === name).flatMap(({ enum: values }) => values?.filter((value) => value !== null) ?? [])
  )

it("spells providers neutrally A-CONV-05", () => {
  const neutral = [
    "upstream",
    "pixprov1",
    "pixprov2",
    "numprov",
    "cardproc",
    "speechprov1",
    "speechprov2",
    "speechprov3"
  ]
  // Where credit came from that no provider took.
  const ours = ["manual", "promotion"]
  assert.includeMembers([...neutral, ...ours], [...literals("provider")])
  assert.includeMembers([...literals("provider")], ["upstream", "pixprov1", "pixprov2", "cardproc"])
})

it("answers amounts as strings with four decimal places A-CONV-19", () => {
  const amounts = of((member) => member.endsWith("_brl"))
  assert.isAbove(amounts.length, 20)
  for (const { pattern, type } of amounts) {
    assert.include([type].flat(), "string")
    // What callers send may have fewer.
    assert.include(["^\\d+\\.\\d{4}$", "^-?\\d+\\.\\d{4}$", "^[0-9]{1,9}(\\.[0-9]{1,2})?$"], pattern)
  }
})

it("knows no other currency than BRL A-CONV-20", () => {
  // A customer's order has the currency of a catalog at the platform, which is not ours to choose.
  const ofCatalogs = /^ISO 4217 code of the price's currency/
  const currencies = of((member) => member === "currency").filter(
    ({ description = "" }) => !ofCatalogs.test(description)
  )
  assert.isAbove(currencies.length, 5)
  for (const { enum: values } of currencies) assert.match(String(values), /^brl$/i)
})
