import { Activations } from "@carteiro/owners/Cluster.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { type Email, type MailResult, MailSender } from "@carteiro/provider/MailSender.ts"
import * as Access from "@carteiro/runtime/access/room.ts"
import { mailPauseMs, recordTry, triedForMs } from "@carteiro/runtime/mail/MailOutcome.ts"
import { MailRepo } from "@carteiro/runtime/mail/MailRepo.ts"
import { mailOwners } from "@carteiro/runtime/mail/MailWorker.ts"
import { insertEmail } from "@carteiro/runtime/mail/MailWrites.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"

const script = { sent: [] as Array<Email>, answers: [] as Array<MailResult> }
const failed: MailResult = { _tag: "Failed", reason: "ESOCKET" }

const sender = Layer.succeed(MailSender, {
  send: (email) =>
    Effect.sync((): MailResult => {
      script.sent.push(email)
      return script.answers.shift() ?? { _tag: "Sent" }
    })
})

const product = OwnerTest(
  Layer.mergeAll(mailOwners, MailRepo.layer).pipe(Layer.provide(Layer.merge(Access.room.answers, sender)))
)

/** An e-mail as a room writes it; answers its id. */
const write = Effect.fnUntraced(function* (
  organization_id: string,
  subject_id: string,
  pt: { readonly subject: string; readonly body: string } | null = null
) {
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("eml", now)
  const translations = pt && jsonText({ pt })
  const row = { organization_id, id, kind: "test", subject_id, subject: "Hello", body: "text", translations }
  yield* (yield* Commit).write([insertEmail.row({ ...row, created_at: now })])
  return id
})

const olá = { subject: "Olá", body: "{dashboard}" }

/** Admins of an organization, by their names with their languages. */
const admins = Effect.fnUntraced(function* (organization_id: string, people: Readonly<Record<string, "en" | "pt">>) {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  for (const [name, language] of Object.entries(people))
    yield* sql`insert into members (organization_id, id, name, email, role, language, created_at)
      values (${organization_id}, ${`mem_${name}`}, ${name}, ${`${name}@test.test`}, 'admin', ${language}, ${now})`
})

/** What was sent, by id; recipients by address. */
const sentSorted = Effect.sync(() =>
  script.sent
    .map(({ id, subject, text, to }) => [id, to.toSorted(), subject, text] as const)
    .toSorted(([one], [other]) => one.localeCompare(other))
)

const stored = (organizationId: string) => Effect.flatMap(MailRepo, (repo) => repo.list(organizationId, undefined, 10))

const tenant = Effect.fnUntraced(function* (name: string) {
  script.sent.length = 0
  script.answers.length = 0
  return yield* seedTenant(name)
})

it.layer(product, { excludeTestServices: true })('Mail of an organization (gaps-3 E "Failure notification")', (it) => {
  it.effect("goes once to the active owners and admins, and a second one about its cause is not sent", () =>
    Effect.gen(function* () {
      const { organization_id } = yield* tenant("told")
      const sql = yield* SqlClient.SqlClient
      const now = new Date(yield* Clock.currentTimeMillis)
      const people = [
        ["mem_admin", "admin@told.test", "admin", true],
        ["mem_left", "left@told.test", "admin", false],
        ["mem_plain", "plain@told.test", "member", true]
      ] as const
      for (const [id, email, role, active] of people)
        yield* sql`insert into members (organization_id, id, name, email, role, active, created_at)
          values (${organization_id}, ${id}, ${id}, ${email}, ${role}, ${active}, ${now})`
      const id = yield* write(organization_id, "ctu_one")
      yield* write(organization_id, "ctu_one")
      yield* turnBy(200_000)
      assert.deepStrictEqual(
        script.sent.map((email) => [email.id, [...email.to].sort(), email.subject, email.text]),
        [[id, ["admin@told.test", "owner@told.test"], "Hello", "text"]]
      )
      const [email, ...others] = yield* stored(organization_id)
      assert.deepStrictEqual([email?.status, email?.attempts, others], ["sent", 0, []])
      assert.match(email?.recipients ?? "", /owner@told\.test/)
    })
  )

  it.effect("goes to each person in their language, and to those without one in English", () =>
    Effect.gen(function* () {
      const { organization_id } = yield* tenant("spoken")
      yield* admins(organization_id, { ana: "pt", bob: "en", rui: "pt" })
      const id = yield* write(organization_id, "ctu_five", olá)
      yield* turnBy(1)
      assert.deepStrictEqual(yield* sentSorted, [
        [id, ["bob@test.test", "owner@spoken.test"], "Hello", "text"],
        [`${id}.pt`, ["ana@test.test", "rui@test.test"], "Olá", "http://127.0.0.1:8080/dashboard"]
      ])
      const [email] = yield* stored(organization_id)
      assert.strictEqual(email?.status, "sent")
      assert.sameMembers((email?.recipients ?? "").split(", "), [
        "ana@test.test",
        "bob@test.test",
        "owner@spoken.test",
        "rui@test.test"
      ])
      // A row of a release before has one text, which goes to everybody.
      yield* write(organization_id, "ctu_six")
      yield* turnBy(1)
      assert.strictEqual((yield* sentSorted)[2]?.[1].length, 4)
    })
  )

  it.effect("is tried again only for those whom it has not reached", () =>
    Effect.gen(function* () {
      const { organization_id } = yield* tenant("halfway")
      yield* admins(organization_id, { ana: "pt" })
      script.answers.push({ _tag: "Sent" }, failed)
      yield* write(organization_id, "ctu_seven", olá)
      yield* turnBy(1)
      const [reached] = script.sent
      assert.deepInclude((yield* stored(organization_id))[0], {
        status: "queued",
        attempts: 1,
        error: "ESOCKET",
        recipients: reached?.to.join(", ") ?? null
      })
      yield* turnBy(60_000)
      const again = script.sent.slice(2)
      assert.deepStrictEqual(
        again.map(({ id, to }) => [id, to]),
        [[script.sent[1]?.id, script.sent[1]?.to]]
      )
      const [email] = yield* stored(organization_id)
      assert.strictEqual(email?.status, "sent")
      assert.strictEqual(email?.recipients?.split(", ").length, 2)
    })
  )

  it.effect("is retried after 1 and 2 minutes while no server takes it", () =>
    Effect.gen(function* () {
      const { organization_id } = yield* tenant("patient")
      script.answers.push(failed, failed)
      const id = yield* write(organization_id, "ctu_two")
      yield* turnBy(1)
      assert.deepInclude((yield* stored(organization_id))[0], { status: "queued", attempts: 1, error: "ESOCKET" })
      yield* turnBy(60_000)
      assert.deepInclude((yield* stored(organization_id))[0], { status: "queued", attempts: 2 })
      yield* turnBy(118_000)
      assert.strictEqual(script.sent.length, 2)
      yield* turnBy(3000)
      // What is due further off than a minute is the sweeper's to find.
      ;(yield* Activations).wake("Mail", organization_id)
      yield* turnBy(1)
      assert.deepStrictEqual(
        script.sent.map((email) => email.id),
        [id, id, id]
      )
      assert.strictEqual((yield* stored(organization_id))[0]?.status, "sent")
    })
  )

  it.effect("ends with a permanent rejection, and when no recipient is left", () =>
    Effect.gen(function* () {
      const { organization_id } = yield* tenant("refused")
      script.answers.push({ _tag: "Refused", reason: "EENVELOPE 550" })
      yield* write(organization_id, "ctu_three")
      yield* turnBy(1)
      assert.deepInclude((yield* stored(organization_id))[0], { status: "failed", error: "EENVELOPE 550" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`update members set active = false where organization_id = ${organization_id}`
      yield* write(organization_id, "ctu_four")
      yield* turnBy(1)
      assert.deepInclude((yield* stored(organization_id))[0], { status: "failed", error: "no_recipient" })
      assert.strictEqual(script.sent.length, 1)
    })
  )
})

const unsent = { translations: null, recipients: null }

describe("What a try of an e-mail comes to", () => {
  const attempts = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
  const age = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 * triedForMs }))

  it.prop(
    "waits longer each time, an hour at most, and gives up after three days",
    [attempts, age],
    ([before, aged]) => {
      const email = { id: "eml_1", subject: "", body: "", attempts: before, created_at: 0, ...unsent }
      const outcome = recordTry(email, failed, aged)
      assert.strictEqual(outcome.attempts, before + 1)
      assert.strictEqual(outcome.status, aged >= triedForMs ? "failed" : "queued")
      assert.strictEqual(outcome.due_at === null, outcome.status !== "queued")
      assert.strictEqual(outcome.ended_at === null, outcome.status === "queued")
      if (outcome.due_at !== null) assert.strictEqual(outcome.due_at, aged + mailPauseMs(before + 1))
      assert.isAtMost(mailPauseMs(before + 1), 3_600_000)
      assert.isAtLeast(mailPauseMs(before + 1), 60_000)
    }
  )
})
