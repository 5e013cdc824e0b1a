import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type AuthoringSignal, isSubmittable, type Template } from "@carteiro/schema/templates/Template.ts"
import type { TemplateVersion } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, declared, type Saying, say } from "../kit/Language.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { live } from "../kit/LiveScript.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, form, instant, none, notice, personText, table } from "../kit/Parts.ts"
import { phonePreview } from "../kit/PhonePreview.ts"
import { fold, inOrder, type Step, section, storyPage, timeline } from "../kit/Story.ts"
import { type ListedMessage, makeNamedMessages, messageTable } from "../messages/MessageParts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { Stories } from "../story/Stories.ts"
import { typedOf } from "./TemplateForm.ts"
import { preview, templateBadge } from "./TemplateParts.ts"
import { exampleLook } from "./TemplateSend.ts"

const address = "/dashboard/templates"

/** One template with its versions, each with what became of its review. */
export const TemplateHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const named = yield* makeNamedMessages
    const stories = yield* Stories

    const found = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<TemplatePage, ApiError> {
      const environment = yield* environmentOf(visit)
      const template_id = yield* idOf(visit, "tpl")
      const read = operations.templates.get(asVisitor(visit, environment), { params: { template_id } })
      return { environment, template: yield* orNotHere(read) }
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { environment, template } = yield* found(visit)
      const caller = asVisitor(visit, environment)
      const { data: versions } = yield* operations.templateLookups.versions(caller, {
        params: { template_id: template.id }
      })
      const here = `${address}/${environment.id}/${template.id}`
      const { data } = yield* operations.messageLookups.list(caller, {
        query: { template_name: template.name, ...positionOf(undefined, shownMessages) }
      })
      const sent = yield* named(caller, data)
      const deliveries = yield* stories.deliveries(visit, environment, template.id)
      return {
        title: html`${template.name}`,
        section: "templates",
        environment: environment.id,
        up: [`${address}?environment=${environment.id}`, "Templates"],
        follows: "events",
        again: template.status === "submitted" ? 3 : undefined,
        ...storyPage({
          headline: {
            state: templateBadge(template.status),
            about: [template.language, contractWord(template.category), html`version ${template.version}`],
            next: visit.mayChange && standing(here, visit.csrf, template)
          },
          warnings: html`<div id="trouble"${live}>${template.rejection_reason !== null && notice("bad", reasonOf(template.rejection_reason))}${visit.mayChange && template.approved_version === null && html`<p class="muted">${say(whenSendable(template.status))}</p>`}</div>`,
          story: html`<section aria-labelledby="content"><h2 id="content">Version ${template.version}</h2><div class="beside-phone">${phonePreview(template.components, exampleLook(template.components), environment.project_name)}<div>${preview(template.components)}</div></div>
${signalTable(template.authoring_signals)}</section>
${section("timeline", "What happened", timelineOf(versions))}
${section("used", "Where it was used", usedIn(environment.id, template, sent))}
${deliveries}
${stories.calls([
  { title: "Read it", method: "GET", path: `/v1/templates/${template.id}` },
  { title: "Copy it to a new one", method: "POST", path: `/v1/templates/${template.id}/duplicate` }
])}`,
          facts: factsOf(template, environmentName(environment)),
          aside: fold("versions", "Versions and review", versionTable(versions, template))
        })
      }
    })

    const submit = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = yield* idOf(visit, "tpl")
      yield* operations.templates.submit(asVisitor(visit, environment), { params: { template_id: id } })
      return { to: `${address}/${environment.id}/${id}?done=submitted` }
    })

    const askDelete = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const { environment, template } = yield* found(visit)
      const here = `${address}/${environment.id}/${template.id}`
      return confirmationPage({
        title: "Delete this template?",
        section: "templates",
        environment: environment.id,
        up: [here, html`${template.name}`],
        action: `${here}/delete`,
        csrf: visit.csrf,
        explanation: html`<p>${personText(template.name)}, ${template.language}, with all of its versions, here and at the provider. What waits to be sent with it fails.</p>`,
        button: "Delete the template",
        dangerous: true,
        name: { value: template.name, error }
      })
    })

    const remove = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const {
        environment,
        template: { id, name }
      } = yield* found(visit)
      const error = unconfirmed(sent, name)
      if (error !== undefined) return yield* askDelete(visit, error)
      yield* operations.templates.delete(asVisitor(visit, environment), { params: { template_id: id } })
      return { to: `${address}?environment=${environment.id}&done=template_deleted` }
    })

    const path = `${address}/:environment/:id`
    return Layer.mergeAll(
      page({ operation: "template", path, handler: show }),
      action({ operation: "submitTemplate", audit: "template.submitted", path: `${path}/submit`, handler: submit }),
      page({ operation: "askDeleteTemplate", path: `${path}/delete`, handler: (visit) => askDelete(visit) }),
      action({ operation: "deleteTemplate", audit: "template.deleted", path: `${path}/delete`, handler: remove })
    )
  })
)

/** Messages that the page shows of a template. */
const shownMessages = 10

const usedIn = (environment: string, { name }: Template, sent: ReadonlyArray<ListedMessage>): Html =>
  html`${messageTable(environment, sent, say("No message was sent with it lately."))}
<p><a href="${addressOf("/dashboard/messages", { environment, template_name: name })}">All messages with this template</a> · <a href="${addressOf("/dashboard/batches", { environment })}">Batches</a></p>`

interface TemplatePage {
  readonly environment: EnvironmentEntry
  readonly template: Template
}

const standing = (here: string, csrf: string, template: Template): Html => {
  const { status } = template
  const isEditable = status !== "submitted" && typedOf(template) !== undefined
  return html`${isSubmittable(status) && form(`${here}/submit`, csrf, html`<button class="primary">Submit for review</button>`)}
${template.approved_version !== null && html`<a class="button" href="${here}/test">Send a test…</a>`}
${isEditable && html`<a class="button" href="${here}/edit">Edit</a>`}
<a class="button" href="${here}/delete">Delete…</a>`
}

/** Says when a template without an approved version can be sent, and what leads there. */
const whenSendable = (status: Template["status"]): Saying =>
  isSubmittable(status)
    ? "A test can be sent once a version was approved. Submit this one for review."
    : "A test can be sent once a version was approved."

const factsOf = (template: Template, where: Html): Html =>
  facts([
    ["Review", html`${templateBadge(template.status)} version ${template.version}`],
    [
      "Sends use",
      template.approved_version === null
        ? none("nothing yet: no version was approved")
        : html`version ${template.approved_version}`
    ],
    ["Language", template.language],
    ["Category", contractWord(template.category)],
    ["Variables", say(template.parameter_format === "NAMED" ? "by name" : "by position")],
    [
      "Quality",
      template.provider_quality === "unknown" ? none("not rated yet") : contractWord(template.provider_quality)
    ],
    [
      "Provider's id",
      template.provider_template_id === null ? none("none") : html`<code>${template.provider_template_id}</code>`
    ],
    ["Environment", where],
    ["Created", instant(template.created_at)],
    ["Changed", instant(template.updated_at)],
    ["Id", html`<code>${template.id}</code>`]
  ])

const signalTable = (signals: ReadonlyArray<AuthoringSignal>): Html | undefined =>
  signals.length === 0
    ? undefined
    : table(
        "Remarks on what is written",
        ["Remark", "Part", "Weight"],
        signals.map((signal) => [
          personText(declared(signal.code, signal.message)),
          contractWord(signal.component.toLowerCase()),
          badge(contractWord(signal.severity), signal.severity === "warning" ? "warn" : "info")
        ]),
        say("No remark.")
      )

/** Reasons of this service, where the platform was not asked. */
const ownReasons: Readonly<Record<string, Saying>> = {
  no_provider_connection: "No account of the chat platform is connected. Connect one, then submit the template again.",
  provider_unavailable: "The chat platform could not be reached for a day. Submit the template again."
}

/** Returns why a version was rejected: in words of this service, else in those of its reviewer. */
const reasonOf = (reason: string): Html => {
  const own = ownReasons[reason]
  return own === undefined ? personText(reason) : say(own)
}

/** Returns when each version was written, handed in and approved, and why one was rejected. */
const timelineOf = (versions: ReadonlyArray<TemplateVersion>): Html =>
  timeline(
    inOrder(
      versions.toReversed().flatMap(
        ({ approved_at, created_at, rejection_reason, status, submitted_at, version }): ReadonlyArray<Step> => [
          { what: html`Version ${version} written`, at: created_at },
          ...(submitted_at === null
            ? []
            : [
                {
                  what: html`Version ${version} submitted`,
                  at: submitted_at,
                  tone: "info" as const,
                  ...(rejection_reason !== null && {
                    cause: html`${templateBadge(status)} ${reasonOf(rejection_reason)}`
                  })
                }
              ]),
          ...(approved_at === null
            ? []
            : [{ what: html`Version ${version} approved`, at: approved_at, tone: "good" as const }])
        ]
      )
    )
  )

const versionTable = (versions: ReadonlyArray<TemplateVersion>, { approved_version }: Template): Html =>
  table(
    "Versions, newest first",
    ["Version", "Review", "Reason", "Category", "Created", "Submitted", "Approval", "Content"],
    versions.map((version) => [
      html`<span class="whole">Version ${version.version}</span>`,
      html`${templateBadge(version.status, "version")}${version.version === approved_version && html` ${badge("sends use it", "info")}`}`,
      version.rejection_reason === null ? none("none") : reasonOf(version.rejection_reason),
      contractWord(version.category),
      instant(version.created_at),
      instant(version.submitted_at),
      instant(version.approved_at),
      html`<details><summary>show</summary>${preview(version.components)}</details>`
    ]),
    say("There is no version.")
  )
