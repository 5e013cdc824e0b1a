import { type Subject, subjectHash } from "@carteiro/owners/Subject.ts"
import { matchKey } from "@carteiro/schema/messages/Vocabulary.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { possibleReadings } from "@carteiro/spellings/Phone.ts"
import { isSecretKey } from "../../telemetry/LogRedaction.ts"

/**
 * Returns the mark by which blocks that name a customer are looked for: 48 bits of the customer's hash. An erasure may meet
 * the mark of another customer once in 281,474,976,710,656 pairs, and erases that one's details too.
 */
export const markOf = (hash: string): number => Buffer.from(hash.slice(0, 8), "base64url").readUIntBE(0, 6)

/** How members of a name are redacted. */
interface NameRule {
  readonly isHiddenInRequests: boolean
  readonly isHiddenInAnswers: boolean
  /** Its texts may be one-time codes: only the template shows that, and the log does not read it. */
  readonly isFilled: boolean
  /** People fill it with phones, with words beside them too. */
  readonly isPhone: boolean
}

/**
 * Remembers, for the requests of one write, what was worked out about names, texts and customers: a batch repeats most
 * of them. It lives as long as the batch, which bounds it.
 */
export class RedactionMemory {
  private readonly rules = new Map<string, NameRule>()
  private readonly texts = new Map<string, string>()
  private readonly phones = new Map<string, ReadonlyArray<string>>()
  private readonly marks = new Map<string, number>()
  private readonly secrets: Secrets["Service"]

  constructor(secrets: Secrets["Service"]) {
    this.secrets = secrets
  }

  rule(name: string): NameRule {
    let rule = this.rules.get(name)
    if (rule === undefined) {
      rule = ruleOf(name)
      this.rules.set(name, rule)
    }
    return rule
  }

  /** Returns `redact` of the text, worked out once. */
  shown(text: string, redact: (text: string) => string): string {
    let shown = this.texts.get(text)
    if (shown === undefined) {
      shown = redact(text)
      this.texts.set(text, shown)
    }
    return shown
  }

  /** Returns the keys of the customers whom a text may mean as a phone, read in a region. */
  phoneKeys(text: string, region: string): ReadonlyArray<string> {
    const key = `${region}${text}`
    let keys = this.phones.get(key)
    if (keys === undefined) {
      keys = possibleReadings(text, region).map((reading) => matchKey(reading.slice(1)))
      this.phones.set(key, keys)
    }
    return keys
  }

  /** Returns the mark of a customer of an environment. */
  mark(environmentId: string, subject: Subject): number {
    const key = `${environmentId}${subject.type}\n${subject.key}`
    let mark = this.marks.get(key)
    if (mark === undefined) {
      mark = markOf(subjectHash(this.secrets, environmentId, subject))
      this.marks.set(key, mark)
    }
    return mark
  }
}

/** Members that hold a code, a credential in a URL, or bytes, although their names do not show it. */
const codes = new Set(["code", "pin", "otp", "verification_code", "pix_copy_paste", "pix_dynamic_code"])
const openUrls = new Set(["return_url", "success_url", "logo_url", "doc_url"])
const filled = new Set(["variables", "components", "parameters"])
const phoneMembers = new Set([
  "phone",
  "to",
  "from",
  "recipient",
  "national_number",
  "customer_phone",
  "legal_phone",
  "q"
])

const ruleOf = (name: string): NameRule => {
  const isHidden = isSecretKey(name) || name.endsWith("base64") || (name.endsWith("_url") && !openUrls.has(name))
  return {
    isHiddenInRequests: isHidden || codes.has(name),
    isHiddenInAnswers: isHidden || (codes.has(name) && name !== "code"),
    isFilled: filled.has(name),
    isPhone: phoneMembers.has(name)
  }
}
