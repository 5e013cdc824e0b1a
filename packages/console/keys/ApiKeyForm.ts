import type { MintKey } from "@carteiro/schema/access/MintedKeysApi.ts"
import { EnvironmentKind, type KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import type { Visit } from "../kit/Pages.ts"
import { form, input, notice, select } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { scopeFields } from "./ScopeFields.ts"

/** The typed values of the form. */
export interface Typed {
  readonly name: string
  readonly project_id: string
  readonly environment: string
  readonly expires: string
  readonly scopes: ReadonlyArray<string>
}

export type RefusedKey = Refused<"name" | "place" | "expires_on" | "scopes">

export const typedKey = (sent: URLSearchParams): Typed => ({
  name: field(sent, "name"),
  project_id: field(sent, "project_id"),
  environment: field(sent, "environment"),
  expires: field(sent, "expires_on"),
  scopes: sent.getAll("scopes")
})

/** Returns the environment that the form names; undefined for one in which no key is made. */
export const placeNamed = (typed: Typed, all: ReadonlyArray<EnvironmentEntry>): EnvironmentEntry | undefined =>
  all.find(
    ({ kind, project_archived, project_id }) =>
      project_id === typed.project_id && kind === typed.environment && !project_archived
  )

/** Returns the form as the operation takes it, which judges every field; a last day ends at midnight in UTC. */
export const mintOf = ({ expires, name, scopes }: Typed): typeof MintKey.Type => ({
  name,
  expires_at: expires === "" ? null : `${expires}T23:59:59.999Z`,
  scopes: scopes as ReadonlyArray<KeyScope>
})

/** Says that the form names no environment in which a key is made. */
export const noPlace: RefusedKey = {
  field: "place",
  error: "Pick an active project and one of its environments."
}

/** Returns the field that a refusal is about, and what is wrong with it; undefined for one that is about no field. */
export const refusedKey = ({ param, status }: ApiError): RefusedKey | undefined => {
  if (status !== 400) return undefined
  if (param === "name") return { field: "name", error: "A name has 1 to 255 characters." }
  return param === "expires_at"
    ? { field: "expires_on", error: "The last day must be today or later, at most 5 years ahead." }
    : { field: "scopes", error: "One of the scopes is unknown." }
}

/**
 * The form, empty for the environment shown or as it was sent. Its first button, which nobody sees, is the one that Enter in a
 * field presses: the buttons that tick scopes stand above that which creates the key.
 */
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
  html`<button class="hidden" tabindex="-1" aria-hidden="true">Create the key</button>
${input({
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
${scopeFields(address, typed.scopes)}
<div class="buttons"><button class="primary">Create the key</button></div>`
)}</section>`
}
