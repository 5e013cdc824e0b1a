import { logFault, readRefusal } from "@carteiro/http-edge/Refusals.ts"
import {
  type BytesReply,
  compressedPage,
  htmlReply,
  type Reply,
  type ResponseHeaders
} from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { leadOf, OwnerClocks } from "@carteiro/owners/OwnerClocks.ts"
import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import type { AuditAction, AuditSettings, NewAuditEntry } from "@carteiro/schema/audit/AuditLogApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { OrganizationSuspended } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Cause, Effect } from "effect"
import { type EnvironmentEntry, Environments } from "../ports/Environments.ts"
import { type Session, Sessions } from "../ports/Sessions.ts"
import { readCookie, sessionCookie } from "./Cookies.ts"
import { refuseDuringReset } from "./DuringReset.ts"
import { field, queryParameter, readForm, readLimit } from "./Forms.ts"
import { html } from "./Html.ts"
import type { Language, Saying } from "./Language.ts"
import { document, headersOf, type Page, pageHeaders, type Standing, type TurnedTime } from "./Layout.ts"
import { notices } from "./Notices.ts"
import { Operations } from "./Operations.ts"
import { peopleOf } from "./People.ts"
import { chosenLanguage, languageOf, readerOf, remember } from "./Reader.ts"
import { NotAllowed, StaleForm } from "./Refusals.ts"
import { refusalText } from "./RefusalTexts.ts"
import { rememberedIn, type VisitedEnvironment } from "./Switch.ts"
import { zoneOf } from "./TimeZone.ts"
import type { Visit } from "./Visit.ts"

export type { Visit } from "./Visit.ts"

/** Leads on to another page of the dashboard; what was posted is not posted again by reloading. */
export interface Redirect {
  readonly to: string
}

/** A file to download. */
interface Download {
  readonly file: BytesReply
}

/** The outcome of a request, with headers of its own beside those of every page; `changes` is false where a form only looked. */
export type Outcome = (Page | Redirect | Download) & {
  readonly headers?: ResponseHeaders
  readonly audited?: Audited
  readonly changes?: false
}

/** The details of a change for the audit log, beyond its address and the kept fields. */
interface Audited {
  /** Id of what was changed, where the address does not end in it. */
  readonly subject?: string
  readonly environment?: string
  readonly before?: AuditSettings
  readonly after?: AuditSettings
}

interface PageOptions<R> {
  /** Without the room's name. */
  readonly operation: string
  readonly path: string
  readonly handler: (visit: Visit) => Effect.Effect<Outcome, ApiError, R>
}

interface ActionOptions<R> {
  readonly operation: string
  readonly path: string
  readonly handler: (visit: Visit, form: URLSearchParams) => Effect.Effect<Outcome, ApiError, R>
  /** How the audit log calls it. */
  readonly audit: AuditAction
  /** Fields of the form that the audit log keeps: settings, never a secret, never data of a customer. */
  readonly keeps?: ReadonlyArray<string>
  /** How much of a form this one takes, in bytes, where it is more than usual; at most what is read of any. */
  readonly formBytes?: number
  /** Also for members, and while the organization is suspended: leaving. */
  readonly anybody?: boolean
  /** Also for members: writing as the customer of a sandbox. */
  readonly members?: boolean
}

interface EntranceOptions<R> {
  readonly operation: string
  readonly method: "GET" | "POST"
  readonly path: string
  /** The visit is undefined for a visitor who is not signed in. */
  readonly handler: (request: RawRequest, visit: Visit | undefined) => Effect.Effect<Outcome, ApiError, R>
}

/** A page for signed-in members; other visitors are redirected to sign in, and come back afterwards. */
export const page = <R>({ operation, path, handler }: PageOptions<R>) =>
  route(operation, "GET", path, (request, visit) =>
    visit === undefined ? Effect.succeed(signInFirst(request)) : handler(visit)
  )

/**
 * Something a form does, which the audit log then tells: only from a page of the same session, only for owners and admins unless it says otherwise, and
 * not while the organization is suspended.
 */
export const action = <R>(options: ActionOptions<R>) => {
  const { anybody, formBytes, handler, members, operation, path } = options
  const run = Effect.fnUntraced(function* (visit: Visit, form: URLSearchParams) {
    yield* refuseDuringReset(visit.request.params.environment)
    const outcome = yield* handler(visit, form)
    const isRefused = outcome.changes === false || ("title" in outcome && (outcome.status ?? 200) >= 400)
    if (!isRefused && !isRepeat(visit)) yield* recordChange(visit, entryOf(options, visit, form, outcome))
    return outcome
  })
  return route(
    operation,
    "POST",
    path,
    Effect.fnUntraced(function* (request: RawRequest, visit: Visit | undefined) {
      const form = yield* readForm(request, formBytes)
      if (visit === undefined) return { to: signInAddress }
      const sessions = yield* Sessions
      const shown = sessions.readForm(visit.token, field(form, "csrf"))
      if (shown === undefined) return yield* new StaleForm()
      const key = sessions.formKey(visit.token, shown, request.path)
      const sending: Visit = { ...visit, sent: { key, shownAt: shown.shownAt, changes: [] } }
      if (anybody === true) return yield* run(sending, form)
      if (members !== true && !mayDecide(visit.session.member.role)) return yield* new NotAllowed()
      if (visit.session.organization.suspended_at !== null) return yield* new OrganizationSuspended()
      return yield* run(sending, form)
    })
  )
}

/** Returns whether a form came again, and all that it changed was changed by the first. Decision 0149 */
const isRepeat = ({ sent }: Visit): boolean =>
  sent !== undefined && sent.changes.length > 0 && sent.changes.every((isRepeated) => isRepeated)

/** Writes a change into the audit log: it was allowed, so its entry is, also to people who leave a suspended organization. */
const recordChange = Effect.fnUntraced(function* ({ personIn, request }: Visit, payload: NewAuditEntry) {
  const person = { ...personIn(undefined), organization_suspended: false }
  yield* (yield* Operations).auditLog.record({ request, person }, { payload })
})

/** Returns what the audit log keeps of a form that did what it asked for. */
const entryOf = (
  { audit, keeps = [] }: Pick<ActionOptions<never>, "audit" | "keeps">,
  { request }: Visit,
  form: URLSearchParams,
  { audited }: Outcome
): NewAuditEntry => {
  const kept = keeps.filter((name) => form.has(name)).map((name) => [name, form.getAll(name).join(", ").slice(0, 500)])
  const after: AuditSettings = { ...Object.fromEntries(kept), ...audited?.after }
  return {
    environment_id: audited?.environment ?? request.params.environment ?? null,
    action: audit,
    subject: audited?.subject ?? request.params.id ?? null,
    before: audited?.before ?? null,
    after: Object.keys(after).length === 0 ? null : after
  }
}

/** The way in: open to everybody, guarded by nothing but what its handler looks at. */
export const entrance = <R>({ operation, method, path, handler }: EntranceOptions<R>) =>
  route(operation, method, path, handler)

/** The visit of a request to a route that is no page; undefined for a visitor who is not signed in. */
export const visitOf = Effect.fnUntraced(function* (request: RawRequest) {
  const token = readCookie(request.headers.cookie, sessionCookie)
  if (token === undefined) return undefined
  const session = yield* (yield* Sessions).find(token, request.now)
  if (session === undefined) return undefined
  const visit: Visit = {
    request,
    session,
    token,
    organizationId: session.organization.id,
    csrf: session.csrf,
    now: request.now,
    zone: zoneOf(request, languageOf(request)),
    personIn: peopleOf(session),
    environments: yield* Effect.cached((yield* Environments).list(session.organization.id)),
    mayChange: mayDecide(session.member.role) && session.organization.suspended_at === null
  }
  return visit
})

export const signInAddress = "/dashboard/sign-in"

/** A page or a redirect as it goes out. */
export const send = (outcome: Outcome, session: Session | undefined, standing?: Standing): Reply | BytesReply =>
  "file" in outcome
    ? outcome.file
    : "to" in outcome
      ? htmlReply(303, "", { ...pageHeaders, ...outcome.headers, location: outcome.to })
      : htmlReply(outcome.status ?? 200, document(outcome, session, standing), {
          ...headersOf(outcome, session),
          ...outcome.headers
        })

/** A refusal as a page. */
const refusalPage = (error: ApiError, requestId: string): Page => ({
  title: titles[error.status] ?? (error.status >= 500 ? "Something failed" : "That did not work"),
  status: error.status,
  body: html`<div class="card narrow"><p>${refusalText(error)}</p>
${error.status >= 500 && html`<p class="muted">Tell the operator this number: <code>${requestId}</code></p>`}
<p><a class="button" href="/dashboard">To the overview</a></p></div>`
})

const titles: Readonly<Record<number, Saying>> = { 403: "Not allowed", 404: "Not found", 409: "That cannot be done" }

const route = <R>(
  name: string,
  method: "GET" | "POST",
  path: string,
  work: (request: RawRequest, visit: Visit | undefined) => Effect.Effect<Outcome, ApiError, R>
) => {
  const operation = `dashboard.${name}`
  const handler = (request: RawRequest) =>
    Effect.flatMap(
      answer(operation, request, (visit) => work(request, visit)),
      (page) => compressedPage(request, page)
    )
  return Routes.raw({ operation, method, path, maxBodyBytes: readLimit, handler })
}

const answer = <R>(
  operation: string,
  request: RawRequest,
  work: (visit: Visit | undefined) => Effect.Effect<Outcome, ApiError, R>
): Effect.Effect<Reply | BytesReply, ApiError, R | Environments | Sessions> => {
  let session: Session | undefined
  let place: VisitedEnvironment | undefined
  return Effect.gen(function* () {
    const visit = yield* visitOf(request)
    session = visit?.session
    if (session !== undefined) yield* rememberLanguage(session, chosenLanguage(request))
    place = visit && placeOf(request, yield* visit.environments)
    const outcome = yield* work(visit)
    if (!("title" in outcome)) return send(outcome, session)
    place = moved(place, outcome.environment)
    const turned = yield* turnedTime(outcome.environment, request.now)
    const said: Outcome = { done: notices.get(queryParameter(request, "done") ?? ""), ...outcome }
    return send({ ...said, headers: { ...remember(request, place), ...outcome.headers } }, session, {
      now: request.now,
      place,
      turned,
      ...readerOf(request)
    })
  }).pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      const refusal = readRefusal(cause)
      // An unread body is closed by the listener, which answers for itself.
      if (refusal._tag === "payload_too_large") return Effect.fail(refusal)
      const told = refusal._tag === "internal_error" ? logFault(cause, request, operation) : Effect.void
      return Effect.as(
        told,
        send(refusalPage(refusal, request.requestId), session, { now: request.now, place, ...readerOf(request) })
      )
    })
  )
}

/** Writes a language that a member chose, for e-mails; a page that chooses it again writes nothing. */
const rememberLanguage = Effect.fnUntraced(function* (session: Session, chosen: Language | undefined) {
  if (chosen !== undefined && chosen !== session.member.language) yield* (yield* Sessions).setLanguage(session, chosen)
})

/** Returns the environment of the address, else the remembered one; undefined without any project. */
const placeOf = (request: RawRequest, all: ReadonlyArray<EnvironmentEntry>): VisitedEnvironment | undefined => {
  const named = request.params.environment ?? queryParameter(request, "environment")
  const current = all.find(({ id }) => id === named) ?? rememberedIn(request, all)
  return current && { all, current }
}

/** Returns the place of a page that says itself which environment it is about. */
const moved = (
  place: VisitedEnvironment | undefined,
  environment: string | undefined
): VisitedEnvironment | undefined => {
  const current = place?.all.find(({ id }) => id === environment)
  return place === undefined || current === undefined ? place : { ...place, current }
}

/** Returns the time of a sandbox whose clock was turned; undefined for real time. */
const turnedTime = Effect.fnUntraced(function* (environment: string | undefined, now: number) {
  const clockOf = yield* OwnerClocks
  if (clockOf === undefined || environment === undefined) return undefined
  const standing = yield* clockOf(environment)
  // After a reset the clock of a sandbox is at real time again.
  if (typeof standing === "string" || (standing.standsAt === undefined && standing.leadMs === 0)) return undefined
  const turned: TurnedTime = { now: now + leadOf(standing, now), stands: standing.standsAt !== undefined }
  return turned
})

const signInFirst = (request: RawRequest): Redirect => {
  const here = request.search === "" ? request.path : `${request.path}?${request.search}`
  return { to: here === "/dashboard" ? signInAddress : `${signInAddress}?next=${encodeURIComponent(here)}` }
}
