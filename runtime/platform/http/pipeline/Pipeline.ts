import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { FeatureDisabled } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Context, Effect, Layer } from "effect"
import { Admission, type AdmitInput, type Admitted, type Caller } from "../../admission/Admission.ts"
import { Secrets } from "../../secrets/Secrets.ts"
import { CurrentSlot } from "../../sql/StatementSlot.ts"
import { type ApiRequest, anonymous } from "../contract/ApiRequest.ts"
import { type BytesReply, type Reply, withHeader } from "../contract/Reply.ts"
import type { Answer, Operation } from "../contract/Route.ts"
import { ignoredFieldsText } from "../decoding/IgnoredFields.ts"
import { admitUnread } from "./AdmitUnread.ts"
import { AnswerLimits, AnswerShares } from "./AnswerShares.ts"
import type { Arrival, EarlyAdmission, UnreadRequest } from "./Arrival.ts"
import { holdingClaim, replayed } from "./Claiming.ts"
import { type ReadRequest, readInTurns, readRequest } from "./ReadRequest.ts"

/** A request on its way through the steps. */
interface Passage {
  readonly arrival: Arrival
  readonly read: ReadRequest
  readonly admission: Admission["Service"]
  readonly shares: AnswerShares
  admitted: Admitted
  /** Whom a route without a key let in. */
  authenticated: unknown
}

/** Bytes of a body that is scanned, parsed and decoded without letting others take a turn in between. */
const readAtOnce = 65_536

/** Answers the request, or leaves that to the steps after it. */
type Step = (passage: Passage, next: () => Answer) => Answer

/**
 * The way of a request of the contract. Before it stand the match and the declared size, (1) and (2); then body, query
 * and key are read, and what they break is held, so that it is told in its turn.
 * gaps-1 A "Order of checks in one request", gaps-2 A "Check order on every doc-2 route"
 */
export class Pipeline extends Context.Service<
  Pipeline,
  {
    run(arrival: Arrival): Answer
    /** What a request with a body is refused for before any of it is read. */
    refuseUnread(request: UnreadRequest): ApiError | undefined
    /** Asks for the caller of a large body before it is read. */
    admitUnread(request: UnreadRequest): Effect.Effect<EarlyAdmission, ApiError>
  }
>()("@carteiro/runtime/platform/http/pipeline/Pipeline") {
  static readonly layer = Layer.effect(
    Pipeline,
    Effect.gen(function* () {
      const admission = yield* Admission
      const secrets = yield* Secrets
      const shares = new AnswerShares(yield* AnswerLimits)

      const steps: ReadonlyArray<Step> = [
        // (3) authentication, (4) organization, (5) scope, (6) project, (7) credit, (8) rate; and of a request that
        // nothing is held against also (11), the idempotency key: all in one message to the environment's owner.
        admit,
        // (11) A stored answer ends the way.
        replayStored,
        // (9) the required key, (10) body and query.
        refuseHeld,
        // (12) what is switched off for the environment, look-ups, state rules.
        refuseSwitchedOff,
        callHandler
      ]
      const take = (passage: Passage, at: number): Answer => (steps[at] as Step)(passage, () => take(passage, at + 1))

      return Pipeline.of({
        run: (arrival) => {
          const go = (read: ReadRequest) =>
            take({ arrival, read, admission, shares, admitted: { caller: anonymous }, authenticated: undefined }, 0)
          return arrival.bytes.length > readAtOnce
            ? Effect.flatMap(readInTurns(arrival, secrets), go)
            : go(readRequest(arrival, secrets))
        },
        refuseUnread: ({ head, ip, operation }) =>
          operation.traits.authentication === "none"
            ? undefined
            : admission.refuseUnread(head.authorization, ip, operation.traits.sourceCeiling),
        admitUnread: (request) => admitUnread(admission, request)
      })
    })
  )
}

const admit = (passage: Passage, next: () => Answer): Answer => {
  const { admission, arrival } = passage
  const { operation } = arrival
  const { authentication, rate, sourceCeiling } = operation.traits
  if (arrival.early?.isWhole === true) return goOn(passage, arrival.early.admitted, next)
  if (authentication === "none") {
    const { authenticate } = operation
    const known = authenticate === undefined ? next : () => authenticateItself(passage, authenticate, next)
    return Effect.flatMap(admission.source(arrival.ip, rate), known)
  }
  // With a body it was drawn before that was read.
  if (sourceCeiling !== undefined && !arrival.head.hasBody) {
    return Effect.flatMap(admission.source(arrival.ip, sourceCeiling), () => admitCaller(passage, next))
  }
  return admitCaller(passage, next)
}

const authenticateItself = (
  passage: Passage,
  authenticate: NonNullable<Operation["authenticate"]>,
  next: () => Answer
): Answer => {
  const { head, now, params } = passage.arrival
  const { authorization, cookie, csrfToken } = head
  const known = params as { readonly [name: string]: string }
  return Effect.flatMap(authenticate({ params: known, authorization, cookie, csrfToken, now }), (found) => {
    passage.authenticated = found
    return next()
  })
}

const admitCaller = (passage: Passage, next: () => Answer): Answer => {
  const { admission, arrival, read } = passage
  const { operation } = arrival
  const ask = (asked: number): Answer =>
    Effect.flatMap(admission.admit(admitInput(passage, asked)), (admitted) => {
      const answer = goOn(passage, admitted, next)
      return admitted.claim === undefined ? answer : holdingClaim(answer, admission, admitted.claim, asked, ask)
    })
  if (operation.checkForCaller === undefined || read.key === undefined) return ask(0)
  // A refused key comes without its caller, who is asked for again: a body that breaks the contract is told first.
  return Effect.catchIf(ask(0), isKeyRefusal, (error) =>
    Effect.matchEffect(admission.admit({ ...admitInput(passage, 1), idempotency: undefined }), {
      onFailure: () => Effect.fail(error),
      onSuccess: ({ caller }) => Effect.fail(refusalFor(passage, caller) ?? error)
    })
  )
}

const goOn = (passage: Passage, admitted: Admitted, next: () => Answer): Answer => {
  passage.admitted = admitted
  passage.arrival.admitted.keyId = admitted.caller.api_key_id || undefined
  return next()
}

const isKeyRefusal = (error: ApiError): boolean => error.type === "idempotency_conflict"

const admitInput = ({ arrival, read }: Passage, asked: number): AdmitInput => {
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
    // A second asking is the same request: its token is spent already.
    rate:
      asked > 0 || arrival.early?.isPaid === true || mayNotSpend || traits.rateInHandler === true
        ? undefined
        : traits.rate,
    rateAfterIdempotency: traits.rateAfterIdempotency === true,
    idempotency: read.key
  }
}

/** A stored answer is sent as it was, though its body may be past its time by now. A-IDEM-04 */
const replayStored = ({ admitted: { replay } }: Passage, next: () => Answer): Answer =>
  replay === undefined ? next() : Effect.succeed(replayed(replay))

const refuseHeld = (passage: Passage, next: () => Answer): Answer => {
  const refusal = refusalFor(passage, passage.admitted.caller)
  return refusal === undefined ? next() : Effect.fail(refusal)
}

/** What the route judges once the caller is known; what the schema refused stands behind what it finds in earlier fields. */
const refusalFor = ({ arrival, read }: Passage, caller: Caller): ApiError | undefined => {
  const { checkForCaller } = arrival.operation
  return checkForCaller === undefined || read.keyRefusal !== undefined || read.parsed === undefined
    ? read.held
    : (checkForCaller(read.body, read.parsed, caller, arrival.now) ?? read.held)
}

const refuseSwitchedOff = ({ admitted, arrival }: Passage, next: () => Answer): Answer => {
  const feature = arrival.operation.traits.capability
  return feature !== undefined && admitted.caller.capabilities_off.includes(feature)
    ? Effect.fail(new FeatureDisabled({ details: { feature } }))
    : next()
}

const callHandler = (passage: Passage): Answer => {
  const { admitted, arrival, read } = passage
  const { caller, claim } = admitted
  const { operation } = arrival
  const request: ApiRequest<unknown, unknown, unknown> = {
    caller,
    params: arrival.params,
    query: read.query,
    body: read.body,
    checked: read.checked,
    ...(passage.authenticated === undefined ? undefined : { authenticated: passage.authenticated }),
    requestId: arrival.requestId,
    traceId: arrival.traceId,
    now: arrival.now,
    ...(claim === undefined ? undefined : { claim }),
    ...(read.key === undefined || operation.traits.idempotencyInHandler !== true
      ? undefined
      : { idempotencyKey: read.key }),
    ip: arrival.ip,
    left: arrival.left,
    range: arrival.head.range,
    operation: operation.operation
  }
  const answer = withinShare(passage, () => operation.handler(request))
  const ignored = operation.ignoredFields?.(read.parsed) ?? none
  return ignored.length === 0 ? answer : Effect.map(answer, tellIgnored(ignored))
}

/** A read draws on its environment's share until its answer is made, and the answer until it is sent. */
const withinShare = ({ admitted, arrival, shares }: Passage, handle: () => Answer): Answer => {
  const { environment_id } = admitted.caller
  if (arrival.operation.method !== "GET" || environment_id === "") return Effect.suspend(handle)
  const share = shares.open(environment_id)
  const answer = Effect.provideService(Effect.suspend(handle), CurrentSlot, share)
  return Effect.onExit(answer, (exit) =>
    Effect.sync(() => {
      if (exit._tag === "Success" && typeof exit.value.body === "string") {
        arrival.admitted.onSent(share.hold(exit.value.body.length))
      }
      share.leave()
    })
  )
}

const none: ReadonlyArray<string> = []

/** Adds the header that names members of the body that had no effect. gaps-2 A "Unknown body fields" */
const tellIgnored = (names: ReadonlyArray<string>) => (answer: Reply | BytesReply) =>
  withHeader(answer, "svc-ignored-fields", ignoredFieldsText(names))
