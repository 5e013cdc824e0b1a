import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Answer, Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const path = "/v1/groups"

/** What a row holds. */
interface Stored {
  readonly bytes: Uint8Array
}

/** A number of acme's sandbox, and what is done with its groups. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const sql = yield* SqlClient.SqlClient
  const { id, key } = api.acme.sandbox
  const number = yield* seedNumber({ id, kind: "sandbox" })
  const read = (group: string) => Effect.map(api.get(`${path}/${group}`, { key }), ({ body }) => body)
  const create = (more: object = {}, headers: Record<string, string> = {}) =>
    api.post(path, { phone_number_id: number.id, subject: "May", ...more }, { key, headers })
  const events = (group: string) =>
    Effect.map(api.get("/v1/webhook-events/listen?limit=100", { key }), ({ body }) =>
      (body.data as ReadonlyArray<Answer["body"]>)
        .map(({ payload }) => payload)
        .filter(({ data }) => data.group_id === group)
    )
  return {
    api,
    sql,
    key,
    number,
    read,
    create,
    events,
    participate: (group: string, body: object) => api.post(`/v1/sandbox/groups/${group}/participants`, body, { key }),
    /** An active group. */
    active: Effect.gen(function* () {
      const { body } = yield* create()
      yield* turnBy(500)
      return yield* read(body.id)
    })
  }
})

it.layer(WholeProduct(), { excludeTestServices: true })("Groups of a sandbox", (it) => {
  it.effect(
    "are pending at once and active half a second later, with id and link of the sandbox C-GRP-01..11 C-GRP-13 C-GRP-14 C-GRP-16 C-GRP-23 C-GRP-25 C-GRP-26 C-GRP-39 C-GRP-44",
    () =>
      Effect.gen(function* () {
        const { create, number, read } = yield* stage
        const made = yield* create({ description: null })
        assert.strictEqual(made.status, 202)
        const { created_at, id, trace_id, updated_at, ...group } = made.body
        assert.match(id, /^grp_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
        assert.strictEqual(created_at, updated_at)
        assert.isString(trace_id)
        assert.deepStrictEqual(group, {
          object: "group",
          status: "pending",
          environment: "sandbox",
          phone_number_id: number.id,
          subject: "May",
          description: null,
          join_approval_mode: "auto_approve",
          provider_group_id: null,
          invite_link: null,
          participants: [],
          participant_count: 0,
          failure: null,
          deleted_at: null
        })
        yield* turnBy(499)
        assert.strictEqual((yield* read(id)).status, "pending")
        yield* turnBy(1)
        const active = yield* read(id)
        assert.strictEqual(active.status, "active")
        assert.match(active.provider_group_id, /^sb_[a-z2-7]{24}$/)
        assert.match(active.invite_link, /^http.*\/sandbox\/group-invites\/[0-9A-Za-z]{22}$/)
      })
  )

  it.effect("keep subject and description as sent, of any length; a blank subject is none C-GRP-27..32 C-ERR-02", () =>
    Effect.gen(function* () {
      const { create } = yield* stage
      const long = " x".repeat(3000)
      const made = yield* create({ subject: long, description: "" })
      assert.deepInclude(made.body, { subject: long, description: "" })
      const refusals: ReadonlyArray<readonly [object, string]> = [
        [{ subject: "  " }, "subject"],
        [{ subject: "" }, "subject"],
        [{ subject: 7 }, "subject"],
        [{ phone_number_id: " " }, "phone_number_id"],
        [{ phone_number_id: "x".repeat(256) }, "phone_number_id"],
        [{ join_approval_mode: "approval_required" }, "join_approval_mode"],
        [{ colour: "red" }, "colour"]
      ]
      for (const [more, param] of refusals) {
        assert.deepStrictEqual(told(yield* create(more)), [400, "invalid_group_request", param])
      }
    })
  )

  it.effect("a replay answers pending as it was sent, and makes no second group C-GRP-33 C-GRP-34", () =>
    Effect.gen(function* () {
      const { api, create, key } = yield* stage
      const headers = { "idempotency-key": "group-1" }
      const first = yield* create({}, headers)
      yield* turnBy(1000)
      const again = yield* create({}, headers)
      assert.strictEqual(again.text, first.text)
      const list = yield* api.get(`${path}?phone_number_id=${first.body.phone_number_id}`, { key })
      assert.strictEqual(list.body.data.length, 1)
    })
  )

  it.effect(
    "a number that is not active hosts none, one that stops being so fails the create C-GRP-20 C-GRP-21 C-GRP-38 C-ERR-05",
    () =>
      Effect.gen(function* () {
        const { create, events, number, read, sql } = yield* stage
        const { id } = (yield* create()).body
        yield* sql`update phone_numbers set status = 'disconnected' where id = ${number.id}`
        assert.deepStrictEqual(told(yield* create()), [400, "sender_phone_number_unavailable", "phone_number_id"])
        yield* turnBy(500)
        const group = yield* read(id)
        assert.deepInclude(group.failure, { code: "sender_phone_number_unavailable", provider: null })
        assert.strictEqual(group.status, "failed")
        const [event] = yield* events(id)
        assert.strictEqual(event.type, "group.create_failed")
        assert.deepStrictEqual(event.data.failure, group.failure)
      })
  )

  it.effect("absent and foreign numbers and groups answer alike C-ELIG-21 C-GRP-75 C-ERR-03", () =>
    Effect.gen(function* () {
      const { active, api, create } = yield* stage
      const group = yield* active
      const stranger = api.other.sandbox.key
      for (const id of ["pn_01kah7v3m8q6x2r9d4t5w0y1z3", "nonsense"]) {
        assert.deepStrictEqual(told(yield* create({ phone_number_id: id })), [
          404,
          "phone_number_not_found",
          "phone_number_id"
        ])
      }
      assert.deepStrictEqual(told(yield* api.get(`${path}/${group.id}`, { key: stranger })), [
        404,
        "group_not_found",
        undefined
      ])
      assert.strictEqual((yield* api.delete(`${path}/${group.id}`, { key: stranger })).status, 404)
    })
  )

  it.effect("list newest first, by number and status; another environment's number finds nothing C-GRP-45..49", () =>
    Effect.gen(function* () {
      const { active, api, create, key, number } = yield* stage
      const one = yield* active
      const two = (yield* create()).body
      const ids = (query: string) =>
        Effect.map(api.get(`${path}?${query}`, { key }), ({ body }) => body.data.map(({ id }: { id: string }) => id))
      assert.deepStrictEqual(yield* ids(`phone_number_id=${number.id}`), [two.id, one.id])
      assert.deepStrictEqual(yield* ids(`phone_number_id=${number.id}&status=active`), [one.id])
      const foreign = yield* seedNumber({ id: api.other.sandbox.id, kind: "sandbox" })
      assert.deepStrictEqual(yield* ids(`phone_number_id=${foreign.id}`), [])
      for (const [query, code, param] of [
        ["limit=0", "invalid_groups_query", "limit"],
        ["limit=101", "invalid_groups_query", "limit"],
        ["status=lost", "invalid_groups_query", "status"],
        ["phone_number_id=%20", "invalid_groups_query", "phone_number_id"],
        ["colour=red", "invalid_groups_query", "colour"],
        ["starting_after=zzz", "invalid_cursor", "starting_after"]
      ] as const) {
        assert.deepStrictEqual(told(yield* api.get(`${path}?${query}`, { key })), [400, code, param])
      }
    })
  )

  it.effect(
    "DELETE answers 202 in every state but pending; deleted groups stay readable C-GRP-50..55 C-GRP-60 C-GPART-09 C-GRP-15",
    () =>
      Effect.gen(function* () {
        const { active, api, create, events, key, participate, read } = yield* stage
        const remove = (id: string) => api.delete(`${path}/${id}`, { key })
        const pending = (yield* create()).body
        assert.deepStrictEqual(told(yield* remove(pending.id)), [409, "group_not_active", undefined])
        const group = yield* active
        yield* participate(group.id, { action: "join", chat_id: "5511" })
        const deleting = yield* remove(group.id)
        assert.deepStrictEqual([deleting.status, deleting.body.status], [202, "deleting"])
        assert.deepInclude((yield* remove(group.id)).body, { status: "deleting" })
        assert.deepStrictEqual(told(yield* participate(group.id, { action: "join", chat_id: "1" })), [
          409,
          "group_not_active",
          undefined
        ])
        yield* turnBy(500)
        const gone = yield* read(group.id)
        assert.deepInclude(gone, { status: "deleted", participant_count: 0, participants: [] })
        assert.isNotNull(gone.deleted_at)
        const again = yield* remove(group.id)
        assert.deepStrictEqual([again.status, again.body.deleted_at], [202, gone.deleted_at])
        assert.deepStrictEqual(
          (yield* events(group.id)).map(({ type }) => type),
          ["group.created", "group.participant_joined", "group.deleted"]
        )
      })
  )

  it.effect('DELETE of a failed group closes it at once and keeps why gaps-3 B "DELETE on a failed group"', () =>
    Effect.gen(function* () {
      const { api, create, events, key, number, sql } = yield* stage
      const { id } = (yield* create()).body
      yield* sql`update phone_numbers set status = 'released' where id = ${number.id}`
      yield* turnBy(500)
      const { body, status } = yield* api.delete(`${path}/${id}`, { key })
      assert.deepStrictEqual([status, body.status], [202, "deleted"])
      assert.strictEqual(body.failure.code, "sender_phone_number_unavailable")
      assert.deepStrictEqual(
        (yield* events(id)).map(({ type }) => type),
        ["group.create_failed", "group.deleted"]
      )
    })
  )

  it.effect(
    "a reset shows the old link, then another; one at a time, and a replay of it is the first answer C-GRP-62..64 C-GRP-69..71 C-ERR-04",
    () =>
      Effect.gen(function* () {
        const { active, api, create, events, key, read } = yield* stage
        const group = yield* active
        const reset = (headers = {}) => api.post(`${path}/${group.id}/invite-link/reset`, undefined, { key, headers })
        const named = { "idempotency-key": "reset-1" }
        const first = yield* reset(named)
        assert.deepStrictEqual(
          [first.status, first.body.status, first.body.invite_link],
          [202, "active", group.invite_link]
        )
        assert.deepStrictEqual(told(yield* reset()), [409, "group_invite_link_reset_in_progress", undefined])
        assert.strictEqual((yield* reset(named)).text, first.text)
        yield* turnBy(500)
        const changed = yield* read(group.id)
        assert.notStrictEqual(changed.invite_link, group.invite_link)
        assert.strictEqual((yield* events(group.id)).at(-1)?.type, "group.invite_link_reset")
        const pending = (yield* create()).body
        assert.deepStrictEqual(told(yield* api.post(`${path}/${pending.id}/invite-link/reset`, undefined, { key })), [
          409,
          "group_not_active",
          undefined
        ])
      })
  )

  it.effect(
    "participants join and leave, a ninth does not, and one told twice is one C-GPART-01..12 C-GEVT-05..08 C-GEVT-17 C-LIM-01",
    () =>
      Effect.gen(function* () {
        const { active, events, participate, read } = yield* stage
        const group = yield* active
        for (let n = 1; n <= 8; n++) {
          const { body, status } = yield* participate(group.id, { action: "join", chat_id: `p${n}` })
          assert.deepStrictEqual([status, body.participant_count], [200, n])
        }
        const repeated = yield* participate(group.id, { action: "join", chat_id: "p1" })
        assert.deepStrictEqual([repeated.status, repeated.body.participant_count], [200, 8])
        assert.deepStrictEqual(told(yield* participate(group.id, { action: "join", chat_id: "p9" })), [
          409,
          "group_participant_limit_reached",
          undefined
        ])
        yield* turnBy(1000)
        const left = yield* participate(group.id, { action: "remove", chat_id: "p1", initiated_by: "business" })
        assert.strictEqual(left.body.participant_count, 7)
        yield* turnBy(1000)
        yield* participate(group.id, { action: "join", chat_id: "p9" })
        const shown = (yield* read(group.id)).participants
        assert.deepStrictEqual(
          shown.map(({ chat_id }: { chat_id: string }) => chat_id),
          ["p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"]
        )
        assert.deepStrictEqual(Object.keys(shown[0]), ["chat_id", "joined_at"])
        assert.match(shown[0].joined_at, /\.000Z$/)
        const heard = (yield* events(group.id)).filter(({ type }) => type.startsWith("group.participant"))
        assert.strictEqual(heard.length, 10)
        assert.deepInclude(heard[8].data, {
          participant: { chat_id: "p1" },
          participant_count: 7,
          initiated_by: "business"
        })
        assert.notProperty(heard[0].data, "initiated_by")
        for (const [body, param] of [
          [{ chat_id: "a" }, "action"],
          [{ action: "ban", chat_id: "a" }, "action"],
          [{ action: "join" }, "chat_id"],
          [{ action: "join", chat_id: " " }, "chat_id"],
          [{ action: "join", chat_id: "x".repeat(256) }, "chat_id"],
          [{ action: "join", chat_id: "a", initiated_by: "business" }, "initiated_by"],
          [{ action: "remove", chat_id: "a", initiated_by: "robot" }, "initiated_by"],
          [{ action: "join", chat_id: "a", at: 1 }, "at"]
        ] as const) {
          assert.deepStrictEqual(told(yield* participate(group.id, body)), [400, "invalid_group_request", param])
        }
      })
  )

  it.effect("a production key simulates nobody, whatever the body C-GPART-08", () =>
    Effect.gen(function* () {
      const { active, api } = yield* stage
      const group = yield* active
      const answer = yield* api.post(
        `/v1/sandbox/groups/${group.id}/participants`,
        { nonsense: true },
        { key: api.acme.production.key }
      )
      assert.deepStrictEqual(told(answer), [400, "sandbox_group_participant_sandbox_only", undefined])
    })
  )

  it.effect(
    "outcome events show the group as it is when they are read, their failure as it was C-GEVT-03 C-GEVT-13 C-GEVT-15",
    () =>
      Effect.gen(function* () {
        const { active, api, events, key } = yield* stage
        const group = yield* active
        const [created] = yield* events(group.id)
        assert.deepStrictEqual(Object.keys(created.data).sort(), [
          "failure",
          "group_id",
          "invite_link",
          "occurred_at",
          "phone_number_id",
          "provider_group_id",
          "status",
          "subject"
        ])
        assert.deepStrictEqual([created.data.status, created.data.failure], ["active", null])
        yield* api.delete(`${path}/${group.id}`, { key })
        yield* turnBy(500)
        const [later] = yield* events(group.id)
        assert.deepStrictEqual(
          [later.type, later.data.status, later.data.occurred_at],
          ["group.created", "deleted", created.data.occurred_at]
        )
      })
  )

  it.effect("links are sealed at rest C-GRP-12", () =>
    Effect.gen(function* () {
      const { active, api, key, sql } = yield* stage
      const { id, invite_link } = yield* active
      const secret = Buffer.from(invite_link.split("/").at(-1))
      const headers = { "idempotency-key": `sealed-${id}` }
      yield* api.post(`${path}/${id}/invite-link/reset`, undefined, { key, headers })
      for (const rows of [
        yield* sql<Stored>`select invite_link as bytes from groups where invite_link is not null`,
        yield* sql<Stored>`select convert_to(envelope, 'UTF8') as bytes from outbox_events`,
        yield* sql<Stored>`select response_body as bytes from idempotency_records where response_body is not null`
      ]) {
        assert.isNotEmpty(rows)
        for (const { bytes } of rows) assert.isFalse(Buffer.from(bytes).includes(secret))
      }
    })
  )

  it.effect("rejects ids of the chat apps' own groups without repeating them C-GRP-72..74 C-ERR-06", () =>
    Effect.gen(function* () {
      const { api, key } = yield* stage
      const taught = [422, "personal_chatapp_group_not_supported", undefined]
      const link = "https://chat.whatsapp.com/AbCdEfGh"
      for (const id of ["120363@g.us", "120363%40G.US", encodeURIComponent(link), "chat.whatsapp.com%2Fx"]) {
        for (const answer of [
          yield* api.get(`${path}/${id}`, { key }),
          yield* api.delete(`${path}/${id}`, { key }),
          yield* api.post(`${path}/${id}/invite-link/reset`, undefined, { key }),
          yield* api.post(`/v1/sandbox/groups/${id}/participants`, { action: "join", chat_id: "a" }, { key })
        ]) {
          assert.deepStrictEqual(told(answer), taught)
          assert.notInclude(answer.text, "AbCdEfGh")
        }
      }
      for (const answer of [
        yield* api.get(`${path}/${link}`, { key }),
        yield* api.delete(`${path}/${link}`, { key })
      ]) {
        assert.deepStrictEqual(told(answer), taught)
        assert.notInclude(answer.text, "AbCdEfGh")
      }
      assert.strictEqual((yield* api.post(`${path}/${link}`, {}, { key })).body.error.code, "route_not_found")
      assert.strictEqual((yield* api.get(`${path}/https://other.example/x`, { key })).status, 404)
      assert.strictEqual((yield* api.get(`${path}/${link}`)).status, 401)
    })
  )

  it.effect(
    "eligibility is not_checked, then eligible half a second after a check was asked for C-ELIG-01..07 C-ELIG-09 C-ELIG-11 C-ELIG-13..20 C-ELIG-22 C-ELIG-24 C-ERR-01 C-LIM-08",
    () =>
      Effect.gen(function* () {
        const { api, key, number } = yield* stage
        const read = Effect.map(
          api.get(`${path}/eligibility?phone_number_id=${number.id}`, { key }),
          ({ body }) => body
        )
        const { trace_id: _, ...before } = yield* read
        assert.deepStrictEqual(before, {
          id: number.id,
          object: "group_eligibility",
          phone_number_id: number.id,
          environment: "sandbox",
          status: "not_checked",
          reasons: [],
          checked_at: null,
          check_requested_at: null
        })
        const headers = { "idempotency-key": `check-${number.id}` }
        const ask = api.post(`${path}/eligibility-checks`, { phone_number_id: number.id }, { key, headers })
        const asked = yield* ask
        assert.deepStrictEqual([asked.status, asked.body.status, asked.body.checked_at], [202, "not_checked", null])
        assert.isString(asked.body.check_requested_at)
        yield* turnBy(500)
        const after = yield* read
        assert.deepStrictEqual([after.status, after.reasons], ["eligible", []])
        assert.isAbove(Date.parse(after.checked_at), Date.parse(after.check_requested_at))
        assert.strictEqual((yield* ask).text, asked.text)
        yield* turnBy(1000)
        assert.strictEqual((yield* read).checked_at, after.checked_at)
        for (const [body, param] of [
          [{}, "phone_number_id"],
          [{ phone_number_id: " " }, "phone_number_id"],
          [{ phone_number_id: "p".repeat(256) }, "phone_number_id"],
          [{ phone_number_id: number.id, colour: 1 }, "colour"]
        ] as const) {
          const refused = yield* api.post(`${path}/eligibility-checks`, body, { key })
          assert.deepStrictEqual(told(refused), [400, "invalid_group_request", param])
        }
        assert.strictEqual(
          (yield* api.post(`${path}/eligibility-checks`, "[]", { key })).body.error.code,
          "invalid_group_request"
        )
        const longest = yield* api.get(`${path}/eligibility?phone_number_id=${"p".repeat(255)}`, { key })
        assert.strictEqual(longest.body.error.code, "phone_number_not_found")
        for (const [query, param] of [
          ["", "phone_number_id"],
          ["?phone_number_id=%20", "phone_number_id"],
          [`?phone_number_id=${"p".repeat(256)}`, "phone_number_id"],
          [`?phone_number_id=${number.id}&a=1`, "a"]
        ] as const) {
          assert.deepStrictEqual(told(yield* api.get(`${path}/eligibility${query}`, { key })), [
            400,
            "invalid_groups_query",
            param
          ])
        }
      })
  )

  it.effect("refuses a number known as not eligible with its reasons, and admits every other C-GRP-36 C-GRP-37", () =>
    Effect.gen(function* () {
      const { api, create, number, sql } = yield* stage
      const store = (status: string, reasons: ReadonlyArray<string>) => sql`insert into group_eligibility
        (environment_id, phone_number_id, environment, status, reasons)
        values (${api.acme.sandbox.id}, ${number.id}, 'sandbox', ${status}, ${JSON.stringify(reasons)})
        on conflict (environment_id, phone_number_id) do update set status = excluded.status, reasons = excluded.reasons`
      for (const status of ["eligible", "unknown", "not_checked", "read_failed"]) {
        yield* store(status, [])
        assert.strictEqual((yield* create()).status, 202)
      }
      yield* store("not_eligible", ["not_cloud_api", "missing_messaging_permission"])
      const refused = yield* create()
      assert.deepStrictEqual(told(refused), [422, "group_phone_number_not_eligible", undefined])
      assert.include(refused.body.error.message, "not_cloud_api, missing_messaging_permission")
    })
  )

  it.effect("offers only the eight routes: no import, no removal, no settings C-GRP-24 C-GEVT-20", () =>
    Effect.gen(function* () {
      const { api } = yield* stage
      const { body } = yield* api.get("/openapi.json")
      const routes = Object.entries<object>(body.paths).flatMap(([route, methods]) =>
        route.includes("/groups") ? Object.keys(methods).map((method) => `${method} ${route}`) : []
      )
      assert.deepStrictEqual(routes.sort(), [
        "delete /v1/groups/{group_id}",
        "get /v1/groups",
        "get /v1/groups/eligibility",
        "get /v1/groups/{group_id}",
        "post /v1/groups",
        "post /v1/groups/eligibility-checks",
        "post /v1/groups/{group_id}/invite-link/reset",
        "post /v1/sandbox/groups/{group_id}/participants"
      ])
    })
  )

  it.effect("switched off, groups can only be read and deleted C-ERR-07 C-ELIG-25 C-ELIG-26 C-GRP-61", () =>
    Effect.gen(function* () {
      const { active, api, create, key, number, participate, sql } = yield* stage
      const group = yield* active
      yield* sql`update environments set capabilities_off = '["groups"]' where id = ${api.acme.sandbox.id}`
      const eligibility = api.get(`${path}/eligibility?phone_number_id=${number.id}`, { key })
      for (const answer of [
        yield* create(),
        yield* api.post(`${path}/eligibility-checks`, { phone_number_id: number.id }, { key }),
        yield* api.post(`${path}/${group.id}/invite-link/reset`, undefined, { key }),
        yield* participate(group.id, { action: "join", chat_id: "a" })
      ]) {
        assert.deepStrictEqual(told(answer), [403, "feature_disabled", undefined])
        assert.strictEqual(answer.body.error.type, "authorization_error")
      }
      assert.isNull((yield* eligibility).body.check_requested_at)
      assert.strictEqual((yield* api.get(`${path}/${group.id}`, { key })).status, 200)
      assert.strictEqual((yield* api.delete(`${path}/${group.id}`, { key })).status, 202)
      yield* sql`update environments set capabilities_off = '[]' where id = ${api.acme.sandbox.id}`
    })
  )
})
