import { type ListenRow, listenSlice } from "@carteiro/runtime/webhooks/listen/ListenPage.ts"
import {
  deleteRefusal,
  disableSession,
  graceMillis,
  inWindow,
  type ListenSession,
  pollRefusal,
  statusAt
} from "@carteiro/runtime/webhooks/listen/ListenSession.ts"
import { type OpeningState, openSessions, withKeyEnd } from "@carteiro/runtime/webhooks/listen/ListenSessionOpenings.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { assert } from "vitest"
import { BucketOracle } from "./BucketOracle.ts"
import { minute, World } from "./World.ts"

/** What keys of one production environment do, and what happens in it. */
export type ListenAction =
  | { readonly kind: "open"; readonly key: number; readonly ttl: number; readonly twice: boolean }
  /** Opens so long before the present session ends. */
  | { readonly kind: "late"; readonly key: number; readonly left: number }
  | { readonly kind: "end"; readonly key: number }
  | { readonly kind: "revoke"; readonly key: number }
  | { readonly kind: "raise"; readonly count: number; readonly type: number }
  | { readonly kind: "poll"; readonly key: number; readonly limit: number; readonly scan: number }

const rate = { burst: 5, perMillis: 5 / minute }

/** The listen sessions and the stream of one environment, put together from the rules. */
export class ListenWorld extends World {
  made = 0
  shown = 0
  private desk: OpeningState = { latest: undefined, bucket: undefined }
  private readonly sessions: Array<ListenSession> = []
  private readonly revoked = new Map<number, number>()
  private readonly keyEnds = new Map<string, number>()
  private readonly events: Array<ListenRow> = []
  private readonly draws = new BucketOracle(rate)
  /** How far each session was read, and what it was shown. */
  private readonly reads = new Map<string, { position: number; readonly ids: Array<string> }>()

  act(action: ListenAction): void {
    switch (action.kind) {
      case "open":
        this.open(action.key, action.ttl, action.twice ? 2 : 1)
        break
      case "late":
        if (this.desk.latest !== undefined) {
          this.at(this.desk.latest.expires_at - action.left, () => this.open(action.key, 300, 1))
        }
        break
      case "end":
        this.end(action.key)
        break
      case "revoke":
        this.revoke(action.key)
        break
      case "raise":
        for (let n = 0; n < action.count; n++) this.raise(action.type)
        break
      case "poll":
        this.poll(action.key, action.limit, action.scan)
        break
    }
    assert.isAtMost(this.active.length, 1, "active sessions A-LSS-13")
  }

  private keyOf(key: number): string {
    return `key_${key}_${this.revoked.get(key) ?? 0}`
  }

  /** A revoked key sends nothing any more; a minute later its holder has another. */
  private revoke(key: number): void {
    const id = this.keyOf(key)
    if (this.keyEnds.has(id)) return
    this.keyEnds.set(id, this.now)
    this.after(minute, () => this.revoked.set(key, (this.revoked.get(key) ?? 0) + 1))
  }

  private get active(): ReadonlyArray<ListenSession> {
    return this.sessions.filter((session) => statusAt(withKeyEnd(session, this.keyEnds), this.now) === "active")
  }

  private remember(session: ListenSession): void {
    const known = this.sessions.findIndex(({ id }) => id === session.id)
    this.sessions[known < 0 ? this.sessions.length : known] = session
  }

  private open(key: number, ttl_seconds: number, times: number): void {
    if (this.keyEnds.has(this.keyOf(key))) return
    const latest = this.desk.latest && withKeyEnd(this.desk.latest, this.keyEnds)
    const before = latest !== undefined && statusAt(latest, this.now) === "active" ? latest : undefined
    const { bucket } = this.desk
    const requests = Array.from({ length: times }, (_, n) => ({
      id: `wls_${++this.made}`,
      api_key_id: this.keyOf(key),
      trace_id: "",
      ttl_seconds: ttl_seconds + n,
      reason: null,
      at: this.now
    }))
    const { after, openings } = openSessions(this.desk, requests, this.keyEnds, rate)
    this.desk = after
    const refusals = openings.filter(isApiError)
    const opened = openings.length - refusals.length
    if (opened > 0) this.draws.add(this.now, opened)
    else assert.strictEqual(after.bucket?.level, bucket?.level, "a refusal cost a token A-LSS-16")
    const [first] = openings
    const inTheWay =
      before !== undefined && (before.api_key_id !== this.keyOf(key) || before.expires_at - this.now > graceMillis)
    if (inTheWay)
      assert.isTrue(isApiError(first) && first._tag === "webhook_listen_session_active_exists", "A-LSS-14..19")
    else assert.isTrue(!isApiError(first) || first._tag === "rate_limited", "A-LSS-18")
    if (before !== undefined && opened > 0) this.remember(disableSession(before, this.now))
    for (const opening of openings) {
      if (isApiError(opening)) continue
      // Of two in one batch the later one replaced the earlier.
      const { made, session } = opening
      this.remember(made?.stored.status === "disabled" ? { ...session, disabled_at: this.now } : session)
    }
  }

  private end(key: number): void {
    const session = this.desk.latest
    if (session === undefined) return
    const refusal = deleteRefusal(session, this.keyOf(key))
    assert.strictEqual(refusal === undefined, session.api_key_id === this.keyOf(key))
    if (refusal !== undefined) return
    const ended = disableSession(withKeyEnd(session, this.keyEnds), this.now)
    assert.notStrictEqual(statusAt(ended, this.now), "active")
    this.desk = { ...this.desk, latest: ended }
    this.remember(ended)
  }

  private raise(type: number): void {
    const position = this.events.length + 1
    // Nodes write what they decided moments ago.
    const created_at = this.now - this.seeds.between(0, 2000)
    const id = `evt_${position}`
    this.events.push({ position, id, type: `type_${type}`, created_at, trace_id: "", envelope: "{}" })
  }

  private poll(key: number, limit: number, scan: number): void {
    const session = this.desk.latest && withKeyEnd(this.desk.latest, this.keyEnds)
    const refusal = pollRefusal(session, this.keyOf(key), this.now)
    const may = session?.api_key_id === this.keyOf(key) && this.now < session.expires_at && session.disabled_at === null
    assert.strictEqual(refusal === undefined, may && !this.keyEnds.has(this.keyOf(key)), "A-LSS-12, A-LSS-20")
    if (refusal === undefined && session !== undefined) this.read(session, limit, scan)
  }

  /** One page, as the stream reads it: `scan` rows are looked at, those of the session's window are shown. */
  private read(session: ListenSession, limit: number, scan: number): boolean {
    const known = this.reads.get(session.id) ?? { position: 0, ids: [] }
    this.reads.set(session.id, known)
    const looked = this.events.filter(({ position }) => position > known.position).slice(0, Math.max(scan, limit + 1))
    const slice = listenSlice({
      rows: looked.filter(({ created_at }) => inWindow(session, created_at)).slice(0, limit + 1),
      limit,
      after: known.position,
      readUpTo: looked.at(-1)?.position ?? known.position,
      stoppedEarly: looked.length === Math.max(scan, limit + 1),
      waited: false
    })
    assert.isAtMost(slice.data.length, limit)
    assert.isAtLeast(slice.position, known.position, "a cursor that moves back")
    if (slice.has_more) assert.isAbove(slice.position, known.position, "a page that leads nowhere")
    assert.strictEqual(slice.next_poll_after_ms, slice.has_more ? 0 : 1000)
    known.position = slice.position
    known.ids.push(...slice.data.map(({ id }) => id))
    return slice.has_more
  }

  /** What holds at last: sessions have ended, and each showed every event of its window once, in order. A-LSN-01 */
  finish(): void {
    assert.deepStrictEqual(this.active, [], "sessions that never end A-LSS-10")
    for (const [id, { ids }] of this.reads) {
      const session = this.sessions.find((one) => one.id === id) as ListenSession
      while (this.read(session, 7, 20)) {}
      const expected = this.events.filter(({ created_at }) => inWindow(session, created_at)).map((event) => event.id)
      assert.deepStrictEqual(ids, expected)
      this.shown += ids.length
    }
  }
}
