import { inboxBodiesJob } from "@carteiro/runtime/vendor-webhooks/InboxRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { account, customer, told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

const path = "/webhooks/upstream"

it.layer(UpstreamProduct(), { excludeTestServices: true })("The platform's webhooks", (it) => {
  it.effect('answer a handshake with the correct verify token, and no other gaps-2 E "Inbound upstream webhook"', () =>
    Effect.gen(function* () {
      const { api } = yield* upstreamStage
      const ask = (mode: string, token: string) =>
        api.get(`${path}?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=8472`)
      const { headers, status, text } = yield* ask("subscribe", account.verify_token)
      assert.deepStrictEqual([status, text, headers["content-type"]], [200, "8472", "text/plain; charset=utf-8"])
      for (const [mode, token] of [
        ["subscribe", "other"],
        ["subscribe", ""],
        ["unsubscribe", account.verify_token]
      ] as const) {
        const refused = yield* ask(mode, token)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "http_exception"])
      }
    })
  )

  it.effect('store nothing of a body that is not signed gaps-2 E "Inbound upstream webhook"', () =>
    Effect.gen(function* () {
      const { api, sql, tell } = yield* upstreamStage
      const stored = Effect.map(sql`select 1 from vendor_webhooks`, (rows) => rows.length)
      const before = yield* stored
      const body = told({ statuses: [] })
      for (const signature of ["", "sha256=", `sha256=${"0".repeat(64)}`, `sha1=${"0".repeat(40)}`, "nonsense"]) {
        const refused = yield* tell(body, signature)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [401, "authentication_error"])
      }
      assert.strictEqual((yield* api.post(path, body)).status, 401)
      const large = yield* tell("x".repeat(3 * 1024 * 1024 + 1))
      assert.deepStrictEqual([large.status, large.body.error.code], [413, "payload_too_large"])
      assert.strictEqual(yield* stored, before)
    })
  )

  it.effect(
    "store a signed body unchanged and answer {ok:true}; a body that names no known number is not processed",
    () =>
      Effect.gen(function* () {
        const { sql, tell } = yield* upstreamStage
        // What no part is understood of is counted by its account (U-ACC-02).
        const lost = { statuses: [null, 1, { id: 5 }, { id: "a", status: "lost" }], messages: [{}] }
        const strange: ReadonlyArray<readonly [text: string, works: number]> = [
          ["{}", 0],
          ["[]", 0],
          ["null", 0],
          ["no json at all", 0],
          ['{"entry":"x"}', 0],
          ['{"entry":[{"id":1,"changes":[{"field":7}]}]}', 0],
          [JSON.stringify(told({ statuses: [{ id: "mid.x", status: "sent" }] }, "messages", "999")), 0],
          [JSON.stringify(told(lost, "messages", "999")), 1]
        ]
        for (const [text, works] of strange) {
          const { status, text: answer } = yield* tell(text)
          assert.deepStrictEqual([status, answer], [200, '{"ok":true}'])
          const kept = yield* sql<{ readonly body: Uint8Array; readonly works: number }>`select w.body,
            (select count(*)::int4 from vendor_webhook_work t where t.webhook_id = w.id) as works
          from vendor_webhooks w order by w.id desc limit 1`
          assert.deepStrictEqual([Buffer.from(kept[0]?.body ?? []).toString(), kept[0]?.works], [text, works])
        }
      })
  )

  it.effect(
    "capture each inbound message once, also after replays, from a body with many changes M-INB-01 M-EVT-04",
    () =>
      Effect.gen(function* () {
        const { number, sql, tell } = yield* upstreamStage
        const message = (id: string, body: string) => ({
          from: "5511955554444",
          id,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: "text",
          text: { body }
        })
        const contacts = [{ profile: { name: "Ana" }, wa_id: "5511955554444" }]
        const many = {
          object: "chatapp_business_account",
          entry: [
            ...told({ contacts, messages: [message("mid.a", "one"), message("mid.b", "two")] }).entry,
            ...told({ contacts, messages: [message("mid.a", "one")] }).entry,
            ...told({ statuses: [] }, "messages", "999").entry
          ]
        }
        for (const _ of [1, 2, 3]) assert.strictEqual((yield* tell(many)).status, 200)
        const captured = sql<{ readonly provider_message_id: string; readonly customer_name: string }>`
        select provider_message_id, customer_name from messages where business_id = ${number.id} order by id`
        const open = sql`select 1 from vendor_webhook_work where due_at is not null`
        yield* until(Effect.map(open, (rows) => rows.length === 0))
        assert.deepStrictEqual(
          (yield* captured).map((row) => [row.provider_message_id, row.customer_name]),
          [
            ["mid.a", "Ana"],
            ["mid.b", "Ana"]
          ]
        )
        const events = yield* sql`select 1 from outbox_events where type = 'message.received'
        and environment_id = ${number.environment_id} and source_id in (select id from messages where business_id = ${number.id})`
        assert.strictEqual(events.length, 2)
      })
  )

  it.effect("a call that no owner processes keeps its name, and not its content", () =>
    Effect.gen(function* () {
      const { sql, tell } = yield* upstreamStage
      yield* tell(told({ statuses: [{ id: "mid.nobody", status: "sent" }] }))
      yield* tell({ object: "whatsapp_business_account", entry: [] })
      yield* sql`update vendor_webhooks set received_at = received_at - interval '10 minutes'`
      yield* inboxBodiesJob.run
      const kept = yield* sql<{ readonly length: number; readonly works: boolean }>`
        select octet_length(w.body) as length, exists (select 1 from vendor_webhook_work t
          where t.webhook_id = w.id and t.due_at is not null) as works from vendor_webhooks w`
      assert.isTrue(kept.some(({ works }) => works))
      assert.isTrue(kept.some(({ works }) => !works))
      for (const { length, works } of kept) assert.strictEqual(length > 0, works)
    })
  )

  it.effect(
    "a stored call names each of our messages whose status it reports once, until an owner has handled it M-MSG-14",
    () =>
      Effect.gen(function* () {
        const { number, sql, tell } = yield* upstreamStage
        yield* sql`create table named_reports as select owner_id, reported_messages from vendor_webhook_work limit 0`
        yield* sql`create function name_report() returns trigger language plpgsql as $$ begin
        insert into named_reports values (new.owner_id, new.reported_messages); return new; end $$`.unprepared
        yield* sql`create trigger name_report after insert or update on vendor_webhook_work
        for each row execute function name_report()`
        const ids = ["0", "1"].map((last) => `msg_${last.padStart(26, "0")}`)
        const status = (biz_opaque_callback_data: unknown, word: string) => ({
          id: "mid.unknown",
          status: word,
          biz_opaque_callback_data
        })
        yield* tell(
          told({
            statuses: [
              status(ids[0], "sent"),
              status(ids[0], "read"),
              status(ids[1], "sent"),
              status("their own", "sent")
            ]
          })
        )
        yield* tell(told({ statuses: [status(undefined, "sent")] }))
        const named = sql<{ readonly reported_messages: string | null }>`select reported_messages from named_reports
        where owner_id = ${number.id}`
        // Each call is stored and retried, because its message is unknown.
        yield* until(Effect.map(named, (rows) => rows.length >= 4))
        yield* sql`drop trigger name_report on vendor_webhook_work`
        assert.deepStrictEqual(
          new Set((yield* named).map((row) => row.reported_messages)),
          new Set([ids.join(" "), null])
        )
        const waiting = yield* sql`select 1 from vendor_webhook_work where reported_messages is not null`
        assert.lengthOf(waiting, 0)
      })
  )

  it.effect("a status of an unknown message is retried, and then given up", () =>
    Effect.gen(function* () {
      const { sql, tell } = yield* upstreamStage
      yield* tell(told({ statuses: [{ id: "mid.nobody", status: "sent", timestamp: "1" }] }))
      const [newest] = yield* sql<{ readonly id: string }>`select max(id) as id from vendor_webhooks`
      const work = sql<{ readonly attempts: number }>`select attempts from vendor_webhook_work
        where webhook_id = ${newest?.id}`
      yield* until(Effect.map(work, ([row]) => (row?.attempts ?? 0) >= 1))
      // The update is repeated, because a run under way may overwrite it with its own count.
      const last = sql`update vendor_webhook_work set attempts = 5, due_at = clock_timestamp()
        where webhook_id = ${newest?.id} and attempts < 5`
      yield* until(Effect.map(Effect.andThen(last, work), (rows) => rows.length === 0))
    })
  )

  it.effect(
    'a customer who hides the phone is shown with an empty id, and opens a window by the platform\'s id M-INB-17 U-HID-01 gaps-2 E "Phone-withheld sender"',
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        const heard = yield* stage.hear(null)
        const { sender } = yield* stage.read(heard.id)
        assert.deepStrictEqual([sender.type, sender.id], ["phone_e164", ""])
        assert.match(sender.user_id, /^[A-Z]{2}\.[0-9A-Za-z]{1,128}$/)
        const windows = yield* stage.sql`select 1 from service_windows where business_id = ${stage.number.id}`
        assert.strictEqual(windows.length, 1)
      })
  )

  it.effect(
    'capture every message type of the platform gaps-2 E "Inbound type map" M-INB-10 M-INB-11 M-INB-12 M-INB-13 M-INB-16',
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        const contentOf = Effect.fnUntraced(function* (type: string, inner: object, more: object = {}) {
          const { id } = yield* stage.hear(customer, { type, [type]: inner, ...more })
          const [row] = yield* stage.sql<{ readonly content: string; readonly type: string }>`select content, type
          from messages where id = ${id}`
          return JSON.parse(row?.content ?? "null") as Record<string, unknown>
        }, Effect.orDie)
        const button = { type: "button_reply", button_reply: { id: "yes", title: "Yes" } }
        const interactive = (reply: object) => ({ type: "interactive", interactive: reply })
        assert.deepStrictEqual(yield* contentOf("interactive", button), interactive(button))
        assert.deepStrictEqual(yield* contentOf("button", { payload: "yes", text: "Yes" }), interactive(button))
        assert.deepStrictEqual(
          yield* contentOf("interactive", { type: "list_reply", list_reply: { id: "1", title: "One" } }),
          interactive({ type: "list_reply", list_reply: { id: "1", title: "One", description: null } })
        )
        const answers = JSON.stringify({ flow_token: "t-1", size: "M" })
        assert.deepStrictEqual(
          yield* contentOf("interactive", { type: "nfm_reply", nfm_reply: { name: "flow", response_json: answers } }),
          { type: "flow", flow: { name: "flow", response: { size: "M" }, provider_token: "t-1" } }
        )
        assert.deepStrictEqual(yield* contentOf("unsupported", { type: "video_note" }), {
          type: "unsupported",
          unsupported: {
            provider_type: null,
            reason: { code: 131051, message: "Message type is currently not supported." }
          }
        })
        assert.deepStrictEqual(yield* contentOf("location", { latitude: 1 }), {
          type: "unknown",
          unknown: { provider_type: "location" }
        })
        const first = yield* stage.hear()
        const reaction = { message_id: first.provider_message_id, emoji: "👍" }
        assert.deepStrictEqual(yield* contentOf("reaction", reaction), {
          type: "reaction",
          reaction: { message_id: first.id, provider_message_id: first.provider_message_id, emoji: "👍" }
        })
      })
  )
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("A notice of the platform about an account", (it) => {
  const change = (field: string, value: object) => ({
    object: "chatapp_business_account",
    entry: [{ id: account.biz_account_id, changes: [{ field, value }] }]
  })

  it.effect(
    "suspends its connection, warns, restricts, and lifts each of these; nothing is sent meanwhile M-DLV-02 M-CONN-19",
    () =>
      Effect.gen(function* () {
        const stage = yield* upstreamStage
        yield* stage.hear()
        const connection = (what: string) =>
          until(
            Effect.map(
              stage.sql.unsafe(`select 1 from provider_connections where environment_id = $1 and ${what}`, [
                stage.number.environment_id
              ]),
              (rows) => rows.length === 1
            )
          )
        const failsWith = Effect.fnUntraced(function* (code: string) {
          const { body } = yield* stage.send(stage.text(code))
          yield* stage.reaches(body.id, "failed")
          const message = yield* stage.read(body.id)
          assert.deepStrictEqual([message.error_code, message.provider_error], [code, null])
        })
        const ban = (state: string) => ({ event: "DISABLED_UPDATE", ban_info: { biz_account_ban_state: state } })
        yield* stage.tell(change("account_update", ban("DISABLE")))
        yield* connection("status = 'suspended' and suspension_reason = 'account_banned'")
        yield* failsWith("provider_connection_suspended")
        yield* stage.tell(change("account_update", ban("REINSTATE")))
        yield* connection("status = 'connected' and suspension_reason is null")
        yield* stage.tell(
          change("account_update", { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "SPAM" } })
        )
        yield* connection("last_policy_warning_type = 'SPAM' and last_policy_warning_at is not null")
        for (const [code, delivery] of [
          ["141006", "upstream_payment_method_required"],
          ["141008", "upstream_account_inactive"],
          ["141011", "upstream_messaging_permission_missing"]
        ] as const) {
          const blocked = { event: "SEND_CAPABILITY", send_capability: "blocked", send_block_codes: [code] }
          yield* stage.tell(change("account_update", blocked))
          yield* connection(`biz_account_send_capabilities like '%${code}%'`)
          yield* failsWith(delivery)
        }
        assert.strictEqual(stage.simulator.log.read(0, "message").length, 0)
        yield* stage.tell(
          change("account_update", { event: "SEND_CAPABILITY", send_capability: "available", send_block_codes: [] })
        )
        yield* connection("biz_account_send_capabilities like '%available%'")
        const { body } = yield* stage.send(stage.text("again"))
        yield* stage.reaches(body.id, "read")
      })
  )

  it.effect("updates its numbers: quality, allowance, name; other fields change nothing", () =>
    Effect.gen(function* () {
      const stage = yield* upstreamStage
      const display_phone_number = stage.number.phone.slice(1)
      const facts = stage.sql<
        Record<string, string | null>
      >`select quality_rating, messaging_tier, messaging_limit_tier,
        verified_name, pending_name_review, name_review from phone_numbers where id = ${stage.number.id}`
      const becomes = (name: string, value: string) => until(Effect.map(facts, ([row]) => row?.[name] === value))
      yield* stage.tell(
        change("phone_number_quality_update", { display_phone_number, event: "FLAGGED", current_limit: "TIER_10K" })
      )
      yield* becomes("quality_rating", "red")
      yield* becomes("messaging_tier", "tier_10k")
      yield* stage.tell(
        change("phone_number_name_update", {
          display_phone_number,
          decision: "APPROVED",
          requested_verified_name: "Loja",
          rejection_reason: "NONE"
        })
      )
      yield* becomes("verified_name", "Loja")
      yield* stage.tell(change("history", { anything: 1 }))
      yield* until(
        Effect.map(stage.sql`select 1 from vendor_webhook_work where due_at is not null`, (rows) => rows.length === 0)
      )
      assert.strictEqual((yield* facts)[0]?.quality_rating, "red")
    })
  )
})
