import { parseId } from "@carteiro/owners/Ids.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import { type NamedFlows, resolveFlow } from "../../flows/Flows.ts"
import type { NamedGroups } from "../../groups/Groups.ts"
import { checkTemplateParameters, type SentParameters, templateNeeds } from "../../templates/Templates.ts"
import {
  type AskedConsent,
  customerOf,
  type KnownTemplate,
  type NamedTemplate,
  type NumberFacts,
  type NumberSendFacts,
  type NumberState,
  type SendFacts,
  type TemplateRows
} from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import type { SendMemory } from "../facts/SendMemory.ts"
import { isSuspended } from "../facts/Suspension.ts"
import { subjectTexts } from "../message/Recipient.ts"
import { isWindowOpen } from "../message/ServiceWindow.ts"
import type { AcceptItem } from "./AcceptItem.ts"

/** The sources of the facts of sends. */
export interface SendFactsDeps {
  readonly repo: SendingRepo["Service"]
  readonly memory: SendMemory
  readonly flows: NamedFlows["Service"]
  readonly groups: NamedGroups["Service"]
  readonly secrets: Secrets["Service"]
}

/**
 * Reads the facts for a batch of sends. Facts about customers who wrote recently and about recently sent templates come
 * from memory, without a statement when the batch needs no others; all others come in one statement. Changes that
 * memory cannot know (an opt-out, a suspension or a template change on another node) stop the commit, and the send is
 * decided again on fresh reads.
 */
export const readSendFacts = (
  items: ReadonlyArray<AcceptItem>,
  state: NumberState,
  numberId: string,
  now: number,
  deps: SendFactsDeps
): Effect.Effect<SendFacts> => {
  const { memory, repo, secrets } = deps
  const known = new Map<string, number>()
  const number = state.number !== undefined && isSuspended(state.number, now) ? undefined : state.number
  const unknown = number === undefined ? items : items.filter((item) => !remember(item, known, numberId, now, memory))
  if (number !== undefined && unknown.length === 0) {
    const template = (named: NamedTemplate) => memory.template(number.environment_id, named)
    return Effect.succeed({ ...nothingRead, number, windows: known, template })
  }
  const customers = new Map<string, AskedConsent>()
  const quoted: Array<string> = []
  // A malformed id matches no message, and must not make the statement of the whole batch fail.
  const quote = (id: string | undefined) => {
    if (id !== undefined && parseId("msg", id)) quoted.push(id)
  }
  for (const { channel, customer_key, environment_id, names, reply_to } of unknown) {
    const customer = customerOf({ channel, key: customer_key })
    if (!customers.has(customer)) {
      const subjects = subjectTexts(secrets, environment_id, channel, customer_key)
      customers.set(customer, { channel, key: customer_key, subjects })
    }
    quote(reply_to)
    if (names?._tag === "Reaction") quote(names.message_id)
  }
  const ids = unknown.map(({ id }) => id)
  const templates = namedTemplates(unknown)
  return Effect.flatMap(repo.readFacts(numberId, [...customers.values()], quoted, ids, templates), (facts) => {
    state.number = facts.number === undefined || isSuspended(facts.number, now) ? undefined : facts.number
    if (facts.number !== undefined) noteWindows([...customers.keys()], facts, facts.number, numberId, memory)
    const windows = known.size === 0 ? facts.windows : new Map([...known, ...facts.windows])
    return withGroups({ ...facts, windows }, unknown, numberId, deps)
  })
}

/** Caches the windows that were read, which are those of the number's present environment. */
const noteWindows = (
  customers: ReadonlyArray<string>,
  facts: NumberSendFacts,
  { environment_id }: NumberFacts,
  business_id: string,
  memory: SendMemory
): void => {
  for (const customer of customers) {
    const latest = facts.optedOut.has(customer) ? undefined : facts.windows.get(customer)
    if (latest === undefined) memory.forget({ environment_id, business_id, customer })
    else memory.heard({ environment_id, business_id, customer }, latest)
  }
}

/** Returns every template that sends of the batch name, once. */
const namedTemplates = (items: ReadonlyArray<AcceptItem>): ReadonlyArray<NamedTemplate> => {
  const named = items.flatMap(({ names }) => (names?._tag === "Template" ? [[keyOf(names), names] as const] : []))
  return named.length === 0 ? [] : [...new Map(named).values()]
}

/** Languages never contain a space. */
const keyOf = ({ language, name }: NamedTemplate): string => `${language} ${name}`

/** Adds the templates and flows that sends of the batch name; only flows need another statement. */
const withNamed = (
  facts: NumberSendFacts,
  items: ReadonlyArray<AcceptItem>,
  { flows, memory }: SendFactsDeps
): Effect.Effect<SendFacts> => {
  const { number } = facts
  const environmentId = number?.environment_id ?? ""
  const found = new Map(facts.templates.map((rows) => [keyOf(rows), knownTemplate(rows)]))
  for (const named of namedTemplates(items)) {
    const template = found.get(keyOf(named))
    if (template === undefined) memory.forgetTemplate(environmentId, named)
    else memory.knows(environmentId, template)
  }
  // Rows of this read take precedence over memory, which covers the rest of the batch.
  const template = (named: NamedTemplate) => found.get(keyOf(named)) ?? memory.template(environmentId, named)
  const references = items.flatMap(({ names }) => (names?._tag === "Flow" ? [names] : []))
  if (number === undefined || references.length === 0) {
    return Effect.succeed({ ...facts, template, flow: nothingRead.flow, group: nothingRead.group })
  }
  return Effect.map(flows.find(number.environment_id, references), (find) => ({
    ...facts,
    template,
    flow: (reference) => resolveFlow(reference, find(reference), number.environment),
    group: nothingRead.group
  }))
}

/** Adds the groups to which sends of the batch go; only they need another statement. U-SND-11 */
const withGroups = (
  facts: NumberSendFacts,
  items: ReadonlyArray<AcceptItem>,
  numberId: string,
  deps: SendFactsDeps
): Effect.Effect<SendFacts> => {
  const named = withNamed(facts, items, deps)
  const ids = [...new Set(items.flatMap(({ group_id }) => group_id ?? []))]
  if (facts.number === undefined || ids.length === 0) return named
  const place = { environment_id: facts.number.environment_id, id: numberId }
  return Effect.zipWith(named, deps.groups.sendable(place, ids), (facts, groups) => ({
    ...facts,
    group: (id) => groups.get(id)
  }))
}

const knownTemplate = ({ components, parameter_format, version_id, ...rest }: TemplateRows): KnownTemplate => ({
  row_version: rest.row_version,
  id: rest.id,
  name: rest.name,
  language: rest.language,
  sending_status: rest.sending_status,
  quality: rest.quality,
  version:
    version_id === null
      ? null
      : {
          id: version_id,
          version: rest.version,
          category: rest.category,
          check: checkWith({ category: rest.category, parameter_format, components })
        }
})

/** Parses the components once for all sends that are checked against them. */
const checkWith = (version: Pick<TemplateRows, "category" | "parameter_format" | "components">) => {
  const needs = templateNeeds({ ...version, components: readJson(version.components) })
  return (sent: SentParameters) => checkTemplateParameters(needs, sent)
}

/**
 * Takes a customer's open window from memory; false when the send needs a read. A template needs no window; where its
 * limits depend on one, they read it.
 */
const remember = (
  { channel, customer_key, environment_id, group_id, id, names, reply_to }: AcceptItem,
  known: Map<string, number>,
  numberId: string,
  now: number,
  memory: SendMemory
): boolean => {
  if (reply_to !== undefined || group_id !== undefined || (names !== undefined && names._tag !== "Template"))
    return false
  const customer = customerOf({ channel, key: customer_key })
  const latest = memory.latestInbound({ environment_id, business_id: numberId, customer })
  const isOpen = isWindowOpen(latest, now)
  // A send that the commit stopped is decided on the tables.
  const isKnown =
    names === undefined ? isOpen : !memory.hasDrawn(id) && memory.template(environment_id, names) !== undefined
  if (isKnown && isOpen) known.set(customer, latest as number)
  return isKnown
}

const nothingRead: SendFacts = {
  number: undefined,
  windows: new Map(),
  optedOut: new Set(),
  quoted: new Map(),
  stored: new Set(),
  templates: [],
  template: () => undefined,
  group: () => undefined,
  flow: (reference) => resolveFlow(reference, undefined, "sandbox")
}
