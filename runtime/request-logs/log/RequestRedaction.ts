import type { Subject } from "@carteiro/owners/Subject.ts"
import { Channel, customerTypes } from "@carteiro/schema/messages/Vocabulary.ts"
import { isDigitNumber } from "@carteiro/tables/StoredJson.ts"
import { redactText, replacement } from "../../telemetry/Redaction.ts"
import type { RedactionMemory } from "./RedactionMemory.ts"

/** The most characters of one text that are kept. */
const maxText = 4096

/** The most customers that one request may name. An erasure finds each by its hash. */
const maxSubjects = 64

const types: ReadonlySet<unknown> = new Set(Object.values(customerTypes))

/** Redacts the parts of one request and collects the customers that they name. */
export class RequestRedaction {
  private readonly found = new Map<string, Subject>()
  private readonly memory: RedactionMemory
  private readonly region: string

  /** Phones without + or 00 are read in the region, an ISO 3166 code. */
  constructor(region: string, memory: RedactionMemory) {
    this.region = region
    this.memory = memory
  }

  /** Returns the customers that the parts so far name; undefined for none, and for too many. */
  get subjects(): ReadonlyArray<Subject> | undefined {
    return this.found.size === 0 || this.found.size > maxSubjects ? undefined : [...this.found.values()]
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
    const members: Array<[string, unknown]> = []
    for (const name of Object.keys(value)) {
      members.push(this.member(name, (value as Readonly<Record<string, unknown>>)[name], isRequest))
    }
    return Object.fromEntries(members)
  }

  private member(name: string, member: unknown, isRequest: boolean): [string, unknown] {
    if (name === "error" && !isRequest) return [name, this.refusal(member)]
    const rule = this.memory.rule(name)
    if (isRequest ? rule.isHiddenInRequests : rule.isHiddenInAnswers)
      return [name, member === null ? null : replacement]
    if (rule.isFilled) return [name, withoutTexts(member)]
    if (rule.isPhone && typeof member === "string") this.lookForPhone(member)
    return [this.text(name), this.json(member, isRequest)]
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
    return this.memory.shown(text, shownText)
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
    if (search === "") return []
    return [...new URLSearchParams(search.slice(0, maxText))].map(([name, value]) => {
      const rule = this.memory.rule(name)
      if (rule.isPhone) this.lookForPhone(value)
      return [this.text(name), rule.isHiddenInRequests ? replacement : this.text(value)]
    })
  }

  private add(type: string, key: string): void {
    if (this.found.size <= maxSubjects) this.found.set(`${type}\n${key}`, { type, key })
  }

  /** Collects a text that may be a phone in any spelling, or is the id of a contact. */
  private look(text: string): void {
    if (text.length > 64) return
    if (contactId.test(text)) this.add("contact", text)
    else if (!isWord(text) && phoneLike.test(text)) this.lookForPhone(text)
  }

  /** Collects the customers of every number that a text may mean, also one that was refused. */
  private lookForPhone(text: string): void {
    for (const key of this.memory.phoneKeys(text, this.region)) this.add(customerTypes.chatapp, key)
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

const shownText = (text: string): string => {
  const shown = /^https?:\/\//i.test(text) ? text.replace(/[?#].*$/s, `?${replacement}`) : text
  return redactText(shown.length > maxText ? `${shown.slice(0, maxText)}…` : shown).text
}

/** Digits and what is written between them, with the forms of spreadsheets. */
const phoneLike = /^[\p{N}\p{Z}\p{P}\p{S}\p{Cc}\p{Cf}]*(?:[eE][+-]?\d{1,2})?$/u

/** True for a text that begins with a letter of ASCII: it is too short for a phone, or not `phoneLike`. */
const isWord = (text: string): boolean => {
  const first = text.charCodeAt(0) | 0x20
  return first >= 0x61 && first <= 0x7a
}

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
