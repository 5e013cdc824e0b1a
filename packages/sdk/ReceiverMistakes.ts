import { CarteiroSignatureError, type SignatureRefusal } from "./transport/Errors.ts"

/** Returns one or several secrets as a list; anybody can sign with an empty one, such as a variable that is not set. */
export const listOf = (secrets: unknown): ReadonlyArray<string> => {
  const keys: ReadonlyArray<unknown> = Array.isArray(secrets) ? secrets : [secrets]
  if (keys.length === 0) throw new TypeError("secrets must not be empty: pass the signing_secret of the endpoint")
  return keys.map(secretOf)
}

const secretOf = (secret: unknown): string => {
  if (secret === undefined || secret === null || secret === "")
    throw new TypeError("secrets must not be empty: is the variable that holds the secret set in this process?")
  if (typeof secret !== "string") throw new TypeError(`a secret must be text, got ${kindOf(secret)}`)
  if (/[\r\n]/.test(secret))
    throw new TypeError("a secret contains a line break: trim what you read from a file or a variable")
  return secret
}

/** Returns what a receiver probably did wrong, by what it passed; undefined where nothing tells. */
export const likelyMistake = (refusal: SignatureRefusal, secrets: ReadonlyArray<string>): string | undefined => {
  if (refusal === "missing_header")
    return "missing header: pass all headers of the request; svc-webhook-id, -timestamp and -signature are among them"
  if (refusal !== "signature_mismatch") return undefined
  if (secrets.some((secret) => secret !== secret.trim() || /^(["']).*\1$/.test(secret)))
    return "signature mismatch, and a secret has a blank or a quotation mark around it: take that away"
  return secrets.some((secret) => /^svc_(?:live|sbx)_/.test(secret))
    ? "signature mismatch, and a secret is an API key: pass the signing_secret of the endpoint, which begins with whsec_"
    : undefined
}

/** Returns the bytes of a body as received. Refuses what cannot be them, and says which step before this one took them away. */
export const receivedBytes = (rawBody: unknown): Uint8Array => {
  if (rawBody instanceof Uint8Array) return rawBody
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  if (Object.prototype.toString.call(rawBody) === "[object ArrayBuffer]") return new Uint8Array(rawBody as ArrayBuffer)
  if (rawBody === undefined || rawBody === null)
    throw new CarteiroSignatureError(
      "missing_body",
      "rawBody is missing: read the body as bytes, as express.raw() does, and pass them"
    )
  if (typeof rawBody === "string")
    throw new TypeError("rawBody must be the received bytes, not text: read the body as a buffer, without decoding it")
  if (typeof rawBody === "object" && "then" in rawBody)
    throw new TypeError("rawBody must be the received bytes, not a promise of them: await it first")
  if (typeof rawBody === "object" && ("getReader" in rawBody || "pipe" in rawBody || "arrayBuffer" in rawBody))
    throw new TypeError(
      "rawBody must be the received bytes, not a stream or a request: read it to its end and pass the bytes"
    )
  throw new CarteiroSignatureError(
    "parsed_body",
    `rawBody must be the received bytes, got ${kindOf(rawBody)}: verify before anything parses the body, as with express.raw()`
  )
}

/** Refuses headers that are not those of a request. */
export const refuseNoHeaders = (headers: unknown): void => {
  if (typeof headers !== "object" || headers === null)
    throw new TypeError(`headers must be the headers of the request, got ${kindOf(headers)}`)
}

const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "a parsed object" : `a ${typeof value}`
}
