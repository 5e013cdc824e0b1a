import { parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { type Template, TemplateCategory, TemplateStatus } from "@carteiro/schema/templates/Template.ts"
import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { readTemplate, type TemplateVersion } from "../../templates/Operator.ts"
import { TemplateDirectory } from "../../templates/Templates.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("template", "Id of the template", "tpl_…")

const filters = {
  status: Flag.Literals("status", TemplateStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
  category: Flag.Literals("category", TemplateCategory.literals).pipe(
    Flag.withDescription("Only these"),
    Flag.optional
  ),
  language: Flag.String("language").pipe(
    Flag.withDescription("Only this language"),
    Flag.withMetavar("pt_BR"),
    Flag.optional
  ),
  name: Flag.String("name").pipe(Flag.withDescription("Only this name"), Flag.withMetavar("welcome"), Flag.optional)
}

const list = Command.make(
  "list",
  { environment, ...filters, limit },
  ({ category, environment, language, limit, name, status }) =>
    Effect.gen(function* () {
      yield* foundEnvironment(environment)
      const wanted = {
        status: orUndefined(status),
        category: orUndefined(category),
        language: orUndefined(language),
        name: orUndefined(name)
      }
      const found = yield* (yield* TemplateDirectory).list(environment, wanted, undefined, limit)
      const data = found.map(readTemplate)
      const rows = data.map((template) => [
        template.id,
        template.name,
        template.language,
        template.category,
        template.status,
        versionOf(template)
      ])
      yield* print({ data }, table(["id", "name", "language", "category", "status", "version"], rows, "no templates"))
    })
).pipe(Command.withDescription("List templates of an environment, newest first"))

const show = Command.make("show", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const templates = yield* TemplateDirectory
    const found = parseId("tpl", id) ? yield* templates.find(environment, id) : undefined
    const template = readTemplate(found ?? (yield* new TemplateNotFound()))
    const versions = (yield* templates.versions(environment, id)).map(shownVersion)
    const rows = versions.map(({ approved_at, rejection_reason, status, submitted_at, version }) => [
      version,
      status,
      submitted_at ?? "",
      approved_at ?? "",
      rejection_reason ?? ""
    ])
    yield* print(
      { ...template, versions },
      [
        facts(shown(template)),
        facts(textsOf(template)),
        table(["version", "status", "submitted_at", "approved_at", "rejection_reason"], rows, "no versions")
      ].join("\n\n")
    )
  })
).pipe(Command.withDescription("Show one template with its versions"))

const versionOf = ({ approved_version, version }: Template): string =>
  approved_version === version
    ? String(version)
    : `${version} (${approved_version === null ? "none approved" : `sends use ${approved_version}`})`

const shown = (template: Template) => ({
  id: template.id,
  name: template.name,
  language: template.language,
  category: template.category,
  parameter_format: template.parameter_format,
  status: template.status,
  version: versionOf(template),
  rejection_reason: template.rejection_reason,
  provider_template_id: template.provider_template_id,
  provider_quality: template.provider_quality,
  signals: template.authoring_signals.map(({ code, component }) => `${code} (${component})`).join(", ") || null,
  created_at: template.created_at,
  updated_at: template.updated_at
})

/** Returns the content of each component, one a line. */
const textsOf = ({ components }: Template) =>
  Object.fromEntries(
    components.map(({ buttons, format, text, type }) => [
      type,
      text ?? format ?? buttons?.map((button) => `[${button.text ?? button.type}]`).join(" ")
    ])
  )

const shownVersion = (version: TemplateVersion) => ({
  ...version,
  submitted_at: formatTimestampOrNull(version.submitted_at),
  approved_at: formatTimestampOrNull(version.approved_at),
  created_at: formatTimestamp(version.created_at),
  updated_at: formatTimestamp(version.updated_at)
})

/** Templates of one environment. M-TPL-01..11 */
export const templates = Command.make("templates").pipe(Command.withSubcommands([list, show]))
