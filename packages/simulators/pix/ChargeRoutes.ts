import { type Call, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Account } from "./Accounts.ts"
import { type Charge, type ChargeRequest, type Charges, hasEnded } from "./Charges.ts"
import { type Done, type RouteContext, refuse, routeOf } from "./PixFaults.ts"

/** A vendor's style of charges: their path, and whether people choose between a page and a code. */
export interface ChargeStyle {
  readonly path: "/v1/charges" | "/v1/checkouts"
  /** The name of its operations in log and faults, such as `checkout`. */
  readonly operation: string
  readonly hasModes: boolean
  /** Milliseconds from a cancel to its confirmation. */
  readonly workMs: number
}

/** The vendor's routes about charges. gaps-3 G "pixprov1 and pixprov2 calls" */
export const chargeRoutes = (context: RouteContext, charges: Charges, style: ChargeStyle): RouteList => {
  const { hasModes, operation, path } = style
  const of = routeOf(context)
  const { faults } = context

  const create = async (call: Call, account: Account): Promise<Done> => {
    const body = recordOf(jsonOf(call.body))
    const facts = { ...body, account: account.key.slice(-4) }
    const request = requestOf(body, hasModes)
    if (typeof request === "string") return refuse(request, `${request}: external_id, amount_centavos, mode`, facts)
    const before = charges.find(account, request.external_id)
    if (before !== undefined && before.amount_centavos !== request.amount_centavos) {
      return refuse("external_id_conflict", "another amount under this external_id", facts)
    }
    const charge = before ?? charges.make(account, request)
    if (before === undefined) decideItself(charge)
    return {
      answer: { status: before === undefined ? 201 : 200, body: await shown(charge, call) },
      outcome: before === undefined ? "made" : "repeated",
      facts: { ...facts, id: charge.id }
    }
  }

  const decideItself = (charge: Charge) => {
    for (const status of ["paid", "failed", "approved"] as const) {
      const fault = faults.hit([`${status}_after`], { operation })
      if (fault !== undefined) charges.after(fault.value ?? 0, () => charges.end(charge, status))
    }
  }

  const show = async (call: Call, account: Account): Promise<Done> => {
    const charge = charges.of(account, call.places[0] ?? "")
    return charge === undefined ? refuse("not_found") : found(charge, call)
  }

  const list = async (call: Call, account: Account): Promise<Done> => {
    const external_id = call.query.get("external_id") ?? ""
    const charge = charges.find(account, external_id)
    return {
      answer: { status: 200, body: { data: charge === undefined ? [] : [await shown(charge, call)] } },
      outcome: charge === undefined ? "none" : charge.status,
      facts: { external_id }
    }
  }

  const found = async (charge: Charge, call: Call): Promise<Done> => ({
    answer: { status: 200, body: await shown(charge, call) },
    outcome: charge.status,
    facts: { id: charge.id, external_id: charge.external_id }
  })

  const cancel = async (call: Call, account: Account): Promise<Done> => {
    const charge = charges.of(account, call.places[0] ?? "")
    if (charge === undefined) return refuse("not_found")
    const facts = { id: charge.id, external_id: charge.external_id }
    if (charge.status === "cancelled") return found(charge, call)
    if (hasEnded(charge)) return refuse("already_ended", `the checkout is ${charge.status}`, facts)
    if (charge.mode === "transparent_pix")
      return refuse("cancellation_unsupported", "a Pix code cannot be taken back", facts)
    if (faults.hit(["stuck_cancel"], { operation: `${operation}_cancel` }) === undefined) {
      charges.after(style.workMs, () => charges.end(charge, "cancelled"))
    }
    return { answer: { status: 202, body: await shown(charge, call) }, outcome: "cancelling", facts }
  }

  const approve = (call: Call, account: Account): Done => {
    const charge = charges.of(account, call.places[0] ?? "")
    if (charge === undefined) return refuse("not_found")
    const { external_id, note } = recordOf(jsonOf(call.body))
    const facts = { id: charge.id, external_id: charge.external_id, note }
    if (hasEnded(charge)) return refuse("already_ended", `the checkout is ${charge.status}`, facts)
    const before = charge.approval
    charge.approval ??= { id: `apr_${charge.id}`, external_id: String(external_id ?? "") }
    const body = { ...charge.approval, checkout_id: charge.id, status: "requested" }
    return {
      answer: { status: before === null ? 201 : 200, body },
      outcome: before === null ? "requested" : "repeated",
      facts
    }
  }

  const shown = async (charge: Charge, { headers }: Call) => {
    const isHosted = charge.mode === "hosted_checkout"
    const wrongAmount = faults.hit(["wrong_amount"], { operation }) !== undefined
    const amount = charge.amount_centavos + (wrongAmount ? 1 : 0)
    const isUnreadable = faults.hit(["unreadable_amount"], { operation }) !== undefined
    const wrongId = faults.hit(["wrong_external_id"], { operation }) !== undefined
    return {
      id: charge.id,
      external_id: wrongId ? `${charge.external_id}x` : charge.external_id,
      status: charge.status,
      amount_centavos: isUnreadable ? String(amount) : amount,
      ...(hasModes ? { mode: charge.mode } : undefined),
      payment_url: isHosted ? `http://${headers.host}/pay/${charge.id}` : null,
      pix_copy_paste: isHosted ? null : charge.pix_copy_paste,
      pix_qr_code_base64: isHosted ? null : await charge.qrCode(),
      expires_at: new Date(charge.expiresAt).toISOString()
    }
  }

  return [
    [`POST ${path}`, of(operation, create, "makes")],
    [`GET ${path}`, of(`${operation}_lookup`, list, "finds")],
    [`GET ${path}/{}`, of(`${operation}_read`, show)],
    ...(hasModes
      ? ([
          [`DELETE ${path}/{}`, of(`${operation}_cancel`, cancel)],
          [`POST ${path}/{}/approvals`, of(`${operation}_approval`, approve)]
        ] satisfies RouteList)
      : [])
  ]
}

const requestOf = (
  body: Readonly<Record<string, unknown>>,
  hasModes: boolean
): ChargeRequest | "request_invalid" | "amount_invalid" => {
  const { amount_centavos, description, expires_in_seconds, external_id, success_url } = body
  const mode = hasModes ? (body.mode ?? "hosted_checkout") : "hosted_checkout"
  if (typeof amount_centavos !== "number" || !Number.isSafeInteger(amount_centavos) || amount_centavos < 1) {
    return "amount_invalid"
  }
  const isMode = mode === "hosted_checkout" || mode === "transparent_pix"
  const seconds = expires_in_seconds ?? 86_400
  if (typeof external_id !== "string" || external_id === "" || !isMode) return "request_invalid"
  if (typeof seconds !== "number" || !(seconds > 0)) return "request_invalid"
  return {
    external_id,
    amount_centavos,
    description: typeof description === "string" ? description : null,
    mode,
    expires_in_seconds: seconds,
    success_url: typeof success_url === "string" ? success_url : null
  }
}
