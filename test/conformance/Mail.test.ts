import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Email, MailDelivery } from "@carteiro/provider/MailSender.ts"
import { makeSmtpMail } from "@carteiro/provider-mail/SmtpMail.ts"
import { makeSpoolMail } from "@carteiro/provider-mail/SpoolMail.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { mailServer } from "../support/MailServer.ts"

const from = "Carteiro <billing@carteiro.test>"
const email: Email = {
  id: "eml_01kah7v3m8q6x2r9d4t5w0y1z3",
  to: ["ana@sol.test", "bia@sol.test"],
  subject: "Recarga automática falhou",
  text: "Não foi cobrado.\n.\nUma linha só com um ponto fica.\n",
  at: Date.parse("2026-01-02T03:04:05Z")
}

/** What a delivery of this e-mail must have in it, however it was handed over. */
const assertWhole = (data: string) => {
  assert.match(data, /^Message-ID: <eml_01kah7v3m8q6x2r9d4t5w0y1z3@carteiro\.test>\r?$/im)
  assert.match(data, /^From: Carteiro <billing@carteiro\.test>\r?$/m)
  assert.match(data, /^To: ana@sol\.test, bia@sol\.test\r?$/m)
  assert.match(data, /^Date: Fri, 02 Jan 2026 03:04:05 \+0000\r?$/m)
  assert.match(data, /^Auto-Submitted: auto-generated\r?$/m)
}

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "carteiro-mail-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const smtp = (port: number): MailDelivery => makeSmtpMail({ url: Redacted.make(`smtp://127.0.0.1:${port}`), from })

describe('Adapters of mail (gaps-3 E "Failure notification")', () => {
  it.live("a mail server gets the whole e-mail, under a Message-ID that stays the same", () =>
    Effect.gen(function* () {
      const { port, script } = yield* mailServer
      assert.deepStrictEqual(yield* smtp(port).send(email), { _tag: "Sent" })
      const [taken] = script.taken
      assert.deepStrictEqual([taken?.from, taken?.to], ["billing@carteiro.test", email.to])
      assertWhole(taken?.data ?? "")
    }).pipe(Effect.scoped)
  )

  it.live("a permanent rejection is distinguished from a temporary one and from no answer", () =>
    Effect.gen(function* () {
      const { close, port, script } = yield* mailServer
      script.afterData = "554 5.7.1 rejected"
      const refused = yield* smtp(port).send(email)
      assert.strictEqual(refused._tag, "Refused")
      script.afterData = "451 4.3.0 come again"
      assert.strictEqual((yield* smtp(port).send(email))._tag, "Failed")
      script.afterData = undefined
      script.hangsUp = true
      assert.strictEqual((yield* smtp(port).send(email))._tag, "Failed")
      close()
      assert.deepStrictEqual(yield* smtp(port).send(email), { _tag: "Failed", reason: "ESOCKET" })
      assert.deepStrictEqual(script.taken, [])
    }).pipe(Effect.scoped)
  )

  it.live("a spool keeps one file of an e-mail, however often it is sent", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "mail")
      const spool = makeSpoolMail({ folder: path, from })
      assert.deepStrictEqual(yield* spool.send(email), { _tag: "Sent" })
      assert.deepStrictEqual(yield* spool.send(email), { _tag: "Sent" })
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [`${email.id}.eml`])
      assertWhole(yield* Effect.promise(() => readFile(join(path, `${email.id}.eml`), "utf8")))
    }).pipe(Effect.scoped)
  )

  it.live("a spool without write access reports it", () =>
    Effect.gen(function* () {
      const spool = makeSpoolMail({ folder: "/dev/null/mail", from })
      assert.deepStrictEqual(yield* spool.send(email), { _tag: "Failed", reason: "ENOTDIR" })
    })
  )
})
