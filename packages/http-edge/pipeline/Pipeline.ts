import { leadOf, type Turned, TurnedClock } from "@carteiro/owners/OwnerClocks.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { FeatureDisabled, sandboxBeingEmptied } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { CurrentReplica, ListReader, type ReplicaReads } from "@carteiro/tables/ReplicaReads.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { Admission, type AdmitInput, type Admitted, type Caller, type KeyOwner } from "../admission/Admission.ts"
import { LetIn } from "../admission/LetIn.ts"
import type { UncalledRequest } from "../contract/ApiRequest.ts"
import type { HandlerReply } from "../contract/Entrance.ts"
import { type BytesReply, type Reply, withHeader } from "../contract/Reply.ts"
import { ignoredFieldsText } from "../decoding/IgnoredFields.ts"
import { admitUnread, credentialsOf } from "./AdmitUnread.ts"
import { AnswerLimits, AnswerShares, answerWithin } from "./AnswerShares.ts"
import type { Arrival, EarlyAdmission, UnreadRequest } from "./Arrival.ts"
import { holdingClaim, replayed } from "./Claiming.ts"
import { type ReadRequest, readInTurns, readRequest } from "./ReadRequest.ts"

/** A request before the entrance of its operation. */
interface Waiting {
  readonly arrival: Arrival
  readonly read: ReadRequest
  readonly admission: Admission["Service"]
  readonly shares: AnswerShares
  readonly replica: ReplicaReads | undefined
}

/** A request behind the entrance. Only the entrance makes one; it holds the only reference to the handler. */
interface Entered extends Waiting {
  readonly handle: (request: UncalledRequest) => HandlerReply
  /** The admission; undefined on a route without a key. */
  readonly admitted: Admitted | undefined
}

/** The bytes of a body that is scanned, parsed and decoded in one turn of the event loop. */
const readAtOnce = 65_536

/** Answers the request, or leaves that to the steps after it. */
type Step = (entered: Entered, next: () => HandlerReply) => HandlerReply

/**
 * Runs a request of the contract. The match and the declared size, (1) and (2), come before it. It reads body, query
 * and key and holds their refusals until their turn. gaps-1 A "Order of checks in one request", gaps-2 A "Check order
 * on every doc-2 route"
 */
export class Pipeline extends Context.Service<
  Pipeline,
  {
    run(arrival: Arrival): HandlerReply
    /**
     * Returns the refusal of a request by its head alone, before any of its body is read; undefined when it may
     * continue.
     */
    refuseUnread(request: UnreadRequest): ApiError | undefined
    /** Returns the owner of a presented key, for the log of a request that no route matches; undefined for an unknown key. */
    ownerOf(authorization: ReadonlyArray<string>, ip: string): Effect.Effect<KeyOwner | undefined>
    /** Admits the caller of a large body before it is read. */
    admitUnread(request: UnreadRequest): Effect.Effect<EarlyAdmission, ApiError>
  }
>()("@carteiro/http-edge/pipeline/Pipeline") {
  static readonly layer = Layer.effect(
    Pipeline,
    Effect.gen(function* () {
      const admission = yield* Admission
      const secrets = yield* Secrets
      const shares = new AnswerShares(yield* AnswerLimits)
      const replica = yield* CurrentReplica

      // These steps run behind (3) authentication, (4) organization, (5) scope, (6) project, (7) credit, (8) rate, and,
      // for a request without a held refusal, (11) the idempotency key: all in one message to the environment's owner.
      const steps: ReadonlyArray<Step> = [
        // (11) A stored response ends the request.
        replayStored,
        // (9) the required key, (10) body and query.
        refuseHeld,
        // Nothing is written into a sandbox while it is emptied.
        refuseDuringReset,
        // (12) Capabilities that are off for the environment, look-ups, state rules.
        refuseSwitchedOff,
        callHandler
      ]
      const take = (entered: Entered, at: number): HandlerReply =>
        (steps[at] as Step)(entered, () => take(entered, at + 1))
      const walk = (entered: Entered): HandlerReply => take(entered, 0)

      return Pipeline.of({
        run: (arrival) => {
          const go = (read: ReadRequest) => enter({ arrival, read, admission, shares, replica }, walk)
          return arrival.bytes.length > readAtOnce
            ? Effect.flatMap(readInTurns(arrival, secrets), go)
            : go(readRequest(arrival, secrets))
        },
        refuseUnread: ({ head, ip, operation }) =>
          operation.entrance.by === "key"
            ? admission.refuseUnread(head.authorization, ip, operation.traits.sourceCeiling)
            : undefined,
        ownerOf: admission.ownerOf,
        admitUnread: (request) => admitUnread(admission, request)
      })
    })
  )
}

/** Runs the entrance of the operation, and continues behind it. */
const enter = (waiting: Waiting, walk: (entered: Entered) => HandlerReply): HandlerReply => {
  const { admission, arrival } = waiting
  const { early, head, ip, operation } = arrival
  const { entrance, traits } = operation
  const paid = (then: () => HandlerReply): HandlerReply =>
    early?.isPaid === true ? then() : Effect.flatMap(admission.source(ip, traits.rate), then)
  switch (entrance.by) {
    case "nobody":
      return paid(() => walk({ ...waiting, handle: entrance.handle, admitted: undefined }))
    case "itself":
      return paid(() =>
        Effect.flatMap(entrance.authenticate(credentialsOf(arrival)), (handle) =>
          walk({ ...waiting, handle, admitted: undefined })
        )
      )
    case "key":
    case "person": {
      const goOn = (caller: LetIn): HandlerReply => {
        const { admitted } = caller
        arrival.admitted.keyId = admitted.caller.api_key_id || undefined
        arrival.admitted.environmentId = admitted.caller.environment_id || undefined
        arrival.admitted.region = admitted.caller.default_region
        const handle = (request: UncalledRequest) => entrance.handle(request, caller)
        return walk({ ...onClock(waiting, admitted.clock), handle, admitted })
      }
      if (early?.caller !== undefined) return goOn(early.caller)
      // For a request with a body the token was taken before the body was read.
      return traits.sourceCeiling !== undefined && !head.hasBody
        ? Effect.flatMap(admission.source(ip, traits.sourceCeiling), () => admitCaller(waiting, goOn))
        : admitCaller(waiting, goOn)
    }
  }
}

/** Returns the request with the time of its environment, and adds the clock header to its response. */
const onClock = (waiting: Waiting, clock: Turned | undefined): Waiting => {
  if (clock === undefined) return waiting
  const { arrival } = waiting
  const lead = leadOf(clock, arrival.now)
  arrival.admitted.leadSeconds = lead === 0 ? undefined : Math.floor(lead / 1000)
  return arrival.operation.traits.realTime === true
    ? waiting
    : { ...waiting, arrival: { ...arrival, now: arrival.now + lead } }
}

const admitCaller = (waiting: Waiting, goOn: (caller: LetIn) => HandlerReply): HandlerReply => {
  const { admission, arrival, read } = waiting
  const { operation } = arrival
  const ask = (asked: number): HandlerReply =>
    Effect.flatMap(LetIn.ask(admission, admitInput(waiting, asked), arrival.person), (caller) => {
      const answer = goOn(caller)
      const { claim } = caller.admitted
      return claim === undefined ? answer : holdingClaim(answer, admission, claim, asked, ask)
    })
  if (operation.checkForCaller === undefined || read.key === undefined) return ask(0)
  // A refused key comes without its caller, so admission is asked again: a body that breaks the contract is reported
  // first.
  return Effect.catchIf(ask(0), isKeyRefusal, (error) =>
    Effect.matchEffect(LetIn.ask(admission, { ...admitInput(waiting, 1), idempotency: undefined }, arrival.person), {
      onFailure: () => Effect.fail(error),
      onSuccess: ({ admitted }) => Effect.fail(refusalFor(waiting, admitted.caller) ?? error)
    })
  )
}

const isKeyRefusal = (error: ApiError): boolean => error.type === "idempotency_conflict"

const admitInput = ({ arrival, read }: Waiting, asked: number): AdmitInput => {
  const { head, operation } = arrival
  const { traits } = operation
  const mayNotSpend =
    (traits.rateAfterIdempotency === true && read.held !== undefined) ||
    (traits.bodyBeforeRate === true && read.refusal !== undefined)
  return {
    authorization: head.authorization,
    ip: arrival.ip,
    traits,
    operation: operation.operation,
    // The second admission is of one request: its token is spent already.
    rate:
      asked > 0 || arrival.early?.isPaid === true || mayNotSpend || traits.rateInHandler === true
        ? undefined
        : traits.rate,
    isRead: operation.method === "GET",
    rateAfterIdempotency: traits.rateAfterIdempotency === true,
    idempotency: read.key,
    onOwner: arrival.admitted.onOwner
  }
}

/** A stored response is replayed even if the body would not be valid at the present time. A-IDEM-04 */
const replayStored: Step = ({ admitted }, next) =>
  admitted?.replay === undefined ? next() : Effect.succeed(replayed(admitted.replay))

const refuseHeld: Step = (entered, next) => {
  const refusal = refusalFor(entered, entered.admitted?.caller)
  return refusal === undefined ? next() : Effect.fail(refusal)
}

/** Returns the refusal of the route's own check, which needs the caller, or of the schema for an earlier field. */
const refusalFor = ({ arrival, read }: Waiting, caller: Caller | undefined): ApiError | undefined => {
  const { checkForCaller } = arrival.operation
  return checkForCaller === undefined || read.keyRefusal !== undefined || read.parsed === undefined
    ? read.held
    : (checkForCaller(read.body, read.parsed, caller, arrival.now) ?? read.held)
}

const refuseDuringReset: Step = ({ admitted, arrival }, next) => {
  const { method, traits } = arrival.operation
  return admitted?.clock?.resetting === true && method !== "GET" && traits.realTime !== true
    ? Effect.fail(sandboxBeingEmptied())
    : next()
}

const refuseSwitchedOff: Step = ({ admitted, arrival }, next) => {
  const feature = arrival.operation.traits.capability
  return feature !== undefined && admitted?.caller.capabilities_off.includes(feature) === true
    ? Effect.fail(new FeatureDisabled({ details: { feature } }))
    : next()
}

const callHandler: Step = (entered) => {
  const { admitted, arrival, handle, read } = entered
  const claim = admitted?.claim
  const { operation } = arrival
  const request: UncalledRequest = {
    params: arrival.params,
    query: arrival.rows === undefined ? read.query : { ...(read.query as object), limit: String(arrival.rows) },
    body: read.body,
    checked: read.checked,
    requestId: arrival.requestId,
    traceId: arrival.traceId,
    now: arrival.now,
    realNow: arrival.realNow,
    ...(claim === undefined ? undefined : { claim }),
    ...(read.key === undefined || operation.traits.idempotencyInHandler !== true
      ? undefined
      : { idempotencyKey: read.key }),
    ip: arrival.ip,
    left: arrival.left,
    range: arrival.head.range,
    operation: operation.operation
  }
  const { clock } = admitted ?? {}
  const answer = withinShare(entered, () =>
    onServer(entered, () =>
      clock === undefined || operation.traits.realTime === true
        ? handle(request)
        : Effect.clockWith((base) =>
            Effect.provideService(
              Effect.suspend(() => handle(request)),
              Clock.Clock,
              new TurnedClock(base, clock)
            )
          )
    )
  )
  const ignored = operation.ignoredFields?.(read.parsed) ?? none
  return ignored.length === 0 ? answer : Effect.map(answer, tellIgnored(ignored))
}

/** A list may come from the replica, once that holds what its caller wrote at this node. */
const onServer = ({ admitted, arrival, replica }: Entered, handle: () => HandlerReply): HandlerReply => {
  const caller = admitted?.caller.api_key_id ?? ""
  if (replica === undefined || caller === "") return handle()
  if (arrival.operation.mayLag) return Effect.provideService(Effect.suspend(handle), ListReader, caller)
  if (arrival.operation.method === "GET") return handle()
  return Effect.ensuring(
    Effect.suspend(handle),
    Effect.sync(() => replica.wrote(caller))
  )
}

/** A read uses its environment's share until its response is built, and the response until it is sent. */
const withinShare = ({ admitted, arrival, shares }: Entered, handle: () => HandlerReply): HandlerReply => {
  const environment_id = admitted?.caller.environment_id ?? ""
  if (arrival.operation.method !== "GET" || environment_id === "") return Effect.suspend(handle)
  const onSent = arrival.person === undefined ? arrival.admitted.onSent : undefined
  return answerWithin(shares.open(environment_id), handle, onSent)
}

const none: ReadonlyArray<string> = []

/** Adds the header that names members of the body without effect. gaps-2 A "Unknown body fields" */
const tellIgnored = (names: ReadonlyArray<string>) => (answer: Reply | BytesReply) =>
  withHeader(answer, "svc-ignored-fields", ignoredFieldsText(names))
