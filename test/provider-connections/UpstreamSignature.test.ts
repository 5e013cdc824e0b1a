import { createHmac } from "node:crypto"
import { isSigned } from "@carteiro/runtime/provider-connections/webhook/UpstreamSignature.ts"
import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"

const body = Buffer.from('{"entry":[]}')
const signedWith = (secret: string) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`

it('takes a call that one of the app secrets signs, and no other gaps-2 E "Inbound upstream webhook"', () => {
  const both = [Redacted.make("old"), Redacted.make("new")]
  for (const secret of ["old", "new"]) assert.isTrue(isSigned(signedWith(secret), body, both), secret)
  assert.isFalse(isSigned(signedWith("other"), body, both))
  assert.isFalse(isSigned(signedWith("old"), body, [Redacted.make("new")]))
  assert.isFalse(isSigned(signedWith("old"), body, []))
})
