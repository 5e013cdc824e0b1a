import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  institutionCredentials as entered,
  institutions as vendors
} from "../provider-connections/InstitutionAccount.ts"
import { setupStage } from "../provider-connections/SetupStage.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { csrfIn, seedMember, signedIn, textOf } from "./Visitor.ts"

const secrets = [entered.client_secret, entered.certificate_pkcs12_base64, entered.certificate_password]

it.layer(WholeProduct({ sweeps: false, vendors }), { excludeTestServices: true })(
  "The form of credentials of an account at an institution",
  (it) => {
    const opened = Effect.gen(function* () {
      const stage = yield* setupStage()
      const { id } = (yield* stage.create("pixprov2.payments")).body
      return { ...stage, id: String(id), page: `/dashboard/setup/${id}` }
    })

    it.effect("takes a PKCS#12 file with its password, connects the account and shows nothing of it M-SETUP-02", () =>
      Effect.gen(function* () {
        const { api, key, owner, page, read, id } = yield* opened
        const first = yield* owner.get(page)
        assert.include(first.text, `href="${page}?driver=pix-api"`)
        assert.notInclude(first.text, 'name="certificate_pkcs12_base64"')
        const form = yield* owner.get(`${page}?driver=pix-api`)
        for (const name of Object.keys(entered)) assert.include(form.text, `name="${name}"`)
        assert.strictEqual((yield* owner.submit(`${page}?driver=pix-api`, page, entered)).status, 303)
        const after = yield* owner.get(page)
        assert.include(textOf(after.text), "The credentials were taken.")
        for (const secret of secrets) assert.notInclude(after.text, secret)
        const { provider_connection_id, status } = (yield* read(id)).body
        const connection = yield* api.get(`/v1/provider-connections/${provider_connection_id}`, { key })
        assert.deepStrictEqual(
          [status, connection.body.status, connection.body.driver],
          ["completed", "connected", "pix-api"]
        )
      })
    )

    it.effect("says beside the field what is wrong with a file or its password, and forgets what was typed", () =>
      Effect.gen(function* () {
        const { owner, page, read, id } = yield* opened
        const wrong = [
          [{ certificate_password: "wrong" }, "certificate_password does not open the certificate"],
          [{ certificate_password: "" }, "certificate_password does not open the certificate"],
          [{ certificate_pkcs12_base64: "A".repeat(16_384) }, "certificate_pkcs12_base64 must be a PKCS#12 file"]
        ] as const
        for (const [fields, told] of wrong) {
          const refused = yield* owner.submit(`${page}?driver=pix-api`, page, { ...entered, ...fields })
          assert.deepStrictEqual([refused.status, textOf(refused.text).includes(told)], [400, true], refused.text)
          assert.include(refused.text, 'name="certificate_pkcs12_base64"', "the form of institutions is shown again")
          for (const secret of [...secrets, "AAAAAAAA"]) assert.notInclude(refused.text, secret)
        }
        assert.strictEqual((yield* read(id)).body.status, "pending")
      })
    )

    it.effect("is not shown to a member, and takes nothing of one", () =>
      Effect.gen(function* () {
        const { api, page, read, id } = yield* opened
        const member = yield* signedIn(api.acme, yield* seedMember(api.acme, "member"))
        const shown = yield* member.get(`${page}?driver=pix-api`)
        assert.deepStrictEqual([shown.status, shown.text.includes("certificate_pkcs12_base64")], [200, false])
        const csrf = csrfIn((yield* member.get("/dashboard/device")).text)
        assert.strictEqual((yield* member.post(page, { csrf, ...entered })).status, 403)
        assert.strictEqual((yield* read(id)).body.status, "pending")
      })
    )
  }
)
