import { hourMs, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { WebhookEndpoint } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import type { WebhookGap, WebhookOutage, WebhookRecoveryProgress } from "@carteiro/schema/webhooks/WebhookOutage.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { countOf } from "../kit/Numbers.ts"
import { badge, exactMoment, form, notice } from "../kit/Parts.ts"
import { lastAnswerOf, outcome } from "./DeliveryParts.ts"

/** An outage of an endpoint as its page tells of it. */
export interface Outage {
  readonly endpoint: WebhookEndpoint
  readonly outage: WebhookOutage
  /** The delivery of the recovery's test. */
  readonly probeAddress: string
  /** Where the button posts to; undefined for people who may not change anything. */
  readonly action: string | undefined
  readonly csrf: string
}

/** How long after its end a recovery is told of, in milliseconds. */
const toldMs = hourMs

/** The outage of an endpoint and its recovery, which moves by itself; undefined for an endpoint without either. */
export const recoveryCard = (shown: Outage): Html | undefined => {
  const { endpoint } = shown
  const { as_of, gap, is_recovering: moves, recovery } = shown.outage
  const isTold = recovery !== null && (moves || millis(as_of) - millis(recovery.created_at) < toldMs)
  const isMissing = gap !== null && gap.never_sent + gap.failed > 0
  if (!isTold && !isMissing && endpoint.status === "active") return undefined
  return html`<section class="card" id="recovery"${live} aria-labelledby="recovery-title">
<h2 id="recovery-title">${moves ? say("Recovery") : isMissing || endpoint.status === "disabled" ? say("Missed events") : say("Recovered")}</h2>
${isTold && recoveryState(shown, recovery)}
${!moves && (isMissing || endpoint.status === "disabled") && gapState(shown)}
</section>`
}

const millis = (timestamp: string): number => parseTimestamp(timestamp) ?? 0

const recoveryState = ({ endpoint, outage, probeAddress }: Outage, recovery: WebhookRecoveryProgress): Html => {
  const test = html`<a href="${probeAddress}">test</a>`
  if (recovery.stop_reason === "probe_failed") {
    return notice(
      "bad",
      html`The ${test} of ${exactMoment(recovery.created_at)} failed: ${outcome(recovery.probe ?? undefined)}. ${
        endpoint.status === "disabled" ? say("The endpoint stays disabled.") : ""
      } Nothing was delivered.`
    )
  }
  if (recovery.status === "stopped") {
    return notice("bad", html`The recovery of ${exactMoment(recovery.created_at)} stopped: the endpoint was disabled.`)
  }
  if (!outage.is_recovering) return drained(recovery, outage.gap)
  const waits = recovery.awaits_probe
  return html`<ol class="steps"${moving()}>
<li>${badge(waits ? "under way" : "done", waits ? "info" : "good")} ${recovery.probe_id === null ? say("Test") : test} of the receiver</li>
<li>${badge(waits ? "waits" : "done", waits ? "plain" : "good")} Endpoint enabled</li>
<li>${badge(waits ? "waits" : "under way", waits ? "plain" : "info")} Missed events delivered${progressOf(recovery)}</li>
</ol>
<p class="muted" role="status">This page moves by itself.</p>`
}

/** Deliveries that were made and no longer wait, as a bar and in words. */
const progressOf = ({ held, made, missed, waiting }: WebhookRecoveryProgress): Html => {
  const all = Math.max(missed, made + held, 1)
  const sent = Math.min(all, Math.max(0, made + held - waiting))
  const words = html`${countOf(sent)} of ${countOf(missed)}`
  return html`<progress max="${all}" value="${sent}" aria-label="Progress of the recovery">${words}</progress>
<span class="muted">${waiting === 1 ? html`${words}, 1 waits to be sent` : html`${words}, ${countOf(waiting)} wait to be sent`}</span>`
}

const drained = ({ from, held, made, missed, to }: WebhookRecoveryProgress, gap: WebhookGap | null): Html => {
  const left = gap === null ? 0 : gap.never_sent + gap.failed
  const span = html`from ${exactMoment(from)} to ${exactMoment(to)}`
  if (missed === 0 && made === 0)
    return notice("good", say("The test succeeded, and the endpoint is active. No event was missed."))
  if (made === 1 && left === 0)
    return notice("good", html`The one event that it missed ${span} was delivered.${heldBack(held)}`)
  return left === 0
    ? notice("good", html`Each of the ${countOf(made)} events that it missed ${span} was delivered.${heldBack(held)}`)
    : notice(
        "warn",
        html`${countOf(made)} events that it missed ${span} were sent; ${countOf(left)} are still missing.${heldBack(held)}`
      )
}

const heldBack = (held: number): Piece =>
  held > 0 && html` ${countOf(held)} are held back, because the service of their number is suspended.`

const gapState = ({ action, csrf, endpoint, outage: { gap } }: Outage): Html => {
  const missing = gap === null ? 0 : gap.never_sent + gap.failed
  const more = gap?.has_more === true
  return html`<p>${reasonOf(endpoint)}</p>
${
  gap !== null &&
  html`<p><strong class="count">${countOf(missing)}${more && "+"}</strong> ${missing === 1 ? html`event was missed since ${exactMoment(gap.from)}` : html`events were missed since ${exactMoment(gap.from)}`}${missing > 0 && html`: ${countOf(gap.never_sent)} never sent, ${countOf(gap.failed)} failed for good`}.</p>
${more && html`<p class="muted">Counted up to ${exactMoment(gap.counted_to)}; all of them are delivered.</p>`}
${gap.older !== null && html`<p class="muted">Events before ${exactMoment(gap.older.to)} are no longer kept and cannot be delivered.</p>`}`
}
${
  action !== undefined &&
  form(
    action,
    csrf,
    html`<div class="buttons"><button class="primary">${buttonText(endpoint, missing)}</button></div>
<p class="hint">Sends a test first. Only when your receiver takes it, the endpoint is enabled and exactly the missed events are sent, once each.</p>`
  )
}`
}

const buttonText = ({ status }: WebhookEndpoint, missing: number): Html => {
  const enables = status === "disabled"
  if (missing === 0) return enables ? say("Test, enable") : say("Test")
  if (missing === 1) return enables ? say("Test, enable and deliver 1 event") : say("Test and deliver 1 event")
  return enables ? html`Test, enable and deliver ${missing} events` : html`Test and deliver ${missing} events`
}

/** Says why nothing reached the endpoint. */
const reasonOf = ({ disabled_detail, disabled_reason, status }: WebhookEndpoint): Piece => {
  if (status === "active") return say("Deliveries to it failed for good, or happened while it was disabled.")
  if (disabled_reason === "manual") return say("It was disabled by hand: events that happen meanwhile are not sent.")
  const last = html`the last one with <strong>${lastAnswerOf(disabled_detail)}</strong>`
  return disabled_detail?.probation_retrip === true
    ? html`It was enabled, and the first deliveries failed again, ${last}. Events that happen meanwhile are not sent.`
    : html`Twenty deliveries in a row failed, ${last}. Events that happen meanwhile are not sent.`
}
