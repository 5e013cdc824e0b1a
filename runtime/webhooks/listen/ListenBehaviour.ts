import {
  Activations,
  answer,
  commit,
  commitThen,
  type Decision,
  type OwnerHandle,
  refuse
} from "@carteiro/owners/Owner.ts"
import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { WebhookListenSessionNotActive } from "@carteiro/schema/webhooks/WebhookErrors.ts"
import { jsonCodec } from "@carteiro/tables/StoredJson.ts"
import { Deferred, Effect } from "effect"
import { emptyBucket } from "../../ratelimit/EmptyBucket.ts"
import { Rates } from "../../ratelimit/Rates.ts"
import { rateRow } from "../../ratelimit/RateTable.ts"
import type { Bucket } from "../../ratelimit/TokenBucket.ts"
import { ListenEntity, type ListenItem, type ListenResult, type ReadItem } from "./ListenEntity.ts"
import { ListenNotifier } from "./ListenNotifier.ts"
import { listenSlice, type StreamPage } from "./ListenPage.ts"
import { ListenRepo } from "./ListenRepo.ts"
import { deleteRefusal, disableSession, endsAt, type ListenSession, pollRefusal } from "./ListenSession.ts"
import { type Opening, openSessions, storedStatus } from "./ListenSessionOpenings.ts"
import { ListenSessionRepo, sessionInserted } from "./ListenSessionRepo.ts"
import { ListenStream, type StreamView } from "./ListenStream.ts"

interface ListenState extends StreamView {
  /** The bucket of new sessions. gaps-1 M "Numbers" */
  bucket: Bucket | undefined
  /** This and the next member survive a reload, because polls wait there. */
  readonly stream: ListenStream
  /** Polls whose client disconnected before they arrived, by id, and until when each is remembered. */
  readonly gone: Map<string, number>
}

/** How long a poll is remembered whose client disconnected before it arrived, in milliseconds. */
const rememberGoneMs = 60_000

const savedBucket = jsonCodec<Bucket>()

export const listenOwners = ListenEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* ListenRepo
    const sessions = yield* ListenSessionRepo
    const activations = yield* Activations
    const notifier = yield* ListenNotifier
    const rate = rateRow(yield* Rates, "listen_session_create", "production").environment
    const context = yield* Effect.context<never>()
    const streams = {
      repo,
      notifier,
      fork: (effect: Effect.Effect<void>) => void Effect.runForkWith(context)(effect),
      busy: activations.busy
    }

    /** Returns the refusal of a read under a session, if any; sandbox keys have none. */
    const findSessionRefusal = (item: ReadItem | ListenItem, state: ListenState, owner: OwnerHandle) => {
      const id = item.session_id
      if (id === undefined) return Effect.undefined
      if (id === state.session?.id) return Effect.succeed(pollRefusal(state.session, item.api_key_id, owner.now()))
      return Effect.map(
        sessions.find(owner.id, id),
        // Only the session in memory can be active.
        (session) => pollRefusal(session, item.api_key_id, owner.now()) ?? new WebhookListenSessionNotActive()
      )
    }

    const listen = Effect.fnUntraced(function* (item: ListenItem, state: ListenState, owner: OwnerHandle) {
      const refusal = yield* findSessionRefusal(item, state, owner)
      if (refusal !== undefined) return yield* refusal
      return yield* awaitPage(item, state, owner, notifier.isClosed())
    })

    return {
      load: (owner, saved, before: ListenState | undefined) =>
        Effect.map(sessions.findActive(owner.id), (session): ListenState => {
          const state: ListenState = {
            lease: { shard: owner.shard, epoch: owner.epoch },
            session,
            bucket: saved === undefined ? undefined : savedBucket.read(saved),
            stream: before?.stream ?? new ListenStream(streams),
            gone: before?.gone ?? new Map()
          }
          state.stream.open(state)
          return state
        }),
      snapshot: (state: ListenState) => state.bucket && savedBucket.write(state.bucket),
      work: (state: ListenState, owner) =>
        Effect.sync(() => {
          state.stream.ring(owner)
          return undefined
        }),
      handlers: {
        Read: {
          read: Effect.fnUntraced(function* (items, state: ListenState, owner) {
            const refusals = yield* Effect.forEach(items, (item) => findSessionRefusal(item, state, owner))
            const asks = items
              .filter((_, i) => refusals[i] === undefined)
              .map(({ after, limit, types }) => ({ after, rows: limit + 1, types }))
            if (asks.length === 0) return { refusals, pages: [] }
            const pages = yield* Effect.catch(state.stream.pages(owner, asks), (error) => Effect.succeed(error))
            if (pages === undefined) owner.drop()
            return { refusals, pages: pages ?? [] }
          }),
          decide: (items, facts: ReadFacts) => readDecisions(items, facts)
        },
        Listen: { run: listen },
        Leave: {
          decide: (items, _facts, state: ListenState, _owner, now) =>
            items.map(({ poll_id }) => {
              leave(poll_id, state, now)
              return answer(undefined)
            })
        },
        OpenSession: {
          read: (items, state: ListenState, owner) =>
            sessions.keyEnds(owner.id, [
              ...items.map((item) => item.api_key_id),
              ...(state.session === undefined ? [] : [state.session.api_key_id])
            ]),
          decide: (items, keyEnds: ReadonlyMap<string, number>, state: ListenState, owner) => {
            const { openings, after } = openSessions(
              { latest: state.session, bucket: state.bucket },
              items,
              keyEnds,
              rate
            )
            if (after.latest !== state.session) state.stream.waiters.endAll()
            if (after.bucket !== state.bucket) owner.touch()
            state.session = after.latest
            state.bucket = after.bucket
            return openings.map((opening) => opened(opening, sessions, owner))
          }
        },
        EndSession: {
          read: (items, state: ListenState, owner) =>
            Effect.forEach(items, ({ id }) =>
              id === state.session?.id ? Effect.undefined : sessions.find(owner.id, id)
            ),
          decide: (items, found: ReadonlyArray<ListenSession | undefined>, state: ListenState, owner) =>
            items.map((item, i) => {
              const session = item.id === state.session?.id ? state.session : found[i]
              const refusal = deleteRefusal(session, item.api_key_id)
              if (refusal !== undefined || session === undefined) return refuse(refusal as ApiError)
              const ended = disableSession(session, item.at)
              if (ended === session) return commit({ rows: [], value: ended })
              state.session = ended
              state.stream.waiters.endAll()
              return commit({ rows: [sessions.end(owner.id, ended.id, storedStatus(ended, item.at))], value: ended })
            })
        }
      }
    }
  }),
  // Sessions and polls use real time.
  { realTime: true }
)

interface ReadFacts {
  readonly refusals: ReadonlyArray<ApiError | undefined>
  /** The pages of items without a refusal, in their order. */
  readonly pages: ReadonlyArray<StreamPage> | ApiError
}

const readDecisions = (items: ReadonlyArray<ReadItem>, { pages, refusals }: ReadFacts) => {
  let next = 0
  return items.map((item, i): Decision<ListenResult> => {
    const refusal = refusals[i]
    if (refusal !== undefined) return refuse(refusal)
    if (isApiError(pages)) return refuse(pages)
    return answer(sliceOf(item, pages[next++] as StreamPage))
  })
}

/**
 * Waits until the stream has a page for a poll, its deadline has passed, or its session ends. Refuses when the key has
 * as many open polls as it may have. A-LSN-10
 */
const awaitPage = Effect.fnUntraced(function* (
  item: ListenItem,
  { gone, session, stream }: ListenState,
  owner: OwnerHandle,
  isClosed: boolean
) {
  const now = owner.now()
  const full = stream.waiters.fullFor(item.api_key_id, now)
  if (full !== undefined) return yield* emptyBucket("open_polls", "API key", full)
  const done = Deferred.makeUnsafe<ListenResult>()
  const ends = session === undefined ? item.deadline : endsAt(session)
  const deadline = isClosed || gone.delete(item.poll_id) ? now : Math.min(item.deadline, ends)
  const waiter = {
    id: item.poll_id,
    api_key_id: item.api_key_id,
    position: item.after,
    limit: item.limit,
    types: item.types,
    deadline,
    ending: deadline <= now,
    passes: 0,
    answer: (found: ListenResult) => void Deferred.doneUnsafe(done, Effect.succeed(found))
  }
  stream.waiters.add(waiter)
  stream.ring(owner)
  const timesUp = Effect.andThen(
    Effect.sleep(Math.max(0, deadline - now)),
    Effect.suspend(() => {
      waiter.ending = true
      stream.ring(owner)
      return Deferred.await(done)
    })
  )
  return yield* Effect.raceFirst(Deferred.await(done), timesUp).pipe(
    Effect.ensuring(Effect.sync(() => stream.forget(waiter.id)))
  )
})

/** Ends a poll whose client disconnected, and remembers one that has not arrived. */
const leave = (pollId: string, { gone, stream }: ListenState, now: number): void => {
  for (const [id, until] of gone) if (until <= now) gone.delete(id)
  if (!stream.waiters.end(pollId)) gone.set(pollId, now + rememberGoneMs)
}

/** Returns the decision that writes a new session, or answers with the one that its key already has. */
const opened = (
  opening: Opening,
  sessions: ListenSessionRepo["Service"],
  owner: OwnerHandle
): Decision<ListenSession> => {
  if (isApiError(opening)) return refuse(opening)
  const { made, session } = opening
  if (made === undefined) return answer(session)
  return commitThen({
    rows: [sessions.insert(owner.id, made)],
    settle: (keys) => {
      if (keys(sessionInserted).has(session.id)) return { ok: session }
      // Another session, which memory did not have, is active: it is read again.
      owner.drop()
      return { retry: "unavailable" }
    }
  })
}

const sliceOf = (item: ReadItem, page: StreamPage): ListenResult =>
  listenSlice({
    rows: page.rows,
    limit: item.limit,
    after: item.after === "tail" ? page.readUpTo : item.after,
    readUpTo: page.readUpTo,
    stoppedEarly: page.stoppedEarly,
    waited: false
  })
