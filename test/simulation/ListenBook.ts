import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { retentionMillis } from "@carteiro/runtime/webhooks/listen/ListenPage.ts"
import { graceMillis } from "@carteiro/runtime/webhooks/listen/ListenSession.ts"
import { assert } from "vitest"
import type { Moment } from "./Known.ts"
import type { Found } from "./Listening.ts"
import { second } from "./World.ts"

/** A session as its owner was told of it. */
export interface Session {
  readonly id: string
  readonly api_key_id: string
  readonly created_at: number
  readonly expires_at: number
  ended_at?: number
}

/** What one read or long poll was answered. */
interface Page {
  readonly session: Session | undefined
  readonly after: number
  readonly limit: number
  readonly from: Moment
  readonly to: Moment
  readonly found: Found
  /** The instant a long poll had to be answered at the latest; undefined for a read. */
  readonly deadline: number | undefined
  /** Something happened to the owner, or to the way there, meanwhile. */
  readonly upset: boolean
}

/** An event of the stream as it is stored. */
export interface Streamed {
  readonly id: string
  readonly position: number | null
  readonly created_at: number
}

const create = standardRates.listen_session_create.environment

/** The sessions of one environment and every page of its stream, held against what a listener may expect. */
export class ListenBook {
  readonly sessions: Array<Session> = []
  shown = 0
  private readonly pages: Array<Page> = []
  /** Instants at which sessions were made. */
  private readonly made: Array<number> = []

  get latest(): Session | undefined {
    return this.sessions.at(-1)
  }

  isActive(session: Session | undefined, now: number): session is Session {
    return session !== undefined && session.ended_at === undefined && now < session.expires_at
  }

  /** One is made, unless another is in the way or the bucket is empty. A-LSS-13..19 */
  opened(api_key_id: string, at: number, outcome: Session | string): void {
    const { latest } = this
    const inTheWay =
      this.isActive(latest, at) && (latest.api_key_id !== api_key_id || latest.expires_at - at > graceMillis)
    if (typeof outcome === "string") {
      if (outcome !== "rate_limited")
        assert.strictEqual(outcome, inTheWay ? "webhook_listen_session_active_exists" : "")
      else assert.isAbove(this.drawnBefore(at), (create?.burst ?? 0) - 1, "a full bucket refused a session")
      return
    }
    assert.isFalse(inTheWay, `${outcome.id} was made beside ${latest?.id}`)
    if (this.isActive(latest, at)) latest.ended_at = at
    this.made.push(at)
    this.sessions.push(outcome)
  }

  /** Its key may end it; once it has ended that changes nothing. */
  ended(api_key_id: string, session: Session, at: number, refused: string | undefined): void {
    assert.strictEqual(refused, session.api_key_id === api_key_id ? undefined : "webhook_listen_session_not_found")
    if (refused === undefined && this.isActive(session, at)) session.ended_at = at
  }

  /** A key is revoked: its session ends with it. */
  revoked(api_key_id: string, at: number): void {
    for (const session of this.sessions) {
      if (session.api_key_id === api_key_id && this.isActive(session, at)) session.ended_at = at
    }
  }

  /** A read or long poll under a session was refused. A-LSS-12, A-LSS-20 */
  refused(session: Session | undefined, from: Moment, to: Moment, code: string): void {
    assert.strictEqual(code, "webhook_listen_session_not_active")
    const ended = session?.ended_at ?? Number.POSITIVE_INFINITY
    assert.isTrue(session !== undefined && to.at >= Math.min(ended, session.expires_at), `refused while active`)
    assert.isAtMost(from.at, to.at)
  }

  answered(page: Page): void {
    const { after, found, limit, session } = page
    const positions = found.data.map(({ position }) => position)
    assert.isAtMost(positions.length, limit)
    assert.deepStrictEqual(
      positions,
      positions.toSorted((one, other) => one - other),
      "positions in order"
    )
    assert.isTrue(positions.every((position) => position > after && position <= found.position))
    assert.isAtLeast(found.position, after, "a cursor that moves back")
    if (session !== undefined && !page.upset) {
      const ended = Math.min(session.ended_at ?? Number.POSITIVE_INFINITY, session.expires_at)
      assert.isAtMost(page.from.at, ended, "a page of a session that had ended")
    }
    this.pages.push(page)
  }

  /** Every page showed all it had to between two positions, and polls waited for nothing that was there. A-LSN-01 */
  finished(events: ReadonlyArray<Streamed>): void {
    const stream = events
      .filter(({ position }) => position !== null)
      .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
    for (const page of this.pages) {
      const { after, deadline, found, session, to } = page
      const between = stream.filter(({ position }) => (position ?? 0) > after && (position ?? 0) <= found.position)
      const visible = between.filter(({ created_at }) =>
        session === undefined
          ? created_at >= to.at - retentionMillis
          : created_at >= session.created_at && created_at < session.expires_at
      )
      const seen = new Set(found.data.map(({ id }) => id))
      const about = `after ${after} to ${found.position} at ${to.at} under ${session?.id}`
      for (const { id } of visible) assert.isTrue(seen.has(id), `${id} was passed over: ${about}`)
      const known = new Set(between.map(({ id }) => id))
      for (const id of seen) assert.isTrue(known.has(id), `${id} has no such position: ${about}`)
      this.shown += seen.size
      if (deadline === undefined || page.upset) continue
      assert.isAtMost(to.at, deadline + second, `a long poll that was not answered in time: ${about}`)
      if (seen.size > 0) continue
      const missed = stream.find(
        ({ created_at, position }) =>
          (position ?? 0) > found.position && created_at >= page.from.at && created_at < to.at - 3 * second
      )
      assert.isUndefined(missed, `a long poll that slept: ${about}`)
    }
  }

  /** Tokens drawn until an instant less what flowed back, at the fullest. */
  private drawnBefore(at: number): number {
    let most = 0
    this.made.forEach((from, n) => {
      most = Math.max(most, this.made.length - n - (at - from) * (create?.perMillis ?? 0))
    })
    return most
  }
}
