import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer } from "../support/ApiTest.ts"
import { told as refusal } from "../support/Told.ts"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

const path = "/v1/groups"
const reports = { CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true" }

const heard = [
  "group.created",
  "group.create_failed",
  "group.deleted",
  "group.delete_failed",
  "group.invite_link_reset",
  "group.invite_link_reset_failed",
  "group.participant_joined",
  "group.participant_removed"
]

/** A covered production number, and what is done with its groups. */
const stage = Effect.gen(function* () {
  const upstream = yield* upstreamStage
  const { api, key, number } = upstream
  const url = "https://receiver.example/hook"
  yield* api.post("/v1/webhook-endpoints", { url, subscribed_events: heard }, { key })
  const read = (id: string) => Effect.map(api.get(`${path}/${id}`, { key }), ({ body }) => body)
  let count = 0
  // The platform knows a group by its subject until it has an id.
  const create = Effect.suspend(() =>
    api.post(path, { phone_number_id: number.id, subject: `May ${++count} of ${number.id}` }, { key })
  )
  const reaches = (id: string, holds: (group: Answer["body"]) => boolean) => until(Effect.map(read(id), holds))
  return {
    ...upstream,
    read,
    create,
    reaches,
    remove: (id: string) => api.delete(`${path}/${id}`, { key }),
    reset: (id: string) => api.post(`${path}/${id}/invite-link/reset`, undefined, { key }),
    /** Each once, oldest first. */
    events: (id: string) =>
      Effect.map(api.get("/v1/webhook-events?limit=100", { key }), ({ body }) =>
        (body.data as ReadonlyArray<Answer["body"]>)
          .map(({ payload }) => payload)
          .filter(
            ({ data, id: event }, at, all) => data.group_id === id && all.findIndex((one) => one.id === event) === at
          )
          .reverse()
      ),
    active: Effect.gen(function* () {
      const { body } = yield* create
      yield* reaches(body.id, ({ status }) => status === "active")
      return yield* read(body.id)
    }),
    /** Calls about groups that the platform was asked, by action. */
    asked: (action: string) => upstream.simulator.log.read(0, "group").filter((entry) => entry.action === action),
    /** Calls that create a group of this subject. */
    creates: (subject: unknown) =>
      upstream.simulator.log.read(0, "group").filter((entry) => entry.action === "create" && entry.subject === subject)
  }
})

it.layer(UpstreamProduct({ settings: reports }), { excludeTestServices: true })("Groups at the platform", (it) => {
  it.effect(
    "are created, given another link and deleted by reports of the platform C-GRP-35 C-GRP-40 C-GRP-56 C-GRP-65",
    () =>
      Effect.gen(function* () {
        const { active, events, reaches, read, remove, reset } = yield* stage
        const group = yield* active
        assert.match(group.invite_link, /^https:\/\/chat\.whatsapp\.com\//)
        assert.isString(group.provider_group_id)
        const shown = yield* reset(group.id)
        assert.strictEqual(shown.body.invite_link, group.invite_link)
        yield* reaches(group.id, ({ invite_link }) => invite_link !== group.invite_link)
        yield* remove(group.id)
        yield* reaches(group.id, ({ status }) => status === "deleted")
        assert.isNotNull((yield* read(group.id)).deleted_at)
        assert.deepStrictEqual(
          (yield* events(group.id)).map(({ type }) => type),
          ["group.created", "group.invite_link_reset", "group.deleted"]
        )
      })
  )

  it.effect(
    "are reported in the fields of the platform's description, a deletion by the group's id alone U-GRP-01",
    () =>
      Effect.gen(function* () {
        const { active, control, events, reaches, read, remove } = yield* stage
        const group = yield* active
        const { provider_group_id } = group
        const change = (action: string, who: object) =>
          control("/participants", { group_id: provider_group_id, action, timestamp: 2_000_000_000, ...who })
        yield* change("join", { wa_id: "5511988887777", user_id: "BR.1" })
        yield* change("join", { user_id: "BR.2" })
        yield* reaches(group.id, ({ participant_count }) => participant_count === 2)
        const chats = (yield* read(group.id)).participants.map(({ chat_id }: { readonly chat_id: string }) => chat_id)
        assert.deepStrictEqual(chats.toSorted(), ["5511988887777", "BR.2"])
        yield* control("/participants", { group_id: provider_group_id, settings: { subject: "June" } })
        yield* remove(group.id)
        yield* reaches(group.id, ({ status }) => status === "deleted")
        const types = (yield* events(group.id)).map(({ type }) => type)
        assert.deepStrictEqual(types, [
          "group.created",
          "group.participant_joined",
          "group.participant_joined",
          "group.deleted"
        ])
      })
  )

  it.effect(
    "a refusal of the call or by report fails a create, and keeps a group that was to be deleted C-GRP-18 C-GRP-41 C-GRP-57 C-GRP-66 C-GEVT-09 C-GEVT-10 C-GEVT-11 C-GEVT-12",
    () =>
      Effect.gen(function* () {
        const { active, create, events, faults, reaches, read, remove, reset } = yield* stage
        for (const name of ["refuse_group", "refuse_group_report"]) {
          const group = yield* active
          yield* faults({ name, operation: "create" })
          const { id } = (yield* create).body
          yield* reaches(id, ({ status }) => status === "failed")
          assert.deepInclude((yield* read(id)).failure, { code: "group_provider_rejected", provider: "upstream" })
          yield* faults({ name, operation: "delete" })
          yield* remove(group.id)
          yield* reaches(group.id, ({ failure, status }) => status === "active" && failure !== null)
          const failure = (yield* read(group.id)).failure
          assert.strictEqual(failure.code, "group_provider_rejected")
          yield* faults({ name: "refuse_group", operation: "reset" })
          yield* reset(group.id)
          const isReset = ({ type }: { type: string }) => type === "group.invite_link_reset_failed"
          yield* until(Effect.map(events(group.id), (all) => all.some(isReset)))
          const shown = yield* read(group.id)
          assert.strictEqual(shown.invite_link, group.invite_link)
          const told = (yield* events(group.id)).find(({ type }) => type === "group.delete_failed")
          assert.deepStrictEqual(told.data.failure, failure)
          yield* faults()
        }
      })
  )

  it.effect(
    "a cut answer leaves the operation open and the link unchanged, and is never repeated C-GRP-19 C-GRP-43 C-GRP-58 C-GRP-67 C-GEVT-19",
    () =>
      Effect.gen(function* () {
        const { active, create, creates, faults, reaches, read, remove, reset } = yield* stage
        const group = yield* active
        yield* faults({ name: "cut_group" }, { name: "no_group_report" })
        yield* reset(group.id)
        yield* reaches(group.id, ({ failure }) => failure?.code === "provider_error")
        yield* remove(group.id)
        yield* reaches(group.id, ({ failure, status }) => status === "deleting" && failure?.code === "provider_error")
        yield* remove(group.id)
        const { id, subject } = (yield* create).body
        yield* until(Effect.sync(() => creates(subject).length > 0))
        assert.strictEqual((yield* read(id)).status, "pending")
        assert.strictEqual(creates(subject).length, 1)
        yield* faults()
      })
  )

  it.effect("a failing platform is called again until it accepts the group", () =>
    Effect.gen(function* () {
      const { create, creates, faults, reaches } = yield* stage
      yield* faults({ name: "fail_group", operation: "create", times: 1 })
      const { id, subject } = (yield* create).body
      yield* reaches(id, ({ status }) => status === "active")
      assert.deepStrictEqual(
        creates(subject).map(({ outcome }) => outcome),
        ["failed", "accepted"]
      )
    })
  )

  it.effect("participants are reported late and twice C-GPART-02 C-GPART-04 C-GPART-06 C-GEVT-16", () =>
    Effect.gen(function* () {
      const { active, control, events, reaches, read } = yield* stage
      const group = yield* active
      const tell = (action: string, timestamp: number) =>
        control("/participants", { group_id: group.provider_group_id, action, wa_id: "5511988887777", timestamp })
      yield* tell("join", 2_000_000_000)
      yield* reaches(group.id, ({ participant_count }) => participant_count === 1)
      yield* tell("join", 2_000_000_000)
      yield* tell("remove", 1_999_999_000)
      yield* until(Effect.map(events(group.id), (all) => all.some(({ type }) => type === "group.participant_removed")))
      const shown = yield* read(group.id)
      assert.deepStrictEqual(shown.participants, [{ chat_id: "5511988887777", joined_at: "2033-05-18T03:33:20.000Z" }])
      const types = (yield* events(group.id)).map(({ type }) => type)
      assert.deepStrictEqual(types, ["group.created", "group.participant_joined", "group.participant_removed"])
    })
  )

  it.effect("reports of unknown requests change nothing C-GRP-43", () =>
    Effect.gen(function* () {
      const { active, read, reaches, remove, tell } = yield* stage
      const group = yield* active
      const report = {
        type: "group_delete",
        request_id: "greq_nobody",
        group_id: group.provider_group_id,
        timestamp: "1"
      }
      yield* tell(told({ groups: [report, { type: "group_create" }, null, 7] }, "groups"))
      assert.strictEqual((yield* read(group.id)).status, "active")
      yield* remove(group.id)
      yield* reaches(group.id, ({ status }) => status === "deleted")
    })
  )

  it.effect("a number without a usable connection hosts none, and a delete waits unsent C-GRP-38 C-GRP-59", () =>
    Effect.gen(function* () {
      const { active, asked, create, read, reaches, remove, sql } = yield* stage
      const group = yield* active
      yield* sql`update provider_connections set status = 'suspended' where provider = 'upstream'`
      assert.deepStrictEqual(refusal(yield* create), [400, "sender_phone_number_unavailable", "phone_number_id"])
      yield* remove(group.id)
      yield* until(
        Effect.map(
          sql`select 1 from groups where id = ${group.id} and life_state = 'unsent'`,
          (rows) => rows.length === 1
        )
      )
      assert.deepInclude(yield* read(group.id), { status: "deleting", failure: null })
      assert.isEmpty(asked("delete").filter(({ id }) => id === group.provider_group_id))
      yield* sql`update provider_connections set status = 'connected' where provider = 'upstream'`
      yield* remove(group.id)
      yield* reaches(group.id, ({ status }) => status === "deleted")
    })
  )

  it.effect(
    "eligibility is the platform's answer about number and groups; an unreadable one is read_failed C-ELIG-02 C-ELIG-10 C-ELIG-12 U-GRP-01",
    () =>
      Effect.gen(function* () {
        const { api, key, number, simulator, sql } = yield* stage
        const check = Effect.gen(function* () {
          const asked = yield* api.post(`${path}/eligibility-checks`, { phone_number_id: number.id }, { key })
          const read = Effect.map(
            api.get(`${path}/eligibility?phone_number_id=${number.id}`, { key }),
            ({ body }) => body
          )
          yield* until(Effect.map(read, ({ checked_at }) => (checked_at ?? "") > asked.body.check_requested_at))
          const { reasons, status } = yield* read
          return [status, reasons]
        })
        const [host] = [...simulator.world.numbers.values()]
        assert.deepStrictEqual(yield* check, ["eligible", []])
        Object.assign(host ?? {}, { is_on_biz_app: true, is_official_business_account: false })
        assert.deepStrictEqual(yield* check, [
          "not_eligible",
          ["chatapp_business_app_number", "not_official_business_account"]
        ])
        Object.assign(host ?? {}, { is_on_biz_app: null, is_official_business_account: true })
        assert.deepStrictEqual(yield* check, ["unknown", []])
        simulator.world.mayMessage = false
        assert.deepStrictEqual(yield* check, ["not_eligible", ["missing_messaging_permission"]])
        simulator.world.mayMessage = true
        yield* sql`update provider_connections set status = 'suspended' where provider = 'upstream'`
        assert.deepStrictEqual(yield* check, ["read_failed", []])
        yield* sql`update provider_connections set status = 'connected' where provider = 'upstream'`
        Object.assign(host ?? {}, { is_on_biz_app: false })
      })
  )
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("Without reports enabled", (it) => {
  it.effect("a group stays pending, and the report is kept C-GRP-76", () =>
    Effect.gen(function* () {
      const { create, creates, read, sql } = yield* stage
      const { id, subject } = (yield* create).body
      yield* until(Effect.sync(() => creates(subject).length > 0))
      // A call about groups is sealed, and nothing else begins with that byte.
      const taken = sql`select 1 from vendor_webhooks w where w.body <> ''::bytea and get_byte(w.body, 0) = 0
        and not exists (select 1 from vendor_webhook_work t where t.webhook_id = w.id)`
      yield* until(Effect.map(taken, (rows) => rows.length > 0))
      assert.strictEqual((yield* read(id)).status, "pending")
    })
  )
})
