import { Capability } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatBrlOrNull, parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { DefaultLanguage, type Project } from "@carteiro/schema/projects/Project.ts"
import { isPhoneRegion, phoneRegions } from "@carteiro/spellings/Phone.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer, Result, Schema } from "effect"
import { amountField, readAmount } from "../kit/AmountField.ts"
import { kindBadge } from "../kit/Environments.ts"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, countryName, type Label, say } from "../kit/Language.ts"
import { nameError, nameField } from "../kit/NameField.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, checkbox, facts, form, instant, select, textarea } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

const address = "/dashboard/projects"

/** The typed values of the settings form, and the errors of its fields. */
interface Typed extends Refused<"name" | "default_language" | "default_region" | "profile" | "cap"> {
  readonly cap?: string
  readonly name: string
  readonly default_language: string
  readonly default_region: string
  readonly profile: string
}

/** One project: its settings and the switches of its environments. */
export const ProjectHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { capabilitySwitches, ownAccount, ownProjects } = yield* Operations

    const requireProject = projectFinder(ownProjects)

    const show = Effect.fnUntraced(function* (visit: Visit, typed?: Typed): Effect.fn.Return<Outcome, ApiError> {
      const project = yield* requireProject(visit)
      const { amount_brl: spent } = yield* ownAccount.projectSpend(asVisitor(visit), {
        ...requestOf(visit),
        query: { month: formatTimestamp(visit.now).slice(0, 7) }
      })
      const cap = project.monthly_spend_cap_brl
      const own = (yield* visit.environments).filter((entry) => entry.project_id === project.id)
      return {
        title: html`${project.name}`,
        section: "projects",
        status: typed === undefined ? 200 : 400,
        up: [address, "Projects"],
        body: html`${about(project)}
<section aria-labelledby="switches"><h2 id="switches">Capabilities</h2>
<p>What is switched off answers <code>feature_disabled</code>. Webhooks, keys, projects and feedback are always on.</p>
<div class="columns">${own.map((entry) => switches(visit, project, entry))}</div></section>
${spending(visit, project, { cap, spent }, typed)}
${visit.mayChange && settings(visit, project, typed)}
${visit.mayChange && endings(visit, project)}`
      }
    })

    const switchOver = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const id = visit.request.params.id ?? ""
      const named = field(sent, "environment")
      const entry = (yield* visit.environments).find((one) => one.id === named && one.project_id === id)
      if (entry === undefined) return yield* new NotHere()
      const on = sent.getAll("on")
      const off = Capability.literals.filter((family) => !on.includes(family))
      yield* capabilitySwitches.set(asVisitor(visit, entry), { payload: { capabilities_off: off } })
      const audited = {
        environment: entry.id,
        before: { off: entry.capabilities_off.join(", ") },
        after: { off: off.join(", ") }
      }
      return { to: `${address}/${id}?done=switched`, audited }
    })

    const configure = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const id = visit.request.params.id ?? ""
      const name = field(sent, "name")
      const language = field(sent, "default_language")
      const was = yield* requireProject(visit)
      // A form from before an update has no such field.
      const region = field(sent, "default_region") || was.default_region
      const text = field(sent, "profile")
      const profile = readProfile(text)
      const refuse = (field: Typed["field"], error: string | Html) =>
        show(visit, { name, default_language: language, default_region: region, profile: text, field, error })
      const unnamed = nameError(name)
      if (unnamed !== undefined) return yield* refuse("name", unnamed)
      if (!isLanguage(language)) return yield* refuse("default_language", "Pick one of the languages.")
      if (!isPhoneRegion(region)) return yield* refuse("default_region", "Pick one of the countries.")
      if (profile === undefined) {
        return yield* refuse("profile", "The profile must be a JSON object of at most 16 KiB.")
      }
      const payload = { name, default_language: language, default_region: region, profile }
      yield* ownProjects.configure(asVisitor(visit), { ...requestOf(visit), payload })
      const before = {
        name: was.name,
        default_language: was.default_language,
        default_region: was.default_region
      }
      return { to: `${address}/${id}?done=saved`, audited: { before } }
    })

    const limit = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const id = visit.request.params.id ?? ""
      const project = yield* requireProject(visit)
      const text = field(sent, "monthly_spend_cap").trim()
      const cap = text === "" ? null : readAmount(text, capBounds)
      if (typeof cap === "object" && cap !== null) {
        const { default_language, default_region, name, profile } = project
        const kept = { name, default_language, default_region, profile: JSON.stringify(profile, null, 2), cap: text }
        return yield* show(visit, { ...kept, field: "cap", error: cap })
      }
      const payload = { monthly_spend_cap_brl: formatBrlOrNull(cap) }
      yield* ownProjects.configure(asVisitor(visit), { ...requestOf(visit), payload })
      return { to: `${address}/${id}?done=saved` }
    })

    return Layer.mergeAll(
      action({
        operation: "limitProject",
        audit: "project.spend_cap_set",
        keeps: ["monthly_spend_cap"],
        path: `${address}/:id/spend-cap`,
        handler: limit
      }),
      page({ operation: "project", path: `${address}/:id`, handler: (visit) => show(visit) }),
      action({
        operation: "switchCapabilities",
        audit: "project.capabilities_switched",
        path: `${address}/:id/capabilities`,
        handler: switchOver
      }),
      action({
        operation: "configureProject",
        audit: "project.configured",
        keeps: ["name", "default_language", "default_region"],
        path: `${address}/:id/settings`,
        handler: configure
      })
    )
  })
)

const requestOf = ({ request }: Visit) => ({ params: { project_id: request.params.id ?? "" } })

/** Returns what finds the project of an address. */
const projectFinder = (projects: Operations["Service"]["ownProjects"]) => (visit: Visit) =>
  Effect.catchTag(projects.get(asVisitor(visit), requestOf(visit)), "project_not_found", () =>
    Effect.fail(new NotHere())
  )

const capBounds = { least: 0, most: 99_999_999_999_9999, isExact: true }

const isLanguage = Schema.is(DefaultLanguage)
const languages: Readonly<Record<DefaultLanguage, string>> = {
  pt_BR: "Português (Brasil)",
  en_US: "English (US)",
  es_ES: "Español (España)"
}

const readProfile = (text: string): { readonly [key: string]: unknown } | undefined => {
  if (Buffer.byteLength(text) > 16_384) return undefined
  const read = Schema.decodeResult(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))(text)
  return Result.getOrUndefined(read)
}

const about = (project: Project): Html =>
  html`<div class="card">${facts([
    ["Id", html`<code>${project.id}</code>`],
    ["Slug", html`<code>${project.slug}</code>`],
    ["Status", project.archived_at === null ? badge("active", "good") : badge("archived", "plain")],
    project.archived_at === null ? undefined : ["Archived", instant(project.archived_at)],
    ["Created", instant(project.created_at)]
  ])}</div>`

const families: Readonly<Record<Capability, Label>> = {
  messaging: "Messaging",
  groups: "Groups",
  payments: "Payments",
  phone_provisioning: "Phone provisioning"
}

const switches = (visit: Visit, project: Project, entry: EnvironmentEntry): Html => {
  const boxes = Capability.literals.map((family) => {
    const on = !entry.capabilities_off.includes(family)
    return visit.mayChange
      ? checkbox("on", family, say(families[family]), on)
      : html`<p>${say(families[family])} ${on ? badge("on", "good") : badge("off", "warn")}</p>`
  })
  const head = html`<h3>${kindBadge(entry.kind)} <code>${entry.id}</code></h3>`
  return html`<div class="card">${head}${
    visit.mayChange
      ? form(
          `${address}/${project.id}/capabilities`,
          visit.csrf,
          html`<input type="hidden" name="environment" value="${entry.id}">
<fieldset><legend>Switched on in ${contractWord(entry.kind)}</legend><div class="ticks">${boxes}</div></fieldset>
<div class="buttons"><button>Save the switches</button></div>`
        )
      : boxes
  }</div>`
}

/** Shows this month's spending in production, and the limit. */
const spending = (
  visit: Visit,
  project: Project,
  { cap, spent }: { readonly cap: string | null; readonly spent: string },
  typed: Typed | undefined
): Html =>
  html`<section class="card" aria-labelledby="spending"><h2 id="spending">Spending</h2>
${facts([
  ["This UTC month", formatReais(spent)],
  ["Monthly cap", cap === null ? say("none") : formatReais(cap)]
])}
${
  visit.mayChange &&
  form(
    `${address}/${project.id}/spend-cap`,
    visit.csrf,
    html`${amountField({
      name: "monthly_spend_cap",
      label: "Monthly cap in BRL",
      hint: say(
        "Production sends and payments answer 402 spend_limit_exceeded once it is reached. Leave it empty for no cap."
      ),
      value: typed?.cap ?? (cap === null ? null : (parseBrl(cap) ?? null)),
      error: errorAt(typed, "cap")
    })}<div class="buttons"><button>Save the cap</button></div>`
  )
}</section>`

const settings = (visit: Visit, project: Project, typed: Typed | undefined): Html =>
  html`<section class="card" aria-labelledby="settings"><h2 id="settings">Settings</h2>
${form(
  `${address}/${project.id}/settings`,
  visit.csrf,
  html`<div class="pair">${nameField(typed?.name ?? project.name, errorAt(typed, "name"))}
${select({
  name: "default_language",
  label: "Default language",
  choices: Object.entries(languages).map(([tag, name]) => [tag, html`${name}`]),
  chosen: typed?.default_language ?? project.default_language,
  error: errorAt(typed, "default_language")
})}
${select({
  name: "default_region",
  label: "Country of phone numbers",
  hint: say("Phone numbers without + or 00 are read in this country."),
  choices: phoneRegions().map(({ callingCode, region }) => [region, html`${countryName(region)} +${callingCode}`]),
  chosen: typed?.default_region ?? project.default_region,
  error: errorAt(typed, "default_region")
})}</div>
${textarea({
  name: "profile",
  label: "Profile",
  hint: say("A JSON object of your own, shown with the project in the API."),
  value: typed?.profile ?? JSON.stringify(project.profile, null, 2),
  error: errorAt(typed, "profile")
})}
<div class="buttons"><button class="primary">Save the settings</button></div>`
)}</section>`

const endings = (visit: Visit, project: Project): Html =>
  html`<section class="card" aria-labelledby="endings"><h2 id="endings">Archive or delete</h2>
<p>An archived project is hidden, its keys keep working, and it can be restored. Deleting is for good.</p>
<div class="buttons">${
    project.archived_at === null
      ? html`<a class="button" href="${address}/${project.id}/archive">Archive…</a>`
      : form(`${address}/${project.id}/restore`, visit.csrf, html`<button>Restore</button>`)
  }<a class="button danger" href="${address}/${project.id}/delete">Delete…</a></div></section>`
