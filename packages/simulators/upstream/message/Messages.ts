import type { CallLog } from "../../kit/CallLog.ts"
import type { Faults } from "../../kit/Faults.ts"
import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer, write } from "../../kit/Routes.ts"
import { readMarkFlaw } from "../form/MessageForm.ts"
import { hurtCall } from "../HurtCalls.ts"
import type { Notices } from "../Notices.ts"
import { namingWords, recipientCode, statusError, vendorError } from "../VendorErrors.ts"
import type { SimNumber, World } from "../World.ts"
import { categoryOf, checkMessage } from "./MessageChecks.ts"
import {
  answeredContact,
  pricingOf,
  type Recipient,
  recipientOf,
  statusContact,
  statusRecipient
} from "./Recipients.ts"

/** Faults of a send; `value` is the parameter of the fault. */
export const messageFaults = [
  /** The connection is cut before, or after, the message is accepted. */
  "reset_before",
  "reset_after",
  /** No response: the message is not accepted, or it is. */
  "timeout_before",
  "timeout_after",
  /** 500 with an error body; 503 without one. */
  "error_500",
  "bare_503",
  /** Accepted; the response is not JSON, or half of one, or too slow for any caller. */
  "malformed",
  "half_body",
  "slow_body",
  /** Accepted, with the response of a temporary refusal; its statuses begin `value` milliseconds later. */
  "taken_500",
  "taken_429",
  /** Refused with the code `value`; with a text that names the recipient. */
  "refuse",
  "refuse_naming",
  "throughput",
  "pair",
  "app_rate",
  /**
   * Accepted; then a failed status with the code `value`, one with a text that names the recipient, or no status at
   * all.
   */
  "fail_status",
  "fail_naming",
  "no_status",
  /** Accepted; its statuses are sent before the response, which comes `value` milliseconds later. */
  "status_before_answer",
  /** Accepted; each status is sent twice. */
  "duplicate_status"
] as const

interface Taken {
  readonly id: string
  readonly callback: unknown
  readonly recipient: Recipient
  readonly type: string
  /** The template's category; undefined for messages without one. */
  readonly category: string | undefined
}

/** Accepts messages of one platform's numbers. */
export class Messages {
  private readonly world: World
  private readonly notices: Notices
  private readonly faults: Faults
  private readonly log: CallLog
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(world: World, notices: Notices, faults: Faults, log: CallLog) {
    this.world = world
    this.notices = notices
    this.faults = faults
    this.log = log
  }

  /** `POST /{version}/{phone_number_id}/messages`. */
  post(number: SimNumber, call: Call): SimulatedAnswer | undefined {
    const body = recordOf(jsonOf(call.body))
    if (body.status === "read") {
      return hurtCall(this.faults, "acknowledge", call, () => this.acknowledge(number, body))
    }
    const to = String(body.to ?? body.recipient ?? "")
    const subject = { operation: "messages", recipient: to }
    const fault = this.faults.hit(messageFaults, subject)
    const note = (outcome: string, facts: Readonly<Record<string, unknown>> = {}) =>
      this.log.add("message", {
        message_id: body.biz_opaque_callback_data ?? null,
        phone_number_id: number.id,
        to,
        type: body.type ?? null,
        outcome,
        fault: fault?.name ?? null,
        ...facts
      })
    const refuse = (answer: SimulatedAnswer): SimulatedAnswer => {
      note("refused", { status: answer.status, code: codeOf(answer) })
      return answer
    }
    switch (fault?.name) {
      case "reset_before":
        note("dropped")
        call.response.destroy()
        return undefined
      case "timeout_before":
        note("dropped")
        return undefined
      case "error_500":
        return refuse(vendorError(fault.value ?? 131000, undefined, 500))
      case "bare_503":
        note("dropped", { status: 503 })
        return { status: 503, body: Buffer.from("") }
      case "refuse":
        return refuse(vendorError(fault.value ?? 131000))
      case "refuse_naming":
        return refuse(vendorError(fault.value ?? 131026, this.naming(fault.value ?? 131026, to)))
      case "throughput":
        return refuse(vendorError(130429))
      case "pair":
        return refuse(vendorError(131056))
      case "app_rate":
        return refuse(vendorError(80007))
    }
    const special = recipientCode(to)
    const wrong =
      (number.status === "CONNECTED" ? undefined : vendorError(133010)) ??
      checkMessage(this.world, number, body) ??
      this.overLimit(number, to) ??
      (special !== undefined && !special.late ? vendorError(special.code) : undefined)
    if (wrong !== undefined) return refuse(wrong)
    const recipient = recipientOf(this.world, body)
    if (recipient === undefined) return refuse(vendorError(100, "to is missing or not valid"))
    const taken = {
      id: this.world.messageId(),
      callback: body.biz_opaque_callback_data,
      recipient,
      type: String(body.type),
      category: categoryOf(this.world, number, body)
    }
    note("accepted", { provider_message_id: taken.id })
    const delay = fault?.name === "taken_500" || fault?.name === "taken_429" ? (fault.value ?? 0) : 0
    const answer = ok({
      messaging_product: "whatsapp",
      contacts: [answeredContact(recipient)],
      messages: [{ id: taken.id, ...(taken.type === "template" ? { message_status: "accepted" } : {}) }]
    })
    const isFailed = fault?.name === "fail_status" || fault?.name === "fail_naming"
    const late = isFailed ? (fault.value ?? 131026) : special?.code
    if (fault?.name !== "no_status") this.report(number, taken, late, fault?.name, delay)
    return this.answerWith(answer, fault, call)
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }

  private answerWith(
    answer: SimulatedAnswer,
    fault: { readonly name: string; readonly value?: number } | undefined,
    call: Call
  ) {
    const { response } = call
    const text = JSON.stringify(answer.body)
    switch (fault?.name) {
      case "reset_after":
        response.destroy()
        return undefined
      case "timeout_after":
        return undefined
      case "malformed":
        return { status: 200, body: Buffer.from("<html>ok</html>"), headers: { "content-type": "text/html" } }
      case "half_body":
        response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
        response.write(text.slice(0, text.length / 2))
        this.after(20, () => response.destroy())
        return undefined
      case "slow_body":
        response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
        this.dribble(response, text, fault.value ?? 30_000)
        return undefined
      case "status_before_answer":
        this.after(fault.value ?? 500, () => write(response, answer))
        return undefined
      case "taken_500":
        return vendorError(131000, undefined, 500)
      case "taken_429":
        return vendorError(130429, undefined, 429)
      default:
        return answer
    }
  }

  private dribble(response: Call["response"], text: string, totalMs: number, from = 0): void {
    if (response.destroyed) return
    const step = Math.max(1, Math.ceil(text.length / 20))
    response.write(text.slice(from, from + step))
    if (from + step >= text.length) response.end()
    else this.after(totalMs / 20, () => this.dribble(response, text, totalMs, from + step))
  }

  /** Tells the statuses of a taken message, by the unit of the set-up; the first one `delay` milliseconds later. */
  private report(
    number: SimNumber,
    taken: Taken,
    failure: number | undefined,
    fault: string | undefined,
    delay: number
  ): void {
    const unit = fault === "status_before_answer" ? 0 : this.world.options.statusUnitMs
    const tell = (status: string, units: number, errors?: ReadonlyArray<unknown>) =>
      this.after(delay + unit * units, () => {
        const notice = {
          id: taken.id,
          status,
          timestamp: String(Math.floor(this.world.options.now() / 1000)),
          ...statusRecipient(taken.recipient, status),
          ...(status === "sent" || status === "delivered" ? { pricing: pricingOf(taken.category) } : {}),
          ...(taken.callback === undefined ? {} : { biz_opaque_callback_data: taken.callback }),
          ...(errors === undefined ? {} : { errors })
        }
        this.log.add("status", { provider_message_id: taken.id, message_id: taken.callback ?? null, status })
        const contact = statusContact(this.world, taken.recipient, status)
        this.notices.status(number, notice, contact)
        if (fault === "duplicate_status") this.notices.status(number, notice, contact)
      })
    tell("sent", 1)
    const words =
      failure !== undefined && fault === "fail_naming" ? this.naming(failure, taken.recipient.input) : undefined
    if (failure !== undefined) tell("failed", 3, [statusError(failure, words)])
    else if (taken.type !== "reaction") {
      tell("delivered", 3)
      tell("read", 6)
    }
  }

  private naming(code: number, to: string): string {
    return namingWords(code, to, this.world.profiles.get(to.replace(/\D/g, "")))
  }

  private acknowledge(number: SimNumber, body: Readonly<Record<string, unknown>>): SimulatedAnswer {
    const typing = body.typing_indicator !== undefined
    const flaw = readMarkFlaw(body)
    if (flaw !== undefined) return vendorError(flaw.code, flaw.details)
    this.log.add("acknowledge", { phone_number_id: number.id, provider_message_id: body.message_id, typing })
    return ok({ success: true })
  }

  private overLimit(number: SimNumber, to: string): SimulatedAnswer | undefined {
    const now = this.world.options.now()
    if (now - number.second.at >= 1000) number.second = { at: now, count: 0 }
    if (++number.second.count > number.perSecond) return vendorError(130429)
    if (number.pairPerMinute === Number.POSITIVE_INFINITY) return undefined
    if (now - number.minute.at >= 60_000) number.minute = { at: now, pairs: new Map() }
    const count = (number.minute.pairs.get(to) ?? 0) + 1
    number.minute.pairs.set(to, count)
    return count > number.pairPerMinute ? vendorError(131056) : undefined
  }

  private after(millis: number, run: () => void): void {
    if (millis <= 0) {
      run()
      return
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      run()
    }, millis)
    this.timers.add(timer)
  }
}

const codeOf = ({ body }: SimulatedAnswer): unknown => recordOf(recordOf(body).error).code ?? null
