import { certificateProver } from "@carteiro/outbound/CertificateProof.ts"
import { bankCertificates } from "@carteiro/simulators/pix-api/TestCertificates.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const { clientPkcs12, password } = bankCertificates(Date.UTC(2026, 10, 1))

it.live("a tenant's certificate is opened in a process of its own before this one opens it", () =>
  Effect.gen(function* () {
    // Generous, because this says nothing of a busy machine's speed.
    const prove = certificateProver(5000)
    assert.strictEqual(yield* prove(clientPkcs12, password), "usable")
    assert.strictEqual(yield* prove(clientPkcs12, "another"), "password")
    assert.strictEqual(yield* prove(Buffer.from("a text"), password), "malformed")
  })
)

it.live("a certificate that takes more work to open than the bound is not opened here", () =>
  Effect.map(certificateProver(0)(clientPkcs12, password), (verdict) => assert.strictEqual(verdict, "costly"))
)
