/** The replacement of redacted text. gaps-1 H "Redaction patterns" */
export const replacement = "[REDACTED]"

/** A text after redaction. */
export interface Redacted {
  readonly text: string
  readonly redacted: boolean
}

/** The most characters of a receiver's response that are kept. gaps-1 K "response_body_redacted" */
const maxResponseBodyCharacters = 1024

// Each expression reads a character a bounded number of times: no start may scan over the run of another start.
const apiKey = /svc_(?:live|sbx)_[A-Za-z0-9]{16,}/g
const bearer = /bearer(?:\s+|%20)[A-Za-z0-9._~+/-]{8,}=*/gi
const webhookSecret = /whsec_[A-Za-z0-9_+/=-]+/g
const deviceCode = /dvc_[A-Za-z0-9_-]+/g
const userinfo = /(?<=:\\?\/\\?\/)[^\s/?#\\"'<>]*@/g
const blobToken = /(?<=media(?:\\?\/|%2f)blobs(?:\\?\/|%2f))[A-Za-z0-9._~%=+-]+/gi
const tokenRun = /[A-Za-z0-9_.-]+/g
const privateKeyHeader = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/

// Most texts hold no credential; one search for the beginnings of credentials saves the other passes.
const suspicious = /svc_|bearer|whsec_|dvc_|eyJ|:\\?\/\\?\/|blobs/i

/** Redacts a JWT, or the beginning of a longer compact form (JWE), inside one run of token characters. */
const redactTokenRun = (run: string): string => {
  if (!run.includes("eyJ")) return run
  const parts = run.split(".")
  let start = 0
  for (const [index, part] of parts.entries()) {
    const at = part.indexOf("eyJ")
    const [second, third] = [parts[index + 1], parts[index + 2]]
    if (at >= 0 && second !== undefined && third !== undefined && second + third !== "") {
      return run.slice(0, start + at) + replacement
    }
    start += part.length + 1
  }
  return run
}

/** Replaces every credential that the contract names, in time linear in the text. A-FBK-22, A-FBK-23, gaps-1 H */
export const redactText = (text: string): Redacted => {
  if (!suspicious.test(text)) return { text, redacted: false }
  const clean = text
    .replace(blobToken, replacement)
    .replace(bearer, replacement)
    .replace(apiKey, replacement)
    .replace(webhookSecret, replacement)
    .replace(deviceCode, replacement)
    .replace(tokenRun, redactTokenRun)
    // This pass is last, because another pattern may have replaced the space that ended a URL.
    .replace(userinfo, (match) => (match === `${replacement}@` ? match : `${replacement}@`))
  return { text: clean, redacted: clean !== text }
}

const sensitiveWords = /authorization|apikey|token|secret|password|passwd|cookie|credential|privatekey|signature/

/** True when every value under this key is redacted. A-FBK-24, gaps-1 H */
export const isSensitiveKey = (key: string): boolean => sensitiveWords.test(key.toLowerCase().replace(/[-_]/g, ""))

/**
 * True when a redacted text must still not be stored: it has a private key's header, a pattern that the pass left or
 * made, NUL, or unpaired surrogates. A-FBK-20, gaps-1 H "What cannot be safely redacted"
 */
export const unsafeToStore = (text: string): boolean =>
  text.includes("\u0000") || !text.isWellFormed() || privateKeyHeader.test(text) || redactText(text).redacted

/** Redacts a flat map; undefined when its keys or values cannot be stored safely. A-FBK-20, A-FBK-22..24 */
export const redactMap = (
  values: Readonly<Record<string, string>>
): { readonly values: Readonly<Record<string, string>>; readonly redacted: boolean } | undefined => {
  const entries: Array<[string, string]> = []
  let redacted = false
  for (const [key, value] of Object.entries(values)) {
    if (unsafeToStore(key)) return undefined
    const clean = isSensitiveKey(key) ? { text: replacement, redacted: value !== replacement } : redactText(value)
    if (unsafeToStore(clean.text)) return undefined
    redacted ||= clean.redacted
    entries.push([key, clean.text])
  }
  return { values: Object.fromEntries(entries), redacted }
}

const utf8 = new TextDecoder()

/**
 * Returns the forms in which a secret may be written: whole, with escaped slashes, encoded for a URL, and the part
 * after its last slash.
 */
const writings = (secret: string): ReadonlyArray<string> => {
  const last = secret.slice(secret.lastIndexOf("/") + 1)
  const whole = [secret, secret.replaceAll("/", "\\/"), encodeURIComponent(secret)]
  return last.length >= 16 ? [...whole, last] : whole
}

/**
 * Returns the part of a receiver's response that may be shown: decoded with replacement, redacted, without repeated
 * `secrets`, then cut to 1024 characters; null without a body. A-WHV-09, gaps-1 K "response_body_redacted", gaps-3 B
 * "Invite link secrecy"
 */
export const redactResponseBody = (bytes: Uint8Array | null, secrets: ReadonlyArray<string> = []): string | null => {
  if (bytes === null || bytes.length === 0) return null
  // A response cannot be refused like a report: NUL, which the database cannot hold, and private keys are replaced.
  const decoded = utf8.decode(bytes).replaceAll("\u0000", "\ufffd")
  const { text } = redactText(
    secrets.flatMap(writings).reduce((told, secret) => told.replaceAll(secret, replacement), decoded)
  )
  const header = privateKeyHeader.exec(text)
  return firstCharacters(header === null ? text : text.slice(0, header.index) + replacement)
}

const firstCharacters = (text: string): string => {
  if (text.length <= maxResponseBodyCharacters) return text
  // A character has at most two code units, so only the beginning of a long text is walked.
  return [...text.slice(0, maxResponseBodyCharacters * 2)].slice(0, maxResponseBodyCharacters).join("")
}
