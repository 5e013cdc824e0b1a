import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { FeatureDisabled } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Context, Effect, Layer } from "effect"
import { Admission, type Admitted, type Caller, type PresentedKey } from "../../admission/Admission.ts"
import { fingerprints } from "../../canonical/CanonicalJson.ts"
import { Secrets } from "../../secrets/Secrets.ts"
import { type ApiRequest, anonymous, type IncomingBody } from "../contract/ApiRequest.ts"
import { type BytesReply, type Reply, withHeader } from "../contract/Reply.ts"
import type { Operation } from "../contract/Route.ts"
import { isRefusal } from "../decoding/Decoder.ts"
import { contractError, httpException } from "../decoding/HttpException.ts"
import { holdingClaim, replayed } from "./Claiming.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { readJson, refusedMediaType } from "./JsonBody.ts"
import type { RequestHead } from "./RequestHead.ts"

/** One request of the contract after its match, with the body read. */
export interface Arrival {
  readonly head: RequestHead
  readonly operation: Operation
  readonly params: unknown
  readonly requestId: string
  readonly traceId: string
  readonly now: number
  readonly ip: string
  /** The body as read; empty when there was none. */
  readonly bytes: Buffer
  /** The unread body of an operation that takes bytes. */
  readonly incoming: IncomingBody | undefined
  /** Told the id of the API key that was admitted. */
  readonly admitted: { keyId: string | undefined }
}

/**
 * The fixed order of checks between a match and its handler: decode and hold, admit, idempotency key, what was held,
 * replay, capability, handler. gaps-1 A "Order of checks in one request", gaps-2 A "Check order on every doc-2 route"
 */
export class Pipeline extends Context.Service<
  Pipeline,
  { run(arrival: Arrival): Effect.Effect<Reply | BytesReply, ApiError> }
>()("@carteiro/runtime/platform/http/pipeline/Pipeline") {
  static readonly layer = Layer.effect(
    Pipeline,
    Effect.gen(function* () {
      const admission = yield* Admission
      const secrets = yield* Secrets
      return Pipeline.of({ run: (arrival) => run(arrival, admission, secrets) })
    })
  )
}

const run = (
  arrival: Arrival,
  admission: Admission["Service"],
  secrets: Secrets["Service"]
): Effect.Effect<Reply | BytesReply, ApiError> => {
  const { head, operation } = arrival
  const { traits } = operation
  const decoded = decodeRequest(arrival)
  const key = idempotencyKey(head.idempotencyKeys, traits)
  const keyRefusal = isRefusal(key) ? key : undefined
  const held = traits.bodyBeforeRate === true ? (decoded.refusal ?? keyRefusal) : (keyRefusal ?? decoded.refusal)

  const idempotency =
    key === undefined || held !== undefined || isRefusal(key)
      ? undefined
      : { key, fingerprints: fingerprints(secrets, head.path, decoded.parsed) }

  const presented =
    idempotency === undefined || traits.idempotencyInHandler !== true
      ? undefined
      : { ...idempotency, perKey: traits.perKey === true }

  // Judged as soon as the caller is known; what the schema refused stands behind what these find in earlier fields.
  const refusalFor = (caller: Caller) =>
    operation.judge === undefined || keyRefusal !== undefined || decoded.parsed === undefined
      ? held
      : (operation.judge(decoded.body, decoded.parsed, caller, arrival.now) ?? held)

  const enter = (admitted: Admitted) => {
    arrival.admitted.keyId = admitted.caller.api_key_id || undefined
    // A stored answer is sent as it was, though its body may be past its time by now. A-IDEM-04
    if (admitted.replay !== undefined) return Effect.succeed(replayed(admitted.replay))
    const refusal = refusalFor(admitted.caller)
    return refusal === undefined ? handle(arrival, decoded, admitted, presented) : Effect.fail(refusal)
  }

  if (traits.authentication === "none") {
    return Effect.flatMap(admission.source(arrival.ip, traits.rate), () => enter({ caller: anonymous }))
  }

  const mayNotSpend =
    (traits.rateAfterIdempotency === true && held !== undefined) ||
    (traits.bodyBeforeRate === true && decoded.refusal !== undefined)
  const input = (asked: number) => ({
    authorization: head.authorization,
    ip: arrival.ip,
    traits,
    operation: operation.operation,
    // A second asking is the same request: its token is spent already.
    rate: asked > 0 || mayNotSpend || traits.rateInHandler === true ? undefined : traits.rate,
    rateAfterIdempotency: traits.rateAfterIdempotency === true,
    idempotency
  })
  const admit = (asked: number): Effect.Effect<Reply | BytesReply, ApiError> =>
    Effect.flatMap(admission.admit(input(asked)), (admitted) => {
      const answer = enter(admitted)
      return admitted.claim === undefined ? answer : holdingClaim(answer, admission, admitted.claim, asked, admit)
    })
  if (operation.judge === undefined || idempotency === undefined) return admit(0)
  // A refused key comes without its caller, who is asked for again: a body that breaks the contract is told first.
  return Effect.catchIf(admit(0), isKeyRefusal, (error) =>
    Effect.matchEffect(admission.admit({ ...input(1), idempotency: undefined }), {
      onFailure: () => Effect.fail(error),
      onSuccess: ({ caller }) => Effect.fail(refusalFor(caller) ?? error)
    })
  )
}

const isKeyRefusal = (error: ApiError): boolean => error.type === "idempotency_conflict"

const handle = (
  arrival: Arrival,
  decoded: DecodedRequest,
  admitted: Admitted,
  idempotencyKey: PresentedKey | undefined
): Effect.Effect<Reply | BytesReply, ApiError> => {
  const { operation } = arrival
  const feature = operation.traits.capability
  if (feature !== undefined && admitted.caller.capabilities_off.includes(feature)) {
    return Effect.fail(new FeatureDisabled({ details: { feature } }))
  }
  const request: ApiRequest<unknown, unknown, unknown> = {
    caller: admitted.caller,
    params: arrival.params,
    query: decoded.query,
    body: decoded.body,
    requestId: arrival.requestId,
    traceId: arrival.traceId,
    now: arrival.now,
    ...(admitted.claim === undefined ? undefined : { claim: admitted.claim }),
    ...(idempotencyKey === undefined ? undefined : { idempotencyKey }),
    ip: arrival.ip,
    operation: operation.operation
  }
  const answer = Effect.suspend(() => operation.handler(request))
  const ignored = admitted.caller.environment === "sandbox" ? (operation.ignoredFields?.(decoded.parsed) ?? none) : none
  return ignored.length === 0 ? answer : Effect.map(answer, tellIgnored(ignored))
}

const none: ReadonlyArray<string> = []

/** A developer learns in sandbox which members of a body had no effect. */
const tellIgnored = (names: ReadonlyArray<string>) => (answer: Reply | BytesReply) =>
  withHeader(
    answer,
    "svc-ignored-fields",
    names.map((name) => encodeURIComponent(name.slice(0, 64).toWellFormed())).join(", ")
  )

interface DecodedRequest {
  readonly body: unknown
  /** The JSON value as parsed, for the fingerprint. */
  readonly parsed: unknown
  readonly query: unknown
  /** The first refusal in order: media type and JSON, then body, then query. */
  readonly refusal: ApiError | undefined
}

const decodeRequest = (arrival: Arrival): DecodedRequest => {
  const { operation, head } = arrival
  const query = operation.readQuery(head.search)
  const queryRefusal = isRefusal(query) ? query : undefined
  if (operation.body !== "json") {
    return { body: arrival.incoming, parsed: undefined, query, refusal: queryRefusal }
  }
  const parsed = parseBody(arrival)
  if (isRefusal(parsed)) return { body: undefined, parsed: undefined, query, refusal: parsed }
  const { softBodyBytes, validation } = operation.traits
  if (softBodyBytes !== undefined && arrival.bytes.length > softBodyBytes) {
    const refusal = contractError(validation, `The request body has more than ${softBodyBytes} bytes.`)
    return { body: undefined, parsed: undefined, query, refusal }
  }
  const body = operation.decodeBody(parsed.value)
  const refusal = isRefusal(body) ? body : queryRefusal
  return { body, parsed: parsed.value, query, refusal }
}

// No body at all counts as `{}` where every field is optional; elsewhere it is JSON that is not there.
const parseBody = (arrival: Arrival): { readonly value: unknown } | ApiError => {
  const { bytes, head, operation } = arrival
  if (bytes.length === 0) {
    return operation.emptyBody === undefined
      ? httpException(400, "This operation needs a JSON request body.")
      : { value: {} }
  }
  return refusedMediaType(head.contentType, head.contentEncoding) ?? readJson(bytes)
}
