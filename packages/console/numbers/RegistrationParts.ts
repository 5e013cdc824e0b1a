import type { NumberRegistration } from "@carteiro/schema/phone-numbers/NumberDetailsApi.ts"
import { type Html, html } from "../kit/Html.ts"
import { type Label, say } from "../kit/Language.ts"
import type { Visit } from "../kit/Pages.ts"
import { badge, facts, form, input, instant, none, notice, personText, type Tone } from "../kit/Parts.ts"
import { section } from "../kit/Story.ts"

const states: Readonly<Record<NumberRegistration["state"], readonly [word: Label, tone: Tone]>> = {
  required: ["registered at the next check", "warn"],
  registered: ["registered", "good"],
  pin_required: ["waits for its PIN", "bad"],
  refused: ["refused", "bad"]
}

/** Returns an error for a text that is no PIN; undefined for six digits. */
export const pinProblem = (pin: string): Html | undefined =>
  /^\d{6}$/.test(pin) ? undefined : say("A PIN has six digits.")

/**
 * Returns a number's registration at the platform: owners see its PIN, and enter the one that the platform holds when
 * it is another.
 */
export const registrationSection = (
  visit: Visit,
  address: string,
  registration: NumberRegistration,
  error: Html | undefined
): Html => {
  const { pin, problem, state, tried_at } = registration
  const [word, tone] = states[state]
  const isOwner = visit.session.member.role === "owner"
  const facing = isOwner ? (pin === null ? none("not known") : html`<code>${pin}</code>`) : none("shown to owners")
  return section(
    "registration",
    "Registration at the platform",
    html`${state === "pin_required" && notice("bad", say("The platform holds another PIN for this number, and sends nothing until it is entered."))}
<div class="card">${facts([
      ["State", badge(say(word), tone)],
      ["PIN", facing],
      ["Last tried", instant(tried_at)],
      problem === null ? undefined : ["Reason of the platform", personText(problem)]
    ])}${
      state === "pin_required" &&
      isOwner &&
      visit.mayChange &&
      form(
        `${address}/pin`,
        visit.csrf,
        html`${input({
          name: "pin",
          label: "PIN",
          hint: say("The six digits of two-step verification, as set when the number was last registered."),
          required: true,
          maxLength: 6,
          plain: true,
          error
        })}<div class="buttons"><button class="primary">Register with this PIN</button></div>`
      )
    }</div>`
  )
}
