import { collapse, listenTypes, shows, wantedTypes } from "@carteiro/runtime/webhooks/endpoint/EventFilter.ts"
import { listenSlice } from "@carteiro/runtime/webhooks/listen/ListenPage.ts"
import {
  createSession,
  deleteRefusal,
  disableSession,
  endsAt,
  inWindow,
  type ListenSession,
  pollRefusal,
  readListenSession,
  sessionParameterRefusal,
  sessionRouteRefusal,
  statusAt
} from "@carteiro/runtime/webhooks/listen/ListenSession.ts"
import { ListenSession as ListenSessionRead } from "@carteiro/schema/webhooks/Listen.ts"
import { Schema } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const start = Date.UTC(2026, 0, 1)
const session: ListenSession = {
  id: "wls_01kah7v3m8q6x2r9d4t5w0y1z3",
  api_key_id: "key_owner",
  trace_id: "0af7651916cd43dd8448eb211c80319c",
  created_at: start,
  expires_at: start + 300_000,
  disabled_at: null,
  key_ends_at: null
}
const request = (api_key_id: string, ttl_seconds?: number) => ({
  id: "wls_01kah7v3m8q6x2r9d4t5w0y1z4",
  api_key_id,
  trace_id: "trace-of-the-request",
  key_ends_at: null,
  ttl_seconds
})

describe("ListenSession", () => {
  it("lives 300 seconds unless the caller asks for less A-LSS-02", () => {
    for (const [ttl, seconds] of [
      [undefined, 300],
      [30, 30]
    ] as const) {
      const decision = createSession(undefined, request("key_owner", ttl), start)
      assert.strictEqual(decision.kind === "create" ? decision.session.expires_at : 0, start + seconds * 1000)
    }
  })

  it("refuses while one is active and names it A-LSS-13 A-LSS-14 A-LSS-15 A-LSS-17", () => {
    const decision = createSession(session, request("key_owner"), start + 1)
    assert.strictEqual(decision.kind, "refuse")
    if (decision.kind !== "refuse") return
    assert.strictEqual(decision.error._tag, "webhook_listen_session_active_exists")
    assert.deepStrictEqual(decision.error.details, {
      active_session: {
        id: session.id,
        expires_at: "2026-01-01T00:05:00.000Z",
        created_at: "2026-01-01T00:00:00.000Z"
      }
    })
  })

  it("replaces for the owner from exactly 30.000 seconds remaining and not a millisecond earlier A-LSS-18", () => {
    const boundary = session.expires_at - 30_000
    assert.strictEqual(createSession(session, request("key_owner"), boundary - 1).kind, "refuse")
    const decision = createSession(session, request("key_owner"), boundary)
    assert.strictEqual(decision.kind, "create")
    if (decision.kind !== "create") return
    assert.strictEqual(decision.replaced?.disabled_at, boundary)
    assert.strictEqual(pollRefusal(decision.replaced, "key_owner", boundary)?._tag, "webhook_listen_session_not_active")
  })

  it("refuses a sibling to the last millisecond A-LSS-19", () => {
    assert.strictEqual(createSession(session, request("key_sibling"), session.expires_at - 1).kind, "refuse")
    assert.strictEqual(createSession(session, request("key_sibling"), session.expires_at).kind, "create")
  })

  it("is replaceable from its first moment with a ttl of 30 seconds (gaps-1 L)", () => {
    const short = { ...session, expires_at: start + 30_000 }
    assert.strictEqual(createSession(short, request("key_owner"), start).kind, "create")
  })

  it("replaces nothing once the last session has ended", () => {
    const decision = createSession(session, request("key_sibling"), session.expires_at)
    assert.isUndefined(decision.kind === "create" ? decision.replaced : session)
  })

  it("expires when expires_at is reached A-LSS-10", () => {
    assert.strictEqual(statusAt(session, session.expires_at - 1), "active")
    assert.strictEqual(statusAt(session, session.expires_at), "expired")
  })

  it("ends with its owning key, revoked or expired (gaps-1 L, ending a session)", () => {
    const owned = { ...session, key_ends_at: start + 1_000 }
    assert.strictEqual(statusAt(owned, start + 999), "active")
    assert.strictEqual(statusAt(owned, start + 1_000), "disabled")
    assert.strictEqual(endsAt(owned), start + 1_000)
    assert.strictEqual(createSession(owned, request("key_sibling"), start + 1_000).kind, "create")
    assert.strictEqual(statusAt({ ...session, key_ends_at: session.expires_at + 1 }, session.expires_at + 2), "expired")
  })

  it("shows events from its creation on and before its end A-LSS-11", () => {
    const shown = [start - 1, start, session.expires_at - 1, session.expires_at].map((at) => inWindow(session, at))
    assert.deepStrictEqual(shown, [false, true, true, false])
  })

  it("lets only its owner poll A-LSS-12", () => {
    assert.isUndefined(pollRefusal(session, "key_owner", start))
    assert.strictEqual(pollRefusal(session, "key_sibling", start)?._tag, "webhook_listen_session_not_found")
    assert.strictEqual(pollRefusal(undefined, "key_owner", start)?._tag, "webhook_listen_session_not_found")
    const late = session.expires_at
    assert.strictEqual(pollRefusal(session, "key_owner", late)?._tag, "webhook_listen_session_not_active")
    assert.strictEqual(pollRefusal(session, "key_sibling", late)?._tag, "webhook_listen_session_not_found")
  })

  it("is deleted by its owner only, and an ended one does not change A-LSS-09", () => {
    assert.isUndefined(deleteRefusal(session, "key_owner"))
    assert.strictEqual(deleteRefusal(session, "key_sibling")?._tag, "webhook_listen_session_not_found")
    const deleted = disableSession(session, start + 5)
    assert.strictEqual(deleted.disabled_at, start + 5)
    assert.strictEqual(disableSession(deleted, start + 9), deleted)
    assert.strictEqual(statusAt(deleted, session.expires_at), "disabled")
    assert.strictEqual(statusAt(disableSession(session, session.expires_at), session.expires_at), "expired")
  })

  it("asks production keys for a session and sandbox keys for none A-LSN-13 A-LSN-14", () => {
    const missing = sessionParameterRefusal("production", undefined)
    assert.deepInclude(missing, { _tag: "webhook_listen_session_required", param: "listen_session_id" })
    const given = sessionParameterRefusal("sandbox", session.id)
    assert.deepInclude(given, { _tag: "invalid_webhook_events_query", param: "listen_session_id" })
    assert.isUndefined(sessionParameterRefusal("production", session.id))
    assert.isUndefined(sessionParameterRefusal("sandbox", undefined))
    assert.strictEqual(sessionRouteRefusal("sandbox")?._tag, "webhook_listen_session_production_only")
    assert.isUndefined(sessionRouteRefusal("production"))
  })

  it("reads in the shape of the contract A-LSS-04 A-LSS-05 A-LSS-07 A-LSS-08", () => {
    for (const [state, status] of [
      [session, "active"],
      [disableSession(session, start + 1), "disabled"]
    ] as const) {
      const read = readListenSession(state, start + 2)
      assert.isTrue(Schema.is(ListenSessionRead)(read))
      assert.strictEqual(read.status, status)
    }
  })

  it("never lets two sessions be active at once, for any order of posts and deletes A-LSS-13", () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 320_000 }),
      key: fc.constantFrom("key_a", "key_b"),
      post: fc.boolean(),
      ttl: fc.integer({ min: 30, max: 300 })
    })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let now = start
        let all: ReadonlyArray<ListenSession> = []
        for (const { wait, key, post, ttl } of steps) {
          now += wait
          const latest = all.at(-1)
          if (post) {
            const decision = createSession(latest, { ...request(key, ttl), id: `wls_${all.length}` }, now)
            if (decision.kind === "create") {
              const rest = decision.replaced === undefined ? all : [...all.slice(0, -1), decision.replaced]
              all = [...rest, decision.session]
            } else assert.strictEqual(latest && statusAt(latest, now), "active")
          } else if (latest !== undefined && deleteRefusal(latest, key) === undefined) {
            all = [...all.slice(0, -1), disableSession(latest, now)]
          }
          assert.isAtMost(all.filter((each) => statusAt(each, now) === "active").length, 1)
        }
      })
    )
  })
})

describe("ListenPage", () => {
  const read = { limit: 2, after: 10, readUpTo: 15, stoppedEarly: false, waited: false }
  const rows = [11, 12, 14].map((position) => ({ position }))

  it("ends a full page at its last event and continues without a pause A-LSN-02 A-LSN-03", () => {
    assert.deepStrictEqual(listenSlice({ ...read, rows }), {
      data: rows.slice(0, 2),
      has_more: true,
      position: 12,
      next_poll_after_ms: 0
    })
  })

  it("marks how far the read went, filtered events included, also on an empty page (gaps-1 L)", () => {
    assert.deepStrictEqual(listenSlice({ ...read, rows: [] }), {
      data: [],
      has_more: false,
      position: 15,
      next_poll_after_ms: 1_000
    })
    assert.strictEqual(listenSlice({ ...read, rows: [], readUpTo: 10 }).position, 10)
  })

  it("asks for no pause after a long poll that waited (gaps-1 L)", () => {
    assert.strictEqual(listenSlice({ ...read, rows: [], waited: true }).next_poll_after_ms, 0)
  })

  it("has more when the read stopped before the end", () => {
    assert.deepInclude(listenSlice({ ...read, rows: [], stoppedEarly: true }), { has_more: true, position: 15 })
  })

  it("shows every event once and skips none, for every split into pages A-LSN-01", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (matching, limit) => {
        const stream = matching.map((wanted, index) => ({ position: index + 1, wanted }))
        const seen: Array<number> = []
        let after = 0
        for (let more = true; more; ) {
          const slice = listenSlice({
            rows: stream.filter((row) => row.wanted && row.position > after).slice(0, limit + 1),
            limit,
            after,
            readUpTo: stream.length,
            stoppedEarly: false,
            waited: false
          })
          assert.isAtMost(slice.data.length, limit)
          seen.push(...slice.data.map((row) => row.position))
          after = slice.position
          more = slice.has_more
        }
        assert.strictEqual(after, stream.length)
        assert.deepStrictEqual(
          seen,
          stream.filter((row) => row.wanted).map((row) => row.position)
        )
      })
    )
  })
})

describe("EventFilter", () => {
  it("unites both members of the type filter A-WHV-12 A-WHV-13 A-LSN-09", () => {
    assert.isUndefined(wantedTypes({}))
    assert.deepStrictEqual(wantedTypes({ event_type: "a", event_types: ["b", "a", "c"] }), ["a", "b", "c"])
  })

  it("intersects with the subscription of an endpoint A-LSN-11", () => {
    assert.deepStrictEqual(listenTypes(undefined, ["a", "b"]), ["a", "b"])
    assert.deepStrictEqual(listenTypes(["b", "c"], ["a", "b"]), ["b"])
    assert.deepStrictEqual(listenTypes(["b", "c"], undefined), ["b", "c"])
    assert.isUndefined(listenTypes(undefined, undefined))
  })

  it("never shows a probe in a stream A-WHT-05", () => {
    assert.deepStrictEqual(listenTypes(["webhook.test", "a"], undefined), ["a"])
    assert.isFalse(shows(undefined, "webhook.test"))
    assert.isTrue(shows(undefined, "a"))
    assert.isFalse(shows(["b"], "a"))
  })

  it("removes duplicate subscriptions and keeps their order (gaps-1 J)", () => {
    assert.deepStrictEqual(collapse(["b", "a", "b"]), ["b", "a"])
  })
})
