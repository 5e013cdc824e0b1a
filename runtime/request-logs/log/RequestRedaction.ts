import type { Subject } from "@carteiro/owners/Subject.ts"
import { Channel, customerTypes, matchKey } from "@carteiro/schema/messages/Vocabulary.ts"
import { possibleReadings } from "@carteiro/spellings/Phone.ts"
import { isDigitNumber } from "@carteiro/tables/StoredJson.ts"
import { isSecretKey } from "../../telemetry/LogRedaction.ts"
import { redactText, replacement } from "../../telemetry/Redaction.ts"

/** The most characters of one text that are kept. */
const maxText = 4096

/** The most customers that one request may name. An erasure finds each by its hash. */
const maxSubjects = 64

/** Members that hold a code, a credential in a URL, or bytes, although their names do not show it. */
const codes = new Set(["code", "pin", "otp", "verification_code", "pix_copy_paste", "pix_dynamic_code"])
const openUrls = new Set(["return_url", "success_url", "logo_url", "doc_url"])

const isHidden = (name: string, isRequest: boolean): boolean =>
  isSecretKey(name) ||
  (codes.has(name) && (isRequest || name !== "code")) ||
  name.endsWith("base64") ||
  (name.endsWith("_url") && !openUrls.has(name))

/** Members whose texts may be one-time codes: only the template shows that, and the log does not read it. */
const filled = new Set(["variables", "components", "parameters"])

const types: ReadonlySet<unknown> = new Set(Object.values(customerTypes))

/** Redacts the parts of one request and collects the customers that they name. */
export class RequestRedaction {
  private readonly named = new Map<string, Subject>()
  private readonly region: string

  /** Phones without + or 00 are read in the region, an ISO 3166 code. */
  constructor(region: string) {
    this.region = region
  }

  /** Returns the customers that the parts so far name; undefined for none, and for too many. */
  get subjects(): ReadonlyArray<Subject> | undefined {
    return this.named.size === 0 || this.named.size > maxSubjects ? undefined : [...this.named.values()]
  }

  /** Returns a JSON value without secrets, codes, credentials and media. */
  json(value: unknown, isRequest: boolean): unknown {
    if (typeof value === "string") return this.text(value)
    if (typeof value === "number") {
      this.look(String(value))
      return value
    }
    if (isDigitNumber(value)) {
      this.look(value.rawJSON)
      return value
    }
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map((one) => this.json(one, isRequest))
    this.lookAt(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (name === "error" && !isRequest) return [name, this.refusal(member)]
        if (isHidden(name, isRequest)) return [name, member === null ? null : replacement]
        if (filled.has(name)) return [name, withoutTexts(member)]
        if (typeof member === "string" && phoneMembers.has(name)) this.lookForPhone(member)
        return [this.text(name), this.json(member, isRequest)]
      })
    )
  }

  /** Returns the envelope of a refusal: the API's own words stay as they were sent. gaps-1 "Amendments of November 2026" */
  private refusal(error: unknown): unknown {
    if (typeof error !== "object" || error === null || Array.isArray(error)) return this.json(error, false)
    for (const member of Object.values(error)) {
      if (typeof member !== "string") continue
      this.look(member)
      this.lookForNamed(member)
    }
    return Object.fromEntries(
      Object.entries(error).map(([name, member]) => [name, ownWords.has(name) ? member : this.json(member, false)])
    )
  }

  /** Returns a text without credentials; a URL loses its query. */
  text(text: string): string {
    this.look(text)
    const shown = /^https?:\/\//i.test(text) ? text.replace(/[?#].*$/s, `?${replacement}`) : text
    return redactText(shown.length > maxText ? `${shown.slice(0, maxText)}…` : shown).text
  }

  /** Returns the segments of a path, decoded. */
  path(path: string): string {
    return path
      .slice(0, maxText)
      .split("/")
      .map((segment) => this.text(decoded(segment)))
      .join("/")
  }

  /** Returns the names and values of a query. */
  query(search: string): ReadonlyArray<readonly [name: string, value: string]> {
    return [...new URLSearchParams(search.slice(0, maxText))].map(([name, value]) => {
      if (phoneMembers.has(name)) this.lookForPhone(value)
      return [this.text(name), isHidden(name, true) ? replacement : this.text(value)]
    })
  }

  private add(type: string, key: string): void {
    if (this.named.size <= maxSubjects) this.named.set(`${type}\n${key}`, { type, key })
  }

  /** Collects a text that may be a phone in any spelling, or is the id of a contact. */
  private look(text: string): void {
    if (text.length > 64) return
    if (contactId.test(text)) this.add("contact", text)
    else if (phoneLike.test(text)) this.lookForPhone(text)
  }

  /** Collects the customers of every number that a text may mean, also one that was refused. */
  private lookForPhone(text: string): void {
    for (const reading of possibleReadings(text, this.region)) {
      this.add(customerTypes.chatapp, matchKey(reading.slice(1)))
    }
  }

  /** Collects the numbers that the sentence of a refusal names. */
  private lookForNamed(sentence: string): void {
    for (const [phone] of sentence.slice(0, maxText).matchAll(/\+\d{8,15}/g)) this.lookForPhone(phone)
  }

  /** Collects an address of another channel, or a phone in two members. */
  private lookAt(value: object): void {
    const { country_calling_code: code, id, national_number: national, type } = value as Record<string, unknown>
    if (typeof id === "string" && id.length <= 256 && types.has(type) && type !== customerTypes.chatapp) {
      this.add(String(type), id)
    }
    if (type === customerTypes.chatapp && typeof id === "string") this.lookForPhone(id)
    if (typeof code === "string" && typeof national === "string") this.look(`+${code.replace("+", "")}${national}`)
  }
}

/** Members of bodies and queries that people fill with phones, with words beside them too. */
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

/** Digits and what is written between them, with the forms of spreadsheets. */
const phoneLike = /^[\p{N}\p{Z}\p{P}\p{S}\p{Cc}\p{Cf}]*(?:[eE][+-]?\d{1,2})?$/u

const contactId = /^con_[0-7][0-9a-hjkmnp-tv-z]{25}$/

const decoded = (segment: string): string => {
  const isWhole = /^(?:[^%]|%[0-7][0-9a-f])*$/i.test(segment)
  return isWhole ? decodeURIComponent(segment) : segment
}

/** Returns the structure of a value, without its texts and numbers. */
const withoutTexts = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || isDigitNumber(value)) return value === null ? null : replacement
  if (Array.isArray(value)) return value.map(withoutTexts)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member)]))
}

const ownId = /^[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** The replacement of a text that no erasure would find. */
export const masked = "[NOT KEPT]"

/** Returns the structure of a value: booleans, short numbers, our ids and the fields of a refusal stay. */
export const maskTexts = (value: unknown, name = ""): unknown => {
  if (typeof value === "string") {
    const isOwn = refusalMembers.has(name) || (name === "channel" && channels.has(value))
    return value === replacement || ownId.test(value) || isOwn ? value : masked
  }
  if (typeof value === "number") return Math.abs(value) < 10_000_000 ? value : masked
  if (isDigitNumber(value)) return masked
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((one) => maskTexts(one))
  const isRefusal = name === "error"
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [
      member,
      isRefusal && ownWords.has(member) ? one : maskTexts(one, member)
    ])
  )
}

const ownWords = new Set(["type", "code", "param", "message", "doc_url", "channel"])
const refusalMembers = new Set(["object", "trace_id"])
const channels: ReadonlySet<string> = new Set(Channel.literals)

/** The route of a request that no route matches. */
const unmatched = "-"

/** A segment that reads like a word of the contract; a customer is not written so. */
const word = /^[a-z][a-z-]{0,39}$/

/** Returns a path with only the literal parts of its route and our ids; the words of a path that no route has stay. */
export const maskPath = (path: string, route: string): string => {
  const written = route.split("/")
  const isWord = (segment: string, at: number) =>
    route === unmatched ? segment === "v1" || segment === "" || word.test(segment) : segment === written[at]
  return path
    .split("/")
    .map((segment, at) => (isWord(segment, at) || ownId.test(segment) ? segment : masked))
    .join("/")
}

const plainFilters = new Set(
  "limit starting_after after status type channel direction include created_after created_before kind source".split(" ")
)

/** Returns a filter; its value stays only when it cannot name a customer. */
export const maskFilter = ([name, value]: readonly [string, string]): readonly [string, string] => [
  name,
  plainFilters.has(name) || ownId.test(value) ? value : masked
]

const ofTenants = [
  "account",
  "me",
  "api-keys",
  "projects",
  "webhook-endpoints",
  "templates",
  "flows",
  "phone-numbers",
  "provider-connections",
  "billing",
  "rate-cards",
  "data-retention"
]

/** True when requests of a route concern the tenant's settings and no customer. */
export const isOfTenant = (route: string): boolean => ofTenants.includes(route.split("/")[2] ?? "")
