import { Activations } from "@carteiro/owners/Cluster.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import {
  ConnectedTemplates,
  type ProviderTemplate,
  type ProviderTemplatePage,
  type ReviewStatus,
  type SubmittedTemplate
} from "@carteiro/provider/TemplateProvider.ts"
import * as Flows from "@carteiro/runtime/flows/room.ts"
import { room as templatesRoom } from "@carteiro/runtime/templates/room.ts"
import * as Templates from "@carteiro/runtime/templates/Templates.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { TestClock } from "effect/testing"
import { sweepFrom } from "../../packages/owners/schedule/Sweeper.ts"
import { leapTo, OwnerTest, quiesce, turnBy } from "../support/OwnerTest.ts"
import { testBlobs } from "../support/TestBlobs.ts"
import { told } from "./TemplateStage.ts"

const hour = 3_600_000

/** What the provider is asked and answers, by environment: each test has one of its own. */
interface Account {
  readonly submitted: Array<SubmittedTemplate & { readonly attempts?: number }>
  readonly changed: Array<string>
  readonly removed: Array<readonly [string, string]>
  lists: number
  /** Answers to submissions, in order; `pending` with id `up-1` after them. */
  readonly answers: Array<
    ChatCall<{
      readonly provider_template_id: string
      readonly status: ReviewStatus
      readonly category?: SubmittedTemplate["category"]
    }>
  >
  listed: ReadonlyArray<ProviderTemplate> | undefined
  onList: Effect.Effect<unknown>
}

const accounts = new Map<string, Account>()

const pendingAt = (provider_template_id: string): ProviderTemplate => ({
  provider_template_id,
  name: "order",
  language: "pt_BR",
  status: "submitted",
  category: "utility",
  rejection_reason: null,
  quality: "unknown",
  content: null
})
const failed = { _tag: "Failed", error: null } as const
const done = <A>(value: A) => ({ _tag: "Done", value }) as const

const connected = Layer.succeed(ConnectedTemplates, (environmentId: string) =>
  Effect.sync(() => {
    const account = accounts.get(environmentId)
    if (account === undefined) return undefined
    return {
      biz_account_id: "biz-1",
      provider: {
        submit: (template: SubmittedTemplate) =>
          Effect.sync(() => {
            account.submitted.push(template)
            const answer =
              account.answers.shift() ?? done({ provider_template_id: "up-1", status: "submitted" as const })
            return answer._tag === "Done" ? done({ category: null, ...answer.value }) : answer
          }),
        change: (id: string) =>
          Effect.sync(() => {
            account.changed.push(id)
            return done(undefined)
          }),
        remove: (name: string, id: string) =>
          Effect.sync(() => {
            account.removed.push([name, id])
            return done(undefined)
          }),
        uploadExample: () => Effect.die("no template has a file"),
        // Two pages, so that every look goes on behind the first.
        list: (after: string | undefined) =>
          Effect.map(account.onList, (): ChatCall<ProviderTemplatePage> => {
            account.lists++
            if (account.listed === undefined) return failed
            const [first, ...rest] = account.listed
            return after === undefined
              ? done({ templates: first === undefined ? [] : [first], next: "2" })
              : done({ templates: rest, next: undefined })
          })
      }
    }
  })
)

/** A production environment, with an account unless told otherwise, and calls to the owner of its templates. */
const production = (isConnected = true) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const owners = yield* Templates.TemplatesEntity.client
    const now = yield* Clock.currentTimeMillis
    const environment_id = ids.mint("env", now)
    const account: Account = {
      submitted: [],
      changed: [],
      removed: [],
      lists: 0,
      answers: [],
      listed: [],
      onList: Effect.void
    }
    if (isConnected) accounts.set(environment_id, account)
    const trace_id = "1".repeat(32)
    const call = { trace_id, claim: undefined }
    const create = Effect.fnUntraced(function* (
      name: string,
      components: ReadonlyArray<object> = [{ type: "BODY", text: "Saiu." }]
    ) {
      const at = yield* Clock.currentTimeMillis
      const answer = yield* owners.Create(environment_id, {
        ...call,
        id: ids.mint("tpl", at),
        version_id: ids.mint("tplv", at),
        environment: "production",
        name,
        language: "pt_BR",
        category: "utility",
        parameter_format: "POSITIONAL",
        components: components as never
      })
      return JSON.parse(answer.body).id as string
    })
    const submit = (id: string) => Effect.andThen(owners.Submit(environment_id, { ...call, id }), quiesce)
    const review = (of: object) =>
      Effect.andThen(
        owners.Review(environment_id, {
          provider_template_id: null,
          name: null,
          language: null,
          decision: null,
          reason: null,
          quality: null,
          trace_id,
          ...of
        }),
        quiesce
      )
    const edit = (id: string, components?: ReadonlyArray<object>) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) =>
        owners.Update(environment_id, {
          trace_id,
          id,
          version_id: ids.mint("tplv", at),
          category: "marketing",
          parameter_format: undefined,
          components: components as never
        })
      )
    const remove = (id: string) => Effect.andThen(owners.Delete(environment_id, { ...call, id }), quiesce)
    return { account, environment_id, create, submit, review, edit, remove }
  })

const stored = Effect.fnUntraced(function* (id: string) {
  yield* quiesce
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    status: string
    rejection_reason: string | null
    provider_template_id: string | null
    provider_quality: string
    category: string
    sending_status: string | null
    due: number | null
  }>`select status, rejection_reason, provider_template_id, provider_quality, category, sending_status, due_at as due
    from templates where id = ${id}`
  return row
})

/** What the sweeper does: wakes the owners that the room's own look finds due. */
const sweep = Effect.gen(function* () {
  const activations = yield* Activations
  for (const due of yield* Effect.all(templatesRoom.due)) {
    yield* sweepFrom(due, "", (id) => activations.wake(due.type, id))
  }
  yield* quiesce
})

/** Moves time on from one due row straight to the next, sweeping at each. */
const turnThrough = Effect.fnUntraced(function* (millis: number) {
  const sql = yield* SqlClient.SqlClient
  const clock = (yield* Clock.Clock) as TestClock.TestClock
  const until = clock.currentTimeMillisUnsafe() + millis
  while (true) {
    yield* quiesce
    const now = new Date(clock.currentTimeMillisUnsafe())
    const [row] = yield* sql<{ readonly next: number | null }>`select min(due_at) as next from (
      select due_at from templates where due_at > ${now} union all
      select due_at from template_syncs where due_at > ${now}) d`
    const next = row?.next ?? undefined
    if (next === undefined || next > until) break
    yield* leapTo(next)
    yield* sweep
  }
  yield* leapTo(until)
})

const types = (id: string) => Effect.map(told(id), (events) => events.map(({ type }) => type))

const known = (provider_template_id: string, name: string, more: Partial<ProviderTemplate> = {}): ProviderTemplate => ({
  provider_template_id,
  name,
  language: "pt_BR",
  status: "approved",
  category: "utility",
  rejection_reason: null,
  quality: "unknown",
  content: null,
  ...more
})

const owners = templatesRoom.owners.pipe(Layer.provide([connected, testBlobs]), Layer.provide(Flows.room.services))

it.layer(OwnerTest(owners), { excludeTestServices: true })("A provider's review", (it) => {
  it.effect('is asked for once, and its decision comes by the webhook gaps-2 G "Template transitions" M-TPL-08', () =>
    Effect.gen(function* () {
      const { account, create, review, submit } = yield* production()
      const id = yield* create("order")
      yield* submit(id)
      assert.deepStrictEqual(account.submitted, [
        {
          name: "order",
          language: "pt_BR",
          category: "utility",
          parameter_format: "POSITIONAL",
          components: [{ type: "BODY", text: "Saiu." }]
        }
      ])
      const waiting = yield* stored(id)
      assert.deepStrictEqual(
        [waiting?.status, waiting?.provider_template_id, waiting?.due, waiting?.sending_status],
        ["submitted", "up-1", null, null]
      )
      yield* review({ provider_template_id: "up-1", decision: "approved" })
      yield* review({ provider_template_id: "up-1", decision: "approved" })
      assert.strictEqual((yield* stored(id))?.sending_status, "approved")
      yield* review({ name: "order", language: "pt_BR", decision: "paused", reason: "Low quality." })
      assert.deepStrictEqual([(yield* stored(id))?.status, (yield* stored(id))?.sending_status], ["paused", "paused"])
      yield* review({ provider_template_id: "up-1", decision: "approved" })
      yield* review({ provider_template_id: "up-1", decision: "disabled", reason: "Abuse." })
      yield* review({ provider_template_id: "up-1", decision: "paused" })
      yield* review({ provider_template_id: "up-1", decision: "approved" })
      assert.deepStrictEqual(
        (yield* told(id)).map(({ data, type }) => [type, data.rejection_reason]),
        [
          ["template.approved", null],
          ["template.paused", "Low quality."],
          ["template.approved", null],
          ["template.disabled", "Abuse."],
          ["template.approved", null]
        ]
      )
      assert.strictEqual(account.submitted.length, 1)
    })
  )

  it.effect("a late rejection ends a version in use, unless a newer one exists U-TPL-07", () =>
    Effect.gen(function* () {
      const { account, create, edit, review, submit } = yield* production()
      account.answers.push(
        done({ provider_template_id: "up-1", status: "approved" }),
        done({ provider_template_id: "up-2", status: "approved" })
      )
      const [plain, edited] = [yield* create("plain"), yield* create("edited")]
      for (const id of [plain, edited]) yield* submit(id)
      yield* edit(edited)
      for (const id of ["up-1", "up-2"])
        yield* review({ provider_template_id: id, decision: "rejected", reason: "SCAM" })
      const row = yield* stored(plain)
      assert.deepStrictEqual([row?.status, row?.rejection_reason, row?.sending_status], ["rejected", "SCAM", null])
      assert.deepStrictEqual(yield* types(plain), ["template.approved", "template.rejected"])
      assert.deepStrictEqual(
        [(yield* stored(edited))?.status, (yield* stored(edited))?.sending_status],
        ["draft", "approved"]
      )
      // It may be submitted again, as a change of what the provider has.
      yield* submit(plain)
      assert.deepStrictEqual([account.changed, (yield* stored(plain))?.status], [["up-1"], "submitted"])
    })
  )

  it.effect("an appeal that succeeds approves the content that was rejected, and no later one U-TPL-07", () =>
    Effect.gen(function* () {
      const { account, create, edit, review, submit } = yield* production()
      account.answers.push(
        done({ provider_template_id: "up-1", status: "rejected" }),
        done({ provider_template_id: "up-2", status: "rejected" })
      )
      const [same, changed] = [yield* create("same"), yield* create("changed")]
      for (const id of [same, changed]) yield* submit(id)
      yield* edit(changed, [{ type: "BODY", text: "Outro texto." }])
      const content = {
        components: [{ type: "BODY" as const, text: "Saiu." }],
        parameter_format: "POSITIONAL" as const
      }
      account.listed = [known("up-1", "same", { content }), known("up-2", "changed", { content })]
      for (const id of ["up-1", "up-2"]) yield* review({ provider_template_id: id, decision: "approved" })
      yield* turnBy(1)
      yield* quiesce
      assert.deepStrictEqual(
        [(yield* stored(same))?.status, (yield* stored(changed))?.status],
        ["approved", "rejected"]
      )
      assert.deepStrictEqual(yield* types(same), ["template.rejected", "template.approved"])
    })
  )

  it.effect("a deletion at the provider orphans its own template, and none that took the name since U-TPL-07", () =>
    Effect.gen(function* () {
      const { account, create, remove, review, submit } = yield* production()
      account.answers.push(
        done({ provider_template_id: "up-1", status: "approved" }),
        done({ provider_template_id: "up-2", status: "approved" })
      )
      const named = { name: "order", language: "pt_BR" }
      const first = yield* create("order")
      yield* submit(first)
      yield* remove(first)
      const second = yield* create("order")
      yield* review({ ...named, provider_template_id: "up-1", orphaned: true })
      yield* review({ ...named, orphaned: true })
      yield* submit(second)
      yield* review({ ...named, provider_template_id: "up-1", orphaned: true })
      yield* review({ ...named, provider_template_id: "up-1", decision: "disabled" })
      assert.strictEqual((yield* stored(second))?.status, "approved")
      yield* review({ ...named, orphaned: true })
      const row = yield* stored(second)
      assert.deepStrictEqual(
        [row?.status, row?.sending_status, yield* types(second)],
        ["orphaned", "orphaned", ["template.approved"]]
      )
    })
  )

  it.effect("a submission may be decided by its answer, and a refusal says why", () =>
    Effect.gen(function* () {
      const { account, create, submit } = yield* production()
      account.answers.push(
        done({ provider_template_id: "up-7", status: "approved" }),
        {
          _tag: "Refused",
          code: "upstream_rejected",
          error: {
            provider: "upstream",
            code: 100,
            subcode: null,
            title: "Invalid",
            message: "x".repeat(600),
            http_status: 400
          }
        },
        { _tag: "Refused", code: "upstream_rejected", error: null }
      )
      const [approved, long, plain] = [yield* create("a"), yield* create("b"), yield* create("c")]
      for (const id of [approved, long, plain]) yield* submit(id)
      assert.deepStrictEqual(
        [(yield* stored(approved))?.status, yield* types(approved)],
        ["approved", ["template.approved"]]
      )
      assert.deepStrictEqual(
        [(yield* stored(long))?.status, (yield* stored(long))?.rejection_reason],
        ["rejected", "x".repeat(500)]
      )
      assert.deepStrictEqual(
        [(yield* stored(plain))?.rejection_reason, yield* types(plain)],
        ["upstream_rejected", ["template.rejected"]]
      )
    })
  )

  it.effect("without an account a template is rejected, as a send would fail, and may be submitted again", () =>
    Effect.gen(function* () {
      const { account, create, environment_id, submit } = yield* production(false)
      const id = yield* create("order")
      yield* submit(id)
      assert.deepStrictEqual(
        [(yield* stored(id))?.status, (yield* stored(id))?.rejection_reason],
        ["rejected", "no_provider_connection"]
      )
      accounts.set(environment_id, account)
      yield* submit(id)
      assert.deepStrictEqual([(yield* stored(id))?.status, (yield* stored(id))?.rejection_reason], ["submitted", null])
    })
  )

  it.effect(
    'the refusal of a repeat says nothing about the first attempt, which a list shows late gaps-2 E "Retry policy"',
    () =>
      Effect.gen(function* () {
        const refused = { _tag: "Refused", code: "upstream_rejected", error: null } as const
        const { account, create, submit } = yield* production()
        account.answers.push(failed, refused)
        const id = yield* create("taken")
        yield* submit(id)
        yield* turnBy(1100)
        assert.deepStrictEqual([account.submitted.length, (yield* stored(id))?.status], [2, "submitted"])
        account.listed = [known("up-12", "taken")]
        yield* turnBy(2200)
        assert.deepStrictEqual(
          [account.submitted.length, (yield* stored(id))?.status, yield* types(id)],
          [2, "approved", ["template.approved"]]
        )

        account.listed = []
        account.answers.push(failed, ...Array.from({ length: 30 }, () => refused))
        const never = yield* create("never")
        yield* submit(never)
        yield* turnThrough(hour)
        assert.strictEqual((yield* stored(never))?.status, "submitted")
        yield* turnThrough(hour / 2)
        assert.deepStrictEqual(
          [(yield* stored(never))?.status, (yield* stored(never))?.rejection_reason],
          ["rejected", "upstream_rejected"]
        )
      })
  )

  it.effect('an attempt without an answer is looked up before it is made again gaps-2 E "Retry policy"', () =>
    Effect.gen(function* () {
      const { account, create, submit } = yield* production()
      account.answers.push(failed, failed, done({ provider_template_id: "up-3", status: "submitted" }))
      const id = yield* create("order")
      yield* submit(id)
      assert.deepStrictEqual([account.submitted.length, account.lists], [1, 0])
      yield* turnBy(1100)
      assert.deepStrictEqual([account.submitted.length, account.lists], [2, 2])
      yield* turnBy(2200)
      assert.deepStrictEqual([account.submitted.length, (yield* stored(id))?.provider_template_id], [3, "up-3"])

      account.answers.push(failed)
      const arrived = yield* create("arrived")
      yield* submit(arrived)
      account.listed = [
        known("up-8", "other"),
        known("up-9", "arrived", { status: "rejected", rejection_reason: "No." })
      ]
      yield* turnBy(1100)
      assert.strictEqual(account.submitted.length, 4)
      const row = yield* stored(arrived)
      assert.deepStrictEqual(
        [row?.status, row?.rejection_reason, row?.provider_template_id],
        ["rejected", "No.", "up-9"]
      )
    })
  )

  it.effect("a provider that is away for a day ends the review as rejected", () =>
    Effect.gen(function* () {
      const { account, create, submit } = yield* production()
      account.listed = undefined
      account.answers.push(failed)
      const id = yield* create("order")
      yield* submit(id)
      yield* turnThrough(23 * hour)
      assert.strictEqual((yield* stored(id))?.status, "submitted")
      yield* turnThrough(2 * hour)
      const row = yield* stored(id)
      assert.deepStrictEqual([row?.status, row?.rejection_reason], ["rejected", "provider_unavailable"])
      assert.strictEqual(account.submitted.length, 1)
      assert.isAbove(account.lists, 20)
    })
  )

  it.effect("a further version changes the provider's template, while the approved one stays in use", () =>
    Effect.gen(function* () {
      const { account, create, edit, review, submit } = yield* production()
      const id = yield* create("order")
      yield* submit(id)
      yield* review({ provider_template_id: "up-1", decision: "approved" })
      yield* edit(id)
      yield* submit(id)
      assert.deepStrictEqual([account.submitted.length, account.changed], [1, ["up-1"]])
      assert.deepStrictEqual(
        [(yield* stored(id))?.status, (yield* stored(id))?.sending_status],
        ["submitted", "approved"]
      )
      yield* review({ provider_template_id: "up-1", decision: "paused" })
      assert.deepStrictEqual(
        [(yield* stored(id))?.status, (yield* stored(id))?.sending_status],
        ["submitted", "paused"]
      )
      yield* review({ provider_template_id: "up-1", decision: "rejected", reason: "No." })
      assert.deepStrictEqual([(yield* stored(id))?.status, (yield* stored(id))?.sending_status], ["rejected", "paused"])
      yield* review({ provider_template_id: "up-1", decision: "approved" })
      assert.deepStrictEqual(
        [(yield* stored(id))?.status, (yield* stored(id))?.sending_status],
        ["rejected", "approved"]
      )
    })
  )

  it.effect("flows are named by the provider's id, and an unknown one ends the review", () =>
    Effect.gen(function* () {
      const { account, create, environment_id, submit } = yield* production()
      const sql = yield* SqlClient.SqlClient
      const ids = yield* Ids
      const at = yield* Clock.currentTimeMillis
      const flow_id = ids.mint("flw", at)
      yield* sql`insert into flows (environment_id, id, name, status, provider_flow_id, categories, flow_json, created_at, updated_at)
        values (${environment_id}, ${flow_id}, 'f', 'published', 'up-flow-1', '[]', '{}', ${new Date(at)}, ${new Date(at)})`
      const components = (flow: string): ReadonlyArray<TemplateComponent> => [
        { type: "BODY", text: "Saiu." },
        { type: "BUTTONS", buttons: [{ type: "FLOW", text: "Abrir", flow_id: flow }] }
      ]
      yield* submit(yield* create("found", components(flow_id)))
      assert.deepStrictEqual(account.submitted[0]?.components, components("up-flow-1"))
      yield* submit(yield* create("theirs", components("123")))
      assert.deepStrictEqual(account.submitted[1]?.components, components("123"))
      const lost = yield* create("lost", components(ids.mint("flw", at)))
      yield* submit(lost)
      assert.strictEqual((yield* stored(lost))?.status, "rejected")
      assert.strictEqual(account.submitted.length, 2)
    })
  )

  it.effect("a deleted template is removed there too, also when it was just being submitted", () =>
    Effect.gen(function* () {
      const { account, create, remove, submit } = yield* production()
      const id = yield* create("order")
      yield* remove(yield* create("draft"))
      yield* submit(id)
      yield* remove(id)
      assert.deepStrictEqual(account.removed, [["order", "up-1"]])
      account.answers.push(failed)
      const lost = yield* create("order")
      yield* submit(lost)
      yield* remove(lost)
      assert.strictEqual(account.removed.length, 1)
      const listed = pendingAt("up-9")
      account.listed = [{ ...listed, provider_template_id: "up-8", language: "en_US" }, listed]
      yield* turnBy(60_000)
      assert.deepStrictEqual(account.removed, [
        ["order", "up-1"],
        ["order", "up-9"]
      ])
    })
  )

  it.effect(
    "a template whose submission never arrived is looked for until its absence is proven, and nothing is removed",
    () =>
      Effect.gen(function* () {
        const { account, create, remove, submit } = yield* production()
        account.answers.push(failed)
        const lost = yield* create("order")
        yield* submit(lost)
        yield* remove(lost)
        yield* turnBy(71 * 60_000)
        const looked = account.lists
        assert.isAbove(looked, 2)
        yield* turnBy(20 * 60_000)
        // One hourly look at the whole account has two pages.
        assert.isAtMost(account.lists - looked, 2)
        assert.deepStrictEqual(account.removed, [])
      })
  )

  it.effect(
    'hourly the list orphans what it lacks, learns ids and quality, and makes lost notices good gaps-2 G "Template transitions" M-TPL-09',
    () =>
      Effect.gen(function* () {
        const { account, create, environment_id, submit } = yield* production()
        for (const n of [1, 2, 3, 4])
          account.answers.push(done({ provider_template_id: `up-${n}`, status: "submitted" }))
        const [kept, gone, late, busy, draft] = [
          yield* create("kept"),
          yield* create("gone"),
          yield* create("late"),
          yield* create("busy"),
          yield* create("draft")
        ]
        for (const id of [kept, gone, late, busy]) yield* submit(id)
        account.listed = [
          known("up-1", "kept", { quality: "yellow" }),
          known("up-3", "late", { status: "rejected", rejection_reason: "No." }),
          known("up-4", "busy", { status: "submitted" }),
          known("up-5", "draft")
        ]
        yield* turnThrough(hour)
        assert.strictEqual(account.lists, 2)
        assert.deepStrictEqual(
          [(yield* stored(kept))?.status, (yield* stored(kept))?.provider_quality, yield* types(kept)],
          ["approved", "yellow", ["template.approved"]]
        )
        assert.deepStrictEqual([(yield* stored(gone))?.status, yield* types(gone)], ["orphaned", []])
        assert.deepStrictEqual(
          [(yield* stored(late))?.rejection_reason, yield* types(late)],
          ["No.", ["template.rejected"]]
        )
        assert.deepStrictEqual(
          [(yield* stored(busy))?.status, (yield* stored(draft))?.provider_template_id],
          ["submitted", null]
        )
        // An account that cannot be read orphans nobody, and is asked again soon.
        account.listed = undefined
        yield* turnThrough(hour)
        assert.strictEqual((yield* stored(kept))?.status, "approved")
        account.listed = []
        yield* turnThrough(300_000)
        assert.deepStrictEqual(
          [(yield* stored(kept))?.status, (yield* stored(kept))?.sending_status],
          ["orphaned", "orphaned"]
        )
        accounts.delete(environment_id)
        yield* turnThrough(3 * hour)
        assert.strictEqual((yield* stored(late))?.status, "orphaned")
      })
  )

  it.effect(
    "the list and the answer to a submission move the category, but never the author's own draft U-TPL-06",
    () =>
      Effect.gen(function* () {
        const { account, create, edit, submit } = yield* production()
        account.answers.push(
          done({ provider_template_id: "up-1", status: "approved", category: "utility" }),
          done({ provider_template_id: "up-2", status: "submitted", category: "marketing" })
        )
        const [listed, answered] = [yield* create("listed"), yield* create("answered")]
        yield* submit(listed)
        yield* submit(answered)
        assert.strictEqual((yield* stored(answered))?.category, "marketing")
        account.listed = [known("up-1", "listed", { category: "authentication" })]
        yield* turnThrough(hour)
        const events = Effect.map(told(listed), (all) => all.map(({ data, type }) => [type, data.previous_category]))
        assert.deepStrictEqual(yield* events, [
          ["template.approved", undefined],
          ["template.category_updated", "utility"]
        ])
        // A draft keeps the category that its author gave it, and the version in use follows the provider.
        yield* edit(listed)
        account.listed = [known("up-1", "listed", { category: "utility" })]
        yield* turnThrough(hour)
        assert.strictEqual((yield* stored(listed))?.category, "marketing")
        assert.deepStrictEqual((yield* events).at(-1), ["template.category_updated", "authentication"])
      })
  )

  it.effect("a listed template changes nothing by what its answer leaves out U-TPL-05", () =>
    Effect.gen(function* () {
      const { account, create, submit } = yield* production()
      account.answers.push(done({ provider_template_id: "up-1", status: "approved" }))
      const id = yield* create("order")
      yield* submit(id)
      account.listed = [known("up-1", "order", { quality: "green" })]
      yield* turnThrough(hour)
      const before = yield* stored(id)
      account.listed = [known("up-1", "order", { status: null, category: null, quality: null })]
      yield* turnThrough(hour)
      assert.deepStrictEqual([account.lists, (yield* stored(id))?.provider_quality], [4, "green"])
      assert.deepStrictEqual(yield* stored(id), before)
    })
  )

  it.effect("ratings arrive by the webhook, and those of unknown templates change nothing M-TPL-09", () =>
    Effect.gen(function* () {
      const { create, review, submit } = yield* production()
      const id = yield* create("order")
      yield* submit(id)
      yield* review({ name: "order", language: "pt_BR", quality: "red" })
      yield* review({ provider_template_id: "up-404", decision: "approved" })
      yield* review({ name: "order", language: "en_US", decision: "approved" })
      const row = yield* stored(id)
      assert.deepStrictEqual([row?.status, row?.provider_quality, yield* types(id)], ["submitted", "red", []])
    })
  )
})
