import { CurrentSlot, type StatementSlot } from "@carteiro/tables/StatementSlot.ts"
import { Context, Effect } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { HandlerReply } from "../contract/Entrance.ts"
import { ReadsValues } from "../paging/Page.ts"

/** The share of a node's reads and responses that one environment may have. */
export interface ShareLimits {
  /** Reads that query the database or build their responses. */
  readonly reads: number
  /** Bytes of responses that were built and are not sent yet. */
  readonly bytes: number
  /** Bytes of such responses of all environments together. */
  readonly nodeBytes: number
  /** The longest wait of a read for its turn, in milliseconds. */
  readonly waitMs: number
}

/** Half of a pool of twelve connections, and four pages. */
export const standardShares: ShareLimits = { reads: 6, bytes: 16_777_216, nodeBytes: 134_217_728, waitMs: 2000 }

/** The limits of this node. */
export const AnswerLimits = Context.Reference<ShareLimits>("@carteiro/http-edge/pipeline/AnswerLimits", {
  defaultValue: () => standardShares
})

/** The size below which a response is not counted, in bytes. */
const leastCounted = 16_384

/** The present share of one holder, and the reads that wait for it. */
interface Share {
  reads: number
  bytes: number
  readonly waiting: Array<() => void>
}

/** One read and its response. */
export interface AnswerShare extends StatementSlot {
  /** Counts the bytes of a response that was built; the returned function ends that once it was sent. */
  readonly hold: (bytes: number) => () => void
  /** Ends the read: its response was built, or it failed. */
  readonly leave: () => void
}

/**
 * Limits the part of the node's reads and of the bytes of responses that one environment may have. A read beyond its
 * share waits in turn, and fails as an unavailable database once it has waited too long; other environments are not
 * affected.
 */
export class AnswerShares {
  private readonly limits: ShareLimits
  /** Holders in the order of their next turns. */
  private readonly shares = new Map<string, Share>()
  private bytes = 0

  constructor(limits: ShareLimits) {
    this.limits = limits
  }

  /** Returns the bytes of responses under way, of one holder or of all. */
  held(holder?: string): number {
    return holder === undefined ? this.bytes : (this.shares.get(holder)?.bytes ?? 0)
  }

  /** Opens the share of one read; it is counted once the read queries the database. */
  open(holder: string): AnswerShare {
    let isIn = false
    let isOver = false
    const take = () => {
      if (isIn) return
      isIn = true
      this.shareOf(holder).reads++
    }
    const wait = Effect.callback<void>((resume) => {
      const go = () => {
        take()
        resume(Effect.void)
      }
      this.shareOf(holder).waiting.push(go)
      return Effect.sync(() => this.withdraw(holder, go))
    })
    const { waitMs } = this.limits
    return {
      enter: Effect.suspend(() => {
        // A stream that continues after its response was begun reads a page at a time, and has no single end.
        if (isIn || isOver) return Effect.void
        const share = this.shareOf(holder)
        if (share.waiting.length > 0 || !this.mayEnter(share)) {
          return Effect.timeoutOrElse(wait, { duration: waitMs, orElse: () => Effect.die(crowded(waitMs)) })
        }
        take()
        return Effect.void
      }),
      hold: (bytes) => this.hold(holder, bytes),
      leave: () => {
        isOver = true
        if (!isIn) return
        isIn = false
        this.shareOf(holder).reads--
        this.goOn(holder)
      }
    }
  }

  private hold(holder: string, bytes: number): () => void {
    if (bytes < leastCounted) return nothing
    let isHeld = true
    this.shareOf(holder).bytes += bytes
    this.bytes += bytes
    return () => {
      if (!isHeld) return
      isHeld = false
      this.shareOf(holder).bytes -= bytes
      this.bytes -= bytes
      this.goOn(holder)
    }
  }

  private shareOf(holder: string): Share {
    const share = this.shares.get(holder) ?? { reads: 0, bytes: 0, waiting: [] }
    this.shares.set(holder, share)
    return share
  }

  private withdraw(holder: string, go: () => void): void {
    const { waiting } = this.shareOf(holder)
    const at = waiting.indexOf(go)
    if (at >= 0) waiting.splice(at, 1)
    this.forget(holder)
  }

  private mayEnter({ bytes, reads }: Share): boolean {
    const { bytes: mostBytes, nodeBytes, reads: mostReads } = this.limits
    return reads < mostReads && bytes < mostBytes && this.bytes < nodeBytes
  }

  /** Lets waiting reads continue after a holder freed part of its share, holder by holder. */
  private goOn(freed: string): void {
    for (const [holder, share] of [...this.shares]) {
      if (share.waiting.length === 0 || !this.mayEnter(share)) continue
      // The other holders come first from now on.
      this.shares.delete(holder)
      this.shares.set(holder, share)
      share.waiting.shift()?.()
    }
    this.forget(freed)
  }

  private forget(holder: string): void {
    const share = this.shares.get(holder)
    if (share !== undefined && share.reads === 0 && share.bytes === 0 && share.waiting.length === 0) {
      this.shares.delete(holder)
    }
  }
}

/**
 * Answers a read within its share. Its response counts until it is sent; a caller within the process takes values, and sends
 * nothing: it passes no `onSent`.
 */
export const answerWithin = (
  share: AnswerShare,
  handle: () => HandlerReply,
  onSent: ((done: () => void) => void) | undefined
): HandlerReply => {
  const answer = Effect.provideService(Effect.suspend(handle), CurrentSlot, share)
  if (onSent === undefined) {
    return Effect.ensuring(Effect.provideService(answer, ReadsValues, true), Effect.sync(share.leave))
  }
  return Effect.onExit(answer, (exit) =>
    Effect.sync(() => {
      if (exit._tag === "Success" && typeof exit.value.body === "string") onSent(share.hold(exit.value.body.length))
      share.leave()
    })
  )
}

const nothing = () => {}

const crowded = (waitMs: number) => {
  const message = `the environment's share of reads did not come free within ${waitMs} ms`
  return new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "query" }) })
}
