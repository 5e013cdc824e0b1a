import type { CallLog } from "../../kit/CallLog.ts"
import type { Faults } from "../../kit/Faults.ts"
import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimNumber, World } from "../World.ts"

/**
 * Faults of registering a number; the operation is `add`, `request_code`, `verify_code`, `register`
 * or `deregister`. `refuse` takes a
 * code as its value, `cut` loses the response after the effect, and a lost text message never arrives.
 */
export const registrationFaults = ["refuse_registration", "fail_registration", "cut_registration", "lost_sms"] as const

/** Numbers that are added to accounts, verified by a text message and registered under a pin. */
export class Registration {
  private readonly world: World
  private readonly faults: Faults
  private readonly log: CallLog
  private readonly codes = new Map<string, string>()
  private sent = 0

  constructor(world: World, faults: Faults, log: CallLog) {
    this.world = world
    this.faults = faults
    this.log = log
  }

  /** `POST /{biz_account_id}/phone_numbers {cc, phone_number, verified_name}`. */
  add(biz_account_id: string, call: Call): SimulatedAnswer | undefined {
    const { cc, phone_number, verified_name } = recordOf(jsonOf(call.body))
    const digits = `${cc}${phone_number}`
    return this.taken("add", call, digits, () => {
      if (!/^\d{8,15}$/.test(digits) || typeof verified_name !== "string") return vendorError(100, "phone_number")
      const known = [...this.world.numbers.values()].some((one) => digitsOf(one.display_phone_number) === digits)
      if (known) return vendorError(100, "the phone number is registered with an account already")
      const number = this.world.addNumber(this.world.id("1"), biz_account_id, `+${digits}`)
      Object.assign(number, { verified_name, code_verification_status: "NOT_VERIFIED", status: "PENDING" })
      return ok({ id: number.id })
    })
  }

  /** `POST /{phone_number_id}/request_code {code_method, language}`. */
  requestCode(number: SimNumber, call: Call): SimulatedAnswer | undefined {
    return this.taken("request_code", call, number.id, () => {
      if (number.code_verification_status === "VERIFIED") return vendorError(136024, "the number is verified")
      const code = String(100_000 + ((++this.sent * 7919) % 900_000))
      this.codes.set(number.id, code)
      if (this.faults.hit(["lost_sms"], { operation: "request_code" }) === undefined) {
        this.world.options.sms?.(number.display_phone_number, `Your code is ${code.slice(0, 3)}-${code.slice(3)}`)
      }
      return ok({ success: true })
    })
  }

  /** `POST /{phone_number_id}/verify_code {code}`. */
  verifyCode(number: SimNumber, call: Call): SimulatedAnswer | undefined {
    return this.taken("verify_code", call, number.id, () => {
      const { code } = recordOf(jsonOf(call.body))
      if (code !== this.codes.get(number.id)) return vendorError(136025)
      number.code_verification_status = "VERIFIED"
      return ok({ success: true })
    })
  }

  /** `POST /{phone_number_id}/register {messaging_product, pin}`. */
  register(number: SimNumber, call: Call): SimulatedAnswer | undefined {
    return this.taken("register", call, number.id, () => {
      const { messaging_product, pin } = recordOf(jsonOf(call.body))
      if (messaging_product !== "whatsapp") return vendorError(100, "messaging_product")
      if (typeof pin !== "string" || !/^\d{6}$/.test(pin)) return vendorError(100, "pin: six digits")
      if (number.code_verification_status !== "VERIFIED") return vendorError(133006)
      if ((number.pin ?? pin) !== pin) return vendorError(133005)
      Object.assign(number, { pin, status: "CONNECTED", platform_type: "CLOUD_API" })
      return ok({ success: true })
    })
  }

  /** `POST /{phone_number_id}/deregister`: the number keeps its pin and sends no more. */
  deregister(number: SimNumber, call: Call): SimulatedAnswer | undefined {
    return this.taken("deregister", call, number.id, () => {
      if (number.status !== "CONNECTED") return vendorError(133010)
      Object.assign(number, { status: "DISCONNECTED", platform_type: "NOT_APPLICABLE" })
      return ok({ success: true })
    })
  }

  /** `POST /{phone_number_id} {pin}`: sets the second factor. */
  change(number: SimNumber, call: Call): SimulatedAnswer {
    const { pin } = recordOf(jsonOf(call.body))
    if (typeof pin !== "string" || !/^\d{6}$/.test(pin)) return vendorError(100, "pin: six digits")
    number.pin = pin
    return ok({ success: true })
  }

  private taken(
    operation: string,
    { response }: Call,
    subject: string,
    done: () => SimulatedAnswer
  ): SimulatedAnswer | undefined {
    const fault = this.faults.hit(["refuse_registration", "fail_registration", "cut_registration"], { operation })
    const note = (outcome: string) => this.log.add("registration", { operation, subject, outcome })
    if (fault?.name === "refuse_registration" || fault?.name === "fail_registration") {
      note(fault.name)
      return fault.name === "fail_registration" ? vendorError(131016) : vendorError(fault.value ?? 100, "simulated")
    }
    const answer = done()
    note(answer.status < 300 ? "ok" : "refused")
    if (fault === undefined) return answer
    response.destroy()
    return undefined
  }
}

const digitsOf = (phone: string): string => phone.replace(/\D/g, "")
