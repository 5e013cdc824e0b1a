import { label } from "@carteiro/schema/conventions/Text.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { FeedbackReportNotFound } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { dispositions, ReportAdmin, type ReportEntry, reportStatuses } from "../../feedback/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print, table } from "../kit/Output.ts"
import { foundOrganization, idArgument, limit, organization, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("report", "Id of the report", "fbk_…")

const shown = (report: ReportEntry) => ({
  ...report,
  created_at: formatTimestamp(report.created_at),
  updated_at: formatTimestamp(report.updated_at),
  resolutions: report.resolutions.map((resolution) => ({
    ...resolution,
    published_at: formatTimestamp(resolution.published_at)
  }))
})

const printOne = (report: ReportEntry) => {
  const { resolutions, related_error, context, message, ...rest } = shown(report)
  const last = resolutions[0]
  const lines = [
    facts({
      ...rest,
      ...Object.fromEntries(Object.entries({ ...related_error }).map(([name, value]) => [`error.${name}`, value])),
      ...Object.fromEntries(Object.entries({ ...context }).map(([name, value]) => [`context.${name}`, value])),
      disposition: last?.disposition,
      published_at: last?.published_at
    }),
    // Indented, so that no line of it passes for one of ours.
    `\n  ${message.replaceAll("\n", "\n  ")}`
  ]
  if (last !== undefined) lines.push(`\nresolution: ${last.public_summary}`)
  return print(shown(report), lines.join("\n"))
}

const list = Command.make(
  "list",
  {
    organization: organization.pipe(Flag.optional),
    status: Flag.Literals("status", reportStatuses).pipe(Flag.withDescription("Only these"), Flag.optional),
    limit
  },
  ({ organization, status, limit }) =>
    Effect.gen(function* () {
      const organization_id = orUndefined(organization)
      if (organization_id !== undefined) yield* foundOrganization(organization_id)
      const wanted = { status: orUndefined(status), organization_id }
      const found = (yield* (yield* ReportAdmin).listEverywhere(wanted, limit)).map(shown)
      const rows = found.map((report) => [
        report.id,
        report.status,
        report.created_at,
        report.organization_id,
        report.message.replaceAll("\n", " ").slice(0, 60)
      ])
      yield* print(
        { data: found },
        table(["id", "status", "created_at", "organization", "message"], rows, "no reports")
      )
    })
).pipe(Command.withDescription("List reports of every organization, newest first"))

const show = Command.make("show", { id }, ({ id }) =>
  Effect.gen(function* () {
    const found = yield* (yield* ReportAdmin).findAnywhere(id)
    yield* printOne(found ?? (yield* new FeedbackReportNotFound()))
  })
).pipe(Command.withDescription("Show one report with everything it says"))

/** Moves a report on, and writes down from where to where. */
const moved = Effect.fnUntraced(function* (...[id, to, resolution, now]: Parameters<ReportAdmin["Service"]["move"]>) {
  const admin = yield* ReportAdmin
  const before = yield* admin.findAnywhere(id)
  const after = yield* admin.move(id, to, resolution, now)
  yield* recordChange(after.organization_id, {
    action: "feedback.answered",
    environment: after.environment_id,
    subject: id,
    ...(before !== undefined && { before: { status: before.status } }),
    after: { status: after.status, ...(resolution !== undefined && { disposition: resolution.disposition }) }
  })
  return after
})

const review = Command.make("review", { id }, ({ id }) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* printOne(yield* moved(id, "in_review", undefined, now))
  })
).pipe(Command.withDescription("Take a report into review, or reopen it"))

const answer = {
  disposition: Flag.Literals("disposition", dispositions).pipe(Flag.withDescription("What came of it")),
  summary: Flag.String("summary").pipe(
    Flag.withDescription("Public answer, shown to whoever sent the report"),
    Flag.withSchema(label(1, 2000))
  )
}

const end = (name: "resolve" | "close", to: "resolved" | "closed", about: string) =>
  Command.make(name, { id, ...answer }, ({ id, disposition, summary }) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* printOne(yield* moved(id, to, { disposition, public_summary: summary }, now))
    })
  ).pipe(Command.withDescription(about))

/** Reports as operators answer them; no API route does. gaps-1 H "Status and disposition values" */
export const feedback = Command.make("feedback").pipe(
  Command.withSubcommands([
    list,
    show,
    review,
    end("resolve", "resolved", "Resolve a report and publish a summary"),
    end("close", "closed", "Close a report without a change and publish why")
  ])
)
