import { parseId } from "@carteiro/owners/Ids.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { Effect } from "effect"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { queryParameter } from "./Forms.ts"
import { type Html, html } from "./Html.ts"
import { contractWord } from "./Language.ts"
import type { Visit } from "./Pages.ts"
import { badge } from "./Parts.ts"
import { NotHere } from "./Refusals.ts"
import { rememberedIn } from "./Switch.ts"

/** The environment of a page, and the environments to choose from. */
export interface Chosen {
  readonly all: ReadonlyArray<EnvironmentEntry>
  /** Undefined in an organization without any project. */
  readonly environment: EnvironmentEntry | undefined
}

/** An environment as people call it. */
export const environmentName = ({ project_name, project_archived, kind }: EnvironmentEntry): Html =>
  html`${project_name} · ${contractWord(kind)}${project_archived && html` (archived)`}`

/** Which of a project's two environments; production stands out. */
export const kindBadge = (kind: EnvironmentKind): Html =>
  badge(contractWord(kind), kind === "production" ? "info" : "plain")

/**
 * Returns the environment of the address, else the one that the visitor chose last, else the first sandbox. Refuses an
 * address that names an environment of another organization.
 */
export const chosenEnvironment = Effect.fnUntraced(function* (visit: Visit) {
  const all = yield* visit.environments
  const wanted = queryParameter(visit.request, "environment")
  const environment = wanted === undefined ? rememberedIn(visit.request, all) : all.find(({ id }) => id === wanted)
  if (wanted !== undefined && environment === undefined) return yield* new NotHere()
  const chosen: Chosen = { all, environment }
  return chosen
})

/** The environment named by a path; one that is not the organization's is not found. */
export const environmentOf = Effect.fnUntraced(function* (visit: Visit) {
  const all = yield* visit.environments
  return all.find(({ id }) => id === visit.request.params.environment) ?? (yield* new NotHere())
})

/** The id at the end of a path; what could not be one is not found. */
export const idOf = (visit: Visit, prefix: IdPrefix): Effect.Effect<string, NotHere> => {
  const id = visit.request.params.id ?? ""
  return parseId(prefix, id) ? Effect.succeed(id) : Effect.fail(new NotHere())
}

/** Keeps a filter's form in its environment; the switch above every page chooses another. */
export const environmentField = ({ environment }: Chosen): Html | undefined =>
  environment && html`<input type="hidden" name="environment" value="${environment.id}">`
