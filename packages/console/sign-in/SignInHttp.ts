import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { Effect, Layer } from "effect"
import { readCookie, sessionCookie, sessionPath, setCookie, signInCookie } from "../kit/Cookies.ts"
import { field, queryParameter, readForm } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { action, entrance, type Outcome, signInAddress } from "../kit/Pages.ts"
import { csrfField, notice } from "../kit/Parts.ts"
import { languageOf } from "../kit/Reader.ts"
import { StaleForm } from "../kit/Refusals.ts"
import { type Session, Sessions } from "../ports/Sessions.ts"

/**
 * Opening a link only shows who would be signed in: the button uses it up, so that a program that previews links for people
 * does not.
 */
const show = entrance({
  operation: "signIn",
  method: "GET",
  path: signInAddress,
  handler: Effect.fnUntraced(function* (request, visit) {
    const sessions = yield* Sessions
    const link = queryParameter(request, "token")
    const next = safe(queryParameter(request, "next"))
    if (link === undefined && visit !== undefined) return { to: next ?? "/dashboard" }
    const known = remembered(request)
    const memory = { nonce: known?.nonce ?? sessions.newNonce(), next: next ?? known?.next ?? "" }
    const value = `${memory.nonce}.${Buffer.from(memory.next).toString("base64url")}`
    const headers = { "set-cookie": setCookie(signInCookie, value, signInAddress, sessions.lifetimes.link / 1000) }
    if (link === undefined) return { ...signInPage(askForLink(yield* PublicUrl)), headers }
    const found = yield* sessions.peek(link, request.now)
    if (found === undefined) return { ...linkGone, headers }
    const outcome: Outcome = { ...signInPage(button(found, link, sessions.formValue(memory.nonce))), headers }
    return outcome
  })
})

const enter = entrance({
  operation: "enter",
  method: "POST",
  path: signInAddress,
  handler: Effect.fnUntraced(function* (request) {
    const sessions = yield* Sessions
    const form = yield* readForm(request)
    const memory = remembered(request)
    // Without this, another site could sign a visitor in as another member.
    if (memory === undefined || !sessions.formHolds(memory.nonce, field(form, "csrf"))) return yield* new StaleForm()
    const token = yield* sessions.begin(field(form, "token"), languageOf(request), request.now)
    if (token === undefined) return linkGone
    const outcome: Outcome = {
      to: safe(memory.next) ?? "/dashboard",
      headers: { "set-cookie": setCookie(sessionCookie, token, sessionPath, sessions.lifetimes.session / 1000) }
    }
    return outcome
  })
})

const leave = Layer.unwrap(
  Effect.map(Sessions, (sessions) =>
    action({
      operation: "signOut",
      audit: "session.ended",
      path: "/dashboard/sign-out",
      anybody: true,
      handler: (visit) => Effect.as(sessions.end(visit.token, visit.now), { to: signInAddress })
    })
  )
)

/** Coming in and going out. */
export const SignInHttp = Layer.mergeAll(show, enter, leave)

const signInPage = (body: Html): Page => ({ title: "Sign in", bare: true, body })

const button = ({ organization, member }: Pick<Session, "organization" | "member">, link: string, csrf: string): Html =>
  html`<div class="card narrow">
<p>Sign in to <strong>${organization.name}</strong> as <strong>${member.name}</strong> (${member.email}).</p>
<form method="post" action="${signInAddress}">${csrfField(csrf)}<input type="hidden" name="token" value="${link}">
<div class="buttons"><button class="primary" autofocus>Sign in</button></div></form>
<p class="muted">The link works once. You stay signed in for 12 hours.</p>
</div>`

const command = html`<pre><code>npm run operator -- sign-in --email you@example.com</code></pre>`

const askForLink = (publicUrl: () => string): Html => html`<div class="card narrow">
<p>The dashboard is opened with a one-time link. An owner or admin of your organization makes one under Members, or an operator of this service prints it:</p>
${command}
<p class="muted">It works once, within 15 minutes. On a development server, <code>sign_in_url</code> in <code>dev.json</code> is such a link.</p>
${unkeepable(publicUrl()) && notice("warn", say("This address is neither https nor of this machine, so browsers will not keep you signed in. Open the dashboard through https."))}
</div>`

const linkGone: Page = {
  ...signInPage(html`<div class="card narrow">
<p>This link was used already, or its 15 minutes are over.</p>
<p>Ask an owner or admin of your organization for a new one, or an operator of this service:</p>
${command}
</div>`),
  status: 410
}

// Browsers keep Secure cookies of plain connections for the machine's own addresses only.
const unkeepable = (url: string): boolean => /^http:\/\/(?!localhost[:/]|127\.|\[::1\])/.test(`${url}/`)

interface Memory {
  readonly nonce: string
  readonly next: string
}

const remembered = (request: RawRequest): Memory | undefined => {
  const [nonce = "", next = ""] = (readCookie(request.headers.cookie, signInCookie) ?? "").split(".")
  return /^[\w-]{43}$/.test(nonce) ? { nonce, next: Buffer.from(next, "base64url").toString("utf8") } : undefined
}

/** An address of the dashboard itself; anything else could lead away from it. */
const safe = (next: string | undefined): string | undefined =>
  next !== undefined && next.length <= 512 && /^\/dashboard(?:\/[\w/-]*)?(?:\?[\w=&%.~-]*)?$/.test(next)
    ? next
    : undefined
