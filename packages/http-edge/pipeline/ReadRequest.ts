import { inTurns, type Slices } from "@carteiro/owners/Slices.ts"
import type { OperationTraits } from "@carteiro/schema/conventions/Access.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidIdempotencyKey } from "@carteiro/schema/conventions/SharedErrors.ts"
import type { MacTexts, Secrets } from "@carteiro/secrets/Secrets.ts"
import { type Effect, Result } from "effect"
import type { PresentedKey } from "../admission/Admission.ts"
import { type Decoder, isRefusal } from "../decoding/Decoder.ts"
import { contractError, httpException } from "../decoding/HttpException.ts"
import { fingerprints, fingerprintsInSlices } from "../json/CanonicalJson.ts"
import type { Arrival } from "./Arrival.ts"
import { type ParsedBody, readJson, readJsonInSlices, refusedMediaType } from "./JsonBody.ts"

/** A request as read before its caller is known; its refusals are held until their turn. */
export interface ReadRequest extends DecodedRequest {
  /** The refusal of the Idempotency-Key header. */
  readonly keyRefusal: ApiError | undefined
  /** The first refusal: of the key, then of body and query, or in reverse order where the route says so. */
  readonly held: ApiError | undefined
  /** The idempotency key, for a request without a held refusal. */
  readonly key: PresentedKey | undefined
}

/** Reads body, query and idempotency key, each once. */
export const readRequest = (arrival: Arrival, secrets: Secrets["Service"]): ReadRequest =>
  holdRefusals(arrival, decodeRequest(arrival, parseBody(arrival)), (parsed) =>
    fingerprints(secrets, arrival.head.path, parsed)
  )

/** Reads a large body part by part, in the turns of the environment, or of the source address of an unknown caller. */
export const readInTurns = (arrival: Arrival, secrets: Secrets["Service"]): Effect.Effect<ReadRequest> =>
  inTurns(arrival.early?.holder ?? arrival.ip, readInSlices(arrival, secrets))

function* readInSlices(arrival: Arrival, secrets: Secrets["Service"]): Slices<ReadRequest> {
  const parsed =
    arrival.operation.body === "json" ? (withoutJson(arrival) ?? (yield* readJsonInSlices(arrival.bytes))) : undefined
  yield undefined
  const decoded = yield* decodeInSlices(arrival, parsed)
  yield undefined
  const read = holdRefusals(arrival, decoded, () => unmade)
  if (read.key === undefined) return read
  const made = yield* fingerprintsInSlices(secrets, arrival.head.path, decoded.parsed)
  return { ...read, key: { ...read.key, fingerprints: made } }
}

const unmade: MacTexts = [""]

const holdRefusals = (
  arrival: Arrival,
  decoded: DecodedRequest,
  fingerprintsOf: (parsed: unknown) => MacTexts
): ReadRequest => {
  const { head, operation } = arrival
  const { traits } = operation
  const key = idempotencyKey(head.idempotencyKeys, traits)
  const keyRefusal = isRefusal(key) ? key : undefined
  const held = traits.bodyBeforeRate === true ? (decoded.refusal ?? keyRefusal) : (keyRefusal ?? decoded.refusal)
  return {
    ...decoded,
    keyRefusal,
    held,
    key:
      key === undefined || held !== undefined || isRefusal(key)
        ? undefined
        : { key, fingerprints: fingerprintsOf(decoded.parsed), perKey: traits.perKey === true }
  }
}

interface DecodedRequest {
  readonly body: unknown
  /** The result of the handler's own check. */
  readonly checked: unknown
  /** The JSON value as parsed, for the fingerprint. */
  readonly parsed: unknown
  readonly query: unknown
  /** The first refusal in order: media type and JSON, then body, then query. */
  readonly refusal: ApiError | undefined
}

type Parsed = ParsedBody | ApiError | undefined

const decodeRequest = (arrival: Arrival, parsed: Parsed): DecodedRequest =>
  judgeRequest(arrival, parsed, arrival.operation.decodeBody)

function* decodeInSlices(arrival: Arrival, parsed: Parsed): Slices<DecodedRequest> {
  const { decodeInSlices } = arrival.operation
  if (decodeInSlices === undefined || parsed === undefined || isRefusal(parsed)) return decodeRequest(arrival, parsed)
  const decoded = yield* decodeInSlices(parsed.value)
  yield undefined
  return judgeRequest(arrival, parsed, () => decoded)
}

const judgeRequest = (arrival: Arrival, parsed: Parsed, decode: Decoder): DecodedRequest => {
  const { operation, head } = arrival
  const query = operation.readQuery(head.search)
  const queryRefusal = isRefusal(query) ? query : undefined
  if (parsed === undefined) {
    return { body: arrival.incoming, checked: undefined, parsed: undefined, query, refusal: queryRefusal }
  }
  const unread = { body: undefined, checked: undefined, parsed: undefined, query }
  if (isRefusal(parsed)) return { ...unread, refusal: parsed }
  const { softBodyBytes, validation } = operation.traits
  if (softBodyBytes !== undefined && arrival.bytes.length > softBodyBytes) {
    return { ...unread, refusal: contractError(validation, `The request body has more than ${softBodyBytes} bytes.`) }
  }
  const decoded = decode(parsed.value)
  const found = operation.check?.(decoded, parsed.value)
  const body = found !== undefined && Result.isFailure(found) ? found.failure : decoded
  const checked = found !== undefined && Result.isSuccess(found) ? found.success : undefined
  return { body, checked, parsed: parsed.value, query, refusal: isRefusal(body) ? body : queryRefusal }
}

const parseBody = (arrival: Arrival): Parsed =>
  arrival.operation.body === "json" ? (withoutJson(arrival) ?? readJson(arrival.bytes)) : undefined

/**
 * Returns a body before it is parsed. A missing body counts as `{}` where every field is optional, and as missing JSON
 * elsewhere.
 */
const withoutJson = ({ bytes, head, operation }: Arrival): ParsedBody | ApiError | undefined => {
  if (bytes.length > 0) return refusedMediaType(head.contentType, head.contentEncoding)
  return operation.emptyBody === undefined
    ? httpException(400, "This operation needs a JSON request body.")
    : { value: {} }
}

const shape = /^[\x20-\x7e]{1,255}$/

/**
 * Returns the key of a request. Undefined where the operation honors none or a blank header counts as absent; a refusal
 * where the header breaks its shape or a mandatory key is missing. gaps-1 B "Key shape", A-IDEM-02, A-IDEM-10,
 * A-IDEM-11
 */
const idempotencyKey = (headers: ReadonlyArray<string>, traits: OperationTraits): string | undefined | ApiError => {
  const mode = traits.idempotency
  if (mode === undefined || mode === "none") return undefined
  if (headers.length > 1) return new InvalidIdempotencyKey({ param: "Idempotency-Key" })
  const key = headers[0] ?? ""
  if (key === "") return mode === "required" ? missing(traits) : undefined
  return shape.test(key) ? key : new InvalidIdempotencyKey({ param: "Idempotency-Key" })
}

const missing = (traits: OperationTraits): ApiError =>
  new ApiError({
    _tag: traits.missingKeyCode ?? "idempotency_key_required",
    status: 400,
    type: "validation_error",
    message: "This operation needs an Idempotency-Key header.",
    param: "Idempotency-Key"
  })
