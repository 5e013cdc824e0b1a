import { assert, describe, it } from "@effect/vitest"
import { readSource } from "./SourceText.ts"
import { unusedExports, unusedOperations } from "./UnusedExports.ts"

const unused = (files: Readonly<Record<string, string>>) =>
  unusedExports(new Map(Object.entries(files).map(([path, text]) => [path, readSource(text)]))).map(
    ({ path, line, message }) => `${path}:${line} ${message}`
  )

const rules = "runtime/webhooks/endpoint/Rules.ts"
const text = "/** One. */\nexport const one = 1\nexport type Two = 2\nexport class Three {}\n"
const user = 'import { one, type Two, Three as Third } from "./Rules.ts"\n'

describe("unused exports", () => {
  it("are those that no other file of the program imports", () => {
    assert.deepStrictEqual(unused({ [rules]: text }), [
      `${rules}:2 nothing imports one`,
      `${rules}:3 nothing imports Two`,
      `${rules}:4 nothing imports Three`
    ])
    assert.deepStrictEqual(unused({ [rules]: text, "runtime/webhooks/endpoint/User.ts": user }), [])
  })

  it("count namespace imports and re-exports as uses", () => {
    const door = "runtime/webhooks/Webhooks.ts"
    const handed = { [rules]: text, [door]: 'export { one, Three, type Two } from "./endpoint/Rules.ts"\n' }
    assert.deepStrictEqual(unused(handed), [])
    const whole = 'import * as Rules from "../webhooks/endpoint/Rules.ts"\nRules.one\n'
    assert.deepStrictEqual(
      unused({ [rules]: "export const one = 1\nexport const two = 2", "runtime/app/Node.ts": whole }),
      [`${rules}:2 nothing imports two`]
    )
  })

  it("let a test use its subject, and a type its own file", () => {
    const imports = 'import { one } from "@carteiro/runtime/webhooks/endpoint/Rules.ts"\n'
    const described = "export interface Two {}\nexport const one = (two: Two) => two"
    assert.deepStrictEqual(unused({ [rules]: described, "test/webhooks/Rules.test.ts": imports }), [])
    assert.deepStrictEqual(unused({ [rules]: described, "test/scenarios/Story.test.ts": imports }), [
      `${rules}:2 nothing imports one`
    ])
  })
})

describe("unused operations", () => {
  const entity = "runtime/billing/owner/WalletEntity.ts"
  const declared = `export const WalletEntity = defineOwner("Wallet", {
  /** Moves it. */
  Move: batch(Movement, Schema.Boolean),
  Await: longCall(Schema.Struct({ id: Schema.String }), Schema.Boolean)
})
const handlers = { Move: { decide: () => [] }, Await: { run: () => [] } }
`
  const caller = "const wallets = yield* WalletEntity.client\nyield* wallets.Move(id, movement)\n"
  const unused = (files: Readonly<Record<string, string>>) =>
    unusedOperations(new Map(Object.entries(files).map(([path, text]) => [path, readSource(text)]))).map(
      ({ line, message, path }) => `${path}:${line} ${message}`
    )

  it("are operations that nothing in runtime calls, apart from their handlers", () => {
    assert.deepStrictEqual(unused({ [entity]: declared }), [
      `${entity}:3 nothing in runtime calls Move`,
      `${entity}:4 nothing in runtime calls Await`
    ])
    assert.deepStrictEqual(unused({ [entity]: declared, "runtime/payments/worker/Pay.ts": caller }), [
      `${entity}:4 nothing in runtime calls Await`
    ])
  })

  it("are not used by a test that calls them", () => {
    const files = { [entity]: declared, "test/billing/Wallet.test.ts": caller }
    assert.include(unused(files), `${entity}:3 nothing in runtime calls Move`)
  })
})
