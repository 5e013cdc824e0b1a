import { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { clean, label } from "@carteiro/schema/conventions/Text.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Schema } from "effect"
import { type EnvironmentEntry, expiryWithinBounds } from "../../access/Access.ts"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import type { Visit } from "../kit/Pages.ts"
import { form, input, notice, select } from "../kit/Parts.ts"
import { scopeFields } from "./ScopeFields.ts"

/** The typed values of the form. */
export interface Typed {
  readonly name: string
  readonly project_id: string
  readonly environment: string
  readonly expires: string
  readonly scopes: ReadonlyArray<string>
}

/** A form that can be taken. */
export interface Wanted {
  readonly place: EnvironmentEntry
  readonly name: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** Milliseconds; null never expires. */
  readonly expires_at: number | null
}

export type RefusedKey = Refused<"name" | "place" | "expires_on" | "scopes">

export const typedKey = (sent: URLSearchParams): Typed => ({
  name: field(sent, "name"),
  project_id: field(sent, "project_id"),
  environment: field(sent, "environment"),
  expires: field(sent, "expires_on"),
  scopes: sent.getAll("scopes")
})

/** Returns the request of the form, or its first error. */
export const readKey = (typed: Typed, all: ReadonlyArray<EnvironmentEntry>, now: number): Wanted | RefusedKey => {
  if (!isName(typed.name)) return { field: "name", error: "A name has 1 to 255 characters." }
  const place = all.find((entry) => entry.project_id === typed.project_id && entry.kind === typed.environment)
  if (place === undefined || place.project_archived) {
    return { field: "place", error: "Pick an active project and one of its environments." }
  }
  const expires_at = endOf(typed.expires)
  if (expires_at === undefined || (expires_at !== null && !expiryWithinBounds(expires_at, now))) {
    return { field: "expires_on", error: "The last day must be today or later, at most 5 years ahead." }
  }
  const scopes = [...new Set(typed.scopes)].filter(isScope)
  if (!typed.scopes.every(isScope)) return { field: "scopes", error: "One of the scopes is unknown." }
  return { place, name: clean(typed.name), scopes, expires_at }
}

const isName = Schema.is(label(1, 255))
const isScope = Schema.is(KeyScope)

/** The end of a day in UTC; null when none was given, undefined when it is no day. Milliseconds. */
const endOf = (day: string): number | null | undefined => (day === "" ? null : parseTimestamp(`${day}T23:59:59.999Z`))

/** The form, empty for the environment shown or as it was sent. */
export const keyForm = (
  address: string,
  visit: Visit,
  all: ReadonlyArray<EnvironmentEntry>,
  typed: Typed,
  refused: RefusedKey | undefined
): Html => {
  const projects = all.filter((entry) => !entry.project_archived && entry.kind === "sandbox")
  if (projects.length === 0) return html`<p class="empty">Keys need an active project.</p>`
  const elsewhere = errorAt(refused, "place") ?? errorAt(refused, "scopes")
  return html`<section class="card" id="create" aria-labelledby="create-title"><h2 id="create-title">Create a key</h2>
${elsewhere && notice("bad", elsewhere)}
${form(
  address,
  visit.csrf,
  html`${input({
    name: "name",
    label: "Name",
    value: typed.name,
    hint: say("What it is for, so that people know it again."),
    error: errorAt(refused, "name"),
    required: true,
    maxLength: 255
  })}
<div class="pair">${select({
    name: "project_id",
    label: "Project",
    choices: projects.map((entry) => [entry.project_id, html`${entry.project_name}`]),
    chosen: typed.project_id
  })}
${select({
  name: "environment",
  id: "kind",
  label: "Environment",
  choices: EnvironmentKind.literals.map((kind) => [kind, contractWord(kind)]),
  chosen: typed.environment
})}
${input({
  name: "expires_on",
  label: "Last day (optional)",
  type: "date",
  value: typed.expires,
  error: errorAt(refused, "expires_on")
})}</div>
${scopeFields(typed.scopes)}
<div class="buttons"><button class="primary">Create the key</button></div>`
)}</section>`
}
